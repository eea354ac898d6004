import Dispatch
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Rows that are moved and inserted where results show them, against a model of lists.
@Suite(.timeLimit(.minutes(60))) struct ReorderingTests {
  private typealias Live = LiveResults<UntypedRow>

  /// A table, and how its rows stand at first.
  struct Shape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var column = "p INTEGER"
    var more = ""
    var positions = "i * 1024"
    var isDescending = false
    var isSectioned = true

    static let all = [
      Shape(testDescription: "gaps"),
      Shape(testDescription: "dense", positions: "i"),
      Shape(testDescription: "dense, one list", positions: "i", isSectioned: false),
      Shape(testDescription: "descending", positions: "i % 3", isDescending: true),
      Shape(testDescription: "ties", positions: "5"),
      Shape(testDescription: "NULL", positions: "CASE WHEN i % 2 THEN i END"),
      Shape(
        testDescription: "NULL, descending", positions: "CASE WHEN i % 3 THEN i END",
        isDescending: true),
      Shape(testDescription: "reals", column: "p REAL", positions: "i / 4.0"),
      Shape(
        testDescription: "any value", column: "p",
        positions:
          "CASE i % 4 WHEN 0 THEN 't' || i WHEN 1 THEN i WHEN 2 THEN x'00' ELSE i / 8.0 END"),
      Shape(testDescription: "greatest", positions: "9223372036854775807 - i"),
      Shape(testDescription: "least", positions: "-9223372036854775807 - 1 + i"),
      Shape(
        testDescription: "checked", column: "p INTEGER NOT NULL CHECK (p >= 0)", positions: "i - 1"),
      Shape(testDescription: "unique", column: "p INTEGER UNIQUE", positions: "i"),
      Shape(
        testDescription: "unique in a section", more: ", UNIQUE (s, p)", positions: "i"),
      Shape(
        testDescription: "unique and checked", column: "p INTEGER UNIQUE CHECK (p > 0)",
        positions: "i", isDescending: true),
    ]

    var schema: String {
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, \(column), v TEXT\(more));
      INSERT INTO item WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24)
        SELECT i, char(65 + i % 3), \(positions), 'v' FROM n;
      """
    }

    var plan: FetchPlan {
      var plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "s", "p", "v"])
      if isSectioned { plan.section = FetchPlan.Section(identity: plan.term("s")) }
      var term = plan.term("p")
      term.isDescending = isDescending
      plan.sort = [term]
      plan.orderColumn = "p"
      return plan
    }
  }

  private static func ids(_ live: Live) -> [[Int64]] { ids(live.results) }

  private static func ids(_ results: SectionedResults<UntypedRow>) -> [[Int64]] {
    let snapshot = results.snapshot
    return (0..<snapshot.numberOfSections).map { section in
      (0..<snapshot.numberOfItems(in: section)).compactMap { item in
        let id = snapshot.id(at: ItemPath(section: section, item: item))
        return if case .integer(let id) = id.keyValues[0] { id } else { nil }
      }
    }
  }

  @Test(arguments: Shape.all, [StorageKind.memory, .file])
  func randomEditsShowWhatTheModelSays(_ shape: Shape, kind: StorageKind) throws {
    var random = SeededRandom(seed: UInt64(shape.positions.utf8.count))
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    try SmallWorld.run(kind, schema: shape.schema) { store in
      let live = try Live(shape.plan, in: store)
      var model = Self.ids(live)
      for round in 0..<40 {
        let section = number(model.count)
        live.recorder.reset()
        if round % 8 == 7 {
          let id = Int64(100 + round)
          let place = ItemPath(section: section, item: number(model[section].count + 1))
          let row = StoredRow(columns: ["id", "s", "p", "v"], values: [.integer(id), "A", 0, "n"])
          let item = UntypedRow(id: UntypedRow.ID(keyValues: [.integer(id)]), row: row)
          try live.results.insert(item, at: place)
          model[section].insert(id, at: place.item)
          #expect(live.recorder.changesets.map { $0.inserts.map(\.path) } == [[place]])
        } else {
          let source = ItemPath(section: section, item: number(model[section].count))
          let goal = number(model.count)
          let room = model[goal].count - (goal == section ? 1 : 0)
          // Often the same place, where gaps are used up.
          let target = ItemPath(section: goal, item: number(3) > 0 ? room / 2 : number(room + 1))
          try live.results.move(from: source, to: target)
          let id = model[source.section].remove(at: source.item)
          model[target.section].insert(id, at: target.item)
          model.removeAll(where: \.isEmpty)
          let moves = live.recorder.changesets.map { $0.moves.map(\.id.keyValues) }
          #expect(moves.count == (source == target ? 0 : 1), "\(source) → \(target)")
          #expect(moves.allSatisfy { $0.count <= 1 }, "\(source) → \(target): \(moves)")
          #expect(live.recorder.changesets.allSatisfy { $0.inserts.isEmpty && $0.deletes.isEmpty })
        }
        #expect(Self.ids(live) == model, "round \(round)")
        try live.check()
      }
    }
  }

  @Test func aGapThatIsUsedUpIsMadeAnew() throws {
    let shape = Shape(testDescription: "")
    try SmallWorld.run(.memory, schema: shape.schema) { store in
      let live = try Live(shape.plan, in: store)
      var most = 0
      // Always to the second place: the gap halves, and after ten moves there is none.
      for _ in 0..<100 {
        live.recorder.reset()
        try live.results.move(
          from: ItemPath(section: 0, item: 7), to: ItemPath(section: 0, item: 1))
        let changeset = try #require(live.recorder.changesets.last)
        #expect(changeset.moves.count == 1)
        most = max(most, changeset.updates.count)
        try live.check()
      }
      #expect((1...7).contains(most))
    }
  }

  // MARK: - What is refused

  @Test func rowsMoveBetweenSectionsThatAreWritten() throws {
    var shape = Shape(testDescription: "")
    shape.more = ", CHECK (s <> 'C')"
    let schema = shape.schema.replacing("% 3", with: "% 2")
    try SmallWorld.run(.file, schema: schema) { store in
      var plan = shape.plan
      plan.section = FetchPlan.Section(
        identity: FetchPlan.SortTerm(expression: SQLFragment(#"upper("item"."s")"#)))
      let live = try Live(plan, in: store)
      try live.expect([]) {
        try expectStoreError(.notEditable) {
          try live.results.move(
            from: ItemPath(section: 0, item: 0), to: ItemPath(section: 1, item: 0))
        }
        for wrong in [(0, 13), (0, 12), (2, 0), (-1, 0), (0, -1), (0, .max)] {
          let error = #expect(throws: DataSourceError.self) {
            try live.results.move(
              from: ItemPath(section: 0, item: 0), to: ItemPath(section: wrong.0, item: wrong.1))
          }
          #expect(error?.code == .noSuchPath)
        }
      }
      try live.results.move(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 5))
      try live.check()
    }
  }

  @Test func aConstraintThatRefusesTheMoveLeavesAllAsItWas() throws {
    var shape = Shape(testDescription: "", positions: "i")
    shape.column = "p INTEGER UNIQUE CHECK (p < 25)"
    try SmallWorld.run(.file, schema: shape.schema) { store in
      let live = try Live(shape.plan, in: store)
      try live.expect([]) {
        try expectStoreError(.checkConstraint) {
          try live.results.move(
            from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 3))
        }
      }
    }
  }

  @Test func otherSortKeysAreRefused() throws {
    try SmallWorld.run(.memory) { store in
      var plan = SmallWorld.plan
      plan.orderColumn = "v"
      try expectStoreError(.invalidRequest) { try store.results(of: plan) }
      plan.orderColumn = "k"
      plan.sort.append(plan.term("v"))
      try expectStoreError(.invalidRequest) { try store.results(of: plan) }
      plan.sort.removeLast()
      #expect(try Live(plan, in: store).results.allows(.moving, at: ItemPath(section: 0, item: 0)))
      // Text has no whole numbers in their order.
      plan.sort = [plan.term("v")]
      plan.orderColumn = "v"
      let live = try Live(plan, in: store)
      #expect(!live.results.allows(.moving, at: ItemPath(section: 0, item: 0)))
    }
  }

  @Test func aListThatIsEmptyTakesAFirstRow() throws {
    let shape = Shape(testDescription: "")
    try SmallWorld.run(.file, schema: shape.schema) { store in
      try store.write { try $0.execute("DELETE FROM item") }
      let live = try Live(shape.plan, in: store)
      let row = StoredRow(columns: ["id", "s", "p", "v"], values: [5, "Q", .null, "n"])
      try live.expect(["S+ 0 (Q)", "R+ [0,0] #5"]) {
        try live.results.insert(
          UntypedRow(id: UntypedRow.ID(keyValues: [5]), row: row), at: ItemPath(section: 0, item: 0)
        )
      }
      #expect(try live.results.item(at: ItemPath(section: 0, item: 0)).row["p"] == 1024)
    }
  }

  @Test func rowsThatAFilterHidesStayWhereTheyAre() throws {
    let shape = Shape(testDescription: "", positions: "i", isSectioned: false)
    try SmallWorld.run(.file, schema: shape.schema) { store in
      var plan = shape.plan
      plan.filter = SQLFragment(#""item"."id" % 2 = 0"#)
      let (part, all) = (try Live(plan, in: store), try Live(shape.plan, in: store))
      let model = Self.ids(all)[0]
      // The last one goes before the first that is shown: behind the first of all, and before the
      // second.
      try part.results.move(
        from: ItemPath(section: 0, item: 11), to: ItemPath(section: 0, item: 0))
      #expect(Self.ids(all)[0] == [1, 24] + model.dropFirst().dropLast())
      try part.check()
      try all.check()
    }
  }

  // MARK: - Two writers

  /// Two stores reorder one file at random: both end with the same lists, and no two rows of a list
  /// have one number.
  @Test(arguments: [false, true]) func twoStoresReorderOneFile(hasLog: Bool) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    let shape = Shape(testDescription: "", positions: "i")
    let first = try Store.open(at: file, configuration: SmallWorld.configuration)
    try first.write { try $0.execute(shape.schema) }
    if hasLog { try first.changeLog.enable() }
    let stores = [first, try Store.open(at: file, configuration: SmallWorld.configuration)]
    let both = try stores.map { try $0.results(of: shape.plan) }
    let recorders = both.map { _ in ChangeRecorder<UntypedRow.ID, UntypedRow>() }
    for (results, recorder) in zip(both, recorders) {
      results.delegate = recorder
      try results.load()
    }
    let moves = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      var random = SeededRandom(seed: UInt64(thread))
      let results = both[thread]
      for _ in 0..<80 {
        let snapshot = results.snapshot
        let source = snapshot.path(atRank: Int.random(in: 0..<24, using: &random))
        let section = Int.random(in: 0..<snapshot.numberOfSections, using: &random)
        let room = snapshot.numberOfItems(in: section) - (section == source.section ? 1 : 0)
        let target = ItemPath(
          section: section, item: Int.random(in: 0...room, using: &random))
        do {
          try results.move(from: source, to: target)
          moves.add(1, ordering: .relaxed)
        } catch let error as StoreError where error.code == .editConflict {
          continue
        } catch let error as DataSourceError where error.code == .noSuchPath {
          continue
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(moves.load(ordering: .relaxed) > 0)
    for (store, results) in zip(stores, both) {
      try store.checkForExternalChanges()
      let fresh = try store.results(of: shape.plan)
      try fresh.load()
      #expect(
        try results.snapshot.materialized().sections == fresh.snapshot.materialized().sections)
    }
    for (results, recorder) in zip(both, recorders) { try recorder.check(against: results) }
    #expect(Self.ids(both[0]) == Self.ids(both[1]))
    #expect(Self.ids(both[0]).joined().sorted() == Array(1...24))
    let equal = try first.read {
      try $0.query("SELECT 1 FROM item GROUP BY s, p HAVING count(*) > 1").count
    }
    #expect(equal == 0)
    for store in stores { try store.close() }
  }
}
