import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Edits of lists are taken back: a drag with all rows that got new positions for it, and whatever
/// else a list can do.
@Suite(.timeLimit(.minutes(60))) struct UndoneEditsTests {
  private typealias Live = LiveResults<UntypedRow>

  private static let first = ItemPath(section: 0, item: 0)

  private static func item(_ id: Int64, _ text: StoredValue) -> UntypedRow {
    let row = StoredRow(columns: ["id", "s", "p", "v"], values: [.integer(id), "A", 0, text])
    return UntypedRow(id: UntypedRow.ID(keyValues: [.integer(id)]), row: row)
  }

  /// Random moves, of which each is undone, done again, and some undone once more.
  @Test(arguments: ReorderingTests.Shape.all, [StorageKind.memory, .file])
  func dragsAreUndone(_ shape: ReorderingTests.Shape, kind: StorageKind) throws {
    var random = SeededRandom(seed: UInt64(shape.positions.utf8.count) + 7)
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    try SmallWorld.run(kind, schema: shape.schema) { store in
      let live = try Live(shape.plan, in: store)
      for round in 0..<16 {
        let snapshot = live.results.snapshot
        let section = number(snapshot.numberOfSections)
        let source = ItemPath(
          section: section, item: number(snapshot.numberOfItems(in: section)))
        let goal = number(snapshot.numberOfSections)
        let room = snapshot.numberOfItems(in: goal) - (goal == section ? 1 : 0)
        // Often the same place, where gaps are used up.
        let target = ItemPath(section: goal, item: number(3) > 0 ? room / 2 : number(room + 1))
        let before = try DatabaseDump(of: store)
        let undos: [Store.Undo]
        do {
          undos = try live.results.undoably { try $0.move(from: source, to: target) }
        } catch let error as StoreError where error.code == .checkConstraint {
          #expect(try DatabaseDump(of: store) == before, "\(random.seed), round \(round)")
          continue
        }
        let after = try DatabaseDump(of: store)
        try live.check()
        #expect(undos.count == (source == target ? 0 : 1), "\(random.seed), round \(round)")
        guard let undo = undos.first else { continue }
        let changed = before.rows.filter { after.rows[$0.key] != $0.value }.count
        #expect(undo.rowCount == changed, "\(random.seed), round \(round)")
        let redo = try store.undo(undo)
        #expect(try DatabaseDump(of: store) == before, "\(random.seed), round \(round)")
        try live.check()
        let back = try store.undo(redo)
        #expect(try DatabaseDump(of: store) == after, "\(random.seed), round \(round)")
        try live.check()
        if number(3) == 0 { try store.undo(back) }
      }
    }
  }

  @Test func allRowsThatWereGivenNewPositionsGetTheirOldOnes() throws {
    let shape = ReorderingTests.Shape(testDescription: "", positions: "5", isSectioned: false)
    try SmallWorld.run(.file, schema: shape.schema) { store in
      let live = try Live(shape.plan, in: store)
      let before = live.results.numberOfItems
      let undos = try live.results.undoably { results in
        try results.move(
          from: ItemPath(section: 0, item: 20), to: ItemPath(section: 0, item: 3))
      }
      let undo = try #require(undos.first)
      // All of them had the same one.
      #expect(undo.rowCount > 3)
      try store.undo(undo)
      try live.check()
      #expect(live.results.numberOfItems == before)
      let positions = try store.read { try $0.query("SELECT DISTINCT p FROM item") }
      #expect(positions.map(\.values) == [[5]])
    }
  }

  @Test(arguments: [StorageKind.memory, .file])
  func eachEditIsUndone(_ kind: StorageKind) throws {
    let shape = ReorderingTests.Shape(testDescription: "")
    let edits: [(SectionedResults<UntypedRow>) throws -> Void] = [
      { try $0.remove(at: Self.first) },
      { try $0.replace(at: Self.first, with: Self.item(3, "new")) },
      { try $0.replace(at: Self.first, with: Self.item(300, "another key")) },
      { try $0.insert(Self.item(100, "n"), at: Self.first) },
      { try $0.move(from: Self.first, to: ItemPath(section: 1, item: 2)) },
      { try $0.remove(id: $0.snapshot.id(at: Self.first)) },
      { try $0.replace(id: $0.snapshot.id(at: Self.first), with: Self.item(3, "new")) },
      { try $0.removeItem(at: Self.first) },
      { try $0.replaceItem(at: Self.first, with: Self.item(3, "new")) },
      { try $0.insertItem(Self.item(100, "n"), at: Self.first) },
      { try $0.moveItem(from: Self.first, to: ItemPath(section: 1, item: 2)) },
      { try $0.removeItem(id: $0.snapshot.id(at: Self.first)) },
      { try $0.replaceItem(id: $0.snapshot.id(at: Self.first), with: Self.item(3, "new")) },
    ]
    try SmallWorld.run(kind, schema: shape.schema) { store in
      let live = try Live(shape.plan, in: store)
      let before = try DatabaseDump(of: store)
      for edit in edits {
        let undos = try live.results.undoably(edit)
        let after = try DatabaseDump(of: store)
        try live.check()
        #expect(undos.count == 1)
        #expect(before != after)
        let undo = try #require(undos.first)
        let redo = try store.undo(undo)
        #expect(try DatabaseDump(of: store) == before)
        try store.undo(try store.undo(redo))
        #expect(try DatabaseDump(of: store) == before)
        try live.check()
      }
    }
  }

  @Test func severalEditsAreUndoneFromTheLastOne() throws {
    let shape = ReorderingTests.Shape(testDescription: "", positions: "i")
    try SmallWorld.run(.memory, schema: shape.schema) { store in
      let live = try Live(shape.plan, in: store)
      let before = try DatabaseDump(of: store)
      let undos = try live.results.undoably { results in
        for _ in 0..<4 { try results.move(from: Self.first, to: ItemPath(section: 0, item: 5)) }
        try results.remove(at: Self.first)
      }
      #expect(undos.count == 5)
      for undo in undos.reversed() { try store.undo(undo) }
      #expect(try DatabaseDump(of: store) == before)
      try live.check()
      // May be dropped.
      try live.results.undoably { try $0.remove(at: Self.first) }
      #expect(EditCollector.current == nil)
    }
  }

  /// Random moves of which a few at a time are undone, and done again, in one transaction.
  @Test(arguments: ReorderingTests.Shape.all, [StorageKind.memory, .file])
  func severalEditsAreUndoneInOneTransaction(
    _ shape: ReorderingTests.Shape, kind: StorageKind
  ) throws {
    var random = SeededRandom(seed: UInt64(shape.positions.utf8.count) + 11)
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    try SmallWorld.run(kind, schema: shape.schema) { store in
      let live = try Live(shape.plan, in: store)
      for round in 0..<8 {
        let before = try DatabaseDump(of: store)
        let undos = try live.results.undoably { results in
          for _ in 0..<(1 + number(5)) {
            let snapshot = results.snapshot
            let section = number(snapshot.numberOfSections)
            let source = ItemPath(
              section: section, item: number(snapshot.numberOfItems(in: section)))
            let goal = number(snapshot.numberOfSections)
            let room = snapshot.numberOfItems(in: goal) - (goal == section ? 1 : 0)
            do {
              try results.move(from: source, to: ItemPath(section: goal, item: room / 2))
            } catch let error as StoreError where error.code == .checkConstraint {
              continue
            }
          }
        }
        let after = try DatabaseDump(of: store)
        live.recorder.reset()
        let redo = try store.undo(undos)
        #expect(live.recorder.changesets.count < 2, "\(random.seed), round \(round)")
        #expect(try DatabaseDump(of: store) == before, "\(random.seed), round \(round)")
        try live.check()
        live.recorder.reset()
        let back = try store.undo(redo)
        #expect(live.recorder.changesets.count < 2, "\(random.seed), round \(round)")
        #expect(try DatabaseDump(of: store) == after, "\(random.seed), round \(round)")
        try live.check()
        if number(2) == 0 {
          try store.undo([back])
          #expect(try DatabaseDump(of: store) == before, "\(random.seed), round \(round)")
        }
      }
    }
  }

  /// Where somebody else has changed one of the rows, before the last of the edits or behind it,
  /// none of them is undone.
  @Test func severalEditsAreUndoneTogetherOrNotAtAll() throws {
    let shape = ReorderingTests.Shape(testDescription: "")
    try SmallWorld.run(.file, schema: shape.schema) { store in
      let live = try Live(shape.plan, in: store)
      func write(_ value: String, to id: Int) throws -> Store.Undo {
        try store.writeUndoably { try $0.execute("UPDATE item SET v = ? WHERE id = ?", value, id) }
          .undo
      }
      let undos = [try write("a", to: 1), try write("b", to: 2), try write("c", to: 1)]
      let before = try DatabaseDump(of: store)
      for id in 1...2 {
        let other = try write("other", to: id)
        let changed = try DatabaseDump(of: store)
        try live.expect([]) {
          try expectStoreError(.editConflict) { try store.undo(undos) }
        }
        #expect(try DatabaseDump(of: store) == changed)
        try store.undo(other)
      }
      #expect(try DatabaseDump(of: store) == before)
      // Between two of them.
      try expectStoreError(.editConflict) { try store.undo([undos[0], undos[1], undos[0]]) }
      #expect(try DatabaseDump(of: store) == before)
      let redo = try store.undo(undos)
      #expect(redo.rowCount == 2)
      let texts = try store.read { try $0.query("SELECT v FROM item WHERE id < 3") }
      #expect(texts.map(\.values) == [["v"], ["v"]])
      try store.undo(redo)
      #expect(try DatabaseDump(of: store) == before)
      #expect(try store.undo([]).isEmpty)
      try live.check()
    }
  }

  @Test func anEditThatWritesNothingHasNone() throws {
    let shape = ReorderingTests.Shape(testDescription: "")
    try SmallWorld.run(.memory, schema: shape.schema) { store in
      let live = try Live(shape.plan, in: store)
      let results = live.results
      let first = try results.item(at: Self.first)
      let second = results.snapshot.id(at: ItemPath(section: 0, item: 1))
      let before = try DatabaseDump(of: store)
      // It is there.
      let moves = try results.undoably { try $0.move(id: first.id, before: second) }
      #expect(moves.isEmpty)
      let replacements = try results.undoably { try $0.replace(at: Self.first, with: first) }
      #expect(replacements.isEmpty)
      #expect(try DatabaseDump(of: store) == before)
    }
  }

  @Test func whatListenersEditIsTheirOwn() throws {
    let shape = ReorderingTests.Shape(testDescription: "")
    try SmallWorld.run(.memory, schema: shape.schema) { store in
      let live = try Live(shape.plan, in: store)
      let results = live.results
      let once = Once()
      let observation = results.observe { event in
        guard case .didFinishLoading = event, once.take() else { return }
        #expect(throws: Never.self) { try results.remove(at: Self.first) }
      }
      let undos = try results.undoably { try $0.remove(at: Self.first) }
      observation.cancel()
      #expect(undos.map(\.rowCount) == [1])
      let count = try store.read { try $0.query("SELECT id FROM item").count }
      #expect(count == 22)
      for undo in undos { try store.undo(undo) }
      #expect(live.results.numberOfItems == 23)
      try live.check()
    }
  }

  @Test func anEditThatCannotBeTakenBackIsNotMade() throws {
    let shape = ReorderingTests.Shape(testDescription: "")
    let schema =
      shape.schema + """
        CREATE VIRTUAL TABLE found USING fts5(v, content='');
        CREATE TRIGGER sync AFTER UPDATE OF v ON item BEGIN
          INSERT INTO found(rowid, v) VALUES (new.id, new.v);
        END;
        """
    try SmallWorld.run(.file, schema: schema) { store in
      let live = try Live(shape.plan, in: store)
      let before = try DatabaseDump(of: store)
      try live.expect([]) {
        try expectStoreError(.notUndoable) {
          try live.results.undoably { try $0.replace(at: Self.first, with: Self.item(3, "new")) }
        }
      }
      #expect(try DatabaseDump(of: store) == before)
      try live.results.replace(at: Self.first, with: Self.item(3, "new"))
      try live.check()
      #expect(try DatabaseDump(of: store) != before)
    }
  }
}

/// What is there to be taken by the first one who asks.
private final class Once: Sendable {
  private let isThere = Mutex(true)

  func take() -> Bool {
    isThere.withLock { isThere in
      defer { isThere = false }
      return isThere
    }
  }
}
