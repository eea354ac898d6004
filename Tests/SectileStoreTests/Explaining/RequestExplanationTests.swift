import Foundation
import GRDB
import SectileCore
import Testing

@testable import SectileStore

/// What `explain` says about requests, against what SQLite does.
@Suite(.timeLimit(.minutes(60))) struct RequestExplanationTests {
  private static let schema = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT, genre TEXT, rating INTEGER,
      album TEXT COLLATE NOCASE);
    """

  private var plan: FetchPlan {
    var plan = FetchPlan(table: "song", keyColumns: ["id"], itemColumns: ["id", "title"])
    plan.section = FetchPlan.Section(identity: plan.term("genre"))
    plan.sort = [plan.term("title")]
    return plan
  }

  private func explanation(
    of plan: FetchPlan, schema: String = schema, in kind: StorageKind = .memory
  ) throws -> RequestExplanation {
    try withStore(kind) { store in
      try store.write { try $0.execute(schema) }
      let before = try schemaText(of: store)
      let explanation = try store.explain(plan)
      #expect(try schemaText(of: store) == before)
      return explanation
    }
  }

  private func schemaText(of store: Store) throws -> [StoredRow] {
    try store.read { try $0.query("SELECT * FROM sqlite_schema") }
  }

  @Test(arguments: StorageKind.allCases)
  func aSortedRequestIsToldWhichIndexHelps(kind: StorageKind) throws {
    let explanation = try explanation(of: plan, in: kind)
    #expect(explanation.hasToSort)
    #expect(explanation.sortedClauses == ["ORDER BY"])
    #expect(explanation.maintenance.kind == .binarySearch)
    #expect(
      explanation.suggestedIndex?.sql
        == #"CREATE INDEX "song_on_genre_title" ON "song" ("genre", "title")"#)
    #expect(
      explanation.description == """
        SELECT "song"."id", "song"."genre" \
        FROM "main"."song" ORDER BY "song"."genre", "song"."title", "song"."id"

        QUERY PLAN
        |--SCAN main.song
        `--USE TEMP B-TREE FOR ORDER BY

        Sorted without an index: ORDER BY
        Maintained by searching: The order (genre, title, id) is that of no index. A row's place \
        is searched by looking up the sort keys of about log2(n) others.
        Followed: song
        Outside commits: everything is read again. The file has no change log.
        Tokens: a reset. The file has no change log.
        An index would help: CREATE INDEX "song_on_genre_title" ON "song" ("genre", "title")
        """)
  }

  @Test func withTheIndexNothingIsSortedOrSuggested() throws {
    let suggestion = try #require(try explanation(of: plan).suggestedIndex)
    let explanation = try explanation(of: plan, schema: Self.schema + suggestion.sql)
    #expect(!explanation.hasToSort)
    #expect(explanation.suggestedIndex == nil)
    #expect(
      explanation.maintenance.description
        == "seeking: The order (genre, title, id) is that of index song_on_genre_title.")
  }

  @Test func columnsThatTheFilterPinsComeFirst() throws {
    var plan = plan
    plan.filter = SQLFragment(#""song"."rating" = ?"#, [.integer(5)])
    let explanation = try explanation(of: plan)
    #expect(
      explanation.suggestedIndex?.sql
        == #"CREATE INDEX "song_on_rating_genre_title" ON "song" ("rating", "genre", "title")"#)
    #expect(explanation.values == [.integer(5)])
    #expect(explanation.description.contains("\nValues: 5\n"))
    let indexed = try self.explanation(
      of: plan, schema: Self.schema + (explanation.suggestedIndex?.sql ?? ""))
    #expect(!indexed.hasToSort)
    #expect(indexed.maintenance.kind == .indexLookup)
  }

  @Test func directionsAndCollationsAreThoseOfTheOrder() throws {
    var plan = plan
    plan.section = FetchPlan.Section(identity: plan.term("genre", collation: .rtrim))
    plan.sort = [
      plan.term("rating", isDescending: true), plan.term("album"),
      plan.term("title", collation: .nocase),
    ]
    #expect(
      try explanation(of: plan).suggestedIndex?.sql
        == #"CREATE INDEX "song_on_genre_rating_album_title" ON "song" "#
        + #"("genre" COLLATE "RTRIM", "rating" DESC, "album", "title" COLLATE "NOCASE")"#)
  }

  @Test func aKeyThatIsNoRowIDIsPartOfTheIndex() throws {
    var plan = FetchPlan(table: #"a "b" table"#, keyColumns: ["the key"], itemColumns: [])
    plan.sort = [plan.term(#"x"y"#)]
    let schema = #"""
      CREATE TABLE "a ""b"" table" ("the key" TEXT PRIMARY KEY, "x""y" INT);
      CREATE INDEX "a ""b"" table_on_x""y_the key" ON "a ""b"" table" ("x""y");
      """#
    let suggestion = try #require(try explanation(of: plan, schema: schema).suggestedIndex)
    #expect(
      suggestion.sql == #"CREATE INDEX "a ""b"" table_on_x""y_the key_2" ON "#
        + #""a ""b"" table" ("x""y", "the key")"#)
    let indexed = try explanation(of: plan, schema: schema + suggestion.sql)
    #expect(!indexed.hasToSort)
    #expect(indexed.maintenance.kind == .indexLookup)
  }

  @Test func nothingIsSuggestedForAnOrderThatNoIndexHas() throws {
    var plan = plan
    plan.sort = [FetchPlan.SortTerm(expression: SQLFragment("length(title)"))]
    let explanation = try explanation(of: plan)
    #expect(explanation.hasToSort)
    #expect(explanation.suggestedIndex == nil)
    #expect(
      explanation.maintenance.reason.hasPrefix(
        "The order (genre, length(title), id) is not one of columns of song alone."))
  }

  @Test func anIndexIsSuggestedForFixedSectionsBecausePlacesAreSoughtInIt() throws {
    var plan = plan
    plan.section?.fixedSections = [.text("jazz"), .text("folk")]
    let suggestion = try #require(try explanation(of: plan).suggestedIndex)
    #expect(suggestion.name == "song_on_genre_title")
    #expect(suggestion.reason == "The place of a touched row is sought in the index.")
    let indexed = try explanation(of: plan, schema: Self.schema + suggestion.sql)
    #expect(indexed.hasToSort)
    #expect(indexed.maintenance.kind == .indexLookup)
    #expect(indexed.suggestedIndex == nil)
  }

  @Test func statisticsDecideInTheCopyAsTheyDoInTheDatabase() throws {
    let rows = """
      INSERT INTO song SELECT value, 't' || value, 'g' || (value % 3), 1, '' FROM
        (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 500)
         SELECT value FROM n);
      CREATE INDEX song_on_rating ON song (rating);
      ANALYZE;
      """
    let suggestion = try #require(
      try explanation(of: plan, schema: Self.schema + rows).suggestedIndex)
    let indexed = try explanation(of: plan, schema: Self.schema + rows + suggestion.sql)
    #expect(!indexed.hasToSort)
  }

  @Test func collationsOfTheStoreAreKnownInTheCopy() throws {
    let collation = TextCollation("BACKWARDS") { left, right in
      left == right ? 0 : left > right ? -1 : 1
    }
    var configuration = StoreConfiguration()
    configuration.collations = [collation]
    try withStore(.memory, configuration: configuration) { store in
      try store.write {
        try $0.execute("CREATE TABLE song (id INTEGER PRIMARY KEY, title COLLATE BACKWARDS)")
      }
      var plan = FetchPlan(table: "song", keyColumns: ["id"], itemColumns: [])
      plan.sort = [plan.term("title", collation: collation)]
      #expect(
        try store.explain(plan).suggestedIndex?.sql
          == #"CREATE INDEX "song_on_title" ON "song" ("title")"#)
    }
  }

  private static let family = """
    CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT, genre TEXT, artist INT);
    CREATE TABLE loose (x); CREATE VIEW named AS SELECT id, title FROM song;
    CREATE VIRTUAL TABLE word USING fts5(text);
    """

  private func outsideCommits(
    of plan: FetchPlan, enabling tables: [String]? = nil, looking isLooking: Bool = true
  ) throws -> RequestExplanation.OutsideCommits {
    var configuration = StoreConfiguration()
    if !isLooking { configuration.externalChangePolling = nil }
    return try withStore(.file, configuration: configuration) { store in
      try store.write { try $0.execute(Self.family) }
      try store.changeLog.enable(tables: tables)
      return try store.explain(plan).outsideCommits
    }
  }

  private var artists: FetchPlan {
    FetchPlan(table: "artist", keyColumns: ["id"], itemColumns: ["id", "name"])
  }

  @Test func rowsThatTheLogNamesAreFollowedOneByOne() throws {
    let found = try outsideCommits(of: plan)
    #expect(found.isFollowedByRow)
    #expect(found.hint == nil)
    #expect(found.reasonAgainstKeys == nil)
    #expect("\(found)" == "row by row, as the change log names them")
  }

  @Test func childrenThatAreKeyedOtherwiseAreReadWithEverything() throws {
    var plan = artists
    plan.dependencies = [
      FetchPlan.Dependency(table: "song", keyColumns: ["artist"], affected: .sameKey)
    ]
    plan.filter = SQLFragment("EXISTS (SELECT 1 FROM song WHERE song.artist = artist.id)")
    let found = try outsideCommits(of: plan)
    #expect(
      found.reasons == [
        "After commits that touch song: the change log names its rows by id, and not by artist."
      ])
    #expect(found.reasonAgainstKeys == "It reads other tables than artist.")
  }

  @Test func parentsThatAreFoundByTheirKeysAreFollowed() throws {
    var plan = plan
    plan.dependencies = [
      FetchPlan.Dependency(
        table: "artist", keyColumns: ["id"],
        affected: .query("SELECT id FROM song WHERE artist = ?"))
    ]
    plan.filter = SQLFragment("song.artist IN (SELECT id FROM artist WHERE name <> '')")
    #expect(try outsideCommits(of: plan).reasons == [])
  }

  @Test func whatIsNotFollowedIsSaid() throws {
    let unnamed = try outsideCommits(of: plan, enabling: ["artist"])
    #expect(
      unnamed.reasons == [
        "After each commit, since song may have changed: the change log is of other tables."
      ])
    #expect(
      unnamed.hint == "Add to the change log: `sectile log FILE enable --tables song`.")
    #expect(unnamed.reasonAgainstKeys == "the change log is of other tables.")

    let named = FetchPlan(table: "named", keyColumns: ["id"], itemColumns: ["title"])
    #expect(try outsideCommits(of: named).reasons == [])
    let view = try outsideCommits(of: named, looking: false)
    #expect(view.reasons.count == 1)
    #expect(view.reasons.first?.hasPrefix("After commits that touch song: what its rows") == true)
    let virtual = try outsideCommits(
      of: FetchPlan(table: "word", keyColumns: ["rowid"], itemColumns: ["text"]))
    #expect(virtual.reasons.first?.contains("word is a virtual table") == true)
    #expect(virtual.hint == nil)

    var limited = plan
    limited.limit = 5
    #expect(try outsideCommits(of: limited).reasons == [])
    limited.offset = 1
    let window = try outsideCommits(of: limited)
    #expect(window.reasons.count == 1)
    #expect(window.reasons.first?.hasPrefix("After commits that concern song, as after") == true)
    #expect(window.reasonAgainstKeys?.hasPrefix("With a limit or an offset") == true)
    limited.itemColumns.append("genre")
    let followed = try outsideCommits(of: limited)
    #expect(followed.reasons.first?.hasPrefix("After commits outside the window of song") == true)

    let otherKey = try outsideCommits(
      of: FetchPlan(table: "artist", keyColumns: ["name"], itemColumns: ["name"]))
    #expect(
      otherKey.reasons == [
        "After commits that touch artist: the change log names its rows by id, and not by name."
      ])
    #expect(otherKey.reasonAgainstKeys == "The change log names rows of artist by id.")
  }

  /// What is explained is what happens.
  @Test func explainedIsWhatResultsDo() throws {
    var children = artists
    children.dependencies = [
      FetchPlan.Dependency(table: "song", keyColumns: ["artist"], affected: .sameKey)
    ]
    children.filter = SQLFragment("EXISTS (SELECT 1 FROM song WHERE song.artist = artist.id)")
    let view = FetchPlan(table: "named", keyColumns: ["id"], itemColumns: ["title"])
    for (plan, sql) in [
      (plan, "INSERT INTO song VALUES (1, 'a', 'g', 1)"),
      (children, "INSERT INTO song VALUES (1, 'a', 'g', 1)"),
      (artists, "INSERT INTO artist VALUES (1, 'x')"),
      (view, "INSERT INTO song VALUES (1, 'a', 'g', 1)"),
    ] {
      try withStore(.file) { store in
        try store.write { try $0.execute(Self.family) }
        try store.changeLog.enable()
        let results = try store.results(of: plan)
        try results.load()
        try store.checkForExternalChanges()
        let before = results.statistics
        let queue = try DatabaseQueue(path: #require(store.path))
        try queue.write { try $0.execute(sql: sql) }
        try store.checkForExternalChanges()
        let after = results.statistics
        let isByRow =
          after.loggedCount > before.loggedCount && after.rebuildCount == before.rebuildCount
          && after.resyncCount == before.resyncCount
        #expect(try store.explain(plan).outsideCommits.isFollowedByRow == isByRow, "\(plan.table)")
      }
    }
  }

  @Test func indexForAggregatesIsSuggestedAndUsed() throws {
    var plan = plan
    plan.itemColumns += ["rating"]
    plan.aggregates = [FetchPlan.Aggregate(.maximum("rating")), FetchPlan.Aggregate(.rowCount)]
    let recount = try #require(try explanation(of: plan).sectionRecount)
    #expect(recount.kind == .keys)
    #expect(recount.index == nil)
    let suggestion = try #require(recount.suggestedIndex)
    #expect(
      suggestion.sql
        == #"CREATE INDEX "song_on_genre_rating" ON "song" ("genre", "rating")"#)
    let helped = try explanation(of: plan, schema: Self.schema + suggestion.sql)
    #expect(helped.sectionRecount?.kind == .coveringIndex)
    #expect(helped.sectionRecount?.index == suggestion.name)
    #expect(helped.sectionRecount?.suggestedIndex == nil)
    #expect(
      helped.description.contains(
        "Aggregates: by covering index: All that is looked at is read from index song_on_genre_rating."
      )
    )
  }

  @Test func indexThatLeadsToRowsOnlyIsToldWithABetterOne() throws {
    var plan = plan
    plan.itemColumns += ["rating"]
    plan.aggregates = [FetchPlan.Aggregate(.minimum("rating"))]
    plan.filter = SQLFragment(#""song"."album" = ?"#, [.text("Hunky Dory")])
    let schema = Self.schema + "CREATE INDEX by_genre ON song (genre);"
    let recount = try #require(try explanation(of: plan, schema: schema).sectionRecount)
    #expect(recount.kind == .index)
    #expect(recount.index == "by_genre")
    #expect(
      recount.suggestedIndex?.sql
        == #"CREATE INDEX "song_on_album_genre_rating" ON "song" ("album", "genre", "rating")"#)
    #expect(recount.suggestedIndex?.reason.contains("read from the index") == true)
  }

  @Test func aggregatesWithoutSectionsReadAllRows() throws {
    var plan = plan
    plan.section = nil
    #expect(try explanation(of: plan).sectionRecount == nil)
    plan.aggregates = [FetchPlan.Aggregate(.rowCount)]
    let recount = try #require(try explanation(of: plan).sectionRecount)
    #expect(recount.kind == .allRows)
    #expect(recount.suggestedIndex == nil)
  }

  @Test func explanationsSurviveJSON() throws {
    let explanation = try explanation(of: plan)
    let data = try JSONEncoder().encode(explanation)
    #expect(try JSONDecoder().decode(RequestExplanation.self, from: data) == explanation)
    #expect(String(decoding: data, as: UTF8.self).contains(#""kind":"searching""#))
  }

  @Test func ofManyValuesOnlyTheFirstAreShown() throws {
    var plan = plan
    let marks = Array(repeating: "?", count: 30).joined(separator: ", ")
    plan.filter = SQLFragment("rating IN (\(marks))", (1...30).map { .integer($0) })
    let text = try explanation(of: plan).description
    #expect(text.contains("19, 20 and 10 more\n"))
  }

  @Test func aTransactionSeesItsOwnSchema() throws {
    try withStore(.file) { store in
      try store.write { transaction in
        try transaction.execute(Self.schema)
        #expect(try transaction.explain(plan).suggestedIndex != nil)
      }
    }
  }

  @Test func whatSQLiteRefusesIsThrown() throws {
    try withStore(.memory) { store in
      #expect { try store.explain(plan) } throws: {
        ($0 as? StoreError)?.code == .statementFailed
      }
      #expect { try store.explain(FetchRequest<Track>()) } throws: {
        ($0 as? StoreError)?.code == .schemaMismatch
      }
      #expect { try store.explain(FetchRequest<Track>().limit(-1)) } throws: {
        ($0 as? StoreError)?.code == .invalidRequest
      }
    }
  }
}
