import Foundation
import Sectile
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

/// Patches of random pairs of files: the first file, patched, is the second.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct FilePatchTests {
  private let folder: TemporaryFolder
  private let before: String
  private let after: String

  init() throws {
    folder = try TemporaryFolder()
    before = folder.file("before.sqlite")
    after = folder.file("after.sqlite")
  }

  /// Makes the two files; they have tables in common, and each some of its own.
  private func makeFiles(_ random: inout SeededRandom) throws {
    let connection = try InspectionConnection(path: before, access: .create)
    try connection.run("PRAGMA synchronous = OFF; BEGIN") { _ in }
    let names = ["plain", "we\"ird 'name'", "select", "naïve", "t5"]
    let tables = names.map { RandomFile.table($0, &random) }
    for (number, table) in tables.enumerated() {
      try connection.run(table.sql) { _ in }
      try RandomFile.change(table, 25, on: connection, &random)
      try connection.run(
        """
        CREATE INDEX "index \(number)" ON \(SQLName.quote(table.name)) (c0);
        CREATE TABLE IF NOT EXISTS log (what);
        CREATE TRIGGER trigger_\(number) AFTER UPDATE ON \(SQLName.quote(table.name)) BEGIN
          INSERT INTO log VALUES ('update'); END;
        """
      ) { _ in }
    }
    try connection.run(
      "CREATE VIEW seen AS SELECT count(*) FROM log; CREATE VIRTUAL TABLE words USING fts5(word);"
        + "INSERT INTO words VALUES ('one'), ('two'); COMMIT"
    ) { _ in }
    try FileManager.default.copyItem(atPath: before, toPath: after)

    let second = try InspectionConnection(path: after, access: .readWrite)
    try second.run("PRAGMA synchronous = OFF; BEGIN") { _ in }
    second.setTriggers(false)
    for table in tables where random.next() % 5 > 0 {
      try RandomFile.change(table, 12, on: second, &random)
    }
    try swap(tables, on: second)
    let changes = [
      "DROP TABLE \"select\"", "CREATE TABLE another (a PRIMARY KEY, b) WITHOUT ROWID",
      "ALTER TABLE t5 ADD COLUMN added TEXT DEFAULT 'd'", "DROP INDEX \"index 0\"",
      "DROP VIEW seen; CREATE VIEW seen AS SELECT 1", "DROP TRIGGER trigger_1",
      "PRAGMA user_version = 9", "INSERT INTO words VALUES ('three')",
      "DROP INDEX \"index 1\"; CREATE INDEX \"index 1\" ON log (what)",
      "ALTER TABLE plain RENAME TO simple",
    ]
    for change in changes where random.next() % 4 == 0 { try second.run(change) { _ in } }
    try second.run("COMMIT") { _ in }
  }

  /// Lets two rows of each table change their unique values.
  private func swap(_ tables: [RandomFile.Table], on connection: InspectionConnection) throws {
    for table in tables where table.sql.contains("c0 TEXT UNIQUE") {
      let name = SQLName.quote(table.name)
      _ = try? connection.run(
        """
        UPDATE \(name) SET c0 = 'first!' WHERE c0 = 'a'; UPDATE \(name) SET c0 = 'a' WHERE c0 = 'b';
        UPDATE \(name) SET c0 = 'b' WHERE c0 = 'first!';
        """
      ) { _ in }
    }
  }

  private func expectSame(_ differences: [String], _ seed: UInt64) {
    #expect(differences == [], "seed \(seed)")
  }

  private func copy(_ name: String) throws -> String {
    let path = folder.file(name)
    try FileManager.default.copyItem(atPath: before, toPath: path)
    return path
  }

  @Test(arguments: 0..<40)
  func thePatchedFileIsTheOther(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    try makeFiles(&random)
    let sql = try CommandRun(["diff", before, after, "--sql"])
    #expect(sql.code == 1 || sql.code == 0, "seed \(seed): \(sql.errors)")
    let first = try copy("first.sqlite")
    let connection = try InspectionConnection(path: first, access: .readWrite)
    try connection.run(sql.output) { _ in }
    expectSame(try RandomFile.differences(first, after), seed)
    let same = try CommandRun(["diff", first, after])
    #expect(same.code == 0, "seed \(seed): \(same.output)")

    let lines = try CommandRun(["diff", before, after, "--ndjson"])
    #expect(lines.code == sql.code)
    let second = try copy("second.sqlite")
    let run = try CommandRun(["apply", second], input: lines.output)
    #expect(run.code == 0, "seed \(seed): \(run.errors)")
    expectSame(try RandomFile.differences(second, after), seed)
    #expect(try CommandRun(["diff", second, after]).code == 0)
    // The other way round, by the other tool.
    let back = try CommandRun(["diff", after, before, "--sql"])
    let complaints = try Database.sqlite3(["-bail", second], input: back.output)
    #expect(complaints.isEmpty, "seed \(seed): \(complaints)")
    expectSame(try RandomFile.differences(second, before), seed)
  }

  @Test func aColumnThatIsAddedDoesNotMakeTheTableAnew() throws {
    try Database.make(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, CHECK (a > 0)); INSERT INTO t VALUES (1, 1), (2, 2)",
      in: folder, as: "before.sqlite")
    try FileManager.default.copyItem(atPath: before, toPath: after)
    let connection = try InspectionConnection(path: after, access: .readWrite)
    try connection.run(
      "ALTER TABLE t ADD COLUMN b TEXT DEFAULT 5; UPDATE t SET b = 'x' WHERE id = 2"
    ) { _ in }
    let sql = try CommandRun(["diff", before, after, "--sql"]).output
    #expect(
      sql == """
        PRAGMA foreign_keys=OFF;
        BEGIN IMMEDIATE;
        ALTER TABLE "t" ADD COLUMN b TEXT DEFAULT 5;
        UPDATE "t" SET "b"='x' WHERE "id"=2;
        COMMIT;

        """)
    let lines = try CommandRun(["diff", before, after, "--ndjson"]).output
    let run = try CommandRun(["apply", before], input: lines)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try RandomFile.differences(before, after) == [])
    let again = try CommandRun(["apply", before], input: lines)
    #expect(again.errors.contains("Conflict: table t gets no column: duplicate column name: b"))
  }

  @Test func filesOfOtherEncodingsHaveTheSameOrder() throws {
    let rows = "INSERT INTO t VALUES ('\u{FFFD}', 1), ('😀', 2), ('é', 3), ('a', 4), ('Z', 5)"
    let table = "CREATE TABLE t (k TEXT PRIMARY KEY, v); \(rows)"
    try Database.make("PRAGMA encoding = 'UTF-16le'; \(table)", in: folder, as: "before.sqlite")
    try Database.make(table, in: folder, as: "after.sqlite")
    #expect(try CommandRun(["diff", before, after]).output == "1 table, all the same\n")
    let connection = try InspectionConnection(path: after, access: .readWrite)
    try connection.run("DELETE FROM t WHERE v = 2; UPDATE t SET v = 9 WHERE v = 1") { _ in }
    let sql = try CommandRun(["diff", before, after, "--sql"]).output
    #expect(try Database.sqlite3(["-bail", before], input: sql).isEmpty)
    #expect(try CommandRun(["diff", before, after, "--table", "t"]).code == 0)
  }

  @Test func whatCannotBeComparedIsLeftOutByName() throws {
    try Database.make(
      """
      CREATE TABLE doc (id INTEGER PRIMARY KEY, text);
      CREATE VIRTUAL TABLE search USING fts5(text, content='doc', content_rowid='id');
      CREATE TABLE odd (rowid, _rowid_, oid); INSERT INTO odd VALUES (1, 2, 3);
      """, in: folder, as: "before.sqlite")
    try FileManager.default.copyItem(atPath: before, toPath: after)
    let refused = try CommandRun(["diff", before, after])
    #expect(refused.code == 65)
    #expect(refused.errors.contains("--skip odd"))
    #expect(try CommandRun(["diff", before, after, "--skip", "odd"]).code == 0)
    #expect(try CommandRun(["diff", before, after, "--skip", "od"]).errors.contains("odd?"))
    let connection = try InspectionConnection(path: after, access: .readWrite)
    try connection.run(
      "INSERT INTO doc VALUES (1, 'word'); INSERT INTO search (search) VALUES ('rebuild')"
    ) { _ in }
    let lines = try CommandRun(["diff", before, after, "--ndjson", "--skip", "odd"]).output
    #expect(lines.contains("\"kind\":\"rebuild\""))
    #expect(try CommandRun(["apply", before], input: lines).code == 0)
    let found = try CommandRun(
      ["sqlite", before, "--mode", "list", "SELECT rowid FROM search WHERE search MATCH 'word'"])
    #expect(found.output == "1\n")
    let shadows = try CommandRun(["diff", before, after, "--skip", "odd", "--shadow-tables"])
    #expect(shadows.code == 0 || shadows.output.contains("search_"))
  }

  @Test func severalTablesAreAPartOfTheFiles() throws {
    let tables = "CREATE TABLE a (x); CREATE TABLE b (x); CREATE TABLE c (x);"
    try Database.make(tables, in: folder, as: "before.sqlite")
    try Database.make(
      tables + "INSERT INTO b VALUES (1); INSERT INTO c VALUES (2); PRAGMA user_version = 3",
      in: folder, as: "after.sqlite")
    let run = try CommandRun(["diff", before, after, "--table", "a", "--table", "b"])
    #expect(run.code == 1)
    #expect(
      run.output == """
        b
        R+ [0,0]  1  x 1
        R-: 0  R+: 1  R~: 0  (0 rows the same)

        2 tables, rows differ in 1; the schema differs in 0 places

        """)
    #expect(try CommandRun(["diff", before, after, "--table", "a", "--table", "x"]).code == 65)
    let document = try CommandRun(["diff", before, after, "--mode", "json"])
    let object =
      try JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [String: Any]
    #expect((object?["changes"] as? [Any])?.count == 7)
    #expect((object?["summary"] as? [String: Int])?["differentTables"] == 2)
    #expect(try CommandRun(["diff", before, after, "--sql", "--summary"]).code == 64)
  }
}
