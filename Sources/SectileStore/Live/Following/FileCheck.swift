import GRDB

/// Sees to it that nothing is committed into a file that is no longer at its path, or whose log is
/// no longer beside it: see ``WrittenFile``.
final class FileCheck: CommitParticipant {
  private let file: WrittenFile
  private let logFiles: LogFiles

  /// - Parameters:
  ///   - file: The file.
  ///   - logFiles: What its connections have open beside it.
  init(of file: WrittenFile, _ logFiles: LogFiles) { (self.file, self.logFiles) = (file, logFiles) }

  func transactionDidBegin(in db: Database) throws {
    try file.check(logFiles, of: db.sqliteConnection)
  }

  func transactionWillCommit(by origin: CommitOrigin?, in db: Database) throws {
    guard origin != nil else { return }
    // The index was looked for at the beginning: without it nobody has lost what is in the log.
    try file.check(logFiles, of: db.sqliteConnection, includingIndex: false)
  }
}
