import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ExplainCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("music.db")
    try InspectionConnection(path: path, access: .create).run(
      """
      CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, title TEXT, year INT);
      CREATE INDEX song_by_year ON song (year);
      CREATE TABLE "odd\u{1B}[2J" ("a""b" TEXT PRIMARY KEY);
      CREATE TABLE loose (x);
      """, row: { _ in })
  }

  @Test func aRequestIsExplainedWithTheIndexThatHelps() throws {
    let run = try CommandRun([
      "explain", path, "--table", "song", "--section-by", "genre", "--sort", "title",
    ])
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(
      run.output.contains(#"FROM "main"."song" ORDER BY "song"."genre", "song"."title""#))
    #expect(run.output.contains("USE TEMP B-TREE FOR ORDER BY"))
    #expect(run.output.contains("incremental: yes, by searching"))
    let statement = #"CREATE INDEX "song_on_genre_title" ON "song" ("genre", "title");"#
    #expect(run.output.contains(statement))

    // The statement is the answer: with its index nothing is left to say.
    try InspectionConnection(path: path, access: .readWrite).run(statement, row: { _ in })
    let helped = try CommandRun([
      "explain", path, "--table", "song", "--section-by", "genre", "--sort", "title",
    ])
    #expect(helped.output.contains("incremental: yes, by seeking"))
    #expect(helped.output.contains("SQLite sorts: nothing"))
    #expect(!helped.output.contains("CREATE INDEX"))
  }

  @Test func aggregatesAreExplainedWithTheIndexThatHelps() throws {
    let request = [
      "explain", path, "--table", "song", "--section-by", "genre", "--aggregate", "max(year)",
    ]
    let statement = #"CREATE INDEX "song_on_genre_year" ON "song" ("genre", "year");"#
    let run = try CommandRun(request)
    #expect(run.code == 0)
    #expect(run.output.contains("aggregates: by keys: No index leads to the rows of a section."))
    #expect(run.output.contains(statement))
    try InspectionConnection(path: path, access: .readWrite).run(statement, row: { _ in })
    let helped = try CommandRun(request + ["--json"])
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(helped.output.utf8)) as? [String: Any])
    let recount = try #require(document["sectionRecount"] as? [String: Any])
    #expect(recount["kind"] as? String == "coveringIndex")
    #expect(recount["index"] as? String == "song_on_genre_year")
  }

  @Test func limitsAreIncremental() throws {
    let run = try CommandRun([
      "explain", path, "--table", "song", "--where", "year > 1990", "--limit", "5",
    ])
    #expect(run.output.contains("incremental: yes, by seeking"))
    #expect(run.output.contains("What enters at the end of the window is sought"))
    #expect(run.output.contains("year > 1990"))
  }

  @Test func jsonHoldsEverything() throws {
    let run = try CommandRun([
      "explain", path, "--table", "song", "--sort", "title DESC", "--json",
    ])
    #expect(run.output.hasPrefix(#"{"v":2,"table":"song","#))
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(
      document.keys.sorted() == [
        "columns", "followedTables", "key", "maintenance", "outsideCommits", "queryPlan",
        "sectionRecount", "sortedClauses", "sql", "suggestedIndex", "table", "touchedRowCost", "v",
        "values",
      ])
    #expect(document["touchedRowCost"] is NSNull)
    #expect((document["maintenance"] as? [String: Any])?["isIncremental"] as? Bool == true)
    #expect(
      (document["suggestedIndex"] as? [String: Any])?["sql"] as? String
        == #"CREATE INDEX "song_on_title" ON "song" ("title" DESC)"#)
  }

  @Test func commitsOfOtherProcessesAreExplained() throws {
    func others(_ arguments: String...) throws -> [String: Any] {
      let run = try CommandRun(["explain", path, "--table", "song", "--json"] + arguments)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      return try #require(document["outsideCommits"] as? [String: Any])
    }
    var found = try others()
    #expect(found["isFollowedByRow"] as? Bool == false)
    #expect(found["reasons"] as? [String] == ["The file has no change log."])
    #expect((found["hint"] as? String)?.contains("`sectile log FILE enable`") == true)
    #expect(found["isAnsweredByKeys"] as? Bool == false)
    let text = try CommandRun(["explain", path, "--table", "song"]).output
    #expect(
      text.contains("\nOther processes\n  followed by row: no\n  The file has no change log."))

    #expect(try CommandRun(["log", path, "enable"]).code == 0)
    found = try others()
    #expect(found["isFollowedByRow"] as? Bool == true)
    #expect((found["reasons"] as? [String])?.isEmpty == true)
    #expect(found["hint"] is NSNull)
    #expect(found["isAnsweredByKeys"] as? Bool == true)
    found = try others("--where", "title < date('now')")
    #expect(found["isFollowedByRow"] as? Bool == false)
    #expect((found["reasons"] as? [String])?.joined().contains("depends on the clock") == true)
    #expect((found["reasonAgainstKeys"] as? String)?.contains("date()") == true)
    let logged = try CommandRun(["explain", path, "--table", "song"]).output
    #expect(
      logged.contains(
        "  followed by row: yes, by the change log\n  tokens: answered by keys\n"))
  }

  @Test func hostileNamesAreShownEscaped() throws {
    let run = try CommandRun(["explain", path, "--table", "odd\u{1B}[2J"])
    #expect(run.code == 0)
    #expect(run.output.contains("odd\\u{1B}[2J"))
    #expect(!run.output.contains("\u{1B}"))
    #expect(
      !(try CommandRun(["explain", path, "--json", "--table", "odd\u{1B}[2J"]).output.contains(
        "\u{1B}")))
  }

  @Test func viewsAndTablesWithoutAKeyAreExplained() throws {
    try InspectionConnection(path: path, access: .readWrite).run(
      "CREATE VIEW titles AS SELECT title FROM song", row: { _ in })
    let loose = try CommandRun(["explain", path, "--table", "loose"])
    #expect(loose.code == 0, "\(loose.errors)")
    #expect(loose.output.contains(#"ORDER BY "loose"."rowid""#))
    let view = try CommandRun(["explain", path, "--table", "titles"])
    #expect(view.code == 0, "\(view.errors)")
    #expect(view.output.contains("incremental: no, by refetching"))
  }

  @Test(arguments: [
    ["--table", "nulls", "--key", "a"], ["--table", "twice", "--key", "a"],
    ["--table", "both", "--key", "a"],
    ["--table", "twice", "--key", "a", "--limit", "1"], ["--table", "taken"],
    ["--table", "nulls", "--columns", "none"],
  ])
  func whatEndsAWatchEndsItsExplanation(arguments: [String]) throws {
    try makeDoubtfulKeys()
    let watch = try CommandRun(["watch", path, "--for", "0"] + arguments)
    let explanation = try CommandRun(["explain", path] + arguments)
    #expect(watch.code == 65)
    #expect(explanation.code == 65)
    #expect(explanation.errors == watch.errors)
  }

  @Test(arguments: [
    ["--table", "nulls"],
    ["--table", "nulls", "--where", "a IS NOT NULL"], ["--table", "nulls", "--key", "rowid"],
    ["--table", "twice", "--key", "a", "--key", "b"], ["--table", "twice", "--key", "b"],
    ["--table", "both", "--columns", "b"],
    ["--table", "taken", "--key", "rowid"],
  ])
  func whatIsWatchedIsExplained(arguments: [String]) throws {
    try makeDoubtfulKeys()
    let watch = try CommandRun(["watch", path, "--for", "0"] + arguments)
    let explanation = try CommandRun(["explain", path] + arguments)
    #expect(watch.code == 0, "\(watch.errors)")
    #expect(explanation.code == 0, "\(explanation.errors)")
    #expect(explanation.errors == watch.errors)
  }

  /// Rows are told apart by their ids where the declared key has NULL, which is said once.
  @Test func aDeclaredKeyWithNULLGivesWayToRowIDs() throws {
    try makeDoubtfulKeys()
    let note = "Note: a row of nulls has a NULL in its key: rows are told apart by rowid"
    let explanation = try CommandRun(["explain", path, "--table", "nulls"])
    #expect(explanation.errors.hasPrefix(note))
    #expect(explanation.output.contains(#"ORDER BY "nulls"."rowid""#))
    let some = ["explain", path, "--table", "nulls", "--where", "a IS NOT NULL"]
    #expect(try CommandRun(some).errors.isEmpty)
    let named = try CommandRun(["explain", path, "--table", "nulls", "--key", "a"])
    #expect(named.errors.contains("has a NULL in its key"))
    #expect(!named.errors.contains("Note:"))
  }

  /// Tables whose keys the schema does not vouch for.
  private func makeDoubtfulKeys() throws {
    try InspectionConnection(path: path, access: .readWrite).run(
      """
      CREATE TABLE nulls (a TEXT PRIMARY KEY, b);
      INSERT INTO nulls VALUES (NULL, 1), ('x', 2);
      CREATE TABLE twice (a, b);
      INSERT INTO twice VALUES (1, 1), (1, 2);
      CREATE VIEW both AS SELECT * FROM twice;
      CREATE TABLE taken (rowid, oid, _rowid_);
      INSERT INTO taken VALUES (1, 2, 3);
      """, row: { _ in })
  }

  @Test func aTableThatHasTakenTheNamesOfItsRowIDsIsNotOfferedThem() throws {
    try makeDoubtfulKeys()
    let taken = try CommandRun(["explain", path, "--table", "taken"])
    #expect(taken.errors.contains("columns have the names of its row id"))
    #expect(taken.errors.hasSuffix("\nHint: Name the columns that do with --key.\n"))
    let other = try Database.make("CREATE TABLE taken (rowid, oid, _rowid_)", in: folder)
    let diff = try CommandRun(["diff", path, other, "--table", "taken"])
    #expect(diff.code == 65)
    #expect(diff.errors.contains("columns have the names of its row id"))
  }

  @Test(arguments: ["watch", "explain"])
  func tablesOfTheMostColumnsAreReadByFewer(command: String) throws {
    let columns = (1..<2000).map { "c\($0)" }.joined(separator: ", ")
    try InspectionConnection(path: path, access: .readWrite).run(
      "CREATE TABLE wide (id INTEGER PRIMARY KEY, \(columns))", row: { _ in })
    let arguments =
      [command, path, "--table", "wide"] + (command == "watch" ? ["--for", "0"] : [])
    let run = try CommandRun(arguments)
    #expect(run.code == 65)
    #expect(run.errors.contains("A request for wide reads 2001 columns of a row."))
    #expect(
      run.errors.contains("\nHint: SQLite reads at most 2000 at once: name fewer with --columns."))
    #expect(try CommandRun(arguments + ["--columns", "c1,c1999"]).code == 0)
  }

  @Test func badRequestsAndFilesAreRefused() throws {
    #expect(try CommandRun(["explain", path]).code == 64)
    #expect(try CommandRun(["explain", path, "--table", "nothing"]).code == 65)
    #expect(try CommandRun(["explain", path, "--table", "song", "--where", "nope = 1"]).code == 65)
    #expect(try CommandRun(["explain", folder.file("none.db"), "--table", "song"]).code == 66)
  }
}
