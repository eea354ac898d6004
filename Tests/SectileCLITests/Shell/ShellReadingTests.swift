import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// What the shell reads, and how: other files, parameters, modes, failures that end nothing.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ShellReadingTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (\tid INTEGER PRIMARY KEY,\n\tname TEXT);
      INSERT INTO tool VALUES (1, 'saw'), (2, 'it''s <b>'), (3, NULL);
      """, in: folder)
  }

  private func run(_ arguments: [String], input: String? = nil) throws -> CommandRun {
    try CommandRun(
      ["sqlite", path] + arguments, input: input,
      environment: ["XDG_CONFIG_HOME": folder.file("settings")])
  }

  @Test func theSchemaIsWrittenAsItIs() throws {
    #expect(
      try run([".schema"]).output
        == "CREATE TABLE tool (\tid INTEGER PRIMARY KEY,\n\tname TEXT);\n")
  }

  @Test func otherFilesAreReadAndNeverWritten() throws {
    let other = try Database.make(
      "CREATE TABLE old (x); INSERT INTO old VALUES (7)", in: folder, as: "o?'th er.sqlite")
    let name = "o\"ld"
    let attached = ["--attach", "\(name)=\(other)", "--mode", "list"]
    #expect(try run(attached + [#"SELECT x FROM "o""ld".old"#]).output == "7\n")
    #expect(try run(attached + [".tables"]).output.contains("o\"ld.old|table|NULL"))
    #expect(try run(attached + [".schema"]).output.contains("CREATE TABLE old (x);"))
    #expect(try run(attached + ["--writable", #"DELETE FROM "o""ld".old"#]).code == 74)
    #expect(try run(attached + ["ATTACH 'x' AS x"]).code == 65)
    #expect(try run(attached + [".output -f \"\(other)\"", "SELECT 1"]).code == 74)
    #expect(try run(["--attach", "a=\(folder.file("none"))"]).code == 66)
    #expect(try run(["--attach", "nothing"]).code == 64)
  }

  @Test func anImmutableFileIsReadWithAWarningAboutItsLog() throws {
    #expect(
      try run(["--immutable", "--mode", "list", "SELECT count(*) FROM tool"]).output == "3\n")
    try Data("something".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
    let warned = try run(["--immutable", "SELECT 1"])
    #expect(warned.code == 0)
    #expect(warned.errors.contains("-wal is not read"))
    #expect(try run(["--immutable", "--writable"]).code == 64)
  }

  @Test(arguments: [
    ("5", "integer"), ("-1.5e3", "real"), ("0x10", "integer"), ("null", "null"), ("'5'", "text"),
    ("'it''s'", "text"), ("x'00ff'", "blob"), ("it's", "text"), ("1 + 1", "text"), ("", "text"),
    ("'a' || (SELECT 1)", "text"), ("'a'b'", "text"), ("1e", "text"), ("x'0'", "text"),
  ])
  func parametersHaveTheTypesOfLiterals(text: String, type: String) throws {
    let run = try run(["--param", "p=\(text)", "--mode", "list", "SELECT typeof(:p), $p IS @p"])
    #expect(run.output == "\(type)|1\n")
  }

  @Test func parametersHaveNamesAndNumbers() throws {
    #expect(
      try run([
        "--param", "1=a", "--param", "?2=b", "--param", ":x=c", "--param", "x=d", "--mode", "list",
        "SELECT ?, ?2, :x, @x",
      ]).output == "a|b|c|d\n")
    let missing = try run(["SELECT :none"])
    #expect(missing.code == 65)
    #expect(missing.errors.contains("parameter :none has no value"))
    #expect(
      try run(
        ["--mode", "list"], input: ".param set a 'x y'\nSELECT :a;\n.param clear\nSELECT :a;"
      )
      .output == "x y\n")
    #expect(try run(["--param", "a b=1", "SELECT 1"]).code == 64)
  }

  @Test(arguments: [
    (
      "insert",
      "INSERT INTO \"table\" VALUES(1,'saw');\nINSERT INTO \"table\" VALUES(2,'it''s <b>');\n"
    ),
    ("quote", "1,'saw'\n2,'it''s <b>'\n"),
    (
      "html",
      "<tr><th>id</th><th>name</th></tr>\n<tr><td>1</td><td>saw</td></tr>\n<tr><td>2</td><td>it&#39;s &lt;b&gt;</td></tr>\n"
    ),
    (
      "vertical",
      "── row 1 ───────────────\n  id  1\nname  saw\n── row 2 ───────────────\n  id  2\nname  it's <b>\n"
    ),
  ])
  func modes(mode: String, text: String) throws {
    #expect(try run(["--mode", mode, "SELECT * FROM tool WHERE id < 3"]).output == text)
  }

  @Test func whatIsInsertedIsTheSame() throws {
    let values = "1, -1.5, 1e308, 9e999, 'a''b' || char(0, 27, 10) || 'c', x'00ff', NULL, 0.1"
    let statements = try run(["--mode", "insert", "SELECT \(values)"]).output
      .replacing("INSERT INTO \"table\"", with: "INSERT INTO copy")
    let check = try CommandRun(
      [
        "sqlite", Database.make("CREATE TABLE copy (a,b,c,d,e,f,g,h)", in: folder, as: "copy.db"),
        "--writable", "--mode", "list",
      ],
      input: statements + "SELECT (a,b,c,d,e,f,g,h) IS (\(values)) FROM copy;")
    #expect(check.output == "1\n", "\(statements)\(check.errors)")
  }

  @Test func aScriptGoesOnWhereItMay() throws {
    let script = "SELECT 1;\nSELEC;\nSELECT 2;\n.frob\nSELECT 3;\n"
    #expect(try run(["--mode", "list"], input: script).output == "1\n")
    let run = try run(["--mode", "list", "--no-bail"], input: script)
    #expect(run.output == "1\n2\n3\n")
    #expect(run.code == 65)
    #expect(run.errors.contains("line 2: near \"SELEC\""))
    #expect(run.errors.contains("line 4: unknown command"))
    #expect(try self.run(["--mode", "list"], input: ".bail off\n" + script).code == 65)
  }

  @Test func aLogHearsOfEachStatement() throws {
    let log = folder.file("log")
    _ = try run([], input: ".log \(log)\nSELECT id\nFROM tool;\nSELECT abs(-9223372036854775808);")
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix("3 rows: SELECT id\\nFROM tool;") == true)
    #expect(lines.last?.contains("integer overflow") == true)
    #expect(try run([".log \(path)"]).code == 74)
  }

  @Test func queriesAreKeptByName() throws {
    #expect(
      try run(["SELECT name FROM tool WHERE id = :id", "--param", "id=1", ".save one"]).code == 0)
    #expect(try run([".queries"]).output == "one\n")
    #expect(try run(["--mode", "list", "--param", "id=1", ".run one"]).output == "saw\n")
    #expect(try run(["SELECT 1", ".save one"]).code == 1)
    #expect(try run(["SELECT 1", ".save -f one"]).code == 0)
    #expect(try run([".queries one"]).output == "SELECT 1\n")
    for name in ["../one", ".hidden", "a/b", "'a b'"] {
      #expect(try run(["SELECT 1", ".save \(name)"]).code == 64)
    }
    #expect(try run([".run onee"]).errors.contains("Did you mean one?"))
    #expect(try run([".unsave one"]).code == 0)
    #expect(try run([".queries"]).output.isEmpty)
  }

  @Test func separatorsAndStatistics() throws {
    #expect(
      try run(["--mode", "list"], input: ".separator '\\t'\nSELECT 1, 2;").output == "1\t2\n")
    let run = try run([], input: ".stats on\nSELECT count(*) FROM tool ORDER BY name;")
    #expect(run.errors.hasPrefix("Steps: "))
  }

  @Test func anErrorIsOneLineHoweverLongItsCause() throws {
    let text = "SELECT '" + String(repeating: "a", count: 900_000)
    for run in [
      try run([], input: text),
      try run([], input: ".print '" + String(repeating: "a", count: 900_000)),
    ] {
      #expect(run.code != 0)
      #expect(run.errors.utf8.count < 2000)
      #expect(run.errors.split(separator: "\n").count <= 2)
    }
  }

  @Test func aLineOfManyStatementsIsReadInLinearTime() throws {
    // So many that time which grows with the square of their number goes beyond the limit.
    let line = String(repeating: "SELECT 1 WHERE 0;", count: 400_000)
    let run = try CommandRun(["sqlite", path, "--mode", "list"], input: line, limit: 240)
    #expect(run.hasExited)
    #expect(run.code == 0)
  }

  @Test func ctrlCEndsAStatementBySignal() throws {
    let endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    let process = Process()
    // The tests themselves may run where Ctrl-C is ignored, which children inherit.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["--default-signal=INT", CommandRun.program.path, "sqlite", path]
      + ["--mode", "list", "SELECT 'begun'", endless]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    #expect(try output.fileHandleForReading.read(upToCount: 6) == Data("begun\n".utf8))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGINT)
  }
}
