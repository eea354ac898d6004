import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(10))) struct ExplainCommandTests {
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
        "followedTables", "maintenance", "outsideCommits", "queryPlan", "sectionRecount",
        "sortedClauses", "sql", "suggestedIndex", "table", "v", "values",
      ])
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

  @Test func badRequestsAndFilesAreRefused() throws {
    #expect(try CommandRun(["explain", path]).code == 64)
    #expect(try CommandRun(["explain", path, "--table", "nothing"]).code == 65)
    #expect(try CommandRun(["explain", path, "--table", "loose"]).code == 65)
    #expect(try CommandRun(["explain", path, "--table", "song", "--where", "nope = 1"]).code == 65)
    #expect(try CommandRun(["explain", folder.file("none.db"), "--table", "song"]).code == 66)
  }
}
