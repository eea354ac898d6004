import Foundation
import GRDB
import SectileCore
import Testing

@testable import SectileStore

/// Which conditions of a filter rule rows out without SQLite, and that they rule out no others.
@Suite(.timeLimit(.minutes(60))) struct FilterBoundTests {
  private static let table = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a, i INTEGER, t TEXT, n TEXT COLLATE NOCASE, r REAL)
    """
  private static let columns = ["id", "a", "i", "t", "n", "r"]

  private func bounds(_ filter: SQLFragment, in db: Database) throws -> [FilterBound] {
    let columns = try #require(try TableColumns(of: "t", in: db))
    return FetchPlan(table: "t", keyColumns: ["id"], itemColumns: [], where: filter)
      .filterBounds(in: columns)
  }

  private func withTable<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try DatabaseQueue().write { db in
      try db.execute(sql: Self.table)
      return try body(db)
    }
  }

  @Test func plainComparisonsAreFound() throws {
    try withTable { db in
      let filter = SQLFragment(
        #"("t"."i" > ?) AND (T.a <= ?) AND t = ? AND n IS ? AND (r<?) AND id >= ?"#,
        [1, 2, "x", "y", 3, 4])
      let found = try bounds(filter, in: db)
      #expect(found.map(\.column.name) == ["i", "a", "t", "n", "r", "id"])
      #expect(
        found.map(\.comparison) == [.greater, .lessOrEqual, .equal, .equal, .less, .greaterOrEqual])
      #expect(found.map(\.value) == [1, 2, "x", "y", 3, 4])
    }
  }

  @Test(arguments: [
    SQLFragment("i = ? OR t = ?", [1, 2]), SQLFragment("i <> ?", [1]), SQLFragment("i != ?", [1]),
    SQLFragment("i IS NOT ?", [1]), SQLFragment("NOT i = ?", [1]),
    SQLFragment("t = ? COLLATE NOCASE", ["a"]), SQLFragment("? < i", [1]),
    SQLFragment("i + 1 = ?", [1]), SQLFragment("abs(i) = ?", [1]), SQLFragment("i = ? + 1", [1]),
    SQLFragment("i = ?", [.null]), SQLFragment("i IN (?)", [1]), SQLFragment("u.i = ?", [1]),
    SQLFragment("i BETWEEN ? AND ?", [1, 2]), SQLFragment("i = 1"), SQLFragment("t LIKE ?", ["a"]),
    SQLFragment("i >> ?", [1]), SQLFragment("i <= ? || ?", [1, 2]),
  ])
  func whatIsNotPlainIsLeftToSQLite(filter: SQLFragment) throws {
    #expect(try withTable { try bounds(filter, in: $0) } == [])
  }

  @Test func listsAreFound() throws {
    try withTable { db in
      let columns = try #require(try TableColumns(of: "t", in: db))
      func lists(_ sql: String, _ values: [StoredValue]) -> [FilterMembers] {
        FetchPlan(table: "t", keyColumns: ["id"], itemColumns: [], where: SQLFragment(sql, values))
          .filterMembers(in: columns)
      }
      let found = lists(#"("t"."i" IN (?, ?, ?)) AND r > ? AND t IN (?)"#, [1, 2, .null, 5, "x"])
      #expect(found.map(\.column.name) == ["i", "t"])
      #expect(found.map(\.members) == [[1, 2], ["x"]])
      // Values of several classes, other collations, other forms.
      for sql in [
        "i NOT IN (?, ?)", "i IN (?, ? + 1)", "i IN (?, (?))", "i IN (SELECT ?, ?)", "n IN (?, ?)",
        "i IN (?, ?) OR i = 3", "i + 1 IN (?, ?)",
      ] { #expect(lists(sql, ["a", "b"]) == [], "\(sql)") }
      #expect(lists("i IN (?, ?)", [1, "a"]) == [])
      #expect(lists("i IN (?, ?)", [1, 1.5]) == [])
    }
  }

  /// Every list of two values with every stored one, in columns of every affinity.
  @Test func whatAListExcludesIsNotWanted() throws {
    let values: [StoredValue] = [
      0, 1, -1, 1.0, "1", "1.0", "a", "A", "", "\u{E9}", "e\u{301}", .blob([0x61]),
      .integer(.max), 9_007_199_254_740_993, .null,
    ]
    try withTable { db in
      let columns = try #require(try TableColumns(of: "t", in: db))
      for (name, stored) in Self.columns.dropFirst().flatMap({ name in values.map { (name, $0) } })
      {
        try db.execute(sql: "DELETE FROM t")
        let insertion = try RawStatement.prepare("INSERT INTO t (\(name)) VALUES (?)", on: db)
        try insertion.bindAll([stored])
        while try insertion.step() {}
        for (first, second) in values.flatMap({ first in values.map { (first, $0) } }) {
          let filter = SQLFragment("\(name) IN (?, ?)", [first, second])
          let plan = FetchPlan(table: "t", keyColumns: ["id"], itemColumns: [], where: filter)
          guard let list = plan.filterMembers(in: columns).first else { continue }
          let query = try RawStatement.prepare("SELECT \(name), \(filter.sql) IS 1 FROM t", on: db)
          try query.bindAll(filter.values)
          #expect(try query.step())
          let isWanted = query.castInteger(at: 1) != 0
          #expect(
            !(isWanted && list.excludes(query.column(0))), "\(name) \(stored) \(first) \(second)")
        }
      }
    }
  }

  /// Every comparison of every stored value with every bound one, in columns of every affinity.
  @Test func whatIsExcludedIsNotWanted() throws {
    let values: [StoredValue] = [
      0, 1, 2, -1, 1.0, 1.5, "1", "1.0", "a", "A", "b", "", " 1", "\u{E9}", "e\u{301}",
      .blob([0x61]), .blob([]), .integer(.max), .integer(.min), 9_007_199_254_740_993,
      9_007_199_254_740_992.0,
    ]
    var excludedCount = 0
    try withTable { db in
      for stored in values + [.null] {
        try db.execute(
          sql: "INSERT INTO t (a, i, t, n, r) VALUES (?1, ?1, ?1, ?1, ?1)",
          arguments: [stored.databaseValue])
      }
      for name in Self.columns {
        for comparison in ["=", "IS", "<", "<=", ">", ">="] {
          for value in values {
            let filter = SQLFragment("\(name) \(comparison) ?", [value])
            let bound = try #require(try bounds(filter, in: db).first)
            let rows = try RawStatement.prepare(
              "SELECT \(name), \(name) \(comparison) ? FROM t", on: db)
            try rows.bindAll([value])
            while try rows.step() {
              guard bound.excludes(rows.column(0)) else { continue }
              excludedCount += 1
              let isWanted = rows.castInteger(at: 1) != 0
              #expect(!isWanted, "\(name) \(comparison) \(value)")
            }
          }
        }
      }
    }
    #expect(excludedCount > 2_000)
  }
}

extension StoredValue {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .blob(let value): Data(value).databaseValue
    }
  }
}
