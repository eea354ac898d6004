internal import Foundation
internal import GRDB

/// The file that a store writes to, as it was when the store was opened.
///
/// SQLite goes on with the file it has open, whatever becomes of the name, but looks for the log
/// *beside the name*: whoever opens the file under another name, or another file under this one,
/// does not find the log that was acknowledged, or has it copied over what is there now. So a store
/// looks after BEGIN and before COMMIT, and before a checkpoint, whether its file is still at its
/// path, and the log that it has open still beside it (``LogFiles``).
///
/// It cannot prevent what happens between the last look and the end of COMMIT.
///
/// - Complexity: Two or three calls of `stat` for each look.
package struct WrittenFile: Sendable {
  /// The path that SQLite uses, absolute and without links.
  private let path: String
  private let identity: FileIdentity

  /// Takes note of the file of a connection; nil where that has none.
  ///
  /// - Throws: ``StoreError`` with the code `fileReplaced` where it is not at its path any more.
  init?(below db: Database) throws(StoreError) {
    guard let connection = db.sqliteConnection, let file = WrittenFile(of: connection) else {
      return nil
    }
    // Asked second: it compares what is there now with the file that is open.
    if let error = StoreError.fileReplaced(below: db) { throw error }
    self = file
  }

  /// Takes note of what is at the path of a connection that was just opened; nil where that has
  /// none.
  init?(of connection: OpaquePointer) {
    guard let path = StoreError.file(of: connection), !path.isEmpty,
      let identity = FileIdentity(path)
    else { return nil }
    self.path = path
    self.identity = identity
  }

  /// Throws where a commit would be lost, or would damage another file.
  ///
  /// - Parameters:
  ///   - logFiles: What the store has open beside the file.
  ///   - connection: The connection that writes; nil for another one.
  ///   - includesIndex: Whether to look for the index of the log, too.
  /// - Throws: ``StoreError`` with the code `fileReplaced`, or `fileLinked` where the file has a
  ///   second name, under which it has another log.
  func check(
    _ logFiles: LogFiles, of connection: OpaquePointer?, includingIndex includesIndex: Bool = true
  ) throws(StoreError) {
    var place = path
    if let now = FileIdentity(path) {
      guard now == identity else { throw replaced }
      guard now.linkCount <= 1 else { throw linked(now.linkCount) }
    } else if let moved = placeOfMovedFolder {
      place = moved
    } else {
      throw replaced
    }
    try logFiles.check(beside: place, of: connection, includingIndex: includesIndex)
  }

  /// Where the lock of those who write to a file lies.
  static func lockPath(of path: String) -> String { path + "-lock" }

  /// Where the lock of those who write to this file lies, unless its folder was moved.
  var lockPath: String { Self.lockPath(of: path) }

  /// Whether the file is at its path.
  var isInPlace: Bool { isSame(as: path) }

  /// Where the file is; nil where nobody would find it with its log.
  var currentPath: String? { isInPlace ? path : placeOfMovedFolder }

  /// Where the log still lies beside the file, under its name: then whoever opens the file where it
  /// is now finds both.
  private var placeOfMovedFolder: String? {
    let folder = OpenFiles.folder
    let links = (OpenFiles.descriptors() ?? []).compactMap {
      number -> (link: String, file: FileIdentity)? in
      guard
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + number),
        let file = FileIdentity(folder + number)
      else { return nil }
      return (link, file)
    }
    let names = Set(links.map(\.link))
    return links.first {
      $0.file == identity && names.contains(LogFiles.logPath(of: $0.link))
    }?.link
  }

  /// Whether a path leads to the file.
  func isSame(as path: String) -> Bool { FileIdentity(path) == identity }

  /// Whether both are one file.
  func isSame(_ other: WrittenFile) -> Bool { identity == other.identity }

  var replaced: StoreError {
    StoreError(
      .fileReplaced,
      message: "\(path) was replaced, renamed or deleted while open",
      hint: "Close the store and open it again to use the file that is there now.")
  }

  private func linked(_ count: Int) -> StoreError {
    StoreError(
      .fileLinked,
      message: "\(path) has \(count) names (hard links): nothing is written",
      hint:
        "Remove the other names, or copy the file with a backup: under each name it has a log of"
        + " its own, and commits would be lost.")
  }
}
