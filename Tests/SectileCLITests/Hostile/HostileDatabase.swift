import Foundation
import Testing

/// A file that was made to do harm to whoever opens it.
struct HostileDatabase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Makes the file; the path of a file that does not exist yet is given.
  let make: @Sendable (_ path: String) throws -> Void

  private init(_ name: String, _ make: @escaping @Sendable (_ path: String) throws -> Void) {
    testDescription = name
    self.make = make
  }

  private init(_ name: String, sql: String) {
    self.init(name) { try Self.run(sql, on: $0) }
  }

  static let all: [HostileDatabase] =
    [
      names, values, sideEffects, endlessView, longCells, manyColumns, notUTF8, missingModule,
      missingCollation, brokenSchema, schemaOfText, brokenIndex, shadowTables,
    ] + truncated + flipped + notDatabases

  // MARK: - What schemas and rows can hold

  private static let names = HostileDatabase(
    "names that speak to the terminal",
    sql: """
      CREATE TABLE "t" (id INTEGER PRIMARY KEY, "a""b
      c" TEXT, "\u{1B}]0;owned\u{07}" TEXT, "\u{202E}evil" TEXT, "; DROP TABLE t; --" TEXT);
      CREATE TABLE "\u{1B}[2J'""x" ("\u{9B}31m" PRIMARY KEY);
      CREATE VIEW "v\r\u{1B}[A" AS SELECT 1 AS "\u{1B}[31mred";
      CREATE INDEX "i\u{1B}[31m" ON t ("a""b
      c");
      INSERT INTO t VALUES (1, 'x', 'y', 'z', 'w');
      """)

  private static let values = HostileDatabase(
    "values that speak to the terminal",
    sql: """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b);
      INSERT INTO t VALUES
        (1, '\u{1B}[2J\u{1B}]52;c;ZXZpbA==\u{07}', char(0x9B) || '31m'),
        (2, 'over' || char(13) || 'written' || char(8), 'a' || char(0) || 'b'),
        (3, char(0x202E) || 'txt.exe', char(0x2028) || char(0x85) || char(0xFEFF)),
        (4, 'Error: none', x'1b5b33316d'), (5, char(0x1BE, 0x301, 0x301, 0x301), 9e999);
      """)

  private static let sideEffects = HostileDatabase(
    "a schema that calls functions",
    sql: """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT (load_extension('/tmp/x')),
        g AS (length(a)), CHECK (randomblob(1) IS NOT NULL));
      INSERT INTO t (id, a) VALUES (1, 'x'), (2, 'y');
      CREATE TABLE target (x);
      CREATE VIEW v AS SELECT id, load_extension('/tmp/x') AS a FROM t;
      CREATE VIEW w AS SELECT id, fts3_tokenizer('simple') AS a FROM t;
      CREATE TRIGGER r INSTEAD OF INSERT ON v BEGIN INSERT INTO target VALUES (new.id); END;
      """)

  private static let endlessView = HostileDatabase(
    "a view without end",
    sql: """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      INSERT INTO t VALUES (1, 'x');
      CREATE VIEW endless AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
      """)

  private static let longCells = HostileDatabase(
    "cells of 500 kB",
    sql: """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB);
      INSERT INTO t VALUES (1, replace(hex(zeroblob(250000)), '00', '\u{1B}['), zeroblob(500000));
      """)

  private static let manyColumns = HostileDatabase(
    "a table of 2,000 columns",
    sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, "
      + (0..<1_998).map { "c\($0)" }.joined(separator: ", ")
      + "); INSERT INTO t (id, a) VALUES (1, 2);")

  private static let notUTF8 = HostileDatabase(
    "text that is not UTF-8",
    sql: """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      INSERT INTO t VALUES (1, CAST(x'ff1b5b33316d80' AS TEXT)), (2, CAST(x'c0af00ed' AS TEXT));
      """)

  private static let missingModule = HostileDatabase(
    "a virtual table without a module",
    sql: """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES ('table', 'gone', 'gone', 0,
        'CREATE VIRTUAL TABLE gone USING \u{1B}[31m(x)');
      """)

  private static let missingCollation = HostileDatabase(
    "a collation nobody knows",
    sql: """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      INSERT INTO t VALUES (1, 'x');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'a TEXT', 'a TEXT COLLATE klingon');
      """)

  private static let brokenSchema = HostileDatabase(
    "a schema that does not parse",
    sql: """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t (\u{1B}[31m';
      """)

  private static let schemaOfText = HostileDatabase(
    "a schema of other things",
    sql: """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES ('table', NULL, x'00', 'two', 7);
      INSERT INTO sqlite_schema VALUES ('index', 't', 't', 999999, 'CREATE TABLE t (x)');
      """)

  private static let brokenIndex = HostileDatabase(
    "an index that lies",
    sql: """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      CREATE TABLE u (id INTEGER PRIMARY KEY, a TEXT);
      CREATE INDEX by_a ON t (a);
      INSERT INTO t VALUES (1, 'x'), (2, 'y');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'u')
        WHERE name = 'by_a';
      """)

  private static let shadowTables = HostileDatabase(
    "a full-text table with forged contents",
    sql: """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      CREATE VIRTUAL TABLE f USING fts5 (a);
      INSERT INTO f VALUES ('one two');
      UPDATE f_data SET block = x'ffffffffffffffffffffffff';
      DELETE FROM f_config;
      """)

  // MARK: - What files can hold

  private static let truncated = [1, 100, 4096, 4097, 20_000].map { size in
    HostileDatabase("the first \(size) bytes of a file") { path in
      try run(ordinary, on: path)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      try bytes.prefix(size).write(to: URL(fileURLWithPath: path))
    }
  }

  private static let flipped = (1...12).map { seed in
    HostileDatabase("bytes of a file changed by seed \(seed)") { path in
      try run(ordinary, on: path)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
      for _ in 0..<40 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // The first page more often than others: there the header and the schema are.
        let range = state % 3 == 0 ? 512 : UInt64(bytes.count)
        // The magic words stay, or SQLite would look no further.
        bytes[16 + Int((state >> 20) % (range - 16))] = UInt8(truncatingIfNeeded: state >> 50)
      }
      try bytes.write(to: URL(fileURLWithPath: path))
    }
  }

  private static let notDatabases = [
    HostileDatabase("an empty file") { try Data().write(to: URL(fileURLWithPath: $0)) },
    HostileDatabase("zeros") { try Data(count: 100_000).write(to: URL(fileURLWithPath: $0)) },
    HostileDatabase("escape sequences") {
      try Data(String(repeating: "\u{1B}[31m", count: 5_000).utf8).write(
        to: URL(fileURLWithPath: $0))
    },
    HostileDatabase("a named pipe") { try #require(mkfifo($0, 0o600) == 0) },
    HostileDatabase("a folder") {
      try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
    },
    HostileDatabase("a link to itself") {
      try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $0)
    },
    HostileDatabase("a database with a forged journal") { path in
      try run(ordinary, on: path)
      let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
      try Data(magic + [UInt8](repeating: 0x41, count: 9_000))
        .write(to: URL(fileURLWithPath: path + "-journal"))
    },
    HostileDatabase("a database with a forged log") { path in
      try run("PRAGMA journal_mode = WAL;" + ordinary, on: path)
      let magic: [UInt8] = [0x37, 0x7F, 0x06, 0x82, 0x00, 0x2D, 0xE2, 0x18]
      try Data(magic + [UInt8](repeating: 0x41, count: 9_000))
        .write(to: URL(fileURLWithPath: path + "-wal"))
    },
  ]

  private static let ordinary = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL);
    CREATE INDEX by_a ON t (a);
    CREATE VIEW v AS SELECT a, count(*) AS n FROM t GROUP BY a;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
      INSERT INTO t SELECT i, 'name ' || (i % 7), i / 3.0 FROM n;
    """

  /// Runs SQL in SQLite's own shell, which lets a schema be forged.
  private static func run(_ sql: String, on path: String) throws {
    let script = ".dbconfig defensive off\nPRAGMA synchronous = OFF;\n" + sql
    _ = try ProgramRun("/usr/bin/env", ["sqlite3", "-bail", path], input: Data(script.utf8))
  }
}
