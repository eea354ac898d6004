internal import Foundation
public import Logging
public import Sectile
public import ServiceLifecycle

/// Copies a database into a folder now and then, and keeps the latest copies.
public struct BackupService: Service, CustomStringConvertible {
  /// The service's name, for logs.
  public let description = "BackupService"
  private let store: Store
  private let folder: URL
  private let interval: Duration
  private let kept: Int
  private let logger: Logger

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - store: What is copied.
  ///   - folder: Where to; it is created.
  ///   - interval: How much time passes between two copies.
  ///   - kept: How many are kept, one at least; the oldest go first.
  ///   - logger: Where to log copies, and what goes wrong.
  public init(
    of store: Store, to folder: String, every interval: Duration, keeping kept: Int,
    logger: Logger
  ) {
    self.store = store
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    self.interval = interval
    self.kept = max(1, kept)
    self.logger = logger
  }

  /// Copies until the service ends; a copy that is under way then leaves nothing behind.
  public func run() async {
    try? await cancelWhenGracefulShutdown {
      while true {
        try await Task.sleep(for: interval)
        do {
          let path = try await backUp()
          logger.info("Backed up.", metadata: ["path": "\(path)"])
        } catch is CancellationError {
          return
        } catch {
          // The next one may succeed; whoever reads the log decides.
          logger.error("The backup failed: \(error)")
        }
      }
    }
  }

  /// Makes one copy, and removes those that are too many.
  ///
  /// - Returns: The copy's path.
  /// - Throws: A `StoreError`; what files throw; `CancellationError`.
  @discardableResult
  func backUp() async throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Names sort by time.
    let time = Date.now.formatted(
      Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        .year().month().day().time(includingFractionalSeconds: true))
    let path = folder.appending(path: "\(Self.prefix)\(time)Z.sqlite").path
    try await store.backup(to: path)
    for old in try copies().dropLast(kept) {
      try FileManager.default.removeItem(at: folder.appending(path: old))
    }
    return path
  }

  private static let prefix = "parcels-"

  private func copies() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(".sqlite") }.sorted()
  }
}
