internal import Foundation
internal import Sectile

/// A file of things with a change log, a store that follows it, and another one that stands for
/// another process: SQLite knows no difference.
final class SharedThings {
  let store: Store
  let other: Store
  private let folder: URL

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - count: How many things there are.
  ///   - shelves: On how many shelves.
  ///   - schema: What the file has besides.
  ///   - rowCount: How many rows of the log the store keeps; the other one keeps all.
  ///   - polling: How often the store looks by itself; nil for never.
  /// - Throws: What opening and writing throw.
  init(
    _ count: Int, shelves: Int = 50, schema: String = "", keeping rowCount: Int = 100_000,
    polling: Duration? = nil
  ) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sectile-growth-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent("things.sqlite").path
    var configuration = StoreConfiguration()
    // Looks are called for: what they cost is not to depend on when they come.
    configuration.externalChangePolling = polling
    configuration.synchronous = .normal
    configuration.changeLogRetention.rowCount = rowCount
    store = try Store.open(at: path, configuration: configuration)
    try store.write { tx in
      try tx.execute(Things.schema + Things.index + schema)
      try tx.insert(contentsOf: (1...count).lazy.map { Things.thing($0, shelves: shelves) })
    }
    try store.changeLog.enable()
    configuration.changeLogRetention.rowCount = .max / 4
    other = try Store.open(at: path, configuration: configuration)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Commits a statement on the side of the other process, and has the store look.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - results: What must follow it by one changeset, without reading everything.
  /// - Throws: What writing and looking throw, and a `WrongResult`.
  func commitElsewhere(_ sql: String, showing results: SectionedResults<Thing>? = nil) throws {
    let version = results?.version
    try other.write { try $0.execute(sql) }
    try store.checkForExternalChanges()
    guard let results, let version else { return }
    try check(
      results.version == version + 1 && results.statistics.resyncCount == 0,
      "version \(results.version), \(results.statistics.resyncCount) resyncs")
  }
}
