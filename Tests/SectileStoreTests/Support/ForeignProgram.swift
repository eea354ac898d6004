import Foundation
import SectileTestHelpers

/// Runs programs that know nothing of the library: `sqlite3` and `python3`.
enum ForeignProgram {
  struct Failure: Error { let output: String }

  /// Returns where SQLite's shell is; nil where there is none, which is said for the test.
  static func shellPath(for test: String) -> String? {
    let paths = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/bin/sqlite3"]
    let path = paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    if path == nil { ThisMachine.doesNotRun(test, because: "no sqlite3 shell is installed") }
    return path
  }

  /// Has SQLite's shell run lines, as from a keyboard.
  @discardableResult
  static func shell(_ path: String, _ lines: String...) throws -> String {
    try run(["sqlite3", "-batch", "-bail", "-init", "/dev/null", path], input: lines)
  }

  /// Has Python run statements in one transaction.
  static func python(_ path: String, _ statements: String...) throws {
    let script = """
      import sqlite3, sys
      connection = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
      connection.execute('BEGIN IMMEDIATE')
      for sql in sys.argv[2:]: connection.execute(sql)
      connection.execute('COMMIT')
      """
    try run(["python3", "-c", script, path] + statements)
  }

  @discardableResult
  private static func run(_ arguments: [String], input: [String] = []) throws -> String {
    let process = Process()
    let (output, lines) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    (process.standardOutput, process.standardError, process.standardInput) = (output, output, lines)
    try process.run()
    for line in input { lines.fileHandleForWriting.write(Data("\(line)\n".utf8)) }
    try lines.fileHandleForWriting.close()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(output: said) }
    return said
  }
}
