import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Rows that are removed and replaced where results show them.
@Suite(.timeLimit(.minutes(60))) struct RowEditingTests {
  private typealias Live = LiveResults<UntypedRow>

  private func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  private func item(_ live: Live, at path: ItemPath, with changes: [String: StoredValue]) throws
    -> UntypedRow
  {
    let item = try live.results.item(at: path)
    let columns = SmallWorld.plan.itemColumns
    let values = columns.map { changes[$0] ?? item.row[$0] ?? .null }
    let id = UntypedRow.ID(keyValues: [changes["id"] ?? item.id.keyValues[0]])
    return UntypedRow(id: id, row: StoredRow(columns: columns, values: values))
  }

  @Test(arguments: StorageKind.allCases)
  func aRowIsRemovedAndReplaced(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      let all: [EditingCapability] = [.removing, .replacing, .inserting, .moving]
      #expect(
        all.map { live.results.allows($0, at: path(0, 0)) } == [true, true, false, false])
      try live.expect(["R- [0,1] #2"]) { try live.results.remove(at: path(0, 1)) }
      let changed = try item(live, at: path(0, 1), with: ["v": "new", "k": 0])
      try live.expect(["R> [0,1]→[0,0] #3*"]) {
        try live.results.replace(at: path(0, 1), with: changed)
      }
      // Another identity is another row.
      let other = try item(live, at: path(0, 0), with: ["id": 9])
      try live.expect(["R- [0,0] #3", "R+ [0,0] #9"]) {
        try live.results.replace(at: path(0, 0), with: other)
      }
      #expect(try live.results.item(at: path(0, 0)).row["v"] == "new")
      try live.expect(["S- 1 (B)", "R- [1,0] #4"]) { try live.results.remove(at: path(1, 0)) }
    }
  }

  @Test func whatIsRefusedChangesNothing() throws {
    try SmallWorld.run(.file) { store in
      let live = try Live(SmallWorld.plan, in: store)
      let taken = try item(live, at: path(0, 0), with: ["id": 2])
      try live.expect([]) {
        try expectStoreError(.uniqueConstraint) {
          try live.results.replace(at: path(0, 0), with: taken)
        }
        for wrong in [path(0, 3), path(2, 0), path(-1, 0), path(0, .max), path(.max, 0)] {
          let error = #expect(throws: DataSourceError.self) {
            try live.results.remove(at: wrong)
          }
          #expect(error?.code == .noSuchPath)
        }
        try expectStoreError(.notEditable) {
          try live.results.move(from: path(0, 0), to: path(0, 1))
        }
        try expectStoreError(.notEditable) {
          try live.results.insert(taken, at: path(0, 0))
        }
      }
      try store.write { _ in
        try expectStoreError(.reentrantAccess) { try live.results.remove(at: path(0, 0)) }
      }
      live.results.cancel()
      #expect(!live.results.allows(.removing, at: path(0, 0)))
      try expectStoreError(.notEditable) { try live.results.remove(at: path(0, 0)) }
    }
  }

  @Test func viewsAndReadOnlyStoresAreNotEdited() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    let store = try Store.open(at: file, configuration: SmallWorld.configuration)
    try store.write {
      try $0.execute(SmallWorld.schema)
      try $0.execute("CREATE VIEW shown AS SELECT * FROM item")
    }
    let view = try Live(
      SmallWorld.plan(table: "shown", key: ["id"], columns: ["id", "s", "k"]), in: store)
    #expect(!view.results.allows(.removing, at: path(0, 0)))
    try expectStoreError(.notEditable) { try view.results.remove(at: path(0, 0)) }

    var configuration = SmallWorld.configuration
    configuration.isReadOnly = true
    let reader = try Store.open(at: file, configuration: configuration)
    let live = try Live(SmallWorld.plan, in: reader)
    #expect(!live.results.allows(.removing, at: path(0, 0)))
    try expectStoreError(.readOnly) { try live.results.remove(at: path(0, 0)) }
    try reader.close()
    try store.close()
  }

  // MARK: - Somebody else

  /// A row that was changed between the look and the edit.
  @Test(arguments: StorageKind.allCases)
  func aRowThatWasChangedIsAConflict(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      for sql in [
        "UPDATE item SET v = 'y' WHERE id = 1", "DELETE FROM item WHERE id = 1",
        "UPDATE item SET id = 70 WHERE id = 2", "REPLACE INTO item (id, s, k) VALUES (3, 'A', 3)",
      ] {
        let edit = try ResultsEdit(of: live.results)
        let shown = try live.results.snapshot.materialized()
        try live.check()
        try store.write { try $0.execute(sql) }
        let touched = sql.contains("id = 1") ? 0 : sql.contains("id = 2") ? 1 : 2
        let rows = shown.sections[0].rows
        let item = rows.firstIndex { $0.id.keyValues == [.integer(Int64(touched + 1))] }
        let place = path(0, try #require(item))
        try expectStoreError(.editConflict) {
          try edit.write(.removing, unchanged: [place]) { _, _ in Issue.record("it is written") }
        }
        // Others are what they were.
        try edit.write(.removing, unchanged: [path(1, 0)]) { _, _ in }
        try live.check()
        if sql.contains("DELETE") {
          try store.write { try $0.execute("INSERT INTO item (id, s, k) VALUES (1, 'A', 1)") }
        }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func aRowThatWasWrittenAsItWasIsNone(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      let edit = try ResultsEdit(of: live.results)
      try store.write { try $0.execute("UPDATE item SET v = v, k = k") }
      var isWritten = false
      try edit.write(.removing, unchanged: [path(0, 0), path(1, 0)]) { _, _ in isWritten = true }
      #expect(isWritten)
    }
  }

  /// What another process has committed is seen before anything is written, and told first.
  @Test(arguments: [false, true])
  func whatOthersChangedIsAConflict(hasLog: Bool) throws {
    try SmallWorld.run(.file) { store in
      if hasLog { try store.changeLog.enable() }
      let other = try DatabaseQueue(path: #require(store.path))
      let live = try Live(SmallWorld.plan, in: store)
      // What the rows were is known from then on.
      live.results.tracker.state.withLock { $0.versions.visible.content?.pass }?.wait()
      try live.expect(["R~ [0,1]→[0,1] #2"]) {
        try other.write { try $0.execute(sql: "UPDATE item SET v = 'theirs' WHERE id = 2") }
        try expectStoreError(.editConflict) { try live.results.remove(at: path(0, 1)) }
      }
      try live.expect(["R~ [0,2]→[0,2] #3", "R- [0,0] #1"]) {
        try other.write { try $0.execute(sql: "UPDATE item SET v = 'theirs' WHERE id = 3") }
        try live.results.remove(at: path(0, 0))
      }
      // Looked at again, it can be edited.
      try live.expect(["R- [0,0] #2"]) { try live.results.remove(at: path(0, 0)) }
      try other.close()
    }
  }

  // MARK: - Values

  @Test func computedColumnsAndBrokenTextStay() throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT,
        u TEXT GENERATED ALWAYS AS (s || k) STORED, w AS (k + 1));
      INSERT INTO item (id, s, k, v) VALUES (1, 'A', 1, CAST(x'ff41' AS TEXT));
      """
    try SmallWorld.run(.file, schema: schema) { store in
      let plan = SmallWorld.plan(
        table: "item", key: ["id"], columns: ["id", "s", "k", "v", "u", "w"])
      let live = try Live(plan, in: store)
      let old = try live.results.item(at: path(0, 0))
      #expect(old.invalidTextColumns == ["v"])
      let values = old.row.columns.map { $0 == "k" ? StoredValue.integer(7) : old.row[$0] ?? .null }
      try live.results.replace(
        at: path(0, 0),
        with: UntypedRow(
          id: old.id, row: StoredRow(columns: old.row.columns, values: values),
          invalidTextColumns: old.invalidTextColumns))
      try live.check()
      let new = try live.results.item(at: path(0, 0))
      #expect(new.invalidTextColumns == ["v"])
      #expect(new.row["u"] == "A7")
      #expect(new.row["w"] == 8)
      #expect(new.row["v"] == .blob([0xff, 0x41]))
      try expectStoreError(.encodingFailed) {
        try live.results.replace(
          at: path(0, 0),
          with: UntypedRow(id: old.id, row: StoredRow(columns: ["id"], values: [1])))
      }
      try live.check()
    }
  }
}
