import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct TransformCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("data.sqlite")
    try Database.make(
      """
      CREATE TABLE album (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT COLLATE NOCASE, -- a comment
        code TEXT UNIQUE, note /* none */, year TEXT DEFAULT '1999', CHECK (year <> 'x'));
      INSERT INTO album VALUES (1, 'one', 'c1', NULL, '1970'), (7, 'two', 'c7', 'n', 'unknown'),
        (9, 'gone', 'c9', NULL, NULL);
      DELETE FROM album WHERE id = 9;
      CREATE TABLE song (title TEXT, album INT REFERENCES album ON DELETE CASCADE, parent INT);
      INSERT INTO song (rowid, title, album) VALUES (3, 'a', 1), (5, 'b', 7);
      CREATE INDEX named ON album (name);
      CREATE TRIGGER marked AFTER UPDATE OF name ON album BEGIN
        UPDATE song SET title = new.name WHERE album = new.id; END;
      CREATE VIEW names AS SELECT name, code FROM album;
      CREATE TABLE node (id INTEGER PRIMARY KEY, up INT REFERENCES node, label);
      INSERT INTO node VALUES (1, NULL, 'root'), (2, 1, 'leaf');
      CREATE TABLE pair (a TEXT NOT NULL, b INT, n INT, double INT AS (n * 2) STORED,
        PRIMARY KEY (a, b)) WITHOUT ROWID, STRICT;
      INSERT INTO pair VALUES ('x', 1, 10), ('y', 2, 20);
      """, in: folder)
  }

  private func transform(_ table: String, _ arguments: String...) throws -> CommandRun {
    try CommandRun(["transform", path, "--table", table] + arguments)
  }

  private func rows(_ sql: String) throws -> [String] {
    var rows: [String] = []
    try InspectionConnection(path: path).run(sql) { row in
      rows.append(row.map(\.description).joined(separator: " "))
    }
    return rows
  }

  private func schema(_ name: String) throws -> String {
    var sql = ""
    try InspectionConnection(path: path).run(
      "SELECT sql FROM sqlite_schema WHERE name = '\(name)'"
    ) { if case .text(let text) = $0[0] { sql = text } }
    return sql
  }

  private var bytes: Data {
    get throws { try Data(contentsOf: URL(fileURLWithPath: path)) }
  }

  private func expectSound() throws {
    #expect(try rows("PRAGMA integrity_check") == ["'ok'"])
    #expect(try rows("PRAGMA foreign_key_check") == [])
    #expect(try rows("SELECT name FROM sqlite_schema WHERE name LIKE '%new_%'") == [])
  }

  @Test func indexesTriggersAndViewsFollowANewName() throws {
    let run = try transform("album", "--rename", "name=title", "--rename-table", "record")
    #expect(run.code == 0, "\(run.errors)")
    #expect(try schema("named").contains("\"title\""))
    #expect(try schema("names").contains("\"title\""))
    #expect(try schema("marked").contains("new.\"title\""))
    #expect(try schema("song").contains("\"record\""))
    #expect(try rows("SELECT * FROM names ORDER BY code") == ["'one' 'c1'", "'two' 'c7'"])
    try expectSound()
  }

  @Test func twoColumnsChangeTheirNames() throws {
    let run = try transform("node", "--rename", "up=label", "--rename", "label=up")
    #expect(run.code == 0, "\(run.errors)")
    #expect(try rows("SELECT id, label, up FROM node") == ["1 NULL 'root'", "2 1 'leaf'"])
    try expectSound()
  }

  @Test func aTableThatIsMadeAnewKeepsWhatBelongsToIt() throws {
    let run = try transform(
      "album", "--column-order", "code,id", "--not-null", "name", "--default", "note='none'",
      "--add", "stars INT DEFAULT 3", "--rename", "code=sign")
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      try rows("SELECT * FROM album") == [
        "'c1' 1 'one' NULL '1970' 3", "'c7' 7 'two' 'n' 'unknown' 3",
      ])
    let sql = try schema("album")
    for part in [
      "AUTOINCREMENT", "COLLATE NOCASE NOT NULL", "-- a comment", "UNIQUE", "/* none */",
      "DEFAULT ('none')", "DEFAULT '1999'", "CHECK (year <> 'x')", "stars INT DEFAULT 3",
    ] { #expect(sql.contains(part), "\(part) is not in \(sql)") }
    #expect(try rows("SELECT seq FROM sqlite_sequence WHERE name = 'album'") == ["9"])
    // No cascade reached the rows that refer to it.
    #expect(try rows("SELECT rowid, title, album FROM song") == ["3 'a' 1", "5 'b' 7"])
    #expect(try schema("song").contains("REFERENCES album"))
    #expect(try rows("SELECT * FROM names") == ["'one' 'c1'", "'two' 'c7'"])
    let connection = try InspectionConnection(path: path, access: .readWrite)
    try connection.run(
      "UPDATE album SET name = 'new' WHERE id = 1; INSERT INTO album (name) VALUES ('n')"
    ) { _ in }
    #expect(try rows("SELECT title FROM song WHERE album = 1") == ["'new'"])
    #expect(try rows("SELECT max(id) FROM album") == ["10"])
    #expect(throws: StoreError.self) {
      try connection.run("INSERT INTO album (name) VALUES (NULL)") { _ in }
    }
    try expectSound()
  }

  @Test func aChangeLogKnowsThatTheRowsMayBeOthers() throws {
    #expect(try CommandRun(["log", path, "enable"]).code == 0)
    let store = try Store.open(at: path)
    var plan = FetchPlan(table: "album", keyColumns: ["id"], itemColumns: ["id", "year"])
    plan.sort = [FetchPlan.SortTerm(expression: SQLFragment("year"))]
    let results = try store.results(of: plan)
    try results.load()
    try store.checkForExternalChanges()
    let token = try store.history(since: nil).token
    let run = try transform("album", "--type", "year=INTEGER", "--allow-changes")
    #expect(run.code == 0, "\(run.errors)")
    try store.checkForExternalChanges()
    let rows = try results.contents().sections.flatMap(\.rows)
    #expect(rows.map { $0.item.row.values[1] } == [.integer(1970), .text("unknown")])
    let changes = try store.history(since: token).transactions.flatMap(\.changes)
    #expect(changes.map(\.operation) == [.reset])
    #expect(changes.map(\.table) == ["album"])
    #expect(try store.verifyChangeLog(limit: 1)?.problems == [])
    // The triggers are there, and go on.
    let connection = try InspectionConnection(path: path, access: .readWrite)
    try connection.run("UPDATE album SET note = 'x' WHERE id = 7") { _ in }
    #expect(
      try store.history(since: token).transactions.flatMap(\.changes).last?.operation == .update)
    try store.close()
  }

  @Test func rowIDsAndSelfReferencesStay() throws {
    #expect(try transform("song", "--column-order", "parent").code == 0)
    #expect(try rows("SELECT rowid, title FROM song") == ["3 'a'", "5 'b'"])
    #expect(try transform("node", "--not-null", "label", "--drop-foreign-key", "up").code == 0)
    #expect(try !schema("node").contains("REFERENCES"))
    #expect(try transform("node", "--add-foreign-key", "up=node(id)").code == 0)
    #expect(try schema("node").contains("FOREIGN KEY (\"up\") REFERENCES \"node\"(\"id\")"))
    #expect(try rows("SELECT \"table\" FROM pragma_foreign_key_list('node')") == ["'node'"])
    #expect(try rows("SELECT * FROM node") == ["1 NULL 'root'", "2 1 'leaf'"])
    try expectSound()
  }

  @Test func strictTablesWithoutRowIDStayWhatTheyAre() throws {
    #expect(try transform("pair", "--default", "n=5", "--rename", "a=first").code == 0)
    let sql = try schema("pair")
    #expect(sql.contains("WITHOUT ROWID, STRICT"))
    #expect(sql.contains("AS (n * 2) STORED"))
    #expect(try rows("SELECT * FROM pair") == ["'x' 1 10 20", "'y' 2 20 40"])
    let refused = try transform("pair", "--drop", "n")
    #expect(refused.code == 65)
    #expect(refused.errors.contains("the column double names it"))
    try expectSound()
  }

  @Test func aTypeThatLosesSomethingIsRefusedWithWhatItLoses() throws {
    try InspectionConnection(path: path, access: .readWrite)
      .run("UPDATE node SET label = '007' WHERE id = 2; UPDATE album SET year = '1e3' WHERE id = 7")
    { _ in }
    let before = try bytes
    let refused = try transform("album", "--type", "year=INTEGER")
    #expect(refused.code == 65)
    #expect(
      refused.errors.contains("would change values of album: 1 value of year ('1e3' → 1000)"),
      "\(refused.errors)")
    #expect(try bytes == before)
    let run = try transform("album", "--type", "year=INTEGER", "--allow-changes")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "1 value of year ('1e3' → 1000) became others\n")
    #expect(try rows("SELECT year FROM album") == ["1970", "1000"])
    #expect(try schema("album").contains("year INTEGER DEFAULT '1999'"))
    // The type alone is another one; no value is.
    #expect(try transform("album", "--type", "note=BLOB").code == 0)
    try expectSound()
  }

  @Test func aNumberAndItsTextMakeEachOther() throws {
    let run = try transform("album", "--type", "year=INTEGER")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    #expect(try rows("SELECT year FROM album") == ["1970", "'unknown'"])
    #expect(try transform("album", "--type", "year=TEXT").code == 0)
    #expect(try rows("SELECT year FROM album") == ["'1970'", "'unknown'"])
  }

  @Test(arguments: [
    ("'007', '1.50', ' 5', '1e3', '12', 'x', NULL, 3", "INTEGER", "4 values of v ('007' → 7,"),
    ("'0.1', '1.0', '12'", "REAL", "1 value of v ('12' → 12.0)"),
    ("0.1, 0.30000000000000004, 1e300, 5", "TEXT", "1 value of v (0.30000000000000004 → '0.3')"),
    ("1.0, 2, 2.5", "INTEGER", "1 value of v (1.0 → 1)"),
    ("x'00', '1'", "INTEGER", ""),
  ])
  func whatANewTypeLosesIsCounted(values: String, type: String, lost: String) throws {
    let rows = values.split(separator: ", ").map { "(\($0))" }.joined(separator: ", ")
    try InspectionConnection(path: path, access: .readWrite)
      .run("CREATE TABLE v (v); INSERT INTO v VALUES \(rows)") { _ in }
    let run = try transform("v", "--type", "v=\(type)")
    #expect(run.code == (lost.isEmpty ? 0 : 65), "\(run.errors)")
    #expect(lost.isEmpty ? run.errors.isEmpty : run.errors.contains(lost), "\(run.errors)")
  }

  @Test func aKeyComesAndGoes() throws {
    #expect(try transform("node", "--drop-foreign-key", "up").code == 0)
    #expect(try transform("node", "--no-key").code == 0)
    #expect(try !schema("node").uppercased().contains("PRIMARY KEY"))
    #expect(try transform("node", "--key", "id").code == 0)
    #expect(try schema("node").contains("PRIMARY KEY (\"id\")"))
    #expect(try rows("SELECT rowid, id FROM node") == ["1 1", "2 2"])
    #expect(try transform("node", "--key", "label", "--key", "id").code == 0)
    #expect(try rows("SELECT name FROM pragma_table_info('node') WHERE pk = 1") == ["'label'"])
    let refused = try transform("node", "--key", "up")
    #expect(refused.code == 65)
    #expect(refused.errors.contains("up is NULL in 1 row, and so"))
    // Another table refers to this key.
    let needed = try transform("album", "--no-key")
    #expect(needed.code == 65)
    #expect(needed.errors.contains("foreign key mismatch"))
  }

  @Test(arguments: [
    (["--drop", "name"], "names it"), (["--drop", "year"], "a constraint of the table names it"),
    (["--not-null", "note"], "NOT NULL constraint failed: album.note"),
    (["--rename", "name=code"], "duplicate column name"),
    (["--rename", "none=x"], "has no column"),
    (["--add", "name TEXT"], "duplicate column name"),
    (["--add-foreign-key", "year=song(rowid)"], "foreign"),
    (["--drop-foreign-key", "name"], "refers to no"),
    (["--rename-table", "song"], "already"),
    (["--type", "id=TEXT", "--allow-changes"], "AUTOINCREMENT"),
  ])
  func whatIsRefusedLeavesEveryByte(arguments: [String], message: String) throws {
    let before = try bytes
    let run = try CommandRun(["transform", path, "--table", "album"] + arguments)
    #expect(run.code == 65, "\(arguments): \(run.output)")
    #expect(run.errors.lowercased().contains(message.lowercased()), "\(run.errors)")
    #expect(try bytes == before)
  }

  @Test func aDryRunWritesTheStatementsAndChangesNoByte() throws {
    let before = try bytes
    let run = try transform("album", "--not-null", "code", "--rename", "name=title", "--dry-run")
    #expect(run.code == 0)
    #expect(run.output.contains("ALTER TABLE \"album\" RENAME COLUMN \"name\" TO \"title\";"))
    #expect(run.output.contains("DROP TABLE \"album\";"))
    #expect(run.output.hasSuffix("COMMIT;\n"))
    #expect(try bytes == before)
    // What was written does the same.
    let complaints = try Database.sqlite3(["-bail", path], input: run.output)
    #expect(complaints.isEmpty, "\(complaints)")
    #expect(try schema("album").contains("UNIQUE NOT NULL"))
    try expectSound()
  }

  @Test func hostileNamesAreNames() throws {
    let name = "we\"ird; DROP 'x' -- "
    let column = "col\"umn (a, b) "
    let connection = try InspectionConnection(path: path, access: .readWrite)
    let table = SQLName.quote(name)
    try connection.run(
      """
      CREATE TABLE \(table) (\(SQLName.quote(column)) INT DEFAULT (1 + (2)), [b]]c] TEXT, `d` CHECK (`d` <> ')'));
      INSERT INTO \(table) VALUES (1, 'x', 2); CREATE INDEX "i ""x" ON \(table) (\(SQLName.quote(column)));
      """.replacingOccurrences(of: "[b]]c]", with: "[b(c]")
    ) { _ in }
    let run = try transform(
      name, "--not-null", column, "--column-order", "d,b(c", "--rename", "b(c=e,f\"")
    #expect(run.code == 0, "\(run.errors)")
    #expect(try rows("SELECT * FROM \(table)") == ["2 'x' 1"])
    #expect(try transform(name, "--rename", "d=\u{1B}[2J", "--rename-table", "'").code == 0)
    #expect(try rows("SELECT * FROM \"'\"") == ["2 'x' 1"])
    try expectSound()
  }

  @Test func aRequestThatMakesNoSenseIsRefused() throws {
    #expect(try transform("album").code == 64)
    #expect(try transform("album", "--type", "year").code == 64)
    #expect(try transform("album", "--key", "id", "--no-key").code == 64)
    #expect(try transform("none", "--drop", "a").code == 65)
    #expect(try transform("names", "--drop", "name").code == 65)
    #expect(
      try CommandRun(["transform", folder.file("no"), "--table", "a", "--drop", "b"]).code == 66)
  }

  @Test func controlCUndoesIt() throws {
    let connection = try InspectionConnection(path: path, access: .readWrite)
    try connection.run(
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000)
      INSERT INTO node SELECT i + 10, NULL, hex(zeroblob(150)) FROM n;
      """
    ) { _ in }
    let before = try RandomFile.contents(path)
    let run = try RunningCommand([
      "transform", path, "--table", "node", "--not-null", "label", "--column-order", "label",
    ])
    #expect(run.waitToWrite(to: path + "-journal"))
    run.signal(SIGINT)
    // It ends by the signal itself, when all is in order.
    #expect(run.exitCode() == -1)
    #expect(run.errors.contains("Error: stopped"))
    #expect(try RandomFile.contents(path) == before)
    #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
  }
}
