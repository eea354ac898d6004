import Foundation
import Sectile
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct VerifyCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("data.db")
  }

  private func create(_ sql: String) throws {
    try InspectionConnection(path: path, access: .create).run(sql, row: { _ in })
  }

  private func checks(_ run: CommandRun) throws -> [[String: Any]] {
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(document["v"] as? Int == 1)
    #expect(document["isFine"] as? Bool == (run.code == 0))
    return try #require(document["checks"] as? [[String: Any]])
  }

  private let sound = """
    CREATE TABLE band (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE song (id INTEGER PRIMARY KEY, band INT REFERENCES band (id), title TEXT);
    CREATE TABLE loose (x);
    INSERT INTO band VALUES (1, 'one');
    INSERT INTO song VALUES (1, 1, 'a'), (2, 1, 'b');
    """

  @Test(arguments: [[], ["--quick"]])
  func aSoundFileIsFine(arguments: [String]) throws {
    try create(sound)
    let run = try CommandRun(["verify", path] + arguments)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    let lines = run.output.split(separator: "\n").map(String.init)
    try #require(lines.count >= 8)
    let pragma = arguments.isEmpty ? "integrity_check" : "quick_check"
    #expect(lines[0].hasPrefix("ok       integrity: \(pragma) of "))
    #expect(lines[1] == "ok       foreign-keys: 1 key, no row without its parent")
    #expect(lines[2] == "skipped  migrations: the file has no ledger of migrations")
    #expect(lines[3] == "skipped  change-log: the file has no change log")
    #expect(lines[4].hasPrefix("skipped  replay of loose: loose declares no primary key"))
    #expect(lines[5] == "ok       replay of band: 1 row compared 2 times, 1 changeset replayed")
    #expect(lines[6] == "ok       replay of song: 2 rows compared 2 times, 1 changeset replayed")
    #expect(lines[7].hasPrefix("ok       library: SQLite \(SQLiteRelease.linked)"))
  }

  @Test func theChangeLogIsComparedWithTheData() throws {
    try create(sound)
    #expect(try CommandRun(["log", path, "enable"]).code == 0)
    try create("INSERT INTO song VALUES (3, 1, 'c'), (4, 1, 'd'); DELETE FROM song WHERE id = 1")
    let fine = try CommandRun(["verify", path])
    #expect(fine.code == 0)
    #expect(fine.output.contains("\nok       change-log: "))
    #expect(fine.output.contains(" rows, 2 tables, 3 keys compared with the data\n"))
    #expect(!fine.output.contains("replay of sectile_log"))

    let connection = try InspectionConnection(path: path, access: .readWrite)
    connection.setTriggers(false)
    try connection.run(
      "DELETE FROM song WHERE id = 4; INSERT INTO song VALUES (1, 1, 'again'), (8, 1, 'unnamed')"
    ) { _ in }
    let run = try CommandRun(["verify", path])
    #expect(run.code == 1)
    #expect(run.errors.contains("problems with change-log"))
    let details = run.output.split(separator: "\n").filter { $0.hasPrefix("           song ") }
    #expect(details.count == 2)
    #expect(details.contains { $0.contains("song 1 is there, and was deleted last by row ") })
    #expect(details.contains { $0.contains("song 4 is not there, and was written last by row ") })
    let log = try checks(CommandRun(["verify", path, "--json"]))
      .first { $0["check"] as? String == "change-log" }
    #expect(log?["state"] as? String == "problem")
    #expect((log?["figures"] as? [String: Int])?["problems"] == 2)
  }

  @Test func theLibraryIsNamedWithItsBug() throws {
    try create(sound)
    let run = try CommandRun(["verify", path, "--json"])
    let library = try #require(try checks(run).first { $0["check"] as? String == "library" })
    #expect(library["state"] as? String == "ok")
    let hasBug = SQLiteRelease.linked.hasWALResetBug
    #expect((library["figures"] as? [String: Int])?["hasWALResetBug"] == (hasBug ? 1 : 0))
    #expect(
      LibraryCheck.report(of: SQLiteRelease(3, 40, 1)).lines.contains {
        $0.contains("SQLite 3.40.1 has the WAL-reset bug")
      })
    #expect(
      LibraryCheck.report(of: SQLiteRelease(3, 51, 3)).lines
        == ["ok       library: SQLite 3.51.3, without the WAL-reset bug"])
  }

  @Test func orphansAreAProblem() throws {
    try create(sound + "PRAGMA foreign_keys = OFF; INSERT INTO song VALUES (3, 9, 'c');")
    let run = try CommandRun(["verify", path])
    #expect(run.code == 1)
    #expect(run.output.contains("problem  foreign-keys: 1 row without a parent\n"))
    #expect(run.output.contains("           row 3 of song has no parent in band\n"))
    #expect(run.errors.contains("data.db: problems with foreign-keys"))
    let check = try checks(CommandRun(["verify", path, "--json"]))[1]
    #expect(check["state"] as? String == "problem")
    #expect((check["figures"] as? [String: Int])?["orphans"] == 1)
  }

  @Test func theLedgerIsComparedWithTheFiles() throws {
    let migrations = folder.file("Migrations")
    try FileManager.default.createDirectory(atPath: migrations, withIntermediateDirectories: true)
    let file = "Migrations/V0001_create_item.sql"
    _ = try folder.write("CREATE TABLE item (id INTEGER PRIMARY KEY)", to: file)
    #expect(try CommandRun(["migrate", path, "--migrations", migrations]).code == 0)
    let fine = try CommandRun(["verify", path, "--migrations", migrations])
    #expect(fine.code == 0)
    #expect(fine.output.contains("ok       migrations: 1 applied, 0 pending\n"))
    _ = try folder.write("CREATE TABLE item (id INT)", to: file)
    let edited = try CommandRun(["verify", path, "--migrations", migrations])
    #expect(edited.code == 1)
    #expect(edited.output.contains("V0001_create_item.sql was edited after it was applied"))
    // By itself the ledger still makes sense.
    #expect(try CommandRun(["verify", path]).code == 0)
    try InspectionConnection(path: path, access: .readWrite).run(
      "UPDATE sectile_migration SET checksum = 'abc'", row: { _ in })
    let odd = try CommandRun(["verify", path])
    #expect(odd.code == 1)
    #expect(odd.output.contains("the checksum of V0001_create_item.sql is none"))
    let missing = try CommandRun(["verify", path, "--migrations", folder.file("None")])
    #expect(missing.code == 66)
    #expect(missing.output.isEmpty)
  }

  @Test func damageIsReportedAsFarAsItCanBeFound() throws {
    try create(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
      CREATE INDEX item_by_name ON item (name);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000)
      INSERT INTO item SELECT i, 'name ' || i FROM n;
      """)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for (name, damage) in [
      ("overwritten", { (data: inout Data) in for i in 4096 * 4..<4096 * 6 { data[i] = 0xA5 } }),
      ("root", { (data: inout Data) in for i in 4096..<4196 { data[i] = 0xFF } }),
    ] as [(String, (inout Data) -> Void)] {
      var broken = bytes
      damage(&broken)
      let path = folder.file("\(name).db")
      try broken.write(to: URL(fileURLWithPath: path))
      let run = try CommandRun(["verify", path])
      #expect(run.code == 1, "\(name)")
      #expect(run.output.contains("problem  integrity: integrity_check found "), "\(name)")
      #expect(run.output.split(separator: "\n").count < 130, "\(name)")
      #expect(run.errors.contains("Hint: "), "\(name)")
    }
    // SQLite refuses files that are shorter than they say.
    for count in [bytes.count / 2 / 4096 * 4096, 4096 * 3 + 100] {
      let path = folder.file("short\(count).db")
      try bytes.prefix(count).write(to: URL(fileURLWithPath: path))
      let run = try CommandRun(["verify", path])
      #expect(run.code == 65)
      #expect(run.errors.contains("malformed"))
      #expect(run.errors.contains("Hint: "))
    }
  }

  @Test func whatIsNoDatabaseIsBadData() throws {
    let text = try folder.write(String(repeating: "text ", count: 300), to: "notes.txt")
    #expect(try CommandRun(["verify", text]).code == 65)
    #expect(try CommandRun(["verify", folder.file("none.db")]).code == 66)
    try create(sound)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for offset in 100..<4096 { bytes[offset] = 0x5A }
    try bytes.write(to: URL(fileURLWithPath: path))
    let run = try CommandRun(["verify", path])
    #expect([1, 65].contains(run.code))
    #expect(run.errors.hasPrefix("Error: "))
  }

  @Test func whatItsProgramAloneCanReadIsSkippedWithTheReason() throws {
    try create(sound + "CREATE VIRTUAL TABLE note USING fts5 (body);")
    // A module that nobody has, in as many letters.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let module = try #require(bytes.range(of: Data("USING fts5".utf8)))
    bytes.replaceSubrange(module, with: Data("USING ftsX".utf8))
    try bytes.write(to: URL(fileURLWithPath: path))
    let run = try CommandRun(["verify", path])
    #expect(run.code == 0)
    #expect(run.output.contains("skipped  replay of note: "))
    #expect(run.output.contains("no such module: ftsX"))
    #expect(run.output.contains("ok       replay of song: "))
  }

  @Test func writersDoNotDisturbTheReplay() throws {
    try create(
      """
      PRAGMA journal_mode = wal;
      CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, title TEXT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)
      INSERT INTO song SELECT i, 'g' || (i % 7), 't' || i FROM n;
      """)
    var random = SeededRandom(seed: 1)
    var (changesetCount, comparisonCount) = (0, 0)
    // A busy machine may have written everything before it looks, or look too seldom: then it
    // gets more time.
    for seconds in [2, 10, 50] where changesetCount == 0 || comparisonCount < 3 {
      let writers = try (0..<2).map { _ in
        // More do not fit into an argument.
        let statements = (0..<min(200 * seconds, 1_200)).map { _ in
          let id = Int.random(in: 1...400, using: &random)
          return switch Int.random(in: 0..<3, using: &random) {
          case 0: "DELETE FROM song WHERE id = \(id)"
          case 1: "REPLACE INTO song VALUES (\(id), 'g\(id % 5)', 'n\(id)')"
          default:
            "UPDATE song SET genre = 'g\(id % 9)', title = 'u\(id)' WHERE id BETWEEN \(id) AND \(id + 5)"
          }
        }
        let writer = try CommandRun.process(
          ["sqlite", path, "--writable", "--mode", "csv", statements.joined(separator: ";")])
        writer.standardOutput = FileHandle.nullDevice
        try writer.run()
        return writer
      }
      let run = try CommandRun([
        "verify", path, "--table", "song", "--section-by", "genre", "--sort", "title", "--for",
        "\(seconds)", "--json",
      ])
      for writer in writers { writer.waitUntilExit() }
      #expect(run.code == 0, "\(run.output)")
      let replay = try #require(
        try checks(run).last { $0["check"] as? String == "replay" })
      let figures = try #require(replay["figures"] as? [String: Int])
      changesetCount = try #require(figures["changesets"])
      comparisonCount = try #require(figures["comparisons"])
    }
    #expect(changesetCount > 0)
    #expect(comparisonCount >= 3)
  }

  @Test func hostileNamesAndRowsAreShownEscapedOrSkipped() throws {
    try create(
      """
      CREATE TABLE "odd\u{1B}[2J""\n" ("a\u{1B}]0;x" TEXT PRIMARY KEY);
      INSERT INTO "odd\u{1B}[2J""\n" VALUES ('x' || char(27) || '[31m');
      CREATE TABLE child (id INTEGER PRIMARY KEY, x REFERENCES "odd\u{1B}[2J""\n");
      INSERT INTO child VALUES (1, 'none');
      CREATE TABLE torn (id INTEGER PRIMARY KEY, x TEXT);
      INSERT INTO torn VALUES (1, CAST(x'41ff42' AS TEXT));
      CREATE TABLE shredded (x TEXT PRIMARY KEY);
      INSERT INTO shredded VALUES (CAST(x'41ff42' AS TEXT));
      """)
    for arguments in [[], ["--json"]] {
      let run = try CommandRun(["verify", path] + arguments)
      #expect(run.code == 1)
      #expect(!run.output.contains("\u{1B}"))
      #expect(!run.errors.contains("\u{1B}"))
    }
    let text = try CommandRun(["verify", path]).output
    #expect(text.contains("has no parent in odd\\u{1B}[2J\"\\n\n"))
    #expect(text.contains("ok       replay of odd\\u{1B}[2J\"\\n: 1 row compared 2 times"))
    #expect(text.contains("ok       replay of torn: "))
    #expect(text.contains("skipped  replay of shredded: "))
  }

  @Test func filesInUTF16AreReplayedToo() throws {
    try create("PRAGMA encoding = 'UTF-16le';" + sound + "INSERT INTO band VALUES (2, 'é€😀');")
    let run = try CommandRun([
      "verify", path, "--table", "band", "--section-by", "name", "--sort", "name DESC",
    ])
    #expect(run.code == 0)
    #expect(run.output.contains("ok       replay of band: 2 rows compared 2 times"))
  }

  @Test func badArgumentsAreRefused() throws {
    try create(sound)
    #expect(try CommandRun(["verify"]).code == 64)
    #expect(try CommandRun(["verify", path, "--for", "0"]).code == 64)
    #expect(try CommandRun(["verify", path, "--sort", "title"]).code == 64)
    #expect(try CommandRun(["verify", path, "--table", "none"]).code == 65)
    #expect(try CommandRun(["verify", path, "--table", "loose"]).code == 65)
    #expect(try CommandRun(["verify", path, "--table", "loose", "--key", "rowid"]).code == 0)
  }
}
