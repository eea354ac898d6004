internal import Foundation
internal import GRDBSQLite

extension StoreError {
  /// Makes the error of a file that is only read, where SQLite cannot read it without writing to
  /// what lies beside it.
  ///
  /// - Parameters:
  ///   - failure: What SQLite reported.
  ///   - file: The file's path.
  ///   - isFolderWritable: Whether something can be made beside the file: not on a file system that
  ///     is mounted read-only; nil to find out.
  /// - Returns: The error; nil where something else is wrong.
  static func unusableLog(
    _ failure: StoreError.SQLiteFailure, of file: String, isFolderWritable: Bool? = nil
  ) -> StoreError? {
    if failure.resultCode == rollbackNeeded {
      return StoreError(
        .cannotOpen,
        message:
          "\(file): a program was ended while it wrote, and what it wrote must be undone first",
        hint: unfinishedHint, cause: failure)
    }
    switch failure.primaryResultCode {
    case SQLITE_READONLY: break
    case SQLITE_CANTOPEN:
      // The file itself can be opened, so it is the index of its log that cannot be made.
      let manager = FileManager.default
      let isWritable = isFolderWritable ?? manager.isWritableFile(atPath: folder(of: file))
      guard !hasTooManyFiles, manager.isReadableFile(atPath: file),
        manager.fileExists(atPath: file + "-wal") || !isWritable
      else { return nil }
    default: return nil
    }
    return StoreError(
      .cannotOpen,
      message: "\(file): the log beside the file cannot be used: \(failure.message)",
      hint: unusableLogHint, cause: failure)
  }

  private static func folder(of file: String) -> String {
    let folder = (file as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  /// `SQLITE_READONLY_ROLLBACK`, a macro that Swift does not import.
  private static let rollbackNeeded = SQLITE_READONLY | 3 << 8

  private static let unfinishedHint =
    "Open the file once for writing, which undoes it, or read a copy that has its -journal beside it."

  /// Whether a file cannot be read before what a killed program wrote is undone.
  package var isOfUnfinishedWrite: Bool { hint == Self.unfinishedHint }

  private static let unusableLogHint =
    "Make the file's folder writable, or copy the file with its -wal or -journal."

  /// Whether a file cannot be read because SQLite would have to write to what lies beside it.
  package var isOfUnusableLog: Bool { hint == Self.unusableLogHint }
}
