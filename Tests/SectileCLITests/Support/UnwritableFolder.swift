import Foundation
import Glibc
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// A folder that nobody may write to, with a database in it, and `sectile` run by somebody whom
/// permissions stop: by root without the right to pass over them, if need be.
struct UnwritableFolder {
  /// The database's path.
  let path: String
  private let folder: String

  /// Makes the folder, with a database that was closed properly, or with what a writer that is
  /// still at work leaves beside it.
  ///
  /// - Parameters:
  ///   - sql: What makes the database.
  ///   - logging: What a connection runs that stays open; nil for none.
  ///   - parent: Where the folder is made.
  /// - Throws: Where a file cannot be made.
  init(_ sql: String, logging: String? = nil, in parent: TemporaryFolder) throws {
    folder = parent.file("unwritable")
    path = folder + "/data.sqlite"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if let logging {
      // A copy of the files while they are in use: the log without its index.
      let source = try Database.make(sql, in: parent, as: "source.sqlite")
      let writer = try InspectionConnection(path: source, access: .readWrite)
      try writer.run("PRAGMA user_version = 1; " + logging) { _ in }
      for ending in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: source + ending, toPath: path + ending)
        chmod(path + ending, 0o444)
      }
    } else {
      _ = try Database.sqlite3([path], input: sql)
    }
    chmod(path, 0o444)
    chmod(folder, 0o555)
  }

  /// Makes the folder writable again, so that it can be removed.
  func unlock() { chmod(folder, 0o755) }

  /// Whether permissions can be had to matter here.
  static let isPossible: Bool =
    geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

  /// Runs the binary that was built beside the tests.
  func run(_ arguments: [String]) throws -> ProgramRun {
    let program = CommandRun.program.path
    guard geteuid() == 0 else { return try ProgramRun(program, arguments) }
    return try ProgramRun(
      "/usr/bin/setpriv",
      ["--bounding-set=-dac_override,-dac_read_search", program] + arguments)
  }
}
