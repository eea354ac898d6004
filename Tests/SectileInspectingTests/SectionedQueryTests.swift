import Sectile
import SectileInspecting
import Testing

/// Requests that are read once, and SQL that would break out of its place.
@Suite struct SectionedQueryTests {
  private static func makeConnection() throws -> InspectionConnection {
    let connection = try InspectionConnection.inMemory()
    for sql in [
      "CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, size INTEGER)",
      "INSERT INTO song VALUES (1, 'b', 5), (2, 'a', 20), (3, 'b', 30)",
    ] { try connection.run(sql, row: { _ in }) }
    return connection
  }

  @Test func sectionsAndRowsHaveOneOrder() throws {
    let connection = try Self.makeConnection()
    let request = TableRequest(
      table: "song", sectionBy: "genre", sorts: [try SortArgument(reading: "size DESC")],
      columns: ["id"])
    let query = try SectionedQuery(request, aggregates: ["sum(size)"], on: connection)
    var sections: [[StoredValue]] = []
    try connection.prepare(query.sections.sql).run(query.sections.values) { sections.append($0) }
    #expect(
      sections == [
        [.text("a"), .integer(1), .integer(20)], [.text("b"), .integer(2), .integer(35)],
      ])
    var rows: [[StoredValue]] = []
    try connection.prepare(query.rows.sql).run(query.rows.values) { rows.append($0) }
    #expect(rows == [[.integer(2)], [.integer(3)], [.integer(1)]])
    #expect(query.columns == ["id"])
    #expect(query.aggregates == ["sum(size)"])
  }

  @Test(arguments: [nil, 2]) func aSelectIsReadLikeATable(limit: Int?) throws {
    let connection = try Self.makeConnection()
    // Its own WITH has the name that a limited part is called by otherwise.
    var request = TableRequest(
      sql: """
        WITH limited AS (SELECT * FROM song WHERE size > :least)
        SELECT id, upper(genre) AS kind, size FROM limited -- all
        """, values: ["least": .integer(4)])
    request.sectionBy = "kind"
    request.sorts = [try SortArgument(reading: "size DESC")]
    request.limit = limit
    request.columns = ["id"]
    let query = try SectionedQuery(request, aggregates: ["sum(size)"], on: connection)
    var sections: [[StoredValue]] = []
    try connection.prepare(query.sections.sql).run(query.sections.values) { sections.append($0) }
    let others = limit == nil ? [2, 35] : [1, 30]
    #expect(
      sections == [
        [.text("A"), .integer(1), .integer(20)],
        [.text("B"), .integer(Int64(others[0])), .integer(Int64(others[1]))],
      ])
    var rows: [[StoredValue]] = []
    try connection.prepare(query.rows.sql).run(query.rows.values) { rows.append($0) }
    let expected: [[StoredValue]] = [[.integer(2)], [.integer(3)], [.integer(1)]]
    #expect(rows == Array(expected.prefix(limit ?? 3)))
    #expect(query.table == "query")
  }

  @Test func whatIsMoreThanOneExpressionIsRefused() throws {
    let connection = try Self.makeConnection()
    let request = TableRequest(table: "song", sectionBy: "genre")
    let failure = try #require(throws: RequestError.self) {
      try SectionedQuery(request, aggregates: ["1), (sum(size)"], on: connection)
    }
    #expect(failure.code == .badExpression)
    #expect(throws: StoreError.self) {
      try SectionedQuery(
        TableRequest(table: "song", filter: "nonsense ("), on: connection)
    }
  }
}
