import GRDB
import SectileCore
import Testing

@testable import SectileStore

/// Which columns a filter is seen to pin to one value.
@Suite(.timeLimit(.minutes(60))) struct FilterEqualityTests {
  private func pinned(_ filter: SQLFragment) throws -> [String: [StoredValue]] {
    let queue = try DatabaseQueue()
    return try queue.write { db in
      try db.execute(sql: #"CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, "c d", "=""")"#)
      let columns = try #require(try TableColumns(of: "t", in: db))
      let plan = FetchPlan(table: "t", keyColumns: ["id"], itemColumns: [], where: filter)
      let found = plan.filterEqualities(in: columns)
      // What is found must be SQL that means what it meant in its place.
      for equality in found {
        _ = try RawStatement.prepare("SELECT 1 FROM t WHERE \(equality.condition.sql)", on: db)
      }
      return Dictionary(uniqueKeysWithValues: found.map { ($0.column.name, $0.condition.values) })
    }
  }

  @Test(arguments: [
    #""t"."a" = ?"#, #"("t"."a" = ?)"#, "a = ?", "T.a = ?", "A IS ?", "(a=?)", "\"a\" = ?",
  ])
  func aPlainEqualityIsFound(sql: String) throws {
    #expect(try pinned(SQLFragment(sql, [.integer(7)])) == ["a": [.integer(7)]])
  }

  @Test func equalitiesAreFoundAmongOtherConditions() throws {
    let filter = SQLFragment(
      #"("t"."a" = ?) AND (b > ? OR id = ?) AND "c d" = 'x '' AND y' AND "t"."=""" IS NULL"#,
      [.integer(1), .integer(2), .integer(3)])
    #expect(try pinned(filter) == ["a": [.integer(1)], "c d": [], "=\"": []])
  }

  @Test func valuesBelongToTheirMarks() throws {
    let filter = SQLFragment(
      "b > ? AND a = ? AND id < ?", [.integer(1), .integer(2), .integer(3)])
    #expect(try pinned(filter) == ["a": [.integer(2)]])
  }

  @Test(arguments: [
    SQLFragment("a = ? OR b = ?", [1, 2]),
    SQLFragment("id BETWEEN ? AND a = ?", [1, 2]),
    SQLFragment("CASE WHEN b THEN 1 AND a = 1 END"),
    SQLFragment("a = ?1", [1]),
    SQLFragment("a = ? -- AND b = 1", [1]),
    SQLFragment("a = ? COLLATE NOCASE", [1]),
    SQLFragment("a = 1 + 1"),
    SQLFragment("NOT a = ?", [1]),
    SQLFragment("a = NULL"),
    SQLFragment("a <> ? AND b >= ?", [1, 2]),
    SQLFragment("(a) = ?", [1]),
    SQLFragment("a = b"),
    SQLFragment("a IN (?)", [1]),
    SQLFragment("u.a = ? AND 'a' = ?", [1, 2]),
    SQLFragment("a = \"b\""),
    SQLFragment("unknown = ?", [1]),
    SQLFragment("a = ?", []),
    SQLFragment("(a = ?", [1]),
    SQLFragment("[a] = ?", [1]),
  ])
  func whatIsNoPlainEqualityIsNotFound(filter: SQLFragment) throws {
    #expect(try pinned(filter).isEmpty)
  }
}
