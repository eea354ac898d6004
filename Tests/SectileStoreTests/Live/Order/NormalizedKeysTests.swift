import GRDB
import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Sort keys written as bytes, against SQLite's own ORDER BY.
@Suite(.timeLimit(.minutes(60))) struct NormalizedKeysTests {
  private typealias Term = RowOrdering.Term

  private static let rules: [RowOrdering.Rule] = [.binary, .nocase, .rtrim]
  private static let letters = "aAb \u{1}\u{FF}"

  /// Values that are next to one another, and values of all kinds.
  private static func value(_ random: inout SeededRandom) -> StoredValue {
    let integer = Int64(1) << Int64.random(in: 50...63, using: &random)
    let near = integer &+ Int64.random(in: -3...3, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .integer(near)
    case 1: return .integer(0 &- near)
    case 2: return .real(Double(near))
    case 3: return .real(-Double(near) / 2)
    case 4:
      let length = Int.random(in: 0...20, using: &random)
      return .text(String((0..<length).compactMap { _ in letters.randomElement(using: &random) }))
    default: return RowOrderingTests.values.randomElement(using: &random) ?? .null
    }
  }

  /// SQLite compares text with a zero inside by a rule of its own under NOCASE.
  private static func hasKey(_ value: StoredValue, _ rule: RowOrdering.Rule) -> Bool {
    guard case .nocase = rule, case .text(let text) = value else { return true }
    return !text.utf8.contains(0)
  }

  private static func sql(_ column: String, _ term: Term) -> String {
    let collation =
      switch term.collation {
      case .binary, .custom: "BINARY"
      case .nocase: "NOCASE"
      case .rtrim: "RTRIM"
      }
    return "\(column) COLLATE \(collation) \(term.isDescending ? "DESC" : "ASC")"
      + " NULLS \(term.hasNullsFirst ? "FIRST" : "LAST")"
  }

  /// Expects rows of three values and a key to be sorted as SQLite sorts them.
  private func expectSQLitesOrder(_ rows: [[StoredValue]], by terms: [Term]) throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)")
      let insert = try RawStatement.prepare("INSERT INTO t (a, b, c) VALUES (?, ?, ?)", on: db)
      for row in rows {
        try insert.bindAll(row)
        _ = try insert.step()
        insert.reset()
      }
      // Text that is not UTF-8.
      try db.execute(
        sql: "INSERT INTO t (a, b, c) VALUES (CAST(x'61FF' AS TEXT), CAST(x'FF' AS TEXT), 1)")
      let order = zip(["a", "b", "c"], terms).map(Self.sql) + ["id"]
      let sorted = try Int64.fetchAll(
        db, sql: "SELECT id FROM t ORDER BY \(order.joined(separator: ", "))")

      var keys = NormalizedKeys(
        ordering: RowOrdering(
          terms: terms + [Term(isDescending: false, hasNullsFirst: true, collation: .binary)]),
        limit: 1 << 24)
      var ids: [Int64] = []
      let query = try RawStatement.prepare("SELECT a, b, c, id FROM t NOT INDEXED", on: db)
      while try query.step() {
        let hasKey = keys.append(columns: 0..<4, of: query)
        try #require(hasKey)
        ids.append(query.castInteger(at: 3))
      }
      #expect(keys.sorted().map { ids[Int($0)] } == sorted, "ORDER BY \(order)")
    }
  }

  @Test(arguments: rules.indices, [false, true])
  func valuesAreSortedAsInSQLite(_ rule: Int, isDescending: Bool) throws {
    for hasNullsFirst in [false, true] {
      let term = Term(
        isDescending: isDescending, hasNullsFirst: hasNullsFirst, collation: Self.rules[rule])
      let values = RowOrderingTests.values.filter { Self.hasKey($0, Self.rules[rule]) }
      // Each value beside each other: where one ends and the next begins must not matter.
      try expectSQLitesOrder(
        values.flatMap { left in values.map { [left, $0, left] } }, by: [term, term, term])
    }
  }

  @Test(arguments: SeededRandom.batches(debug: 40, release: 200, of: 10))
  func randomRowsAreSortedAsInSQLite(_ seeds: Range<UInt64>) throws {
    for seed in seeds { try expectSQLitesOrder(ofRandomRows: SeededRandom(seed: seed)) }
  }

  private func expectSQLitesOrder(ofRandomRows random: SeededRandom) throws {
    var random = random
    let terms = (0..<3).map { _ in
      Term(
        isDescending: random.chance(0.5), hasNullsFirst: random.chance(0.5),
        collation: Self.rules.randomElement(using: &random) ?? .binary)
    }
    let rows = (0..<300).map { _ in
      terms.map { term in
        var value = Self.value(&random)
        while !Self.hasKey(value, term.collation) { value = Self.value(&random) }
        return value
      }
    }
    try expectSQLitesOrder(rows, by: terms)
  }

  /// Orders that lead a quicksort to bad splits, and texts that have much in common.
  @Test(arguments: [0, 1, 2, 12, 13, 200, 5_000])
  func listsOfAllShapesAreSorted(_ count: Int) throws {
    let shapes: [(Int) -> Int] = [
      { $0 }, { count - $0 }, { _ in 7 }, { min($0, count - $0) }, { $0 % 2 * count + $0 / 2 },
      { ($0 &* 2_654_435_761) % max(count, 1) }, { $0 % 3 },
    ]
    for shape in shapes {
      for beginning in ["", String(repeating: "common ", count: 40)] {
        var keys = NormalizedKeys(
          ordering: RowOrdering(terms: [
            Term(isDescending: false, hasNullsFirst: true, collation: .binary)
          ]), limit: 1 << 24)
        let texts = (0..<count).map { "\(beginning)\(shape($0))" }
        for text in texts {
          let hasKey = keys.append(text: text)
          try #require(hasKey)
        }
        let sorted = keys.sorted()
        // Rows of one text stay in the order in which they came.
        let expected = texts.indices.sorted { (texts[$0], $0) < (texts[$1], $1) }
        #expect(sorted.map(Int.init) == expected)
      }
    }
  }

  @Test func zeroInTextHasNoKeyUnderNOCASE() {
    for (rule, hasKey) in zip(Self.rules, [true, false, true]) {
      let term = Term(isDescending: false, hasNullsFirst: true, collation: rule)
      var keys = NormalizedKeys(ordering: RowOrdering(terms: [term]), limit: 1 << 20)
      let (zero, plain) = (keys.append(text: "a\0b"), keys.append(text: "ab"))
      #expect(zero == hasKey && plain)
    }
  }

  @Test func memoryIsLimited() {
    let term = Term(isDescending: false, hasNullsFirst: true, collation: .binary)
    var keys = NormalizedKeys(ordering: RowOrdering(terms: [term]), limit: 100)
    let hasKey = keys.append(text: String(repeating: "a", count: 100))
    var count = 0
    while keys.append(text: "abc") { count += 1 }
    // A key takes ten bytes here, and three more while it is written.
    #expect(!hasKey && count == 9)
  }

  @Test(arguments: [false, true])
  func onlySQLitesOwnCollationsHaveKeys(_ isCustom: Bool) {
    let rule: RowOrdering.Rule = isCustom ? .custom { _, _ in 0 } : .nocase
    let ordering = RowOrdering(terms: [
      Term(isDescending: false, hasNullsFirst: true, collation: .binary),
      Term(isDescending: false, hasNullsFirst: true, collation: rule),
    ])
    #expect(ordering.isBuiltIn == !isCustom)
  }
}

extension NormalizedKeys {
  /// Appends some columns of the row a statement stands on.
  fileprivate mutating func append(columns: Range<Int>, of statement: RawStatement) -> Bool {
    columns.map(statement.column).withUnsafeBufferPointer { append($0) }
  }

  /// Appends a row of one text.
  fileprivate mutating func append(text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { bytes in
      [RawColumn.text(bytes)].withUnsafeBufferPointer { append($0) }
    }
  }
}
