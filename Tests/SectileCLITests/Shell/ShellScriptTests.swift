import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// The shell without a terminal: arguments and standard input.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ShellScriptTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT, weight REAL);
      CREATE INDEX tool_by_name ON tool (name);
      INSERT INTO tool VALUES (1, 'saw', 1.5), (2, 'anvil', 80), (3, NULL, NULL);
      """, in: folder)
  }

  private func run(_ script: String, _ arguments: [String] = []) throws -> CommandRun {
    try CommandRun(["sqlite", path] + arguments, input: script)
  }

  @Test func statementsAndCommandsRunInOrder() throws {
    let run = try run(
      """
      -- a comment; with a semicolon
      .mode list
      SELECT 1; SELECT 2;
      SELECT 'a;
      .tables
      b' /* ; */ AS x

      , 4;
        .print done 'with  quotes'
      SELECT 5
      """)
    #expect(run.errors.isEmpty)
    #expect(run.output == "1\n2\na;\\n.tables\\nb|4\ndone with  quotes\n5\n")
    #expect(run.code == 0)
  }

  @Test func aTriggerIsOneStatement() throws {
    let run = try run(
      """
      CREATE TRIGGER forget AFTER DELETE ON tool BEGIN
        SELECT 1;
        SELECT 2;
      END;
      DELETE FROM tool WHERE id = 3;
      SELECT count(*) FROM tool;
      """, ["--writable", "--mode", "list"])
    #expect(run.output == "2\n")
    #expect(run.code == 0)
  }

  @Test(arguments: [
    ("SELECT 1;\n\n  SELEC 2;\nSELECT 3;\n", "Error: line 3: near \"SELEC\": syntax error"),
    ("SELECT 1;\nSELECT\n name,\n weigt\nFROM tool;", "Error: line 4: no such column: weigt"),
    ("SELECT 1;\n\nSELECT\n\n", "Error: line 3: incomplete input"),
    ("SELECT 1;\n.frobnicate\n", "Error: line 2: unknown command '.frobnicate'"),
    ("SELECT 1;\nSELECT abs(\n-9223372036854775808);", "Error: line 2: integer overflow"),
  ])
  func aFailureNamesItsLineAndEndsTheScript(script: String, error: String) throws {
    let run = try run(script, ["--mode", "list"])
    #expect(run.output == "1\n")
    #expect(run.errors.hasPrefix(error + "\n"))
    #expect(run.errors.split(separator: "\n").count == 2)
    #expect(run.code == (script.contains(".frob") ? 64 : 65))
  }

  @Test func whatIsMisspeltIsGuessed() throws {
    for (sql, guess) in [
      ("SELECT * FROM tol", "Did you mean tool?"), ("SELECT nmae FROM tool", "Did you mean name?"),
      ("SELECT uper('a')", "Did you mean upper?"), ("SELCT 1", "Did you mean SELECT?"),
      ("SELECT t.wieght FROM tool AS t", "Did you mean weight?"),
    ] {
      let run = try CommandRun(["sqlite", path, sql])
      #expect(run.errors.contains(guess), "\(run.errors)")
    }
  }

  @Test func emptyInputListsTheTables() throws {
    for input in ["", "\n", "-- nothing\n"] {
      #expect(try run(input).output.contains("tool  table     3"))
    }
  }

  @Test func aTransactionThatIsLeftOpenIsRolledBack() throws {
    let run = try run("BEGIN;\nDELETE FROM tool;\n", ["--writable"])
    #expect(run.code == 1)
    #expect(run.errors.hasPrefix("Error: a transaction was left open"))
    #expect(try self.run("SELECT count(*) FROM tool;", ["--mode", "list"]).output == "3\n")
  }

  @Test func rowsAreLimitedWithANoticeWhenAsked() throws {
    let run = try run("SELECT id FROM tool ORDER BY id;", ["--limit", "2", "--mode", "csv"])
    #expect(run.output == "id\r\n1\r\n2\r\n")
    #expect(run.errors == "… more than 2 rows; --limit 0 shows all\n")
    #expect(try self.run("SELECT id FROM tool;", ["--limit", "3"]).errors.isEmpty)
    #expect(try self.run("", ["--limit", "-1"]).code == 64)
  }

  @Test func aLimitDoesNotStopWhatWrites() throws {
    let run = try run(
      "UPDATE tool SET weight = 9 RETURNING id;", ["--writable", "--limit", "1", "--mode", "list"])
    #expect(run.output == "1\n")
    #expect(
      try self.run("SELECT count(*) FROM tool WHERE weight = 9;", ["--mode", "list"]).output
        == "3\n")
  }

  @Test func optionsSayHowRowsLook() throws {
    #expect(
      try run("SELECT * FROM tool;", ["--mode", "list", "--header", "--null", "-"]).output
        == "id|name|weight\n1|saw|1.5\n2|anvil|80.0\n3|-|-\n")
    #expect(
      try run("SELECT name FROM tool WHERE id < 3;", ["--no-header"]).output == "saw\nanvil\n")
    #expect(
      try run("SELECT NULL AS x;", ["--mode", "json", "--null", "-"]).output == "[{\"x\":null}]\n")
    let timed = try run("SELECT 1;", ["--timer"])
    #expect(timed.errors.contains(#/^Time: [0-9.]+ (µs|ms|s), 1 row\n$/#))
  }

  @Test func jsonHasAnArrayForEachStatement() throws {
    let run = try run("SELECT 1 AS a; SELECT 2 AS a WHERE 0; SELECT 3 AS a;", ["--mode", "json"])
    #expect(run.output == "[{\"a\":1}]\n[]\n[{\"a\":3}]\n")
  }

  @Test func scriptsReadScripts() throws {
    let inner = try folder.write("SELECT 2;\nSELEC;\n", to: "inner.sql")
    let run = try run("SELECT 1;\n.read \(inner)\nSELECT 3;", ["--mode", "list"])
    #expect(run.output == "1\n2\n")
    #expect(run.errors.hasPrefix("Error: \(inner):2: near \"SELEC\""))
    #expect(run.code == 65)

    let loop = try folder.write(".read \(folder.file("loop.sql"))\n", to: "loop.sql")
    let endless = try CommandRun(["sqlite", path, ".read \(loop)"])
    #expect(endless.code == 65)
    #expect(endless.errors.contains("16 deep"))
    #expect(try CommandRun(["sqlite", path, ".read", folder.file("missing.sql")]).code == 66)
  }

  @Test func theDatabaseIsNeverAScriptOrAnOutput() throws {
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for target in [path, link, path + "-wal", path + "-journal"] {
      #expect(try CommandRun(["sqlite", path, ".output -f \(target)", "SELECT 1"]).code == 74)
      #expect(try CommandRun(["sqlite", path, ".read \(target)"]).code == 65)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
  }

  @Test func outputGoesToAFileThatIsNotOverwrittenByAccident() throws {
    let file = folder.file("out.csv")
    let first = try run(
      ".mode csv\n.once \(file)\nSELECT id FROM tool ORDER BY id;\nSELECT 'shown';\n")
    #expect(first.output == "'shown'\r\nshown\r\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "id\r\n1\r\n2\r\n3\r\n")

    let second = try run(".output \(file)\nSELECT 1;\n")
    #expect(second.code == 74)
    #expect(second.errors.contains("Hint: Overwrite it with -f"))

    let third = try run(
      ".mode list\n.output -f \(file)\nSELECT 1;\nSELECT 2;\n.output\nSELECT 3;\n")
    #expect(third.output == "3\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "1\n2\n")
  }

  @Test(arguments: [".output", ".output -f", ".once"])
  func resultsAreNotPipedIntoCommands(command: String) throws {
    let run = try CommandRun(
      ["sqlite", path], input: "\(command) '|tee caught'\nSELECT 1;\n", in: folder)
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("line 1: results are not piped into commands: |tee caught\n"))
    #expect(run.errors.contains("\nHint: "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["data.sqlite"])
  }

  @Test func aLongScriptOfOneTextIsReadInLinearTime() throws {
    let lines = String(repeating: "a line; that ends with a semicolon;\n", count: 100_000)
    let run = try run("SELECT length('\(lines)');", ["--mode", "list"])
    #expect(run.output == "\(lines.count)\n")
  }

  @Test func aReaderLeavesNoLogBeside() throws {
    let path = try Database.make(
      "PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)", in: folder,
      as: "wal.sqlite")
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    let run = try CommandRun(["sqlite", path, "--mode", "list", "SELECT x FROM t"])
    #expect(run.output == "1\n")
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(!FileManager.default.fileExists(atPath: path + "-shm"))
  }
}
