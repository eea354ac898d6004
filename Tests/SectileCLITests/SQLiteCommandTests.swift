import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct SQLiteCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("data.sqlite")
    let store = try Store.open(at: path)
    try store.write { transaction in
      try transaction.execute(
        """
        CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT, weight REAL);
        CREATE VIEW heavy AS SELECT * FROM tool WHERE weight > 10;
        CREATE INDEX tool_by_name ON tool (name);
        INSERT INTO tool VALUES (1, 'saw', 1.5), (2, 'anvil' || char(27) || '[2J', 80), (3, NULL, NULL);
        """)
    }
    try store.close()
  }

  @Test func parsesItsArguments() throws {
    let command = try #require(
      SectileCommand.parseAsRoot(["sqlite", "a.db", "SELECT 1", "--mode", "csv", "--writable"])
        as? SQLiteCommand)
    #expect(command.file == "a.db")
    #expect(command.sql == ["SELECT 1"])
    #expect(command.mode == .csv)
    #expect(command.writable)
  }

  @Test(arguments: [[], [".tables"]])
  func tablesAreListedWithTheirCounts(arguments: [String]) throws {
    let run = try CommandRun(["sqlite", path] + arguments)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "name   kind   rows")
    #expect(lines.contains("heavy  view   NULL"))
    #expect(lines.contains("tool   table     3"))
  }

  @Test func schemaShowsTheStatements() throws {
    let run = try CommandRun(["sqlite", path, ".schema", "TOOL"])
    #expect(
      run.output == """
        CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT, weight REAL);
        CREATE INDEX tool_by_name ON tool (name);

        """)
    #expect(try CommandRun(["sqlite", path, ".schema"]).output.contains("CREATE VIEW heavy"))
  }

  @Test func queriesAreAlignedAndEscaped() throws {
    let run = try CommandRun(["sqlite", path, "SELECT * FROM tool ORDER BY id"])
    #expect(
      run.output == """
        id  name            weight
        --  --------------  ------
         1  saw                1.5
         2  anvil\\u{1B}[2J    80.0
         3  NULL            NULL

        """)
  }

  @Test func severalStatementsAnswerInOrder() throws {
    let run = try CommandRun(["sqlite", path, "SELECT 1 AS a; SELECT 2 AS b", "SELECT 3 AS c"])
    #expect(run.output == "a\n-\n1\nb\n-\n2\nc\n-\n3\n")
  }

  @Test func jsonLinesParse() throws {
    let run = try CommandRun(["sqlite", path, "--mode", "ndjson", "SELECT * FROM tool"])
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?.keys.sorted() == ["id", "name", "weight"])
    }
  }

  @Test(arguments: [
    "DELETE FROM tool", "ATTACH 'other.sqlite' AS other", "VACUUM", "PRAGMA query_only = OFF",
    "CREATE TEMP TABLE t (x)", "VACUUM INTO 'copy.sqlite'",
  ])
  func changesNeedTheFlag(sql: String) throws {
    let run = try CommandRun(["sqlite", path, sql])
    #expect(run.code == 65)
    #expect(run.output.isEmpty)
    #expect(run.errors.split(separator: "\n").count == 2)
    #expect(run.errors.contains("Hint: Add --writable"))
  }

  @Test func theFlagAllowsChanges() throws {
    let run = try CommandRun(["sqlite", path, "--writable", "DELETE FROM tool WHERE id > 1"])
    #expect(run.code == 0)
    #expect(run.output == "2 rows changed\n")
    #expect(
      try CommandRun(["sqlite", path, "--mode", "list", "SELECT id FROM tool"]).output == "1\n")
  }

  @Test func badSQLIsBadData() throws {
    let run = try CommandRun(["sqlite", path, "SELEC 1"])
    #expect(run.code == 65)
    #expect(run.errors.contains("syntax error"))
    #expect(run.errors.contains("Hint: "))
  }

  @Test func aMissingFileAndAFolderAreNoInput() throws {
    for path in [folder.file("missing.sqlite"), folder.url.path] {
      let run = try CommandRun(["sqlite", path])
      #expect(run.code == 66)
      #expect(run.errors.split(separator: "\n").count == 2)
      #expect(run.errors.contains("Hint: "))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("missing.sqlite")))
  }

  @Test func anotherFileIsNoDatabase() throws {
    let path = try folder.write(String(repeating: "text ", count: 300), to: "notes.txt")
    let run = try CommandRun(["sqlite", path])
    #expect(run.code == 65)
    #expect(run.errors.contains("Hint: "))
  }

  @Test func unknownCommandsAndTablesAreRefused() throws {
    #expect(try CommandRun(["sqlite", path, ".frobnicate"]).code == 64)
    #expect(try CommandRun(["sqlite", path, ".schema", "nothing"]).code == 1)
    #expect(try CommandRun(["sqlite"]).code == 64)
    #expect(try CommandRun(["sqlite", path, "--mode", "latex"]).code == 64)
  }

  @Test func whatCannotBeWrittenIsAnError() throws {
    let process = try CommandRun.process(["sqlite", path])
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
  }

  @Test func aClosedPipeEndsQuietly() throws {
    let numbers =
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT i FROM n"
    let process = try CommandRun.process(["sqlite", path, "--mode", "list", numbers])
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    _ = try output.fileHandleForReading.read(upToCount: 10)
    try output.fileHandleForReading.close()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(try errors.fileHandleForReading.readToEnd()?.isEmpty != false)
  }

  @Test func aTerminalShowsTheTable() throws {
    let session = try TerminalSession(["sqlite", path, "SELECT name FROM tool WHERE id < 3"])
    #expect(try session.exitCode() == 0)
    #expect(try session.screen().contains("anvil\\u{1B}[2J"))
  }
}
