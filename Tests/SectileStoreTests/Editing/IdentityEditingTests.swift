import SectileCore
import SectileTestSupport
import Testing

import class GRDB.DatabaseQueue

@testable import SectileStore

/// Edits of rows by their keys, wherever results show them by now.
@Suite(.timeLimit(.minutes(60))) struct IdentityEditingTests {
  private func code(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "none"
    } catch let error as StoreError {
      return "\(error.code)"
    } catch let error as DataSourceError {
      return "\(error.code)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: StorageKind.allCases)
  func aRowIsEditedWhereverItIs(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Music.script) { store in
      let live = try LiveResults(
        FetchRequest<Track>().filter { $0.plays < 5_000 }.sort(by: \.name), in: store)
      let shown = live.results.snapshot
      let path = ItemPath(section: 0, item: 0)
      let (id, read) = (shown.id(at: path), try shown.item(at: path))
      try store.write { try $0.execute("UPDATE track SET name = 'zz' WHERE id = \(id)") }
      #expect(live.results.path(of: id) != path)
      // It is not what was read.
      var other = read
      other.plays = 77
      #expect(code { try live.results.remove(id: id, ifStill: read) } == "editConflict")
      #expect(
        code { try live.results.replace(id: id, with: other, ifStill: read) } == "editConflict")
      let now = try live.results.item(at: try #require(live.results.path(of: id)))
      other.name = now.name
      try live.results.replace(id: id, with: other, ifStill: now)
      try live.check()
      #expect(try store.read { try $0.fetchOne(Track.self, key: id) }?.plays == 77)
      try live.results.remove(id: id)
      try live.check()
      #expect(try store.read { try $0.fetchOne(Track.self, key: id) } == nil)
      #expect(code { try live.results.remove(id: id) } == "noSuchItem")
    }
  }

  @Test func aRowThatIsNotShownIsNotEdited() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let live = try LiveResults(FetchRequest<Track>().filter { $0.id != 2 }, in: store)
      #expect(code { try live.results.remove(id: 2) } == "noSuchItem")
      #expect(try store.read { try $0.fetchOne(Track.self, key: 2) } != nil)
    }
  }

  /// Rows around a place where no number is free get new ones: they are what was read all the same
  /// where they are moved, since a move writes nothing else.
  @Test(arguments: StorageKind.allCases)
  func aRowThatGotAnotherNumberIsMoved(_ kind: StorageKind) throws {
    let shape = ReorderingTests.Shape(testDescription: "", positions: "i", isSectioned: false)
    try SmallWorld.run(kind, schema: shape.schema) { store in
      let live = try LiveResults<UntypedRow>(shape.plan, in: store)
      func id(_ number: Int64) -> UntypedRow.ID { UntypedRow.ID(keyValues: [.integer(number)]) }
      func row(_ number: Int64) throws -> UntypedRow {
        try live.results.item(at: try #require(live.results.path(of: id(number))))
      }
      let read = try row(12)
      try live.results.move(id: id(20), before: id(12))
      #expect(try row(12).row["p"] != read.row["p"])
      try live.results.move(id: id(12), before: id(1), ifStill: read)
      #expect(live.results.path(of: id(12)) == ItemPath(section: 0, item: 0))
      try live.check()
      // What is removed or replaced is compared as a whole.
      #expect(code { try live.results.remove(id: id(12), ifStill: read) } == "editConflict")
      #expect(
        code { try live.results.replace(id: id(12), with: read, ifStill: read) }
          == "editConflict")
      // Another column was changed.
      try store.write { try $0.execute("UPDATE item SET v = 'new' WHERE id = 12") }
      #expect(
        code { try live.results.move(id: id(12), behind: id(2), ifStill: read) }
          == "editConflict")
      #expect(live.results.path(of: id(12)) == ItemPath(section: 0, item: 0))
      try live.check()
    }
  }

  /// Between what is shown and the tap another process has moved the row: its path is another row's
  /// by then.
  @Test(arguments: [false, true])
  func aListReachesTheRowThatWasTapped(hasLog: Bool) throws {
    try SmallWorld.run(.file, schema: Music.script) { store in
      if hasLog { try store.changeLog.enable() }
      let list = try store.results(of: FetchRequest<Track>().sort(by: \.name))
      try list.load()
      let shown = list.snapshot
      let path = ItemPath(section: 0, item: 0)
      let read = try shown.item(at: path)
      let other = try DatabaseQueue(path: #require(store.path))
      try other.write {
        try $0.execute(sql: "UPDATE track SET name = 'zz' WHERE id = ?", arguments: [read.id])
      }
      #expect(
        code { try list.removeItem(id: shown.id(at: path), ifStill: read) } == "editConflict")
      try list.removeItem(id: shown.id(at: path))
      try other.close()
      #expect(try store.read { try $0.fetchCount(FetchRequest<Track>()) } == 5)
      #expect(try store.read { try $0.fetchOne(Track.self, key: read.id) } == nil)
    }
  }
}
