internal import ArgumentParser
internal import Sectile
internal import SectilePresenting

/// How a file that is only read is opened, alike in every subcommand that reads one.
struct OpeningOptions: ParsableArguments {
  @Flag(
    name: .customLong("immutable"),
    help:
      "Take the file for one that nobody changes, as on a medium that cannot be written: it is not locked, and a log beside it is not read."
  )
  var isImmutable = false

  init() {}

  /// Creates options that were not given as arguments.
  init(isImmutable: Bool) {
    self.isImmutable = isImmutable
  }

  /// Opens a file for reading.
  ///
  /// - Parameter path: The file's path.
  /// - Returns: The connection.
  /// - Throws: ``CommandFailure`` and ``StoreError``.
  func connection(to path: String) throws -> InspectionConnection {
    try noteUnreadLog(of: path)
    return try Self.explaining(path) {
      try InspectionConnection(path: path, isImmutable: isImmutable)
    }
  }

  /// Opens a file to follow it; see ``Store/inspecting(_:isImmutable:polling:busyTimeout:)``.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - busyTimeout: How long to wait for another connection's lock.
  /// - Returns: The store, which looks for changes only when it is told to.
  /// - Throws: ``CommandFailure`` and ``StoreError``.
  func store(
    at path: String, busyTimeout: Duration = StoreConfiguration().busyTimeout
  ) throws -> Store {
    try noteUnreadLog(of: path)
    return try Self.explaining(path) {
      try Store.inspecting(
        path, isImmutable: isImmutable, polling: nil, busyTimeout: busyTimeout)
    }
  }

  /// Says in place of a hint for programs what options there are.
  static func explaining<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.isOfUnusableLog {
      let copying = "Make the file's folder writable, or copy the file with its -wal or -journal"
      throw CommandFailure(
        .noInput, error.message,
        hint: hasUnreadLog(path)
          ? copying + "." : copying + "; if nobody changes it, add --immutable.")
    }
  }

  /// Says that commits are missing that are in a log only.
  private func noteUnreadLog(of path: String) throws {
    guard isImmutable, Self.hasUnreadLog(path) else { return }
    let errors = Output.standardError()
    let name = TerminalText.escaped(path)
    try errors.line("Note: the log beside \(name) is not read; what is in it alone is missing.")
    try errors.flush()
  }

  /// Whether there is something in a log beside a file.
  private static func hasUnreadLog(_ path: String) -> Bool {
    ["-wal", "-journal"].contains { FileIdentity(path + $0)?.isEmpty == false }
  }
}
