import Foundation
import Sectile
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

/// Rows of another database are imported as those of texts are, and the other database stays as it
/// is.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ForeignImportTests {
  private let folder: TemporaryFolder
  private let path: String
  private let old: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("data.sqlite")
    old = try Database.make(
      """
      CREATE TABLE track (id INTEGER PRIMARY KEY, name VARCHAR(10), seconds DOUBLE, loose, artist INT,
        loud AS (upper(name)), kept AS (id + 1) STORED);
      INSERT INTO track VALUES (1, 'one', 2, '007', 1), (2, NULL, 1.5, 7, 1),
        (9223372036854775807, CAST(x'61ff' AS TEXT), -9e999, x'00ff', 2);
      CREATE TABLE artist (id TEXT, name TEXT, PRIMARY KEY (id)) WITHOUT ROWID;
      INSERT INTO artist VALUES ('1', 'Anna'), ('2', 'Bert');
      CREATE VIEW mixed AS SELECT id, CASE id WHEN 1 THEN 1 ELSE 2.5 END AS n FROM track;
      CREATE TABLE "a.b" (x ANY, y TEXT) STRICT;
      INSERT INTO "a.b" VALUES ('007', 'y'), (1.0, 'y');
      """, in: folder, as: "old.sqlite")
  }

  private func importing(_ arguments: [String], table: String = "song") throws -> CommandRun {
    try CommandRun(["import", path, "--table", table, "--attach", "old=\(old)"] + arguments)
  }

  private func rows(_ sql: String, of file: String? = nil) throws -> [String] {
    let run = try CommandRun(["sqlite", file ?? path, "--mode", "list", sql])
    #expect(run.code == 0, "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test func aTableIsCreatedWithTheTypesOfItsSource() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: old))
    let run = try importing(["--from", "OLD.track"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.errors == """
        Creating \(path)
        CREATE TABLE "song" (
          "id" INTEGER,
          "name" VARCHAR(10),
          "seconds" DOUBLE,
          "loose",
          "artist" INT
        );

        """)
    #expect(run.output.hasPrefix("3 rows inserted in "))
    let columns = ["id", "name", "seconds", "loose"].map { "typeof(\($0)), hex(\($0))" }
    let query = "SELECT id, seconds, \(columns.joined(separator: ", ")) FROM %"
    #expect(
      try rows(query.replacing("%", with: "song"))
        == rows(query.replacing("%", with: "track"), of: old))
    #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == before)
    #expect(!FileManager.default.fileExists(atPath: old + "-wal"))
    #expect(!FileManager.default.fileExists(atPath: old + "-journal"))
  }

  @Test(arguments: SeededRandom.batches(debug: 6, release: 60, of: 3))
  func valuesArriveAsTheyAre(seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let original = try Database.make(
        InterchangeTests.tables.joined(separator: ";"), in: folder, as: "original-\(seed).sqlite")
      let connection = try InspectionConnection(path: original, access: .readWrite)
      for (table, columns) in [
        ("loose", "none, text, whole, float, number, bytes, short, flag, day, any"),
        ("strict", "text, whole, float, bytes, any"),
      ] {
        let names = columns.split(separator: ",")
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let insertion = try connection.prepare(
          "INSERT INTO \(table) (\(columns)) VALUES (\(marks))")
        for _ in 0..<40 {
          do {
            try insertion.runExactly(names.map { _ in RandomFile.value(&random) })
          } catch {
            // What the table refuses is no row.
            guard error.isConstraint else { throw error }
          }
        }
      }
      let copy = try Database.make(
        InterchangeTests.tables.joined(separator: ";"), in: folder, as: "copy-\(seed).sqlite")
      let made = folder.file("made-\(seed).sqlite")
      for table in ["loose", "strict"] {
        for (file, options) in [
          (copy, ["--from", "o.\(table)"]), (made, ["--from", "o.\(table)"]),
          (made, ["--query", "SELECT * FROM \(table)"]),
        ] {
          let name = options[0] == "--query" ? "queried_\(table)" : table
          let run = try CommandRun(
            ["import", file, "--table", name, "--attach", "o=\(original)"] + options)
          #expect(run.code == 0, "seed \(seed): \(run.errors)")
        }
      }
      #expect(try RandomFile.differences(original, copy) == [], "seed \(seed)")
      let columns = "id, text, whole, float, bytes, any"
      for table in ["loose", "strict"] {
        let there = try Self.exactRows("SELECT \(columns) FROM \(table) ORDER BY id", of: original)
        for name in [table, "queried_\(table)"] {
          let here = try Self.exactRows("SELECT \(columns) FROM \(name) ORDER BY id", of: made)
          #expect(here == there, "seed \(seed): \(name)")
        }
      }
    }
  }

  /// The rows by storage class and bytes, so that 1 is not 1.0.
  private static func exactRows(_ sql: String, of path: String) throws -> [String] {
    let statement = try InspectionConnection(path: path).prepare(sql)
    statement.keepsInvalidText = true
    var rows: [String] = []
    try statement.run { rows.append("\($0) \(statement.invalidTextColumns)") }
    return rows
  }

  @Test func aQueryJoinsFilesAndKeepsIntegersAmongReals() throws {
    let other = try Database.make(
      "CREATE TABLE rating (song INT, stars INT); INSERT INTO rating VALUES (1, 5), (2, 3)",
      in: folder, as: "other.sqlite")
    let run = try importing([
      "--attach", "other=\(other)", "--query",
      """
      SELECT t.id, a.name AS artist, stars FROM old.track t JOIN old.artist a ON a.id = t.artist
      JOIN other.rating ON song = t.id
      """, "--key", "id",
    ])
    #expect(run.code == 0, "\(run.errors)")
    #expect(try rows("SELECT * FROM song") == ["1|Anna|5", "2|Anna|3"])
    #expect(try importing(["--from", "old.mixed"], table: "view").code == 0)
    #expect(
      try rows("SELECT n, typeof(n) FROM view") == ["1|integer", "2.5|real", "2.5|real"])
  }

  @Test func tablesOfEveryKindAreRead() throws {
    #expect(try importing(["--from", "artist"], table: "artist").code == 0)
    #expect(try rows("SELECT * FROM artist") == ["1|Anna", "2|Bert"])
    // ANY outside of a STRICT table would make a number of it.
    #expect(try importing(["--from", "old.a.b"], table: "any").code == 0)
    #expect(try rows("SELECT x, typeof(x) FROM any") == ["007|text", "1.0|real"])
    #expect(try importing(["--from", "a.b"], table: "again").code == 0)
  }

  @Test func typesAreTakenWithWhatIsMadeOfColumns() throws {
    let run = try importing([
      "--from", "old.track", "--map", "name=title", "--map", "loose=", "--transform",
      "seconds=seconds * 2", "--types", "id=TEXT",
    ])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("\"id\" TEXT,\n  \"title\" VARCHAR(10),\n  \"artist\" INT,"))
    #expect(try rows("SELECT id, title, seconds FROM song LIMIT 2") == ["1|one|4.0", "2|NULL|3.0"])
  }

  @Test func conflictsColumnsAndBadRowsAreTold() throws {
    try Database.make(
      """
      CREATE TABLE song (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note DEFAULT 'new');
      INSERT INTO song VALUES (1, 'mine', 'old')
      """, in: folder)
    let unknown = try importing(["--from", "old.track"])
    #expect(unknown.code == 65)
    #expect(
      unknown.errors.contains(
        "old.track has columns that song does not have: 'seconds', 'loose', 'artist'"))
    let query = ["--query", "SELECT id, name FROM track WHERE id < 3 ORDER BY id DESC"]
    let bad = try importing(query)
    #expect(bad.code == 65)
    #expect(bad.errors.contains("the query: row 1: NOT NULL constraint failed: song.name"))
    #expect(try rows("SELECT * FROM song") == ["1|mine|old"])
    let dry = try importing(query + ["--upsert", "--skip-bad", "--dry-run"])
    #expect(dry.output.hasPrefix("Dry run, nothing written: 0 rows inserted, 1 updated, 1 bad in "))
    #expect(try rows("SELECT * FROM song") == ["1|mine|old"])
    #expect(try importing(query + ["--upsert", "--skip-bad"]).code == 0)
    #expect(try rows("SELECT * FROM song") == ["1|one|old"])
    let again = try importing(query + ["--on-conflict", "skip", "--skip-bad", "--json"])
    #expect(again.output.contains("\"skipped\":1,\"bad\":1,"), "\(again.output)")
  }

  @Test(arguments: [
    "DELETE FROM old.track", "UPDATE old.track SET name = 'x' RETURNING id", "ATTACH 'x' AS x",
    "CREATE TABLE old.x (a)", "PRAGMA old.user_version = 7", "VACUUM old INTO 'copy.sqlite'",
    "SELECT 1; DELETE FROM old.track", "COMMIT", "INSERT INTO old.track (id) VALUES (5)", "",
  ])
  func noQueryWrites(query: String) throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: old))
    let run = try CommandRun(
      ["import", path, "--table", "song", "--attach", "old=\(old)", "--query", query], in: folder)
    #expect(run.code == 65, "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == before)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: folder.file("copy.sqlite")))
  }

  @Test func whatIsNoDatabaseIsRefused() throws {
    let text = try folder.write("no database", to: "text")
    func attaching(_ file: String, _ more: String...) throws -> CommandRun {
      try CommandRun(["import", path, "--table", "song", "--attach", "a=\(file)"] + more)
    }
    #expect(try attaching(text, "--from", "a.x").code == 65)
    #expect(try attaching(folder.url.path, "--from", "a.x").code == 66)
    let missing = folder.file("missing")
    #expect(try attaching(missing, "--from", "a.x").code == 66)
    #expect(try attaching(old, "--attach", "b=\(missing)", "--query", "SELECT 1").code == 66)
    #expect(!FileManager.default.fileExists(atPath: missing))
    let unknown = try attaching(old, "--from", "a.song")
    #expect(unknown.code == 65)
    #expect(unknown.errors.contains("there is no table 'song' in \(old)"))
    #expect(unknown.errors.contains("There are: a.b, artist, mixed, track."))
    let twice = try attaching(old, "--query", "SELECT 1 AS a, 2 AS A")
    #expect(twice.code == 65 && twice.errors.contains("the query has the column 'A' twice"))
    #expect(try attaching(old, "--from", "c.track", "--attach", "b=\(old)").code == 64)
    #expect(try attaching(old, "--attach", "A=\(old)", "--query", "SELECT 1 AS a").code == 65)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func theFileItselfIsNoSource() throws {
    try Database.make("CREATE TABLE song (id)", in: folder)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: path)
    for file in [path, folder.file("link")] {
      let run = try CommandRun(
        ["import", path, "--table", "copy", "--attach", "a=\(file)", "--from", "a.song"])
      #expect(run.code == 64)
      #expect(run.errors.contains("belongs to the database"))
    }
  }

  @Test func optionsThatMakeNoSenseAreRefused() throws {
    let attach = ["import", "a.db", "--table", "t", "--attach", "o=old.db"]
    for more in [
      [], ["--from", "o.t", "x.csv"], ["--from", "o.t", "--query", "SELECT 1"],
      ["--from", "o.t", "--attach", "Main=x.db"], ["--from", "o.t", "--format", "csv"],
      ["--from", "o.t", "--null", "x"],
    ] {
      #expect(throws: (any Error).self) { try SectileCommand.parseAsRoot(attach + more) }
    }
    #expect(throws: (any Error).self) {
      try SectileCommand.parseAsRoot(["import", "a.db", "--table", "t", "--from", "o.t"])
    }
    #expect(throws: Never.self) {
      try SectileCommand.parseAsRoot(attach + ["--from", "o.t", "--upsert", "--batch", "5"])
    }
  }

  @Test func aDryRunOfANewFileLeavesNone() throws {
    let wide = try Database.make(
      """
      PRAGMA encoding = 'UTF-16le';
      CREATE TABLE t (a TEXT, b);
      INSERT INTO t VALUES ('é😀', x'00'), ('x' || char(0) || 'y', 5);
      """, in: folder, as: "wide.sqlite")
    let arguments = ["import", path, "--table", "t", "--attach", "w=\(wide)", "--from", "t"]
    let dry = try CommandRun(arguments + ["--dry-run"])
    #expect(dry.output.contains("Dry run, nothing written: 2 rows inserted in "))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try CommandRun(arguments).code == 0)
    #expect(
      try rows("SELECT hex(a), typeof(b) FROM t") == ["C3A9F09F9880|blob", "780079|integer"])
  }

  @Test func aDamagedFileEndsItAndNothingIsWritten() throws {
    try Database.make(
      """
      CREATE TABLE many (n, text);
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000)
      INSERT INTO many SELECT n, hex(zeroblob(20)) FROM c;
      """, in: folder, as: "old.sqlite.damaged")
    let damaged = folder.file("old.sqlite.damaged")
    let file = try #require(FileHandle(forUpdatingAtPath: damaged))
    try file.seek(toOffset: 40 * 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
    let run = try CommandRun(
      ["import", path, "--table", "t", "--attach", "d=\(damaged)", "--from", "d.many"])
    #expect(run.code == 65)
    #expect(run.errors.contains("malformed"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aTerminalShowsHowManyRowsThereWere() throws {
    let session = try TerminalSession([
      "import", path, "--table", "song", "--attach", "old=\(old)", "--query",
      """
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300000)
      SELECT n FROM c
      """,
    ])
    try session.wait(forWritten: "Importing the query … ")
    #expect(try session.exitCode() == 0)
    #expect(try session.screen().contains("300000 rows inserted"))
  }

  @Test func aLogThatSomebodyWritesIsRead() throws {
    let writer = try InspectionConnection(path: old, access: .readWrite)
    try writer.run("PRAGMA journal_mode = WAL; INSERT INTO artist VALUES ('3', 'Carl')") { _ in }
    #expect(try importing(["--from", "artist"]).code == 0)
    #expect(try rows("SELECT name FROM song") == ["Anna", "Bert", "Carl"])
    // Batches that are committed do not end the reading.
    #expect(try importing(["--from", "artist", "--batch", "1"]).code == 0)
    #expect(try rows("SELECT count(*) FROM song") == ["6"])
    try writer.run("INSERT INTO artist VALUES ('4', 'Dora')") { _ in }
  }

  @Test func ctrlCEndsAQueryThatYieldsNothing() throws {
    try Database.make("CREATE TABLE song (n)", in: folder)
    let process = try CommandRun.process([
      "import", path, "--table", "song", "--attach", "old=\(old)", "--query",
      """
      SELECT 1 AS n UNION ALL SELECT * FROM (WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL
      SELECT n + 1 FROM c) SELECT n FROM c WHERE n < 0)
      """,
    ])
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    // The import holds the file from its first row on.
    let other = try InspectionConnection(path: path, access: .readWrite, busyTimeout: .zero)
    while process.isRunning {
      do {
        try other.run("BEGIN IMMEDIATE; ROLLBACK") { _ in }
        sched_yield()
      } catch { break }
    }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGINT)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.contains("What was not committed is undone"), "\(text)")
    #expect(try rows("SELECT count(*) FROM song") == ["0"])
  }
}
