import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Rows of tables whose key compares text otherwise than its columns do: what is done to one is
/// done to no other.
@Suite(.timeLimit(.minutes(60))) struct KeyCollationEditingTests {
  private typealias Live = LiveResults<UntypedRow>

  /// A table, and keys that its columns take for one another though they are several rows.
  struct Shape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let columns: String
    var keyColumns = ["id"]
    /// The pools of the key's columns.
    var values: [[String]] = [["a", "A", "c", "C", "b"]]
    /// How the key's columns compare.
    var collations: [TextCollation] = [.nocase]

    static let all = [
      Shape(
        testDescription: "bytes under NOCASE",
        columns: "id TEXT COLLATE NOCASE NOT NULL, v, p INTEGER, PRIMARY KEY (id COLLATE BINARY))"),
      Shape(
        testDescription: "bytes under NOCASE, WITHOUT ROWID",
        columns: """
          id TEXT COLLATE NOCASE NOT NULL, v, p INTEGER, PRIMARY KEY (id COLLATE BINARY)) WITHOUT ROWID
          """),
      Shape(
        testDescription: "bytes under RTRIM",
        columns: "id TEXT COLLATE RTRIM NOT NULL, v, p INTEGER, PRIMARY KEY (id COLLATE BINARY))",
        values: [["a", "a ", "a  ", "b", "b "]], collations: [.rtrim]),
      Shape(
        testDescription: "NOCASE under bytes",
        columns: "id TEXT NOT NULL, v, p INTEGER, PRIMARY KEY (id COLLATE NOCASE))",
        values: [["a", "B", "c", "D"]], collations: [.binary]),
      Shape(
        testDescription: "two columns",
        columns: """
          a TEXT COLLATE NOCASE NOT NULL, v, b TEXT COLLATE RTRIM NOT NULL, p INTEGER,
          PRIMARY KEY (b COLLATE NOCASE, a COLLATE BINARY)) WITHOUT ROWID
          """,
        keyColumns: ["a", "b"], values: [["x", "X", "y"], ["1", "1 ", "2"]],
        collations: [.nocase, .rtrim]),
      Shape(
        testDescription: "its own",
        columns: "id TEXT COLLATE NOCASE NOT NULL PRIMARY KEY, v, p INTEGER)",
        values: [["a", "B", "c", "D"]]),
    ]

    var schema: String { "CREATE TABLE t (\(columns)" }

    var plan: FetchPlan {
      var plan = FetchPlan(
        table: "t", keyColumns: keyColumns, itemColumns: keyColumns + ["v", "p"])
      plan.sort = [plan.term("p")]
      plan.orderColumn = "p"
      return plan
    }

    /// The order that a fetch has to have, in SQL.
    var order: String {
      (["p"] + zip(keyColumns, collations).map { "\($0) COLLATE \($1.name)" }
        + keyColumns.map { "\($0) COLLATE BINARY" }).joined(separator: ", ")
    }

    func insertKeys(into store: Store) throws {
      var keys: [[String]] = [[]]
      for pool in values { keys = keys.flatMap { key in pool.map { key + [$0] } } }
      let names = keyColumns + ["v", "p"]
      let marks = names.map { _ in "?" }.joined(separator: ", ")
      try store.write { transaction in
        for (number, key) in keys.enumerated() {
          try transaction.execute(
            "INSERT INTO t (\(names.joined(separator: ", "))) VALUES (\(marks))",
            values: key.map { StoredValue.text($0) } + ["v", .integer(Int64(number / 2))])
        }
      }
    }

    /// The table's rows as it has them.
    func rows(of store: Store) throws -> [[StoredValue]] {
      let names = (keyColumns + ["v", "p"]).joined(separator: ", ")
      return try store.read {
        try $0.query("SELECT \(names) FROM t ORDER BY \(order)").map(\.values)
      }
    }
  }

  private func run(_ shape: Shape, _ body: (Store, Live) throws -> Void) throws {
    try SmallWorld.run(.memory, schema: shape.schema) { store in
      try shape.insertKeys(into: store)
      try body(store, try Live(shape.plan, in: store))
    }
  }

  private func shown(_ live: Live) throws -> [[StoredValue]] {
    try live.results.snapshot.materialized().sections.flatMap(\.rows).map(\.item.row.values)
  }

  @Test(arguments: Shape.all) func oneRowIsRemoved(_ shape: Shape) throws {
    try run(shape) { store, live in
      var rows = try shape.rows(of: store)
      #expect(try shown(live) == rows)
      _ = try live.changes { try live.results.remove(at: ItemPath(section: 0, item: 1)) }
      rows.remove(at: 1)
      #expect(try shape.rows(of: store) == rows)
    }
  }

  @Test(arguments: Shape.all) func oneRowIsReplaced(_ shape: Shape) throws {
    try run(shape) { store, live in
      var rows = try shape.rows(of: store)
      rows[0][shape.keyColumns.count] = "new"
      let old = try live.results.item(at: ItemPath(section: 0, item: 0))
      let item = UntypedRow(
        id: old.id, row: StoredRow(columns: shape.plan.itemColumns, values: rows[0]))
      _ = try live.changes {
        try live.results.replace(at: ItemPath(section: 0, item: 0), with: item)
      }
      #expect(try shape.rows(of: store) == rows)
    }
  }

  /// The other of two rows whose keys are equal by their columns is changed, and this one is not.
  @Test(arguments: Shape.all) func theOtherRowsChangeIsNoConflict(_ shape: Shape) throws {
    try run(shape) { store, live in
      let rows = try shape.rows(of: store)
      for number in rows.indices where number > 0 {
        let edit = try ResultsEdit(of: live.results)
        let key = try edit.key(at: ItemPath(section: 0, item: 0))
        let condition = shape.keyColumns.map { "\($0) = ? COLLATE BINARY" }
        try store.write {
          try $0.execute(
            "UPDATE t SET v = v || 'y' WHERE \(condition.joined(separator: " AND "))",
            values: Array(rows[number].prefix(shape.keyColumns.count)))
        }
        var isWritten = false
        try edit.write(.replacing, unchanged: [ItemPath(section: 0, item: 0)]) { _, _ in
          isWritten = true
        }
        #expect(isWritten)
        #expect(key == RowKey(Array(rows[0].prefix(shape.keyColumns.count))))
      }
    }
  }

  /// Rows that are removed, replaced and moved, one after the other, beside a list of them.
  @Test(arguments: SeededRandom.batches(debug: 200, release: 400, of: 50))
  func editsAtRandom(seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let shape = Shape.all.randomElement(using: &random) ?? Shape.all[0]
      try run(shape) { store, live in
        for _ in 0..<8 where live.results.numberOfItems > 1 {
          let count = live.results.numberOfItems
          let item = Int.random(in: 0..<count, using: &random)
          let path = ItemPath(section: 0, item: item)
          var expected = try shown(live)
          let width = shape.keyColumns.count
          _ = try live.changes {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
              try live.results.remove(at: path)
              expected.remove(at: item)
            case 1, 2:
              expected[item][width] = .integer(Int64.random(in: 0..<100, using: &random))
              let old = try live.results.item(at: path)
              try live.results.replace(
                at: path,
                with: UntypedRow(
                  id: old.id,
                  row: StoredRow(columns: shape.plan.itemColumns, values: expected[item])))
            default:
              let target = Int.random(in: 0..<count, using: &random)
              try live.results.move(from: path, to: ItemPath(section: 0, item: target))
              let row = expected.remove(at: item)
              expected.insert(row, at: target)
            }
          }
          // Numbers of rows beside a place may be others now.
          let found = try shape.rows(of: store)
          guard found.map({ $0.dropLast() }) == expected.map({ $0.dropLast() }),
            try shown(live) == found
          else {
            Issue.record("seed \(seed) on \(shape.testDescription): \(found), not \(expected)")
            return
          }
        }
      }
    }
  }

  /// No index says which of two rows is meant: nothing is written.
  @Test func whatWouldBeTwoRowsIsRefused() throws {
    let schema = """
      CREATE TABLE t (id TEXT COLLATE NOCASE, v, p INTEGER);
      INSERT INTO t VALUES ('a', 1, 1), ('A', 2, 2);
      """
    try SmallWorld.run(.memory, schema: schema) { store in
      let live = try Live(Shape.all[0].plan, in: store)
      #expect(live.results.numberOfItems == 2)
      try live.expect([]) {
        try expectStoreError(.duplicateKey) {
          try live.results.remove(at: ItemPath(section: 0, item: 0))
        }
        try expectStoreError(.duplicateKey) {
          try live.results.move(
            from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 1))
        }
      }
      #expect(try store.read { try $0.query("SELECT * FROM t") }.count == 2)
    }
  }
}
