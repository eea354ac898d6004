import SectileCore
import SectileStore
import SectileTestSupport
import Testing

/// What one section is, and what it is called, where values are odd.
@Suite(.timeLimit(.minutes(60))) struct SectionIdentityTests {
  private static let schema = "CREATE TABLE item (id INTEGER PRIMARY KEY, s, k, v);"

  private func plan(_ change: (inout FetchPlan) -> Void = { _ in }) -> FetchPlan {
    var plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "s", "k", "v"])
    plan.section = FetchPlan.Section(identity: plan.term("s"))
    plan.sort = [plan.term("k")]
    change(&plan)
    return plan
  }

  @Test(arguments: StorageKind.allCases)
  func titleThatCannotBeReadMattersOnTheFirstRowOnly(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let plan = plan {
        $0.itemColumns = ["id", "s", "k"]
        $0.section?.title = SQLFragment("v")
      }
      let live = try LiveResults(plan, in: store)
      let text = "CAST(x'ff' AS TEXT)"
      // Of two new rows of a new section, and of one that was the first and is not any more.
      for sql in [
        "INSERT INTO item VALUES (2, 'A', 2, \(text)), (1, 'A', 1, 'one')",
        "INSERT INTO item VALUES (3, 'A', 0, 'three'); UPDATE item SET v = \(text) WHERE id = 1",
      ] {
        live.recorder.reset()
        try store.write { try $0.execute(sql) }
        #expect(live.recorder.errors.isEmpty)
      }
      #expect(live.results.sections.map(\.title) == ["three"])
      #expect(live.results.numberOfItems == 3)
      try store.write { try $0.execute("DELETE FROM item WHERE id = 3") }
      #expect((live.recorder.errors.last as? StoreError)?.code == .decodingFailed)
      try store.write { try $0.execute("UPDATE item SET v = 'one' WHERE id = 1") }
      #expect(live.results.sections.map(\.title) == ["one"])
    }
  }

  private static let numbers: [Int64] = [
    9_007_199_254_740_992, 9_007_199_254_740_994, -9_007_199_254_740_994, 4_611_686_018_427_387_904,
    .min, 1, 0,
  ]

  @Test(arguments: numbers)
  func wholeNumberHasOneTitle(_ number: Int64) throws {
    try SmallWorld.run(.memory, schema: Self.schema) { store in
      let live = try LiveResults(plan(), in: store)
      try store.write {
        try $0.execute("INSERT INTO item VALUES (1, ?, 2, 0)", number)
        try $0.execute("INSERT INTO item VALUES (2, ?, 3, 0)", Double(number))
      }
      #expect(live.results.sections.map(\.title) == [String(number)])
      // The real one is the first: the title is the same, so nobody hears of one.
      try live.expect(["R> [0,1]→[0,0] #2*"]) {
        try store.write { try $0.execute("UPDATE item SET k = 1 WHERE id = 2") }
      }
    }
  }

  /// Internal checks once took the other spelling for another changeset, and stopped.
  @Test(arguments: StorageKind.allCases)
  func aggregatesOfASectionWhoseFirstRowSpellsItOtherwise(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let plan = plan { $0.aggregates = [FetchPlan.Aggregate(.rowCount)] }
      try store.write {
        try $0.execute("INSERT INTO item VALUES (1, 1, 1, 0), (2, 1.0, 2, 0)")
      }
      let live = try LiveResults(plan, in: store)
      for sql in [
        "DELETE FROM item WHERE id = 1", "INSERT INTO item VALUES (3, 1, 0, 0)",
        "DELETE FROM item WHERE id = 3",
      ] {
        let lines = try live.changes { try store.write { try $0.execute(sql) } }
        #expect(lines.filter { $0.hasPrefix("S") }.map { $0.prefix(6) } == ["S~ 0→0"])
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func zeroBytesInSectionsUnderNocase(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let plan = plan { plan in
        plan.section = FetchPlan.Section(identity: plan.term("s", collation: .nocase))
      }
      try store.write {
        // NOCASE looks at the length alone behind a zero byte.
        for (id, text) in [
          "a\0b", "A\0C", "a\0bb", "a", "A\0ä", "ä\0x", "Ä\0x", "\0", "\0a", "a\0", "B",
        ].enumerated() {
          try $0.execute(
            "INSERT INTO item VALUES (?, CAST(? AS TEXT), ?, 0)",
            values: [
              .integer(Int64(id)), .blob(Array(text.utf8)), .integer(Int64(id * 7 % 5)),
            ])
        }
      }
      let live = try LiveResults(plan, in: store)
      let expected = try store.read {
        try $0.query(
          "SELECT count(*) FROM item GROUP BY s COLLATE NOCASE ORDER BY s COLLATE NOCASE")
      }
      let counts = (0..<live.results.numberOfSections).map {
        StoredValue.integer(Int64(live.results.numberOfItems(in: $0)))
      }
      #expect(counts == expected.map { $0.values[0] })
      _ = try live.changes {
        try store.write { try $0.execute("UPDATE item SET s = upper(s), k = 9 WHERE id = 0") }
      }
    }
  }

  @Test func sectionUnderASwiftCollationBeginsWithOneAndThenWithOnePointZero() throws {
    let collation = TextCollation("BY_LENGTH") { left, right in left.utf8.count - right.utf8.count }
    var configuration = SmallWorld.configuration
    configuration.collations = [collation]
    try SmallWorld.run(.memory, schema: Self.schema, configuration: configuration) { store in
      let plan = plan { plan in
        plan.section = FetchPlan.Section(identity: plan.term("s", collation: collation))
      }
      let live = try LiveResults(plan, in: store)
      for sql in [
        "INSERT INTO item VALUES (1, 1, 1, 0), (2, 1.0, 2, 0), (3, 'a', 1, 0)",
        "UPDATE item SET k = 0 WHERE id = 2", "DELETE FROM item WHERE id = 2",
        "INSERT INTO item VALUES (4, 1.0, 0, 0)", "DELETE FROM item WHERE id = 1",
        "UPDATE item SET v = 1",
      ] {
        _ = try live.changes { try store.write { try $0.execute(sql) } }
      }
    }
  }

  @Test func fixedSectionsAreFoldedLikeTheirRowsAndNamedOnce() throws {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(
        """
        CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT COLLATE NOCASE);
        INSERT INTO item VALUES (1, 'MISC'), (2, 'Libs'), (3, 'other');
        """)
    }
    var plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "s"])
    plan.section = FetchPlan.Section(
      identity: plan.term("s"), fixedSections: ["Misc", "libs", "LIBS", "empty"])
    let results = try store.results(of: plan)
    try results.load()
    #expect(results.sections.map(\.identity) == ["misc", "libs", "empty"])
    #expect((0..<3).map { results.numberOfItems(in: $0) } == [1, 1, 0])
    try store.write { try $0.execute("UPDATE item SET s = 'EMPTY' WHERE id = 3") }
    #expect((0..<3).map { results.numberOfItems(in: $0) } == [1, 1, 1])
  }
}
