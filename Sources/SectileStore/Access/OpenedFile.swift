internal import GRDB
internal import Synchronization

/// Sees to it that all connections of a pool have one file open.
///
/// The pool opens readers when they are needed, by the path: where another file has taken it
/// meanwhile, they would read that.
final class OpenedFile: Sendable {
  // MARK: - Mutable state
  //
  // - `first`: set by the connection that opens first, the writer.
  private let first = Mutex<WrittenFile?>(nil)
  private let logFiles: LogFiles

  /// - Parameter logFiles: What the first connection has open beside the file.
  init(_ logFiles: LogFiles) { self.logFiles = logFiles }

  /// The file; nil in memory.
  var written: WrittenFile? { first.withLock { $0 } }

  /// Takes a connection that was just opened.
  ///
  /// - Throws: ``StoreError`` with the code `fileReplaced` where it has another file open than the
  ///   first, or would have another log.
  func admit(_ db: Database) throws(StoreError) {
    guard let file = try WrittenFile(below: db) else { return }
    let error: StoreError? = first.withLock { first in
      guard let known = first else {
        first = file
        return nil
      }
      return known.isSame(file) ? nil : known.replaced
    }
    if let error { throw error }
    guard let connection = db.sqliteConnection, let path = StoreError.file(of: connection) else {
      return
    }
    try logFiles.check(beside: path, of: nil)
  }
}
