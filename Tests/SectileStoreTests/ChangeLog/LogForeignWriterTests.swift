import Foundation
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Other programs write to a file whose tables have the triggers.
@Suite(.timeLimit(.minutes(60))) struct LogForeignWriterTests {
  /// Tables of many kinds, with the triggers, in a file.
  private func makeFile(in folder: TemporaryFolder) throws -> String {
    let path = folder.file("data.sqlite")
    let store = try Store.open(at: path)
    try store.write { transaction in
      try transaction.execute(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE UNIQUE, b INTEGER NOT NULL
          DEFAULT 1, g TEXT AS (lower(a)) UNIQUE);
        CREATE UNIQUE INDEX i ON t (upper(a), b) WHERE b > 2;
        CREATE TABLE child (id TEXT PRIMARY KEY, t INTEGER REFERENCES t ON DELETE CASCADE
          ON UPDATE CASCADE) STRICT, WITHOUT ROWID;
        """)
      try transaction.installLog(on: "t", "child")
    }
    try store.close()
    return path
  }

  /// What the log of a file says: number of the table, operation, key.
  private func log(of path: String) throws -> [String] {
    let store = try Store.open(at: path)
    let lines = try store.read {
      try $0.query("SELECT tbl || ' ' || op || ' ' || quote(k0) FROM sectile_log ORDER BY seq")
        .map { row in if case .text(let line) = row.values[0] { line } else { "" } }
    }
    try store.close()
    return lines
  }

  private func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  private let writes = [
    "INSERT INTO t (id, a) VALUES (1, 'x'), (2, 'y')",
    "INSERT INTO child VALUES ('one', 1), ('two', 2)",
    "REPLACE INTO t (id, a) VALUES (3, 'X')", "UPDATE t SET id = 9 WHERE id = 2",
  ]
  private let said = [
    "1 1 1", "1 1 2", "2 1 'one'", "2 1 'two'", "1 4 1", "1 4 1", "2 3 'one'", "1 1 3",
    "1 3 2", "1 2 9", "2 2 'two'",
  ]

  @Test func sqlitesShellWritesToTheLog() throws {
    let folder = try TemporaryFolder()
    let path = try makeFile(in: folder)
    let settings = "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;"
    let result = try run([
      "sqlite3", "-batch", "-init", "/dev/null", path,
      settings + writes.joined(separator: ";"),
    ])
    #expect(result.status == 0, "\(result.output)")
    #expect(try log(of: path).sorted() == said.sorted())
  }

  @Test func pythonWritesToTheLogOfAnAttachedFile() throws {
    let folder = try TemporaryFolder()
    let path = try makeFile(in: folder)
    let script = """
      import sqlite3, sys
      connection = sqlite3.connect(':memory:')
      connection.execute('CREATE TABLE other (id)')
      connection.execute('ATTACH ? AS file', [sys.argv[1]])
      connection.execute('CREATE TEMP TABLE t (id, a, b)')
      connection.execute('PRAGMA trusted_schema = OFF')
      connection.execute('PRAGMA foreign_keys = ON')
      for sql in sys.argv[2:]:
        connection.execute(sql.replace(' t ', ' file.t '))
      connection.commit()
      """
    let result = try run(["python3", "-c", script, path] + writes)
    #expect(result.status == 0, "\(result.output)")
    #expect(try log(of: path).sorted() == said.sorted())
  }
}
