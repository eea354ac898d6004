import Foundation
import Sectile
import SectileTestHelpers
import Testing

/// Database files for tests.
enum Database {
  /// Makes a database out of statements, and returns its path.
  @discardableResult
  static func make(_ sql: String, in folder: TemporaryFolder, as name: String = "data.sqlite")
    throws
    -> String
  {
    let path = folder.file(name)
    let connection = try InspectionConnection(path: path, access: .create)
    // Nobody needs the file after a loss of power, and waiting for the disk takes longer than
    // tests.
    try connection.run("PRAGMA synchronous = OFF") { _ in }
    try connection.run(sql) { _ in }
    return path
  }

  /// Runs SQLite's own shell, and returns what it wrote on both outputs.
  static func sqlite3(_ arguments: [String], input: String = "") throws -> String {
    let run = try ProgramRun(
      "/usr/bin/env", ["sqlite3", "-batch", "-init", "/dev/null"] + arguments,
      input: Data(input.utf8))
    return String(decoding: run.output + run.errors, as: UTF8.self)
  }
}
