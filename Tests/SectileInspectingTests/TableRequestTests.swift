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
    #expect(plan.aggregates == [PlanAggregate(.sum("size"), name: "sum(Size)")])
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
    let plan = try TableRequest(table: "loose").plan(in: store, withoutKey: .rowIDsAndPlaces)
    #expect(plan.keyColumns == ["rowid"])
    let results = try store.results(of: plan)
    try results.load()
    #expect(results.snapshot.numberOfItems == 1)
    // What has a key has no need of row ids, and a view has none.
    let named = try TableRequest(table: "named").plan(in: store, withoutKey: .rowIDsAndPlaces)
    #expect(named.keyColumns == ["code"])
    let failure = try #require(throws: RequestError.self) {
      try TableRequest(table: "long").plan(in: store)
    }
    #expect(failure.code == .noKey)
    #expect(failure.table?.isView == true)
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
