import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct SQLDumpTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Everything that is hard to write as SQL.
  private static let content = """
    CREATE TABLE plain (a, b TEXT, c REAL, d BLOB);
    INSERT INTO plain VALUES
      (1, 'it''s', 1.5, x'00ff'), (NULL, '', 0.1 + 0.2, x''),
      (9223372036854775807, 'a' || char(0) || 'b', 9e999, zeroblob(3)),
      (-9223372036854775808, 'x' || char(0x301) || '''' || char(0x301), -9e999, NULL),
      (1.0, 'two' || char(10) || 'lines' || char(13, 27) || '[2J', 1e300, 'text'),
      (5e-324, 'tab' || char(9), 1.7976931348623157e308, 1e15),
      (-0.0, char(0x202E) || 'turned', 123456789012345678.0, 1e22);
    INSERT INTO plain (c) SELECT 1.0 / value FROM (WITH n (value) AS
      (SELECT 7 UNION ALL SELECT value * 3 + 1 FROM n LIMIT 60) SELECT value FROM n);
    CREATE TABLE gaps (x);
    INSERT INTO gaps (rowid, x) VALUES (5, 'a'), (9, 'b'), (-3, 'c');
    CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, x);
    INSERT INTO counted VALUES (7, 'x');
    DELETE FROM counted;
    CREATE TABLE generated (a INTEGER, b AS (a * 2) STORED, c AS (a + 1));
    INSERT INTO generated (a) VALUES (1), (2);
    CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
    INSERT INTO keyed VALUES ('z', 1), ('a', 2);
    CREATE TABLE strict (i INTEGER, t TEXT) STRICT;
    INSERT INTO strict VALUES (1, 'x');
    CREATE TABLE "odd "" 'name'" ("col'1" TEXT, "select" INT, rowid TEXT);
    INSERT INTO "odd "" 'name'" VALUES ('a', 1, 'r');
    CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE child (parent REFERENCES parent (id));
    INSERT INTO child VALUES (99);
    CREATE VIRTUAL TABLE note USING fts5 (body);
    INSERT INTO note VALUES ('hello world'), ('other');
    DELETE FROM note WHERE rowid = 1;
    INSERT INTO note VALUES ('third');
    CREATE TRIGGER noticed AFTER INSERT ON plain BEGIN INSERT INTO gaps VALUES ('t;'); END;
    CREATE VIEW overview AS SELECT * FROM plain;
    CREATE VIEW broken AS SELECT * FROM gone;
    CREATE TRIGGER through INSTEAD OF INSERT ON overview BEGIN SELECT 1; END;
    CREATE INDEX plain_by_a ON plain (a DESC, lower(b)) WHERE a IS NOT NULL;
    ANALYZE;
    PRAGMA user_version = 42;
    PRAGMA application_id = -7;
    """

  /// What a database holds, as SQLite's own shell tells it: storage classes, bytes, bits, row ids.
  private func contents(of path: String) throws -> String {
    let tables = [
      "plain", "gaps", "counted", "generated", "strict", "\"odd \"\" 'name'\"", "parent", "child",
      "note", "note_data", "sqlite_sequence", "sqlite_stat1",
    ]
    var queries = tables.map { "SELECT _rowid_, * FROM \($0) ORDER BY 1;" }
    queries += [
      "SELECT * FROM keyed ORDER BY k;",
      "SELECT typeof(a), hex(b), typeof(c), printf('%!.26g', c), typeof(d), hex(d) FROM plain;",
      "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2;",
      "SELECT rowid FROM note ('third');",
      "PRAGMA integrity_check;", "PRAGMA user_version;", "PRAGMA application_id;",
      "PRAGMA encoding;",
    ]
    return try Database.sqlite3([path], input: ".mode quote\n" + queries.joined(separator: "\n"))
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func whatSQLitesOwnShellLoadsIsTheSame(encoding: String) throws {
    let path = try Database.make("PRAGMA encoding = '\(encoding)';" + Self.content, in: folder)
    let dump = try CommandRun(["sqlite", path, ".dump"])
    #expect(dump.code == 0)
    #expect(dump.errors.isEmpty)
    let copy = folder.file("copy.sqlite")
    #expect(try Database.sqlite3([copy], input: dump.output).isEmpty)
    let contents = try contents(of: path)
    #expect(contents.contains("'ok'"))
    #expect(contents.contains("'x" + "\u{301}''\u{301}'"))
    #expect(try self.contents(of: copy) == contents)
  }

  @Test func textThatIsNotUTF8KeepsItsBytes() throws {
    let path = try Database.make(
      "CREATE TABLE t (x TEXT); INSERT INTO t VALUES (CAST(x'41ff42' AS TEXT)), ('\u{FFFD}')",
      in: folder)
    let dump = try CommandRun(["sqlite", path, ".dump"])
    #expect(dump.output.contains("VALUES(CAST(X'41ff42' AS TEXT));"))
    #expect(dump.output.contains("VALUES('\u{FFFD}');"))
  }

  @Test func aTableComesWithWhatBelongsToIt() throws {
    let path = try Database.make(Self.content, in: folder)
    let dump = try CommandRun(["sqlite", path, ".dump", "COUNTED", "note"])
    #expect(dump.code == 0)
    let copy = folder.file("copy.sqlite")
    #expect(try Database.sqlite3([copy], input: dump.output).isEmpty)
    #expect(
      try Database.sqlite3(
        [
          copy, "SELECT * FROM sqlite_sequence", "SELECT body FROM note",
          "SELECT count(*) FROM plain",
        ])
        .contains("counted|7\nother\nthird\n"))
    #expect(try CommandRun(["sqlite", path, ".dump", "counte"]).code == 1)
  }

  @Test func eachRowIsCounted() throws {
    let path = try Database.make(
      "CREATE TABLE a (x); CREATE TABLE b (x); INSERT INTO a VALUES (1), (2); "
        + "INSERT INTO b VALUES (3)", in: folder, as: "counted.sqlite")
    let connection = try InspectionConnection(path: path)
    for isTerminal in [false, true] {
      var counts: [Int] = []
      try SQLDump(of: connection, isTerminal: isTerminal)
        .write(tables: [], to: CapturedOutput().output) { counts.append($0) }
      #expect(counts == [1, 2, 3])
    }
  }

  @Test func aTerminalGetsNoControlCharacters() throws {
    let path = try Database.make(
      "CREATE TABLE \"a\u{1B}[2Jb\" (x); INSERT INTO \"a\u{1B}[2Jb\" VALUES (1)", in: folder)
    let captured = CapturedOutput()
    let output = captured.output
    let connection = try InspectionConnection(path: path)
    try SQLDump(of: connection, isTerminal: true).write(tables: [], to: output) { _ in }
    try output.flush()
    #expect(captured.text.contains("INSERT INTO \"a\\u{1B}[2Jb\" VALUES(1);"))
    #expect(!captured.text.contains("\u{1B}"))
  }
}
