import SectileCore
import Testing

@testable import SectileStore

/// Which strategy a plan gets, and the tables it is said to follow.
@Suite(.timeLimit(.minutes(60))) struct UpdateStrategyTests {
  private func explanation(of plan: FetchPlan, schema: String) throws -> RequestExplanation {
    try withStore(.memory) { store in
      try store.write { try $0.execute(schema) }
      return try store.explain(plan)
    }
  }

  private let schema = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER);
    CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT);
    CREATE VIEW named AS SELECT song.id, title, name FROM song JOIN artist ON artist_id = artist.id;
    CREATE VIRTUAL TABLE words USING fts5 (title);
    """

  private func plan(of table: String = "song", key: String = "id") -> FetchPlan {
    FetchPlan(table: table, keyColumns: [key], itemColumns: ["title"])
  }

  @Test func theOrderOfTheKeyIsThatOfTheRowID() throws {
    let explanation = try explanation(of: plan(), schema: schema)
    #expect(
      explanation.maintenance.description == "seeking: The order (id) is that of the row id.")
    #expect(explanation.maintenance.kind.isIncremental)
    #expect(
      explanation.followedTables
        == [RequestExplanation.FollowedTable(table: "song", columns: nil, isFollowedByRow: true)])
  }

  @Test func theOrderOfAKeyWithoutRowIDIsThatOfThePrimaryKey() throws {
    var plan = FetchPlan(table: "t", keyColumns: ["a", "b"], itemColumns: [])
    plan.sort = [plan.term("a")]
    let explanation = try explanation(
      of: plan, schema: "CREATE TABLE t (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID")
    #expect(
      explanation.maintenance.description == "seeking: The order (a, b) is that of the primary key."
    )
  }

  @Test func windowsAreFollowedWhereOldPlacesAreKnown() throws {
    var plan = plan()
    plan.limit = 10
    let first = try explanation(of: plan, schema: schema).maintenance
    #expect(first.kind.isIncremental)
    #expect(
      first.reason.hasSuffix(
        "What enters at the end of the window is sought from the last row that stays there."))
    plan.offset = 5
    plan.itemColumns = ["id", "title"]
    let later = try explanation(of: plan, schema: schema).maintenance
    #expect(later.kind.isIncremental)
    #expect(
      later.reason.hasSuffix(
        "What enters at either end of the window is sought from the last row that stays there."))
    plan.aggregates = [FetchPlan.Aggregate(.rowCount)]
    #expect(try explanation(of: plan, schema: schema).maintenance.kind.isIncremental)
    plan.aggregateScope = .wanted
    let wanted = try explanation(of: plan, schema: schema).maintenance
    #expect(wanted.kind == .windowed)
    #expect(wanted.reason.hasPrefix("Aggregates of more rows than the window shows"))
    plan.aggregates = []
    plan.sort = [FetchPlan.SortTerm(expression: SQLFragment("length(title)"))]
    let unknown = try explanation(of: plan, schema: schema).maintenance
    #expect(unknown.kind == .windowed)
    #expect(unknown.reason.hasPrefix("With an offset, it has to be known where a row stood"))
  }

  @Test func aViewIsFollowedByTheTablesBehindIt() throws {
    let explanation = try explanation(of: plan(of: "named"), schema: schema)
    #expect(explanation.maintenance.kind == .binarySearch)
    #expect(
      explanation.maintenance.reason.hasPrefix(
        "SQLite is asked which rows may have changed, given the touched rows of artist, song."))
    #expect(Set(explanation.followedTables.map(\.table)) == ["song", "artist"])
    #expect(explanation.followedTables.allSatisfy { $0.isFollowedByRow })
    #expect(explanation.suggestedIndex == nil)
  }

  @Test func aVirtualTableIsFetchedAgain() throws {
    let explanation = try explanation(of: plan(of: "words", key: "rowid"), schema: schema)
    #expect(
      explanation.maintenance.reason.hasPrefix(
        "A commit does not tell which rows of the virtual table words have changed."))
  }

  @Test func anOrderByAnotherTableIsSearched() throws {
    var plan = plan()
    plan.joins = [
      FetchPlan.Join(
        table: "artist", alias: "artist", source: "song", sourceColumns: ["artist_id"],
        targetColumns: ["id"])
    ]
    plan.sort = [
      FetchPlan.SortTerm(
        expression: SQLFragment(#""artist"."name""#),
        column: FetchPlan.Column(table: "artist", name: "name"))
    ]
    plan.dependencies = [
      FetchPlan.Dependency(
        table: "artist", keyColumns: ["id"], observedColumns: ["name"],
        affected: .query("SELECT id FROM song WHERE artist_id = ?"))
    ]
    let explanation = try explanation(of: plan, schema: schema)
    #expect(explanation.maintenance.kind == .binarySearch)
    #expect(
      explanation.maintenance.reason.hasPrefix(
        #"The order ("artist"."name", id) is not one of columns of song alone."#))
    #expect(explanation.followedTables.map(\.description) == ["song", "artist (id, name)"])
  }

  @Test func aTableOfASubqueryIsFollowedByRow() throws {
    var plan = plan()
    plan.filter = SQLFragment("artist_id IN (SELECT id FROM artist)")
    let explanation = try explanation(of: plan, schema: schema)
    #expect(explanation.followedTables.map(\.description) == ["song", "artist (id)"])
  }

  @Test func aTableThatLeadsToNoRowsIsSaidToCauseReadingAll() throws {
    var plan = plan()
    plan.filter = SQLFragment("artist_id IN (SELECT artist.id FROM artist, json_each('[1]'))")
    let explanation = try explanation(of: plan, schema: schema)
    #expect(
      explanation.followedTables.map(\.description)
        == ["song", "artist, all rows are read again"])
  }

  @Test func aCollationThatNobodyKnowsIsLeftToSQLite() throws {
    let collation = TextCollation("REVERSED") { $0 < $1 ? 1 : $0 == $1 ? 0 : -1 }
    var configuration = StoreConfiguration()
    configuration.collations = [collation]
    try withStore(.memory, configuration: configuration) { store in
      try store.write {
        try $0.execute("CREATE TABLE song (id INTEGER PRIMARY KEY, title COLLATE REVERSED)")
      }
      var plan = plan()
      plan.sort = [plan.term("title")]
      #expect(try store.explain(plan).maintenance.kind == .refetching)
    }
  }
}
