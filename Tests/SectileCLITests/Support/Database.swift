import Foundation
import Sectile
import Testing

/// Database files for tests.
enum Database {
  /// Makes a database out of statements, and returns its path.
  @discardableResult
  static func make(_ sql: String, in folder: TemporaryFolder, as name: String = "data.sqlite")
    throws
    -> String
  {
    let path = folder.path(name)
    let connection = try InspectionConnection(path: path, access: .create)
    try connection.run(sql) { _ in }
    return path
  }

  /// Runs SQLite's own shell, and returns what it wrote on both outputs.
  static func sqlite3(_ arguments: [String], input: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", "-init", "/dev/null"] + arguments
    let source = Pipe()
    let output = Pipe()
    process.standardInput = source
    process.standardOutput = output
    process.standardError = output
    try process.run()
    DispatchQueue.global().async {
      try? source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try? source.fileHandleForWriting.close()
    }
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
