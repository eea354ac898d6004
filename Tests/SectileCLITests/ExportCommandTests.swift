import Foundation
import Sectile
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ExportCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, size REAL);
      INSERT INTO tool VALUES (3, 'a,b', 'hand', 1.5), (1, '', NULL, NULL),
        (2, char(27) || '[2J|', 'hand', -9e999), (4, 'x', 'big', 2);
      """, in: folder)
  }

  private func export(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["export", path] + arguments)
  }

  @Test func aTableComesInTheOrderOfItsKey() throws {
    let run = try export("--table", "TOOL")
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(
      run.output
        == "id,name,kind,size\r\n1,\"\",,\r\n2,\u{1B}[2J|,hand,-9e999\r\n3,\"a,b\",hand,1.5\r\n"
        + "4,x,big,2.0\r\n")
  }

  @Test func rowsAndColumnsCanBeChosen() throws {
    let run = try export(
      "--table", "tool", "--where", "id > 1", "--sort", "size DESC", "--limit", "2", "--columns",
      "size,ID", "--format", "ndjson")
    #expect(run.output == "{\"size\":2.0,\"id\":4}\n{\"size\":1.5,\"id\":3}\n")
  }

  @Test func aQueryCanBeExported() throws {
    let run = try export(
      "--query", "SELECT kind, count(*) AS n FROM tool GROUP BY 1", "--format", "tsv")
    #expect(run.output == "kind\tn\n\t1\nbig\t1\nhand\t2\n")
    #expect(try export("--query", "DELETE FROM tool").code == 65)
    #expect(try export("--query", "BEGIN").code == 65)
    #expect(try export("--query", "SELECT 1; SELECT 2").code == 65)
  }

  @Test func aSelectKeepsItsOrderUnlessMoreIsSaid() throws {
    let sql = "SELECT id, kind FROM tool WHERE id > :least ORDER BY id DESC"
    func text(_ more: String...) throws -> String {
      let run = try CommandRun(["export", path, "--sql", sql, "--param", "least=1"] + more)
      #expect(run.code == 0, "\(run.errors)")
      return run.output
    }
    #expect(try text() == "id,kind\r\n4,big\r\n3,hand\r\n2,hand\r\n")
    #expect(try text("--sort", "id", "--limit", "2") == "id,kind\r\n2,hand\r\n3,hand\r\n")
    #expect(
      try text("--section-by", "kind", "--sort", "id", "--columns", "id", "--where", "id < 4")
        == "section,id\r\nhand,2\r\nhand,3\r\n")
  }

  @Test func parametersOfASelectAreGivenOnce() throws {
    let blob = try export("--sql", "SELECT typeof(:v) AS t, hex(:v) AS h", "--param", "v=x'ff'")
    #expect(blob.output == "t,h\r\nblob,FF\r\n", "\(blob.errors)")
    let missing = try export("--sql", "SELECT :v AS v")
    #expect(missing.code == 65)
    #expect(missing.errors.contains("--param v=VALUE"), "\(missing.errors)")
    #expect(try export("--table", "tool", "--param", "v=1").code == 64)
    #expect(try export("--sql", "SELECT 1", "--query", "SELECT 2").code == 64)
    let column = try export("--sql", "SELECT id AS size FROM tool", "--sort", "sice")
    #expect(column.code == 65)
    #expect(column.errors.contains("Did you mean size?"), "\(column.errors)")
  }

  @Test func textThatIsNotUTF8StaysInSections() throws {
    let path = try Database.make(
      """
      CREATE TABLE odd (id INTEGER PRIMARY KEY, kind TEXT, name TEXT);
      INSERT INTO odd VALUES (1, CAST(x'ff' AS TEXT), 'a'), (2, CAST(x'fe' AS TEXT), x'00'),
        (3, 'b', CAST(x'61ff' AS TEXT));
      """, in: folder, as: "odd.sqlite")
    func sections(_ format: String) throws -> String {
      let run = try CommandRun([
        "export", path, "--table", "odd", "--section-by", "kind", "--columns", "id,name",
        "--format", format,
      ])
      #expect(run.code == 0, "\(run.errors)")
      return run.output
    }
    #expect(
      try sections("csv")
        == "section,id,name\r\nb,3,t'61ff'\r\nt'fe',2,x'00'\r\nt'ff',1,a\r\n")
    #expect(
      try sections("ndjson") == """
        {"section":"b","id":3,"name":{"$text":"61ff"}}
        {"section":{"$text":"fe"},"id":2,"name":{"$blob":"00"}}
        {"section":{"$text":"ff"},"id":1,"name":"a"}

        """)
    let shown = try CommandRun([
      "sections", path, "--table", "odd", "--section-by", "kind", "--aggregate", "max(name)",
      "--mode", "ndjson",
    ])
    #expect(shown.output.contains("\"section\":{\"$text\":\"fe\"}"), "\(shown.errors)")
    #expect(shown.output.contains("\"max(name)\":{\"$text\":\"61ff\"}"))
    let text = try CommandRun(["sections", path, "--table", "odd", "--section-by", "kind"])
    #expect(text.output.contains("‹fe› (1)"), "\(text.output)\(text.errors)")
    #expect(text.output.contains("a‹ff›"))
  }

  @Test func sectionsComeFirst() throws {
    let run = try export(
      "--table", "tool", "--section-by", "kind", "--sort", "id DESC", "--columns", "id", "--format",
      "csv")
    #expect(run.output == "section,id\r\n,1\r\nbig,4\r\nhand,3\r\nhand,2\r\n")
    let taken = try export("--query", "SELECT 1 AS section")
    #expect(taken.output == "section\r\n1\r\n")
    #expect(ExportSectionWriter.columns(["Section", "a"]) == ["section_", "Section", "a"])
  }

  @Test(arguments: [
    (
      "md",
      "| id | name        |\n|---:|-------------|\n|  1 |             |\n|  2 | \\u{1B}[2J\\| |\n"
    ),
    ("json", "[{\"id\":1,\"name\":\"\"},\n{\"id\":2,\"name\":\"\\u001b[2J|\"}]\n"),
    ("csv", "id,name\r\n1,\"\"\r\n2,\u{1B}[2J|\r\n"),
  ])
  func theEndingTellsTheFormat(ending: String, text: String) throws {
    let file = folder.file("out." + ending)
    let arguments = [
      "--table", "tool", "--columns", "id,name", "--where", "id < 3", "--output", file,
    ]
    let run = try CommandRun(["export", path] + arguments)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output == "2 rows written to \(file)\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    #expect(try CommandRun(["export", path] + arguments).code == 1)
    #expect(try CommandRun(["export", path] + arguments + ["--force"]).code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2)
  }

  @Test func aFileIsWholeOrNotThere() throws {
    let file = folder.file("out.csv")
    let run = try export(
      "--query",
      "SELECT abs(CASE WHEN value > 99999 THEN -9223372036854775807 - 1 ELSE value END) FROM (WITH n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 200000) SELECT value FROM n)",
      "--output", file)
    #expect(run.code == 65)
    #expect(run.errors.contains("integer overflow"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["data.sqlite"])
  }

  @Test func ctrlCLeavesNothingBehind() throws {
    let file = folder.file("out.csv")
    let endless =
      "WITH n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n) SELECT value FROM n"
    let process = try CommandRun.process(["export", path, "--query", endless, "--output", file])
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // What is there so far lies beside the database.
    let isWriting = try waitedUntil {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count > 1
    }
    #expect(isWriting)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == SIGINT)
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["data.sqlite"])
  }

  @Test func theDatabaseIsNeverReplaced() throws {
    let link = folder.file("link.csv")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for output in [
      path, path + "-wal", path + "-journal", link, folder.url.path + "/./data.sqlite",
    ] {
      let run = try export("--table", "tool", "--output", output, "--force")
      #expect(run.code == 64, "\(output): \(run.errors)")
    }
    let run = try CommandRun(["export", link, "--table", "tool", "--output", path + "-wal"])
    #expect(run.code == 64)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }

  @Test func whatCannotBeWrittenIsAnError() throws {
    #expect(try export("--table", "tool", "--output", "/dev/full").code == 74)
    #expect(try export("--table", "tool", "--output", "/dev/null").code == 0)
    #expect(try export("--table", "tool", "--output", folder.file("no/file.csv")).code == 74)
    #expect(try export("--table", "tool", "--output", folder.url.path).code == 64)
    let process = try CommandRun.process(["export", path, "--table", "tool"])
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
  }

  @Test func usageIsChecked() throws {
    #expect(try export().code == 64)
    #expect(try export("--table", "tool", "--sql", "SELECT 1").code == 64)
    #expect(try export("--sql", "SELECT 1", "--limit", "-1").code == 64)
    #expect(try export("--table", "tool", "--limit", "-1").code == 64)
    #expect(try export("--table", "tool", "--force").code == 64)
    #expect(try export("--table", "none").code == 65)
    #expect(try export("--table", "tool", "--where", "no such").code == 65)
    #expect(try CommandRun(["export", folder.file("none"), "--table", "t"]).code == 66)
  }

  @Test func aTerminalGetsNothingItActsUpon() throws {
    let session = try TerminalSession(["export", path, "--table", "tool", "--columns", "name"])
    #expect(try session.exitCode() == 0)
    #expect(try session.screen().contains("\\u{1B}[2J|"))
  }

  /// Every promised format gives the same rows back, checked by `sectile diff`.
  @Test(arguments: ["csv", "tsv", "json", "ndjson"], [1, 2, 3])
  func importingWhatWasExportedGivesTheSameRows(format: String, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let schema =
      "CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT, size REAL, amount NUMERIC, count INT, data BLOB)"
    let source = folder.file("source.sqlite")
    let connection = try InspectionConnection(path: source, access: .create)
    try connection.run(schema + "; BEGIN") { _ in }
    let insertion = try connection.prepare("INSERT INTO thing VALUES (?, ?, ?, ?, ?, ?)")
    for id in 0..<300 {
      try insertion.run([
        .integer(id == 0 ? .min : Int64(id)), RandomValue.text(&random), RandomValue.real(&random),
        RandomValue.any(&random), RandomValue.any(&random), RandomValue.blob(&random),
      ])
    }
    try connection.run("COMMIT") { _ in }
    let file = folder.file("thing." + format)
    #expect(try CommandRun(["export", source, "--table", "thing", "--output", file]).code == 0)
    let run = try CommandRun(["import", path, "--table", "thing", "--schema", schema, file])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("300 rows inserted"))
    let diff = try CommandRun(["diff", source, path, "--table", "thing"])
    #expect(diff.code == 0, "seed \(seed): \(diff.output)")
    #expect(diff.output == "300 rows, all the same\n")
  }
}

/// Values that are hard to write and to read.
enum RandomValue {
  static func text(_ random: inout SeededRandom) -> StoredValue {
    let pieces = [
      "", "\"", "'", ",", "\t", "\r", "\n", "\r\n", " ", "x'00'", "NULL", "007", "1e5", "inf", "é",
      "e\u{301}",
      "😀", "\u{1B}[2J", "\\u0000", "\\", "|", "null", "a", "\u{FEFF}", "\u{202E}", "[1]", "{}",
    ]
    if random.next() % 10 == 0 { return .null }
    let count = Int(random.next() % 5)
    return .text(
      (0..<count).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined())
  }

  static func real(_ random: inout SeededRandom) -> StoredValue {
    switch random.next() % 6 {
    case 0: return .null
    case 1: return .real(random.next() % 2 == 0 ? .infinity : -.infinity)
    case 2: return .real(Double(Int64(bitPattern: random.next()) >> 40) / 100)
    default:
      let number = Double(bitPattern: random.next())
      return .real(number.isNaN ? 0.1 : number)
    }
  }

  static func any(_ random: inout SeededRandom) -> StoredValue {
    switch random.next() % 4 {
    case 0: return .integer(Int64(bitPattern: random.next()) >> Int64(random.next() % 64))
    case 1: return real(&random)
    default: return text(&random)
    }
  }

  static func blob(_ random: inout SeededRandom) -> StoredValue {
    if random.next() % 5 == 0 { return .null }
    return .blob((0..<(random.next() % 9)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }
}
