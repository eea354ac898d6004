import SectileCore
import SectileStore
import Testing

/// Fetching more rows than room is made for at first, from tables that say how many there may be,
/// say too much, or say nothing.
@Suite(.timeLimit(.minutes(60))) struct LongFetchTests {
  private typealias Row = Holder<Int64>

  private static let tables = [
    "a table with row ids": Row.table,
    "a table without": "CREATE TABLE holder (id INTEGER PRIMARY KEY, value) WITHOUT ROWID",
    "a view": "CREATE TABLE stored (id INTEGER PRIMARY KEY, value);"
      + "CREATE VIEW holder AS SELECT * FROM stored",
  ]

  private func insert(_ ids: some Sequence<Int64>, _ transaction: StoreTransaction) throws -> [Row]
  {
    let rows = ids.map { Row(id: $0, $0 / 2) }
    let isView = try !transaction.query("SELECT 1 FROM sqlite_schema WHERE name = 'stored'").isEmpty
    for row in rows {
      try transaction.execute(
        "INSERT INTO \(isView ? "stored" : "holder") VALUES (?, ?)", row.id, row.value)
    }
    return rows
  }

  @Test(
    arguments: tables.keys.sorted(),
    [[0], [1, 1_023], [1, 1_024], [1, 1_025], [-500, 2_500], [.max - 1_500, .max]] as [[Int64]])
  func allRowsAreFetched(_ table: String, _ span: [Int64]) throws {
    try withTransaction(try #require(Self.tables[table])) { transaction throws in
      let rows = span.count < 2 ? [] : try insert(span[0]...span[1], transaction)
      #expect(try transaction.fetchAll(FetchRequest<Row>()) == rows)
      let first = try transaction.fetchAll(FetchRequest<Row>().limit(1_100))
      #expect(first == Array(rows.prefix(1_100)))
      let found = try transaction.fetchAll(FetchRequest<Row>().filter { $0.value % 2 == 0 })
      #expect(found == rows.filter { $0.value % 2 == 0 })
    }
  }

  /// Row ids whose distance is no measure, or no number.
  @Test(arguments: [[.min, .max], [.min, -1], [0, .max], [-2, .max - 1]] as [[Int64]])
  func rowIDsMayBeFarApart(_ ends: [Int64]) throws {
    try withTransaction(Row.table) { transaction throws in
      let middle = stride(from: Int64(-3_000_000), to: 3_000_000, by: 4_999)
      let rows = try insert(Set(middle + ends).sorted(), transaction)
      #expect(rows.count > 1_024)
      #expect(try transaction.fetchAll(FetchRequest<Row>()) == rows)
    }
  }
}
