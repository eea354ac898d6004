import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct DiffCommandTests {
  private let folder: TemporaryFolder
  private let before: String
  private let after: String

  init() throws {
    folder = try TemporaryFolder()
    before = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT, size, old TEXT);
      INSERT INTO tool VALUES (1, 'saw', 1, 'x'), (2, 'axe', 1, 'x'), (4, 'nail', NULL, 'x'),
        (5, 'same', x'00', 'x'), (6, 'last', 9, 'x');
      """, in: folder, as: "before.sqlite")
    after = try Database.make(
      """
      CREATE TABLE tool (name TEXT, size, new TEXT, id INTEGER PRIMARY KEY);
      INSERT INTO tool (id, name, size) VALUES (0, 'new', 7), (1, 'saw', 1.0),
        (4, 'na' || char(27) || 'il', 'NULL'), (5, 'same', x'00'), (7, 'NULL', NULL);
      """, in: folder, as: "after.sqlite")
  }

  private func diff(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["diff", before, after, "--table", "tool"] + arguments)
  }

  @Test func differencesComeInTheOrderOfTheKeyWithTheirPaths() throws {
    let run = try diff()
    #expect(run.code == 1)
    #expect(run.errors.isEmpty)
    #expect(
      run.output == """
        Only in \(before): old
        Only in \(after): new
        R+ [0,0]  0  name 'new', size 7
        R~ [0,0]→[0,1]  1  size 1 → 1.0
        R- [0,1]  2  name 'axe', size 1
        R~ [0,2]→[0,2]  4  name 'nail' → 'na\\u{1B}il', size NULL → 'NULL'
        R- [0,4]  6  name 'last', size 9
        R+ [0,4]  7  name 'NULL', size NULL
        R-: 2  R+: 2  R~: 2  (1 row the same)

        """)
  }

  @Test func aChangeLogIsNoDifferenceUnlessItsTableIsNamed() throws {
    try FileManager.default.removeItem(atPath: after)
    try FileManager.default.copyItem(atPath: before, toPath: after)
    #expect(try CommandRun(["log", after, "enable"]).code == 0)
    let whole = try CommandRun(["diff", before, after])
    #expect(whole.code == 0, "\(whole.output)")
    #expect(try CommandRun(["log", before, "enable"]).code == 0)
    #expect(try CommandRun(["diff", before, after]).code == 0)
    // Salts and identities are random.
    #expect(try CommandRun(["diff", before, after, "--table", "sectile_log"]).code == 1)
    let two = ["--table", "sectile_log_state", "--table", "tool"]
    #expect(try CommandRun(["diff", before, after] + two).code == 1)
  }

  @Test func jsonSaysTheSameInADocumentAndInLines() throws {
    let run = try diff("--mode", "json")
    #expect(run.code == 1)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(document["v"] as? Int == 2)
    #expect(document["columns"] as? [String] == ["id", "name", "size"])
    #expect(document["columnsOnlyAfter"] as? [String] == ["new"])
    let changes = try #require(document["changes"] as? [[String: Any]])
    #expect(
      changes.compactMap { $0["kind"] as? String } == [
        "insert", "update", "delete", "update", "delete", "insert",
      ])
    #expect((changes[3]["after"] as? [String: Any])?["size"] as? String == "NULL")
    let lines = try diff("--mode", "ndjson").output.split(separator: "\n")
    #expect(lines.count == 8)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["v"] as? Int == 2)
    }
    #expect(
      lines[3]
        == "{\"v\":2,\"kind\":\"delete\",\"path\":{\"section\":0,\"item\":1},\"id\":[2],\"row\":{\"id\":2,\"name\":\"axe\",\"size\":1}}"
    )
    let summary = try diff("--mode", "json", "--summary").output
    let counts = try JSONSerialization.jsonObject(with: Data(summary.utf8)) as? [String: Any]
    #expect(
      counts?["summary"] as? [String: Int] == [
        "deletes": 2, "inserts": 2, "updates": 2, "equal": 1,
      ])
    #expect(counts?["changes"] == nil)
  }

  @Test func theSameIsTheSame() throws {
    let run = try CommandRun(["diff", before, before, "--table", "TOOL"])
    #expect(run.code == 0)
    #expect(run.output == "5 rows, all the same\n")
    let some = try diff("--columns", "name", "--where", "id IN (1, 5) -- ")
    #expect(some.code == 0)
    #expect(some.output == "2 rows, all the same\n")
    // Columns that only one side has are a difference, unless they are not asked for.
    #expect(try diff("--where", "id = 5").code == 1)
    #expect(try diff("--where", "id = 5", "--ignore-columns", "OLD,new").code == 0)
    #expect(try diff("--summary").output.hasSuffix("R-: 2  R+: 2  R~: 2  (1 row the same)\n"))
  }

  @Test func anotherKeyTellsRowsApart() throws {
    let run = try diff("--key", "name", "--columns", "name,id", "--where", "id < 4")
    #expect(
      run.output == """
        R- [0,0]  'axe'  id 2
        R+ [0,0]  'new'  id 0
        R-: 1  R+: 1  R~: 0  (1 row the same)

        """)
    let twice = try diff("--key", "size")
    #expect(twice.code == 65)
    #expect(twice.errors.contains("several rows have the key 1"))
    #expect(try diff("--key", "rowid", "--columns", "id").code == 1)
  }

  @Test func textThatIsNotUTF8IsComparedByItsBytes() throws {
    for (path, byte) in [(before, "FE"), (after, "FF")] {
      let connection = try InspectionConnection(path: path, access: .readWrite)
      try connection.run("UPDATE tool SET name = CAST(x'\(byte)' AS TEXT) WHERE id = 5") { _ in }
    }
    let run = try diff("--where", "id = 5", "--columns", "name")
    #expect(run.code == 1)
    #expect(run.output.hasPrefix("R~ [0,0]→[0,0]  5  name x'fe' → x'ff'\n"))
  }

  @Test func whatIsNotThereIsRefused() throws {
    #expect(try CommandRun(["diff", before, folder.file("none"), "--table", "tool"]).code == 66)
    #expect(try CommandRun(["diff", before, after, "--table", "none"]).code == 65)
    #expect(try CommandRun(["diff", before, after, "--key", "id"]).code == 64)
    #expect(try diff("--mode", "box").code == 64)
    #expect(try diff("--key", "old").errors.contains("has no column 'old'"))
    #expect(try diff("--ignore-columns", "nothing").code == 65)
    #expect(try diff("--where", "1) OR (1").code == 1)
    #expect(try diff("--where", "no such").code == 65)
    let connection = try InspectionConnection(path: before, access: .readWrite)
    try connection.run("CREATE TABLE bare (a); CREATE VIEW v AS SELECT * FROM tool") { _ in }
    let run = try CommandRun(["diff", before, before, "--table", "bare"])
    #expect(run.code == 65)
    #expect(run.errors.contains("--key"))
    #expect(try CommandRun(["diff", before, before, "--table", "v", "--key", "id"]).code == 0)
  }

  @Test func whatCannotBeWrittenIsAnError() throws {
    let process = try CommandRun.process(["diff", before, after, "--table", "tool"])
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
  }

  /// As many columns as SQLite allows, and reads at once.
  @Test func tablesOfTheMostColumnsAreCompared() throws {
    let columns = (1..<2000).map { "c\($0)" }.joined(separator: ", ")
    for (path, value) in [(before, 1), (after, 2)] {
      try InspectionConnection(path: path, access: .readWrite).run(
        """
        CREATE TABLE wide (id INTEGER PRIMARY KEY, \(columns));
        INSERT INTO wide (id, c1, c1999) VALUES (7, 0, \(value));
        CREATE TABLE loose (c0, \(columns));
        """
      ) { _ in }
    }
    let run = try CommandRun(["diff", before, after, "--table", "wide"])
    #expect(run.output.hasPrefix("R~ [0,0]→[0,0]  7  c1999 1 → 2\n"), "\(run.errors)")
    #expect(run.code == 1)
    let byName = try CommandRun(["diff", before, after, "--table", "wide", "--key", "c1"])
    #expect(byName.code == 1)
    // Its row id has no column, and is one more.
    let loose = try CommandRun(["diff", before, after, "--table", "loose", "--key", "rowid"])
    #expect(loose.code == 65)
    #expect(loose.errors.contains("a comparison of loose reads 2001 columns of a row\nHint: "))
    let narrowed = try CommandRun([
      "diff", before, after, "--table", "loose", "--key", "rowid", "--ignore-columns", "c0",
    ])
    #expect(narrowed.code == 0, "\(narrowed.errors)")
  }
}
