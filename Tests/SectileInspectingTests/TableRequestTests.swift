import Sectile
import SectileInspecting
import Testing

/// Requests in text, against a schema: what they become, and what is wrong with those that become
/// nothing.
@Suite struct TableRequestTests {
  private static let schema = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, Genre TEXT, title TEXT COLLATE NOCASE, size INTEGER);
    CREATE TABLE loose (a, b);
    CREATE TABLE named (code TEXT NOT NULL UNIQUE, b);
    CREATE VIEW long AS SELECT * FROM song WHERE size > 9;
    CREATE VIEW titles AS SELECT title FROM song;
    CREATE VIEW genres AS SELECT Genre, count(*) AS n FROM song GROUP BY Genre;
    INSERT INTO song VALUES (1, 'a', 'x', 5), (2, 'b', 'Y', 20), (3, 'a', 'y', 30);
    INSERT INTO loose VALUES (1, 2);
    """

  private static func makeStore() throws -> Store {
    let store = try Store.inMemory()
    try store.write { transaction in
      for statement in schema.split(separator: "\n") { try transaction.execute(String(statement)) }
    }
    return store
  }

  private static func failure(of request: TableRequest) throws -> RequestError {
    let store = try makeStore()
    return try #require(throws: RequestError.self) { try request.plan(in: store) }
  }

  @Test func whatIsSaidInTextIsWhatTheEngineRuns() throws {
    let store = try Self.makeStore()
    let request = TableRequest(
      table: "SONG", sectionBy: "genre", sorts: [try SortArgument(reading: "TITLE desc")],
      filter: "size > 1", limit: 10, aggregates: [try AggregateArgument(reading: "sum(Size)")],
      columns: ["TITLE", "id"])
    let plan = try request.plan(in: store)
    #expect(plan.table == "song")
    #expect(plan.keyColumns == ["id"])
    #expect(plan.itemColumns == ["title", "id"])
    #expect(plan.sort.first?.column?.name == "title")
    #expect(plan.sort.first?.isDescending == true)
    #expect(plan.section?.identity.column?.name == "Genre")
    #expect(plan.limit == 10)
    #expect(plan.aggregates == [FetchPlan.Aggregate(.sum("size"), name: "sum(Size)")])
    let results = try store.results(of: plan)
    try results.load()
    #expect(results.snapshot.sections.map(\.title) == ["a", "b"])
    #expect(results.snapshot.numberOfItems == 3)
  }

  @Test func equalRequestsMeanTheSame() throws {
    func request(_ sort: String) throws -> TableRequest {
      TableRequest(table: "song", sorts: [try SortArgument(reading: sort)])
    }
    #expect(try request("size DESC") == request("size  desc"))
    #expect(try request("size DESC") != request("size"))
    #expect(try Set([request("size"), request("size ASC")]).count == 1)
  }

  @Test func aKeyIsDeclaredOrNamedOrTheRowID() throws {
    let store = try Self.makeStore()
    #expect(try TableRequest(table: "named").plan(in: store).keyColumns == ["code"])
    #expect(try TableRequest(table: "loose", keys: ["B"]).plan(in: store).keyColumns == ["b"])
    #expect(
      try TableRequest(table: "loose", keys: ["rowid"]).plan(in: store).keyColumns == ["rowid"])
    #expect(
      try TableRequest(table: "loose", keys: ["b", "B", "ROWID", "rowid"]).plan(in: store)
        .keyColumns == ["b", "rowid"])
    let plan = try TableRequest(table: "loose").plan(in: store, withoutKey: .rowIDsAndPlaces)
    #expect(plan.keyColumns == ["rowid"])
    let results = try store.results(of: plan)
    try results.load()
    #expect(results.snapshot.numberOfItems == 1)
    // What has a key has no need of row ids, and a view has none.
    let named = try TableRequest(table: "named").plan(in: store, withoutKey: .rowIDsAndPlaces)
    #expect(named.keyColumns == ["code"])
    let failure = try #require(throws: RequestError.self) {
      try TableRequest(table: "titles").plan(in: store)
    }
    #expect(failure.code == .noKey)
    #expect(failure.table?.isView == true)
  }

  @Test func aViewHasTheKeyThatItsTextPassesOn() throws {
    let store = try Self.makeStore()
    func plan(_ view: String, _ substitute: KeySubstitute) throws -> FetchPlan {
      try TableRequest(table: view).plan(in: store, withoutKey: substitute)
    }
    #expect(try plan("LONG", .none).keyColumns == ["id"])
    for substitute in [KeySubstitute.rowIDsAndPlacesOfViews, .rowIDsAndPlaces] {
      #expect(try plan("long", substitute).keyColumns == ["id"])
      #expect(try plan("titles", substitute).isByPlace)
      // A genre may be NULL, and a view refuses such a key.
      #expect(try plan("genres", substitute).isByPlace)
    }
    #expect(try plan("long", .rowIDsAndPlacesAlone).isByPlace)
    #expect(
      try TableRequest(table: "long", keys: ["title"]).plan(in: store).keyColumns == ["title"])
  }

  // MARK: - Queries

  @Test func aQueryIsRefinedByItsOwnColumns() throws {
    let store = try Self.makeStore()
    var request = TableRequest(
      sql: "SELECT Genre, count(*) AS songs, sum(size) AS Size FROM song WHERE size >= :least "
        + "GROUP BY Genre; -- all of them",
      values: ["least": .integer(5)])
    request.sectionBy = "songs"
    request.sorts = [try SortArgument(reading: "SIZE desc")]
    request.filter = "size > 1"
    request.limit = 5
    request.aggregates = [try AggregateArgument(reading: "sum(songs)")]
    request.columns = ["GENRE", "size"]
    let plan = try request.plan(in: store)
    #expect(plan.table == "query")
    #expect(plan.keyColumns == ["Genre"])
    #expect(plan.itemColumns == ["Genre", "Size"])
    #expect(plan.query?.values == [.integer(5)])
    #expect(plan.aggregates == [FetchPlan.Aggregate(.sum("songs"), name: "sum(songs)")])
    let results = try store.results(of: plan)
    try results.load()
    #expect(results.snapshot.sections.map(\.title) == ["1", "2"])
    #expect(try results.item(at: ItemPath(section: 1, item: 0)).row["Size"] == .integer(35))
    try store.write { try $0.execute("INSERT INTO song VALUES (4, 'b', 'z', 7)") }
    #expect(results.snapshot.sections.map(\.title) == ["2"])
  }

  @Test func requestsOfQueriesAreEqualByTextAndValues() {
    let request = TableRequest(sql: "SELECT ?", values: ["1": .integer(1)])
    #expect(request == TableRequest(sql: "SELECT ?", values: ["1": .integer(1)]))
    #expect(request != TableRequest(sql: "SELECT ?", values: ["1": .integer(2)]))
    #expect(request != TableRequest(table: "query"))
    #expect(Set([request, request]).count == 1)
  }

  @Test func valuesOfAQueryAreGivenByNameOrNumber() throws {
    let store = try Self.makeStore()
    let conditions: [(String, [String: StoredValue])] = [
      ("size > :a OR id = @b", ["a": .integer(25), "b": .integer(1)]),
      ("size > ? OR id = ?", ["1": .integer(25), "2": .integer(1)]),
      ("size > ?2 OR id = ?1", ["2": .integer(25), "1": .integer(1)]),
    ]
    for (condition, values) in conditions {
      let request = TableRequest(sql: "SELECT id FROM song WHERE \(condition)", values: values)
      let results = try store.results(of: request.plan(in: store))
      try results.load()
      #expect(results.snapshot.numberOfItems == 2, "\(condition)")
    }
    let mistakes: [(String, [String: StoredValue])] = [
      ("SELECT id FROM song WHERE id = :a", [:]),
      ("SELECT id FROM song WHERE id = ?", ["a": .integer(1)]),
      ("SELECT id FROM song", ["a": .integer(1)]), ("SELECT id FROM song", ["1": .integer(1)]),
    ]
    for (sql, values) in mistakes {
      let failure = try #require(throws: StoreError.self) {
        try TableRequest(sql: sql, values: values).plan(in: store)
      }
      #expect(failure.code == .invalidRequest, "\(sql)")
    }
  }

  @Test func theKeyOfAQueryIsNamedOrInItsText() throws {
    let store = try Self.makeStore()
    let titles = "SELECT lower(title) AS title, Genre FROM song"
    let failure = try #require(throws: RequestError.self) {
      try TableRequest(sql: titles).plan(in: store, withoutKey: .rowIDsAndPlacesOfViews)
    }
    #expect(failure.code == .noKey)
    let placed = try TableRequest(sql: titles).plan(in: store, withoutKey: .rowIDsAndPlaces)
    #expect(placed.isByPlace)
    let results = try store.results(of: placed)
    try results.load()
    #expect(results.snapshot.numberOfItems > 0)
    let byID = TableRequest(sql: "SELECT id FROM song")
    #expect(try byID.plan(in: store, withoutKey: .rowIDsAndPlaces).keyColumns == ["id"])
    #expect(try byID.plan(in: store, withoutKey: .rowIDsAndPlacesAlone).isByPlace)
    #expect(failure.hint?.hasSuffix("Its columns are: title, Genre.") == true)
    #expect(failure.table?.isQuery == true)
    #expect(
      try TableRequest(sql: titles, keys: ["genre", "TITLE"]).plan(in: store).keyColumns
        == ["Genre", "title"])
    let missing = try #require(throws: RequestError.self) {
      try TableRequest(sql: titles, keys: ["rowid"]).plan(in: store)
    }
    #expect(missing.code == .noSuchColumn)
    #expect(missing.message == "query has no column 'rowid'")
  }

  @Test(arguments: [
    ("SELECT a.id, b.id FROM song a JOIN song b ON b.id = a.id", StoreError.Code.invalidRequest),
    ("SELECT 1 AS a; SELECT 2 AS a", .invalidRequest), ("DELETE FROM song", .invalidRequest),
    (" ; ", .invalidRequest), ("SELECT nothing FROM song", .statementFailed),
    ("SELECT id FROM song) WHERE (1", .statementFailed),
  ])
  func whatIsNoSelectIsRefused(sql: String, code: StoreError.Code) throws {
    let store = try Self.makeStore()
    let failure = try #require(throws: StoreError.self) {
      try TableRequest(sql: sql).plan(in: store)
    }
    #expect(failure.code == code)
  }

  @Test func whatIsWrongIsSaidWithACodeAndTheNextStep() throws {
    var failure = try Self.failure(of: TableRequest(table: "sung"))
    #expect(failure.code == .noSuchTable)
    #expect(failure.message == "there is no table 'sung' in the store")
    #expect(failure.hint?.contains("song") == true)
    #expect(failure.table == nil)
    failure = try Self.failure(of: TableRequest(table: "song", columns: ["id", "sise"]))
    #expect(failure.code == .noSuchColumn)
    #expect(
      failure.description == "song has no column 'sise'. Did you mean size? "
        + "Its columns are: id, Genre, title, size.")
    failure = try Self.failure(of: TableRequest(table: "long", keys: ["rowid"]))
    #expect(failure.code == .noSuchColumn)
    failure = try Self.failure(of: TableRequest(table: "loose"))
    #expect(failure.code == .noKey)
    #expect(failure.hint?.contains("rowid") == true)
    failure = try Self.failure(
      of: TableRequest(table: "song", aggregates: [try AggregateArgument(reading: "sum(sise)")]))
    #expect(failure.code == .noSuchColumn)
    #expect(failure.message == "song has no column 'sise' for sum(sise)")
    failure = try Self.failure(of: TableRequest(table: "song", limit: -1))
    #expect(failure.code == .badLimit)
  }

  @Test(arguments: ["median(size)", "sum", "sum()", "count(", "", "sum(size"])
  func whatIsNoAggregateIsRefused(text: String) throws {
    let failure = try #require(throws: RequestError.self) { try AggregateArgument(reading: text) }
    #expect(failure.code == .badAggregate)
    #expect(failure.hint != nil)
  }

  @Test func whatSaysNothingToOrderByIsRefused() throws {
    let failure = try #require(throws: RequestError.self) { try SortArgument(reading: "  ") }
    #expect(failure.code == .badSort)
  }
}
