import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// What commands make of a SELECT in place of a table.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct QueryOptionsTests {
  private let folder: TemporaryFolder
  private let path: String

  private static let perArtist = """
    SELECT artist.id, artist.name, count(*) AS tracks
    FROM artist JOIN album ON album.artist = artist.id JOIN track ON track.album = album.id
    GROUP BY artist.id
    """
  private static let tracks = """
    SELECT track.id, track.name AS track, artist.name AS artist, milliseconds
    FROM track JOIN album ON album.id = track.album JOIN artist ON artist.id = album.artist
    """

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT NOT NULL,
        artist INTEGER NOT NULL REFERENCES artist (id));
      CREATE TABLE track (id INTEGER PRIMARY KEY, name TEXT NOT NULL,
        album INTEGER NOT NULL REFERENCES album (id), milliseconds INTEGER NOT NULL);
      CREATE INDEX album_by_artist ON album (artist);
      CREATE INDEX track_by_album ON track (album);
      INSERT INTO artist VALUES (1, 'AC/DC'), (2, 'Accept');
      INSERT INTO album VALUES (1, 'Let There Be Rock', 1), (2, 'Balls to the Wall', 2),
        (3, 'Restless and Wild', 2);
      INSERT INTO track VALUES (1, 'Go Down', 1, 331180), (2, 'Dog Eat Dog', 1, 215196),
        (3, 'Balls to the Wall', 2, 342562), (4, 'Fast As a Shark', 3, 230619),
        (5, 'Restless and Wild', 3, 252051);
      """, in: folder)
  }

  private func write(_ sql: String) throws {
    let run = try CommandRun(["sqlite", path, "--writable", sql])
    try #require(run.code == 0, "\(run.errors)")
  }

  private func run(_ command: String, _ sql: String, _ arguments: String...) throws -> CommandRun {
    try CommandRun([command, path, "--sql", sql] + arguments)
  }

  // MARK: - Watching

  @Test(arguments: [false, true]) func aWatchTellsWhatChangedInASelect(isLogged: Bool) throws {
    if isLogged { #expect(try CommandRun(["log", path, "enable"]).code == 0) }
    let run = try RunningCommand([
      "watch", path, "--sql", Self.perArtist, "--sort", "tracks DESC", "--interval", "0.02",
      "--until-changes", "1",
    ])
    #expect(run.wait(for: "didFinishLoading"), "\(run.errors)")
    try write(
      """
      BEGIN; INSERT INTO artist VALUES (3, 'Aerosmith'); INSERT INTO album VALUES (4, 'Big Ones', 3);
      INSERT INTO track VALUES (6, 'Walk On Water', 4, 295680), (7, 'Princess', 3, 375418); COMMIT
      """)
    #expect(run.exitCode() == 0)
    #expect(run.errors.isEmpty)
    let lines = run.lines.map { $0.replacing(#/^\d\d:\d\d:\d\d/#, with: "T") }
    #expect(
      lines == [
        "Watching query in \(path); Ctrl-C ends it.", "T  willLoad",
        "  didPartiallyLoad 0→1  R+: 2", "    R+ [0,0]  id=2  name=Accept  tracks=3",
        "    R+ [0,1]  id=1  name=AC/DC  tracks=2", "  didFinishLoading  2 rows", "T  willLoad",
        "  didPartiallyLoad 1→2  R+: 1  R~: 1", "    R+ [0,2]  id=3  name=Aerosmith  tracks=1",
        "    R~ [0,0]→[0,0]  id=2  name=Accept  tracks=4", "  didFinishLoading  3 rows",
      ])
  }

  @Test func aSelectWhoseTableIsGoneIsWaitedFor() throws {
    let run = try RunningCommand([
      "watch", path, "--sql", Self.perArtist, "--interval", "0.02", "--ndjson",
    ])
    #expect(run.wait(for: "\"finished\""))
    #expect(run.lines.first?.contains("\"table\":\"query\"") == true)
    #expect(run.lines.first?.contains("\"key\":[\"id\"]") == true)
    try write("ALTER TABLE track RENAME TO other")
    #expect(run.wait(for: "\"columns\":null"))
    try write(
      """
      ALTER TABLE other RENAME TO track;
      INSERT INTO track VALUES (6, 'Princess of the Dawn', 3, 375418)
      """)
    #expect(run.wait(for: "\"tracks\":4"))
    run.signal(SIGINT)
    #expect(run.exitCode() == 0)
  }

  // MARK: - Reading once

  @Test func sectionsOfASelectShowRowsCountsAndAggregates() throws {
    let run = try run(
      "sections", Self.tracks + " WHERE milliseconds > :ms", "--param", "ms=220000",
      "--section-by", "artist", "--sort", "milliseconds DESC", "--rows", "1", "--columns",
      "track,milliseconds", "--aggregate", "sum(milliseconds)", "--where", "track <> 'x'")
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.output == """
        AC/DC (1)  sum(milliseconds) 331180
          track    milliseconds
          -------  ------------
          Go Down        331180

        Accept (3)  sum(milliseconds) 825232
          track              milliseconds
          -----------------  ------------
          Balls to the Wall        342562
          … 2 more

        4 rows in 2 sections  sum(milliseconds) 1156412

        """)
    let limited = try self.run(
      "sections", Self.tracks, "--section-by", "artist", "--limit", "3", "--rows", "0")
    #expect(limited.output.hasSuffix("3 rows in 2 sections\n"), "\(limited.output)")
  }

  @Test(arguments: [("name='AC/DC'", 2), ("name=Accept", 3), (":name=NULL", 0), ("name=5", 0)])
  func parametersAreReadAsThoseOfTheShell(parameter: String, count: Int) throws {
    let sql = Self.tracks + " WHERE artist.name = :name"
    let run = try run("sections", sql, "--section-by", "artist", "--param", parameter)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("\(count) rows in \(count == 0 ? 0 : 1) section"), "\(run.output)")
  }

  // MARK: - Explaining and verifying

  @Test func anExplanationSaysHowASelectIsFollowed() throws {
    let followed = try run("explain", Self.perArtist)
    #expect(followed.code == 0, "\(followed.errors)")
    #expect(followed.output.contains("incremental: yes, by searching"), "\(followed.output)")
    #expect(
      followed.output.contains(
        "SQLite is asked which rows may have changed, given the touched rows of album, artist, track."
      ), "\(followed.output)")
    #expect(followed.output.contains("followed: album (artist, id); artist (id, name); track ("))

    // Which title stands for the albums of an artist, only SQLite's plan says.
    let bare = "SELECT artist, title FROM album GROUP BY artist"
    let fetched = try run("explain", bare, "--key", "artist")
    #expect(fetched.code == 0, "\(fetched.errors)")
    #expect(fetched.output.contains("incremental: no, by refetching"), "\(fetched.output)")
    #expect(
      fetched.output.contains(
        "title is not one of the columns that are grouped by, and these do not fix it."),
      "\(fetched.output)")
    let json = try run("explain", Self.perArtist, "--json")
    let columns = #""columns":["id","name","tracks"],"key":["id"]"#
    #expect(json.output.hasPrefix(#"{"v":2,"table":"query",\#(columns),"sql":"#), "\(json.output)")
  }

  @Test func anExplanationSaysWhatATouchedRowAsks() throws {
    let indexed = try run("explain", Self.perArtist)
    #expect(
      indexed.output.contains(
        "\nTouched rows\n  A touched row of album names rows by their key (id).\n    SELECT DISTINCT "
      ), "\(indexed.output)")
    #expect(indexed.output.contains("\n    |--SEARCH"), "\(indexed.output)")
    #expect(
      indexed.output.contains("\n  A row is read again by its key.\n    "), "\(indexed.output)")
    #expect(!indexed.output.contains("CREATE INDEX"), "\(indexed.output)")

    try write("DROP INDEX album_by_artist")
    let scanning = try run("explain", Self.perArtist)
    #expect(
      scanning.output.contains(
        """
        An index would help
          CREATE INDEX "album_on_artist" ON "album" ("artist");
          A touched row of artist finds its rows of album through the index instead of reading all \
        of the rows of track.
        """), "\(scanning.output)")
    let json = try run("explain", Self.perArtist, "--json")
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let cost = try #require(document["touchedRowCost"] as? [String: Any])
    #expect(
      cost.keys.sorted() == [
        "keepsSums", "questionCount", "questions", "rereadingPlan", "rereadingSQL",
        "suggestedIndexes", "unaskedTables",
      ])
    let questions = try #require(cost["questions"] as? [[String: Any]])
    #expect(questions.map { $0["table"] as? String } == ["album", "artist", "track"])
    #expect(questions.allSatisfy { $0["answer"] as? String == "key" })
    #expect(
      questions[0].keys.sorted() == [
        "answer", "keyColumns", "queryPlan", "sql", "table", "values",
      ])
    let indexes = try #require(cost["suggestedIndexes"] as? [[String: Any]])
    #expect(indexes.map { $0["name"] as? String } == ["album_on_artist"])
  }

  @Test func aViewIsExplainedAsItsSelect() throws {
    try write("CREATE VIEW per_artist AS \(Self.perArtist); DROP INDEX track_by_album")
    let run = try CommandRun(["explain", path, "--table", "per_artist"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("A touched row of track names rows by their key (id)."))
    #expect(
      run.output.contains(#"CREATE INDEX "track_on_album" ON "track" ("album");"#),
      "\(run.output)")
  }

  @Test func rowsOfOneKeyEndTheExplanationAsTheWatch() throws {
    let watch = try run("watch", Self.tracks, "--key", "artist", "--for", "0")
    let explanation = try run("explain", Self.tracks, "--key", "artist")
    #expect(watch.code == 65)
    #expect(explanation.code == 65)
    #expect(explanation.errors == watch.errors)
  }

  @Test func aSelectIsReplayedAloneIfItIsNamed() throws {
    let run = try run("verify", Self.perArtist, "--section-by", "tracks > 2", "--sort", "name")
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.output.contains(
        "ok       replay of query: 2 rows compared 2 times, 1 changeset replayed\n"),
      "\(run.output)")
    #expect(!run.output.contains("replay of artist"))
  }

  // MARK: - Mistakes

  @Test(arguments: ["watch", "explain", "sections", "verify"])
  func wrongSQLIsToldInTheWordsOfSQLite(command: String) throws {
    let more = command == "sections" ? ["--section-by", "name"] : []
    func errors(_ arguments: String...) throws -> String {
      let run = try CommandRun([command, path] + arguments + more)
      #expect(run.code == 65, "\(command): \(run.errors)")
      #expect(!run.errors.contains("EXPLAIN") && !run.errors.contains("SELECT *"))
      return run.errors
    }
    #expect(
      try errors("--sql", "SELECT id, nam AS name FROM artist")
        == "Error: no such column: nam\nHint: Did you mean name?\n")
    #expect(
      try errors("--sql", "SELECT id, name FROM artists")
        == "Error: no such table: artists\nHint: Did you mean artist?\n")
    let syntax = try errors("--sql", "SELECT id, name FROM artist WHERE (")
    #expect(syntax.hasSuffix("\nHint: Look at what --sql says.\n"), "\(syntax)")
    let filter = try errors("--sql", Self.perArtist, "--where", "trackz > 1")
    #expect(filter.hasPrefix("Error: no such column: trackz\nHint: Did you mean tracks?"))
    #expect(filter.contains("The columns of the query are: id, name, tracks."))
  }

  @Test(arguments: [
    ("SELECT title FROM album", "Name the columns that do with --key. Its columns are: title."),
    ("SELECT a.id, b.id FROM artist a, artist b", "with AS"),
    ("DELETE FROM artist", "Write one SELECT statement."),
    ("SELECT 1 AS a; SELECT 2 AS a", "Write one SELECT statement.\n"),
    ("SELECT id FROM artist WHERE id = :id", "--param NAME=VALUE"),
  ])
  func whatIsNoRequestIsRefusedWithTheNextStep(sql: String, hint: String) throws {
    for command in ["watch", "explain", "verify"] {
      let run = try run(command, sql)
      #expect(run.code == 65, "\(command): \(run.errors)")
      #expect(run.errors.contains("\nHint: "), "\(command): \(run.errors)")
      #expect(run.errors.contains(hint), "\(command): \(run.errors)")
      #expect(!run.errors.contains("Store.") && !run.errors.contains("Query("), "\(run.errors)")
    }
  }

  @Test(arguments: [
    (["--table", "artist", "--sql", "SELECT 1 AS a"], "--table and --sql exclude each other"),
    ([], "Name a table with --table, or write a SELECT with --sql."),
    (["--table", "artist", "--param", "a=1"], "--param is the value of a parameter in --sql"),
    (["--sql", "SELECT 1 AS a", "--param", "a b=1"], "is no name of a parameter"),
    (["--sql", "SELECT 1 AS a", "--param", "a"], "--param"),
  ])
  func optionsThatDoNotGoTogetherAreRefused(arguments: [String], message: String) throws {
    for command in ["watch", "explain", "sections"] {
      let more = command == "sections" ? ["--section-by", "1"] : []
      let run = try CommandRun([command, path] + arguments + more)
      #expect(run.code == 64, "\(command): \(run.errors)")
      #expect(run.errors.contains(message), "\(command): \(run.errors)")
    }
    guard !arguments.isEmpty else { return }
    #expect(try CommandRun(["verify", path] + arguments).code == 64)
  }
}
