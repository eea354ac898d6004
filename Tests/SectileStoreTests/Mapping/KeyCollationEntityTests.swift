import SectileCore
import SectileStore
import SectileTestSupport
import Testing

/// A row whose table may take its key for that of another one.
private struct Named: Entity, Equatable {
  var id: String
  var v: String?

  static var schema: EntitySchema<Named> {
    EntitySchema("named", primaryKey: "id", attributes: .init("id", \.id), .init("v", \.v))
  }

  init(_ id: String, _ v: String?) { (self.id, self.v) = (id, v) }

  init(row: inout RowReader) throws {
    id = try row.next()
    v = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(v)
  }
}

/// Entities of tables whose key compares text otherwise than its columns do.
@Suite(.timeLimit(.minutes(60))) struct KeyCollationEntityTests {
  private static let tables = [
    "id TEXT COLLATE NOCASE NOT NULL, v TEXT, PRIMARY KEY (id COLLATE BINARY))",
    "id TEXT COLLATE NOCASE NOT NULL, v TEXT, PRIMARY KEY (id COLLATE BINARY)) WITHOUT ROWID",
  ]

  private func all(_ transaction: StoreReadTransaction) throws -> [Named] {
    try transaction.query("SELECT id, v FROM named ORDER BY id, id COLLATE BINARY").map { row in
      func text(_ column: Int) -> String? {
        if case .text(let text) = row.values[column] { text } else { nil }
      }
      return Named(text(0) ?? "", text(1))
    }
  }

  @Test(arguments: tables) func oneRowIsFetchedWrittenAndDeleted(_ columns: String) throws {
    try withTransaction("CREATE TABLE named (\(columns)") { transaction throws in
      try transaction.insert(contentsOf: [Named("A", "1"), Named("a", "2"), Named("c", "3")])
      // Before and after the statements have run once.
      for _ in 0..<2 {
        #expect(try transaction.fetchOne(Named.self, key: "a") == Named("a", "2"))
        #expect(try transaction.fetchOne(Named.self, key: "A") == Named("A", "1"))
        #expect(try !transaction.exists(Named.self, key: "C"))
      }
      for (value, key) in ["4", "5"].flatMap({ value in ["a", "A"].map { (value, $0) } }) {
        try transaction.update(Named(key, value + key))
      }
      #expect(try all(transaction) == [Named("A", "5A"), Named("a", "5a"), Named("c", "3")])
      try transaction.save(Named("a", "6"))
      try transaction.insert(contentsOf: [Named("C", "7"), Named("A", "8")], onConflict: .update)
      #expect(
        try all(transaction)
          == [Named("A", "8"), Named("a", "6"), Named("C", "7"), Named("c", "3")])
      #expect(throws: StoreError.self) { try transaction.update(Named("B", "9")) }
      #expect(try transaction.delete(Named.self, key: "a"))
      #expect(try !transaction.delete(Named.self, key: "a"))
      #expect(try transaction.delete(Named("C", nil)))
      #expect(try all(transaction) == [Named("A", "8"), Named("c", "3")])
    }
  }

  /// Ties by the columns are told apart by bytes, in a fetch as in live results.
  @Test(arguments: StorageKind.allCases)
  func fetchesAndResultsHaveOneOrder(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: "CREATE TABLE named (\(Self.tables[0])") { store in
      // SQLite meets them in this order.
      try store.write {
        try $0.insert(contentsOf: ["b", "a", "B", "A", "C"].map { Named($0, "x") })
      }
      for request in [FetchRequest<Named>(), FetchRequest<Named>().sort(by: \.v)] {
        let live = try LiveResults(request, in: store)
        let expected = ["A", "a", "B", "b", "C"]
        #expect(try live.results.snapshot.materialized().sections[0].rows.map(\.id) == expected)
        #expect(try store.read { try $0.fetchAll(request) }.map(\.id) == expected)
        #expect(try store.read { try $0.fetchOne(request)?.id } == "A")
        try live.expect([]) { try store.write { try $0.execute("UPDATE named SET v = v") } }
        try live.expect((0..<5).map { "R~ [0,\($0)]→[0,\($0)] #\(expected[$0])" }) {
          try store.write { try $0.execute("UPDATE named SET v = v || 'y'") }
        }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func aKeyThatItsColumnsTakeForAnotherIsFollowed(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: "CREATE TABLE named (\(Self.tables[1])") { store in
      try store.write { try $0.insert(contentsOf: ["b", "a", "A"].map { Named($0, "x") }) }
      let live = try LiveResults(FetchRequest<Named>(), in: store)
      try live.expect(["R~ [0,1]→[0,1] #a"]) { try store.write { try $0.update(Named("a", "y")) } }
      try live.expect(["R- [0,0] #A"]) { try store.write { _ = try $0.delete(Named("A", nil)) } }
      try live.expect(["R+ [0,1] #B"]) { try store.write { _ = try $0.insert(Named("B", nil)) } }
      #expect(live.results.statistics.rebuildCount == 0)
    }
  }
}
