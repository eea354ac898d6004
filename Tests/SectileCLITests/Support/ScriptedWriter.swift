import Foundation
import SectileTestSupport

/// A process of SQLite's own shell that changes rows of a table at random, as fast as it may.
///
/// The table is `item (id INTEGER PRIMARY KEY, kind, name, size, written)`. The process is ended
/// and started again from time to time.
final class ScriptedWriter: @unchecked Sendable {
  // Guard: `group` orders the thread's writes before the reads of `finish()`.
  private(set) var commitCount = 0
  private(set) var failure: (any Error)?
  private let group = DispatchGroup()

  /// Starts writing.
  init(path: String, seed: UInt64, until end: Date, pause: Double, vacuums: Bool) {
    group.enter()
    Thread.detachNewThread { [self] in
      defer { group.leave() }
      var random = SeededRandom(seed: seed)
      do {
        while Date() < end {
          try run(path, &random, until: min(end, Date() + 0.5), pause)
          if vacuums { try run(path, ["VACUUM;", "PRAGMA wal_checkpoint(TRUNCATE);"]) }
        }
      } catch {
        failure = error
      }
    }
  }

  /// Waits for the end.
  func finish() -> Int {
    group.wait()
    return commitCount
  }

  private func run(
    _ path: String, _ random: inout SeededRandom, until end: Date, _ pause: Double
  ) throws {
    let input = Pipe()
    let process = try Self.start(path, input)
    while Date() < end {
      let statements = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        Self.statement(&random)
      }
      let text = "BEGIN IMMEDIATE;\n\(statements.joined(separator: "\n"))\nCOMMIT;\n"
      try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      commitCount += 1
      Thread.sleep(forTimeInterval: pause)
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private func run(_ path: String, _ statements: [String]) throws {
    let input = Pipe()
    let process = try Self.start(path, input)
    try input.fileHandleForWriting.write(contentsOf: Data(statements.joined(separator: "\n").utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private static func start(_ path: String, _ input: Pipe) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-cmd", ".timeout 20000", path]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private static let now = "(julianday('now') - 2440587.5) * 86400.0"

  private static func statement(_ random: inout SeededRandom) -> String {
    let id = Int.random(in: 1...400, using: &random)
    let kind = ["'saw'", "'hammer'", "NULL", "'file'", "3", "'Zange'"].randomElement(using: &random)
    let size = Int.random(in: 0...50, using: &random)
    let (kindText, name) = (kind ?? "NULL", "'n\(size)é日'")
    return switch Int.random(in: 0..<8, using: &random) {
    case 0...2:
      "INSERT OR REPLACE INTO item VALUES (\(id), \(kindText), \(name), \(size), \(now));"
    case 3: "DELETE FROM item WHERE id = \(id);"
    case 4: "UPDATE item SET kind = \(kindText), written = \(now) WHERE id = \(id);"
    case 5: "UPDATE item SET size = \(size), written = \(now) WHERE id % 40 = \(id % 40);"
    case 6: "UPDATE item SET name = \(name), written = \(now) WHERE id BETWEEN \(id) AND \(id + 5);"
    default: "DELETE FROM item WHERE id BETWEEN \(id) AND \(id + 3);"
    }
  }
}
