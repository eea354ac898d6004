import SectileCore
import SectileStore
import SectileTestSupport
import Testing

/// Views whose key inherits a collation: the order is SQL's, and every row has one place in it.
@Suite(.timeLimit(.minutes(60))) struct ViewOrderTests {
  private static let schema = """
    CREATE TABLE item (id TEXT COLLATE NOCASE, k, n TEXT COLLATE RTRIM);
    CREATE VIEW shown AS SELECT id, k, n FROM item;
    INSERT INTO item VALUES
      ('b', 1, 'y '), ('A', 1, 'x'), ('c', 1, 'x '), ('B', 1, 'y'), ('D', 0, 'z'), ('a', 1, 'x  ');
    """

  private func plan(sortedBy column: String? = "k", key: [String] = ["id"]) -> FetchPlan {
    var plan = FetchPlan(table: "shown", keyColumns: key, itemColumns: ["id", "k", "n"])
    plan.sort = column.map { [plan.term($0)] } ?? []
    return plan
  }

  private func ids(_ results: SectionedResults<UntypedRow>) throws -> [StoredValue] {
    try (0..<results.numberOfItems).map {
      try results.item(at: ItemPath(section: 0, item: $0)).row.values[0]
    }
  }

  private func expectOrder(
    _ results: SectionedResults<UntypedRow>, by list: String, in store: Store,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let rows = try store.read {
      try $0.query("SELECT id FROM shown ORDER BY \(list), id COLLATE BINARY")
    }
    #expect(try ids(results) == rows.map { $0.values[0] }, sourceLocation: sourceLocation)
  }

  @Test(arguments: StorageKind.allCases)
  func keyOfAViewIsOrderedByTheCollationItInherits(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let live = try LiveResults(plan(), in: store)
      // What is equal under NOCASE stands in the order of its bytes.
      #expect(try ids(live.results) == ["D", "A", "a", "B", "b", "c"])
      for sql in [
        "INSERT INTO item VALUES ('C', 1, 'q')", "UPDATE item SET k = 1 WHERE id = 'D'",
        "UPDATE item SET n = 'other' WHERE id = 'a'", "DELETE FROM item WHERE id = 'b'",
        "INSERT INTO item VALUES ('b', 1, 'y'), ('B', 0, 'y')",
      ] {
        _ = try live.changes { try store.write { try $0.execute(sql) } }
        try expectOrder(live.results, by: "k, id", in: store)
      }
    }
  }

  @Test(arguments: [["n", "id"], ["id", "n"]])
  func compositeKeyOfAView(_ key: [String]) throws {
    try SmallWorld.run(.memory, schema: Self.schema) { store in
      let live = try LiveResults(plan(sortedBy: nil, key: key), in: store)
      let list = key.joined(separator: ", ")
      try expectOrder(live.results, by: list, in: store)
      _ = try live.changes {
        try store.write { try $0.execute("INSERT INTO item VALUES ('e', 1, 'x'), ('E', 1, 'x ')") }
      }
    }
  }
}
