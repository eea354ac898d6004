internal import Foundation

/// Files as programs leave them behind: the scripts of `Tests/Fixtures/odd`.
///
/// Each has the schema of a program that people have, and a few rows. Where the program brings
/// collations, functions or tokenizers of its own, the file names them and nobody has them.
package enum OddFiles {
  /// A script that SQLite's own shell does not run.
  package struct CannotMake: Error, CustomStringConvertible {
    package let description: String
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/odd")

  /// What the files are called, in order.
  package static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".sql") }.map { String($0.dropLast(4)) }.sorted()
  }()

  /// Makes a file.
  ///
  /// - Parameters:
  ///   - name: One of ``names``.
  ///   - path: Where there is no file so far.
  /// - Throws: ``CannotMake``, and where the shell cannot be started.
  package static func make(_ name: String, at path: String) throws {
    let script = folder.appendingPathComponent("\(name).sql")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Schemas are forged to name what is not there.
    process.arguments = [
      "sqlite3", "-batch", "-bail", "-init", "/dev/null", "-cmd", ".dbconfig defensive off",
      "-cmd", "PRAGMA synchronous = OFF", path,
    ]
    process.standardInput = try FileHandle(forReadingFrom: script)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CannotMake(description: "\(name).sql ended with \(process.terminationStatus)")
    }
  }
}
