import Foundation
import GRDB
import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// The order in Swift against SQLite's own ORDER BY.
@Suite(.timeLimit(.minutes(60))) struct RowOrderingTests {
  static let values: [StoredValue] = [
    .null, .integer(0), .integer(1), .integer(-1), .integer(.max), .integer(.min),
    .integer(1 << 53), .integer((1 << 53) + 1), .integer(-(1 << 53) - 1), .integer(.max - 1),
    .real(0), .real(-0.0), .real(0.5), .real(-0.5), .real(1), .real(9.007199254740992e15),
    .real(9.2233720368547758e18), .real(-9.2233720368547758e18), .real(1e300), .real(-1e300),
    .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude),
    .real(9.2233720368547748e18),
    .text(""), .text("a"), .text("A"), .text("a "), .text("A  "), .text("b"), .text("a\0b"),
    .text("a\0C"), .text("A\0b"), .text("\u{E9}"), .text("e\u{301}"), .text("\u{C9}"),
    .text("\u{1F600}"), .text("\u{FF5E}"), .text(" "), .text("1"), .text("10"), .text("_"),
    .text("["),
    .blob([]), .blob([0]), .blob([0x61]), .blob([0x61, 0]), .blob([0xFF]),
  ]

  private static let reversed = TextCollation("reversed") { left, right in
    let (left, right) = (left.utf8.reversed(), right.utf8.reversed())
    return left.lexicographicallyPrecedes(right)
      ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
  }

  static let collations: [TextCollation] = [.binary, .nocase, .rtrim, reversed]

  @Test(arguments: collations, [false, true])
  func pairsCompareAsInSQLite(collation: TextCollation, isDescending: Bool) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      db.register(Self.reversed)
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
      let insert = try RawStatement.prepare("INSERT INTO t (v) VALUES (?)", on: db)
      for value in Self.values {
        try insert.bindAll([value])
        _ = try insert.step()
        insert.reset()
      }
      // Text that is not UTF-8, which only bytes can compare.
      if collation != Self.reversed {
        try db.execute(
          sql: "INSERT INTO t (v) VALUES (CAST(x'FF' AS TEXT)), (CAST(x'61FF' AS TEXT)),"
            + "(CAST(x'C3' AS TEXT)), (CAST(x'41FF20' AS TEXT))")
      }
      for nulls in ["FIRST", "LAST"] {
        let direction = isDescending ? "DESC" : "ASC"
        let query = try RawStatement.prepare(
          "SELECT v, rank() OVER (ORDER BY v COLLATE \(collation.name) \(direction) NULLS \(nulls)) FROM t",
          on: db)
        let keys = SortKeys(positions: [0])
        var ranks: [Int64] = []
        while try query.step() {
          keys.append(query)
          ranks.append(query.castInteger(at: 1))
        }
        let rule: RowOrdering.Rule =
          switch collation {
          case .nocase: .nocase
          case .rtrim: .rtrim
          case .binary: .binary
          default: .custom(try #require(collation.compare))
          }
        let ordering = RowOrdering(terms: [
          .init(isDescending: isDescending, hasNullsFirst: nulls == "FIRST", collation: rule)
        ])
        for left in ranks.indices {
          for right in ranks.indices {
            #expect(
              keys.areInOrder(left, right, by: ordering) == (ranks[left] < ranks[right]),
              "\(ranks[left]) before \(ranks[right]) under \(collation.name) \(direction) \(nulls)")
          }
        }
        #expect(keys.sorted(by: ordering).map { ranks[$0] } == ranks.sorted())
      }
    }
  }

  @Test func laterTermsDecideTies() throws {
    let ordering = RowOrdering(terms: [
      .init(isDescending: false, hasNullsFirst: true, collation: .nocase),
      .init(isDescending: true, hasNullsFirst: true, collation: .binary),
    ])
    let keys = SortKeys(positions: [1, 0])
    try DatabaseQueue().read { db in
      let rows = try RawStatement.prepare(
        "VALUES (2, 'A'), (1, 'a'), (1, 'A'), (NULL, NULL), (1, NULL)", on: db)
      while try rows.step() { keys.append(rows) }
    }
    #expect(keys.areInOrder(0, 1, by: ordering))
    #expect(!keys.areInOrder(2, 1, by: ordering))
    #expect(keys.areInOrder(3, 4, by: ordering))
    #expect(keys.sorted(by: ordering) == [3, 4, 0, 1, 2])
  }
}

extension SortKeys {
  /// Whether one row comes before another, by their numbers.
  fileprivate func areInOrder(_ left: Int, _ right: Int, by rule: RowOrdering) -> Bool {
    withRow(left) { left in withRow(right) { rule.areInOrder(left, $0) } }
  }
}
