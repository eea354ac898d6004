import Foundation
import Glibc
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// A folder that nobody may write to, with a database in it, and `sectile` run by somebody whom
/// permissions stop: by root without the right to pass over them, if need be.
struct UnwritableFolder {
  /// The database's path.
  let path: String
  private let folder: String

  /// Makes the folder, with a database that was closed properly.
  init(_ sql: String, in parent: TemporaryFolder) throws {
    folder = parent.file("unwritable")
    path = folder + "/data.sqlite"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try Database.sqlite3([path], input: sql)
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
