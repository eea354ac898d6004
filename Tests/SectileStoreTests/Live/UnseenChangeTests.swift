import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Rows that change unseen, and are then touched by a transaction of the store: what they were when
/// it began is not what the results show.
@Suite(.timeLimit(.minutes(60))) struct UnseenChangeTests {
  private static let shared: [StorageKind] = [.file, .adoptedPool, .adoptedQueue]

  /// Loads results, has another connection write, then the store, and checks the results.
  private func follow(
    _ kind: StorageKind, foreign: String, own: String,
    _ check: (LiveResults<UntypedRow>, ResultsSnapshot<UntypedRow>) throws -> Void = { _, _ in }
  ) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    try store.write { try $0.execute(SmallWorld.schema) }
    let live = try LiveResults<UntypedRow>(SmallWorld.plan, in: store)
    let snapshot = live.results.snapshot
    live.recorder.reset()
    let other = try DatabaseQueue(path: folder.file("store.sqlite"))
    try other.write { try $0.execute(sql: foreign) }
    try store.write { try $0.execute(own) }
    try live.recorder.check(against: live.results)
    let fresh = try FreshFetch(SmallWorld.plan).contents(of: store, version: live.results.version)
    #expect(live.recorder.contents == fresh)
    try check(live, snapshot)
    try store.close()
  }

  @Test(arguments: shared)
  func anUpdateIsDelivered(_ kind: StorageKind) throws {
    try follow(
      kind, foreign: "UPDATE item SET v = 'foreign' WHERE id = 1",
      own: "UPDATE item SET v = v WHERE id = 1"
    ) { live, _ in #expect(live.lines == ["R~ [0,0]→[0,0] #1"]) }
  }

  @Test(arguments: shared)
  func aMoveIsDelivered(_ kind: StorageKind) throws {
    try follow(
      kind, foreign: "UPDATE item SET k = 9, v = 'f' WHERE id = 1",
      own: "UPDATE item SET k = k WHERE id = 1")
  }

  @Test(arguments: shared)
  func whatIsAsItWasIsNot(_ kind: StorageKind) throws {
    try follow(
      kind, foreign: "UPDATE item SET v = 'foreign' WHERE id = 1",
      own: "UPDATE item SET v = 'x' WHERE id = 1"
    ) { live, _ in #expect(live.lines == []) }
  }

  @Test(arguments: shared)
  func aRowThatWasDeletedAndInserted(_ kind: StorageKind) throws {
    try follow(
      kind, foreign: "DELETE FROM item WHERE id = 1",
      own: "INSERT INTO item (id, s, k, u, v) VALUES (1, 'A', 1, 'u1', 'new')")
  }

  @Test(arguments: shared)
  func aSnapshotTellsNoOthersValue(_ kind: StorageKind) throws {
    try follow(
      kind, foreign: "UPDATE item SET v = 'foreign' WHERE id = 1; DELETE FROM item WHERE id = 2",
      own: """
        UPDATE item SET v = 'own' WHERE id = 1;
        INSERT INTO item (id, s, k, u, v) VALUES (2, 'A', 2, 'u2', 'own');
        """
    ) { _, snapshot in
      for item in 0..<2 {
        let error = storeError { _ = try snapshot.item(at: ItemPath(section: 0, item: item)) }
        #expect(error?.code == .itemChangedElsewhere)
      }
    }
  }

  /// The table is made anew, unseen, in the transaction that then touches its rows.
  @Test(
    arguments: StorageKind.allCases,
    [
      "id INTEGER PRIMARY KEY, s TEXT, k, v TEXT DEFAULT 'x', u TEXT UNIQUE",
      "v TEXT, k, id INTEGER PRIMARY KEY, u TEXT, s TEXT",
    ])
  func aTableThatWasMadeAnew(_ kind: StorageKind, columns: String) throws {
    try SmallWorld.run(kind) { store in
      let live = try LiveResults<UntypedRow>(SmallWorld.plan, in: store)
      let snapshot = live.results.snapshot
      live.recorder.reset()
      try store.write {
        try $0.execute(
          """
          CREATE TABLE n (\(columns));
          INSERT INTO n (id, s, k, v, u) SELECT id, s, -k, 'z', u FROM item;
          DROP TABLE item; ALTER TABLE n RENAME TO item;
          UPDATE item SET v = v WHERE id = 1; UPDATE item SET v = v WHERE id = 4;
          """)
      }
      let fresh = try FreshFetch(SmallWorld.plan).contents(
        of: store, version: live.results.version)
      #expect(live.recorder.contents == fresh)
      let error = storeError { _ = try snapshot.item(at: ItemPath(section: 1, item: 0)) }
      #expect(error?.code == .itemChangedElsewhere)
    }
  }

  /// What was kept of a row before the table was watched anew stands in another order.
  @Test func rowsThatWereKeptInAnotherOrder() throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, v, s);
      INSERT INTO item VALUES (7, 1, 0), (8, 1, 0);
      """
    try SmallWorld.run(.memory, schema: schema) { store in
      func results(_ columns: [String]) throws -> LiveResults<UntypedRow> {
        try LiveResults(
          FetchPlan(table: "item", keyColumns: ["id"], itemColumns: columns), in: store)
      }
      var other: LiveResults<UntypedRow>? = try results(["id", "v"])
      let live = try results(["id", "s"])
      #expect(other?.results.numberOfItems == 2)
      live.results.cancel()
      try store.write { try $0.execute("UPDATE item SET s = 1 WHERE id = 7") }
      other = nil
      try store.write { try $0.execute("CREATE TABLE another (id)") }
      live.recorder.reset()
      try live.results.load()
      #expect(live.lines.contains("R~ [0,0]→[0,0] #7"))
    }
  }

  /// What the hook does not show of a row is put together again: the old item can be read.
  @Test(
    arguments: StorageKind.allCases,
    [
      ("g AS (upper(s) || length(other)) VIRTUAL", "s = 'abc'", StoredValue.text("A3")),
      ("g AS (k + 1) VIRTUAL, h AS (g * 2) VIRTUAL", "k = 7", .integer(2)),
      ("g TEXT DEFAULT 'd'", "g = 'new'", .null),
      ("g INTEGER NOT NULL DEFAULT 5, h DEFAULT 'x'", "g = 6, h = 'y'", .integer(5)),
    ])
  func oldItemWithAnUnseenColumnIsRead(
    _ kind: StorageKind, _ test: (column: String, change: String, old: StoredValue)
  ) throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, other, \(test.column));
      INSERT INTO item (id, s, k, other) VALUES (1, 'a', 1, 'xyz'), (2, 'b', 2, 'x');
      """
    let null = test.old == .null ? "UPDATE item SET g = NULL" : ""
    try SmallWorld.run(kind, schema: schema + null) { store in
      let live = try LiveResults<UntypedRow>(
        FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "g", "s"]), in: store)
      let snapshot = live.results.snapshot
      let first = ItemPath(section: 0, item: 0)
      for sql in [
        "UPDATE item SET \(test.change) WHERE id = 1", "UPDATE item SET other = 'q' WHERE id = 1",
        "DELETE FROM item WHERE id = 1",
      ] {
        try store.write { try $0.execute(sql) }
        #expect(try snapshot.item(at: first).row.values[1] == test.old)
      }
    }
  }

  /// Rows that are older than a column have its default.
  @Test(arguments: StorageKind.allCases)
  func oldItemFromBeforeAColumnWasAddedIsRead(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT);
      INSERT INTO item VALUES (1, 'a'), (2, 'b');
      ALTER TABLE item ADD COLUMN g INTEGER DEFAULT 5;
      ALTER TABLE item ADD COLUMN h TEXT DEFAULT 'old';
      INSERT INTO item VALUES (3, 'c', NULL, NULL);
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try LiveResults<UntypedRow>(
        FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "g", "h"]), in: store)
      let snapshot = live.results.snapshot
      try store.write { try $0.execute("UPDATE item SET g = 9, h = 'new'") }
      let values = try (0..<3).map {
        try snapshot.item(at: ItemPath(section: 0, item: $0)).row.values
      }
      #expect(values == [[1, 5, "old"], [2, 5, "old"], [3, .null, .null]])
    }
  }

  /// Columns whose old values cannot be told, which only a neighbour shows, are nothing to others.
  @Test(
    arguments: StorageKind.allCases,
    ["g AS (length(s)) VIRTUAL", "g TEXT DEFAULT 'd'"])
  func aNeighbourWithAnUnseenColumn(_ kind: StorageKind, column: String) throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, other, \(column));
      INSERT INTO item (id, s, k, other) VALUES (1, 'A', 1, 0), (2, 'A', 2, 0);
      """
    let columns = column.contains("DEFAULT") ? "; UPDATE item SET g = NULL" : ""
    try SmallWorld.run(kind, schema: schema + columns) { store in
      let live = try LiveResults<UntypedRow>(
        SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k"]), in: store)
      let neighbour = try LiveResults<UntypedRow>(
        FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "g"]), in: store)
      live.recorder.reset()
      neighbour.recorder.reset()
      let snapshot = live.results.snapshot
      try store.write {
        try $0.execute(
          """
          UPDATE item SET other = 1 WHERE id = 1;
          UPDATE item SET k = k WHERE id = 2;
          """)
      }
      #expect(live.lines == [])
      #expect(neighbour.lines == [])
      try store.write { try $0.execute("UPDATE item SET k = 5 WHERE id = 1") }
      #expect(live.lines == ["R> [0,0]→[0,1] #1*"])
      let old = try snapshot.item(at: ItemPath(section: 0, item: 0))
      #expect(old.row.values == [.integer(1), .text("A"), .integer(1)])
      let own = column.contains("DEFAULT") ? "g = 'e'" : "s = 'AB'"
      neighbour.recorder.reset()
      try store.write { try $0.execute("UPDATE item SET \(own) WHERE id = 1") }
      #expect(neighbour.lines == ["R~ [0,0]→[0,0] #1"])
    }
  }
}
