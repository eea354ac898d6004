import GRDB
import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Places that are found by what is known of the rows: rightly, and without a question to SQLite.
@Suite(.timeLimit(.minutes(60))) struct SortPrefixesTests {
  private static let rowCount = 200

  private static let schema = """
    CREATE TABLE owner (id INTEGER PRIMARY KEY);
    CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT,
      owner INTEGER REFERENCES owner DEFERRABLE INITIALLY DEFERRED);
    INSERT INTO item (id, s, k, v)
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
      SELECT i, 'S' || (i % 3), printf('key %03d', i * 7 % 400), 'x' FROM n;
    """

  /// An order, and the index that has it.
  struct Order: Sendable, CustomTestStringConvertible {
    let name: String
    var index: String?
    var isDescending = false
    var collation: TextCollation?
    var filter: SQLFragment?

    var testDescription: String { name }

    var plan: FetchPlan {
      var plan = SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k", "v"])
      plan.sort = [plan.term("k", isDescending: isDescending, collation: collation)]
      plan.filter = filter
      return plan
    }
  }

  private static let orders = [
    Order(name: "indexed", index: "s, k"),
    Order(name: "not indexed"),
    Order(name: "descending", index: "s, k DESC, id DESC", isDescending: true),
    Order(name: "NOCASE", index: "s, k COLLATE NOCASE", collation: .nocase),
    Order(name: "RTRIM", index: "s, k COLLATE RTRIM", collation: .rtrim),
    Order(name: "filtered", index: "s, k", filter: SQLFragment("id % 2")),
    Order(name: "filtered to few", index: "s, k", filter: SQLFragment("id % 11 = 0")),
  ]

  /// Random transactions, some of which COMMIT refuses when everything has been worked out.
  @Test(arguments: orders, [StorageKind.memory, .file])
  func everyPlaceIsRight(_ order: Order, _ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      if let index = order.index {
        try store.write { try $0.execute("CREATE INDEX item_i ON item (\(index))") }
      }
      let live = try LiveResults<UntypedRow>(order.plan, in: store)
      var random = SeededRandom(seed: UInt64(order.name.utf8.count))
      for round in 0..<180 {
        let isRefused = round % 5 == 3
        do {
          try store.write { transaction in
            for _ in 0..<(round % 4 == 0 ? 5 : 1) { try change(transaction, &random) }
            if isRefused {
              try transaction.execute("INSERT INTO item (id, s, k, owner) VALUES (999, 'S1', 1, 1)")
            }
          }
          #expect(!isRefused)
        } catch let error as StoreError {
          #expect(isRefused && error.code == .foreignKeyConstraint)
        }
        if round % 20 == 2 {
          // Everything moves, and what was known of it is forgotten.
          try store.write { try $0.execute("UPDATE item SET k = substr(k, 2) || substr(k, 1, 1)") }
        }
        if round % 12 == 0 { try live.check() }
      }
      try live.check()
      #expect(live.results.statistics.resyncCount == 0)
    }
  }

  private func change(
    _ transaction: borrowing StoreTransaction, _ random: inout SeededRandom
  ) throws(StoreError) {
    let id = Int.random(in: 1...Self.rowCount, using: &random)
    let keys: [StoredValue] = [
      .null, .integer(Int64(id)), .real(0.5), .text("key"), .text("KEY 1"), .text("key 100 and"),
      .text("key \(Int.random(in: 100..<400, using: &random))"), .text("k\0y"), .blob([1]),
      .text(String(repeating: "z", count: id % 9) + "\(id)"), .text("key \(id)  "),
    ]
    switch Int.random(in: 0..<10, using: &random) {
    case 0: try transaction.execute("DELETE FROM item WHERE id = ?", id)
    case 1:
      try transaction.execute(
        "INSERT OR REPLACE INTO item (id, s, k) VALUES (?, 'S' || (? % 3), 'new')", id, id)
    case 2:
      try transaction.execute("UPDATE item SET s = 'S' || (? % 4) WHERE id = ?", id / 3, id)
    case 3:
      // The prefix stays.
      try transaction.execute("UPDATE item SET k = k || 'x' WHERE id = ?", id)
    default:
      let key = keys.randomElement(using: &random) ?? .null
      try transaction.execute(
        "UPDATE item SET k = ? WHERE id = ?", values: [key, .integer(Int64(id))])
    }
  }

  /// What a refused transaction was about to write is not remembered, whenever the rows are read.
  @Test(arguments: [true, false], 0..<7)
  func refusedRowsKeepTheirPlaces(isIndexed: Bool, refused: Int) throws {
    try SmallWorld.run(.memory, schema: Self.schema) { store in
      try store.write {
        if isIndexed { try $0.execute("CREATE INDEX item_i ON item (s, k)") }
        try $0.execute("DELETE FROM item WHERE id > 99")
        try $0.execute("UPDATE item SET s = 'S', k = id * 10")
      }
      let live = try LiveResults<UntypedRow>(Order(name: "").plan, in: store)
      func move(_ id: Int, to key: Int) throws {
        try store.write { try $0.execute("UPDATE item SET k = ? WHERE id = ?", key, id) }
      }
      for id in 1..<(1 + refused) { try move(id, to: 990 + id) }
      #expect(throws: StoreError.self) {
        try store.write {
          // The row in the middle, which every search meets.
          try $0.execute("UPDATE item SET k = 5 WHERE id = 50")
          try $0.execute("UPDATE item SET owner = 1 WHERE id = 51")
        }
      }
      for id in 10..<40 {
        try move(id, to: id % 2 == 0 ? 495 : 505)
        try live.check()
      }
    }
  }

  /// What a section is ordered by may be spelled otherwise in its rows, as long as the order takes
  /// it for equal: then the sort decides.
  @Test(arguments: [true, false])
  func rowsOfASectionMaySpellItsOrderOtherwise(isIndexed: Bool) throws {
    let schema = """
      CREATE TABLE album (id INTEGER PRIMARY KEY, artist TEXT, label, title TEXT);
      INSERT INTO album VALUES (1, 'A', 'Verve', 'm'), (2, 'A', 'VERVE', 'z'),
        (3, 'A', 'verve', 'a'), (4, 'A', 'verve', 'b'), (5, 'B', 2, 'c'),
        (6, 'B', 2.0, 'e'), (7, 'B', 2, 'g');
      """
    try SmallWorld.run(.memory, schema: schema) { store in
      if isIndexed {
        try store.write {
          try $0.execute(
            "CREATE INDEX album_i ON album (label COLLATE NOCASE DESC, artist, title, id)")
        }
      }
      var plan = FetchPlan(
        table: "album", keyColumns: ["id"], itemColumns: ["id", "artist", "label", "title"])
      plan.section = FetchPlan.Section(
        identity: plan.term("artist"),
        order: [plan.term("label", isDescending: true, collation: .nocase)])
      plan.sort = [plan.term("title")]
      let live = try LiveResults<UntypedRow>(plan, in: store)
      for title in ["c", "y", "aa", "f"] {
        // Spelled as in the first row, and otherwise.
        for id in [4, 2, 5, 6] {
          try store.write { try $0.execute("UPDATE album SET title = ? WHERE id = ?", title, id) }
          try live.check()
        }
      }
      try store.write { try $0.execute("UPDATE album SET label = 'vERVE' WHERE id = 3") }
      try live.check()
      #expect(live.recorder.errors.isEmpty)
    }
  }

  /// SQLite is asked for places at first, and not any more once the rows are known.
  @Test(arguments: [true, false])
  func knownPlacesNeedNoQuestion(isIndexed: Bool) throws {
    let queue = try DatabaseQueue()
    let questions = Mutex(0)
    let mark = isIndexed ? "DESC" : #"SELECT "item"."s", "item"."k""#
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: Self.schema)
      if isIndexed { try db.execute(sql: "CREATE INDEX item_on_s_k ON item (s, k)") }
      db.trace(options: .statement) { event in
        guard case .statement(let statement) = event, statement.sql.contains(mark) else { return }
        questions.withLock { $0 += 1 }
      }
    }
    let store = try Store(adopting: queue, configuration: SmallWorld.configuration)
    let live = try LiveResults<UntypedRow>(Order(name: "").plan, in: store)
    func move(_ id: Int, to key: Int) throws -> Int {
      questions.withLock { $0 = 0 }
      try store.write {
        try $0.execute("UPDATE item SET k = ? WHERE id = ?", "\(key) is the key", id)
      }
      return questions.withLock { $0 }
    }
    var count = try move(1, to: 1)
    #expect(count > 0)
    for id in 2...Self.rowCount { _ = try move(id, to: id * 31 % 1000) }
    // With the internal checks, every commit is worked out a second time.
    if !InternalChecks.isOn {
      for id in 1...50 {
        count = try move(id, to: id * 37 % 1000 + 1000)
        #expect(count == 0)
      }
    }
    try live.check()
  }
}
