import GRDB
import SectileCore
import Testing

@testable import SectileStore

/// Prefixes against the order of the values they are taken of.
@Suite(.timeLimit(.minutes(60))) struct SortPrefixRuleTests {
  private static let values: [StoredValue] =
    RowOrderingTests.values + [
      .text("Blue in Green"), .text("Blue in"), .text("Blue i"), .text("Blue in green"),
      .text("blue IN Green"), .text("Blue is Green"), .text("Blue\0"), .text("\0\0\0\0\0\0\0\0"),
      .text("1234567\0"), .blob([UInt8](repeating: 0, count: 7)),
      .blob([UInt8](repeating: 0xFF, count: 6)),
      .integer(1 << 44), .integer((1 << 44) + 1), .real(1e-300),
    ]

  @Test(arguments: [TextCollation.binary, .nocase], [false, true])
  func aSmallerPrefixComesFirst(collation: TextCollation, isDescending: Bool) throws {
    for hasNullsFirst in [false, true] {
      let ordering = RowOrdering(terms: [
        .init(
          isDescending: isDescending, hasNullsFirst: hasNullsFirst,
          collation: collation == .nocase ? .nocase : .binary)
      ])
      let rule = try #require(SortPrefixRule(ordering, Self.order, seeking: nil))
      let keys = SortKeys(positions: [0])
      let marks = Self.values.map { _ in "(?)" }.joined(separator: ", ")
      try DatabaseQueue().read { db in
        let rows = try RawStatement.prepare("VALUES \(marks)", on: db)
        try rows.bindAll(Self.values)
        while try rows.step() { keys.append(rows) }
      }
      var decided = 0
      for left in Self.values.indices {
        for right in Self.values.indices {
          keys.withRow(left) { one in
            keys.withRow(right) { other in
              let (first, second) = (rule.prefix(of: one[0]), rule.prefix(of: other[0]))
              guard first != 0, second != 0, first < second else { return }
              decided += 1
              #expect(
                ordering.areInOrder(one, other),
                "\(Self.values[left]) before \(Self.values[right])")
            }
          }
        }
      }
      #expect(decided > Self.values.count * Self.values.count / 3)
    }
  }

  @Test func whatTheFirstBytesTellIsTold() throws {
    let ordering = RowOrdering(terms: [
      .init(isDescending: false, hasNullsFirst: true, collation: .nocase)
    ])
    let rule = try #require(SortPrefixRule(ordering, Self.order, seeking: nil))
    #expect(prefix(of: "Blue in", rule) < prefix(of: "blue is", rule))
    #expect(prefix(of: "", rule) < prefix(of: "a", rule))
    #expect(prefix(of: "BLUE in Green", rule) == prefix(of: "blue in blue", rule))
    // NOCASE compares what follows a zero by its length.
    #expect(prefix(of: "a\0b", rule) == 0 && prefix(of: "abcdefgh\0", rule) != 0)
    #expect(rule.prefix(of: .null) != 0 && rule.prefix(of: .null) < rule.prefix(of: .integer(.min)))
  }

  @Test func collationsThatLookAtTheWholeTextHaveNone() {
    for collation in [RowOrdering.Rule.rtrim, .custom { _, _ in 0 }] {
      let ordering = RowOrdering(terms: [
        .init(isDescending: false, hasNullsFirst: true, collation: collation)
      ])
      #expect(SortPrefixRule(ordering, Self.order, seeking: nil) == nil)
    }
  }

  /// An order by one column.
  private static var order: PlanOrdering {
    PlanSQL(FetchPlan(table: "t", keyColumns: ["k"], itemColumns: [])).ordering
  }

  private func prefix(of text: String, _ rule: SortPrefixRule) -> SortPrefix {
    var text = text
    return text.withUTF8 { rule.prefix(of: .text(UnsafeRawBufferPointer($0))) }
  }
}
