import Foundation
import GRDB
import GRDBSQLite
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// What SQLite tells of a change and what it keeps to itself, row by row, as what the results show.
@Suite(.timeLimit(.minutes(60))) struct HookTableTests {
  typealias Live = LiveResults<UntypedRow>

  @Test(arguments: StorageKind.allCases)
  func replaceReportsTheRowItRemoves(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      let lines = try live.changes {
        try store.write {
          try $0.execute("INSERT OR REPLACE INTO item (id, s, k, u) VALUES (9, 'B', 5, 'u1')")
        }
      }
      #expect(lines == ["R- [0,0] #1", "R+ [1,1] #9"])
    }
  }

  @Test(
    arguments: StorageKind.allCases,
    [
      "id INTEGER PRIMARY KEY, s TEXT, k INTEGER) WITHOUT ROWID",
      "s TEXT, k INTEGER, id TEXT PRIMARY KEY) WITHOUT ROWID",
      "id INTEGER PRIMARY KEY DESC, s TEXT, k INTEGER)",
      "id INT PRIMARY KEY, s TEXT, k INTEGER)",
      "s TEXT, k INTEGER, id INTEGER PRIMARY KEY AUTOINCREMENT)",
      "id PRIMARY KEY, s TEXT, k INTEGER)",
    ])
  func keysOfEveryKindAreFollowed(_ kind: StorageKind, columns: String) throws {
    try SmallWorld.run(
      kind,
      schema: "CREATE TABLE item (\(columns); "
        + "INSERT INTO item (id, s, k) VALUES (10, 'A', 1), (20, 'A', 2), (30, 'B', 3);"
    ) { store in
      let plan = SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k"])
      let live = try Live(plan, in: store)
      try live.changes {
        try store.write { try $0.execute("UPDATE item SET k = 9 WHERE id = 10") }
      }.expectCount(1)
      try live.changes {
        try store.write { try $0.execute("UPDATE item SET id = 40, s = 'C' WHERE id = 20") }
      }.expectCount(3)
      try live.changes {
        try store.write { try $0.execute("REPLACE INTO item (id, s, k) VALUES (30, 'A', 0)") }
      }.expectCount(2)
      try live.changes { try store.write { try $0.execute("DELETE FROM item") } }.expectCount(5)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func unqualifiedDeleteReportsEachRow(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      let lines = try live.changes { try store.write { try $0.execute("DELETE FROM item") } }
      #expect(lines.filter { $0.hasPrefix("R-") }.count == 4)
    }
  }

  @Test(arguments: [true, false])
  func statementPreparedBeforeAdoptionIsFollowed(isPool: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let writer: any DatabaseWriter =
      isPool ? try DatabasePool(path: path) : try DatabaseQueue(path: path)
    try await writer.write { db in
      try db.execute(sql: SmallWorld.schema)
      _ = try db.cachedStatement(sql: "DELETE FROM item")
    }
    let store = try writer.adopted(SmallWorld.configuration)
    let live = try Live(SmallWorld.plan, in: store)
    live.recorder.reset()
    try await writer.write { db in
      try db.cachedStatement(sql: "DELETE FROM item").execute()
    }
    #expect(await live.recorder.waitForEnds(1))
    #expect(live.lines.filter { $0.hasPrefix("R-") }.count == 4)
    try live.check()
  }

  @Test(arguments: StorageKind.allCases)
  func primaryKeyChangeIsDeleteAndInsert(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      let lines = try live.changes {
        try store.write { try $0.execute("UPDATE item SET id = 7 WHERE id = 3") }
      }
      #expect(lines == ["R- [0,2] #3", "R+ [0,2] #7"])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func updateWithEqualValuesIsNoChange(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      live.recorder.reset()
      try store.write { try $0.execute("UPDATE item SET s = s, v = v; UPDATE item SET k = k") }
      #expect(live.recorder.events.isEmpty)
      try live.check()
    }
  }

  @Test(arguments: StorageKind.allCases)
  func cascadesAndTriggersAreFollowed(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k,
        p INTEGER REFERENCES parent ON DELETE CASCADE ON UPDATE CASCADE);
      CREATE TABLE audit (id INTEGER PRIMARY KEY, s TEXT, k);
      CREATE TRIGGER t AFTER DELETE ON item BEGIN
        INSERT INTO audit (s, k) VALUES ('gone', old.id);
        UPDATE item SET k = k + 100 WHERE id = old.id + 1;
      END;
      INSERT INTO parent VALUES (1), (2);
      INSERT INTO item VALUES (1, 'A', 1, 1), (2, 'A', 2, 2), (3, 'B', 1, 1);
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try Live(
        SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k", "p"]), in: store)
      let audit = try Live(
        SmallWorld.plan(table: "audit", key: ["id"], columns: ["id", "s", "k"]), in: store)
      // Adopted connections have foreign keys on in GRDB's configuration.
      let lines = try live.changes {
        try store.write { try $0.execute("DELETE FROM parent WHERE id = 1") }
      }
      #expect(lines == ["S- 1 (B)", "R- [0,0] #1", "R- [1,0] #3", "R~ [0,1]→[0,0] #2"])
      #expect(audit.lines.suffix(3) == ["S+ 0 (gone)", "R+ [0,0] #1", "R+ [0,1] #2"])
      try audit.check()
      try live.expect(["R~ [0,0]→[0,0] #2"]) {
        try store.write { try $0.execute("UPDATE parent SET id = 5 WHERE id = 2") }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func whatWasRolledBackLeavesNoTrace(_ kind: StorageKind) throws {
    struct Problem: Error {}
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      live.recorder.reset()
      try store.write { transaction in
        try? transaction.savepoint {
          try transaction.execute("DELETE FROM item; INSERT INTO item (id, s) VALUES (1, 'Z')")
          throw Problem()
        }
      }
      // A statement that fails midway has touched rows, and undone that.
      try store.write { transaction in
        _ = try? transaction.execute("UPDATE item SET k = k + 1, u = 'same'")
        _ = try? transaction.execute("INSERT INTO item (id, s) VALUES (50, 'A'), (4, 'A')")
      }
      try? store.write { transaction in
        try transaction.execute("DELETE FROM item")
        throw Problem()
      }
      #expect(live.recorder.events.isEmpty)
      try live.check()
    }
  }

  @Test(arguments: StorageKind.allCases)
  func partOfAnInsertOrFailIsReported(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      let lines = try live.changes {
        try store.write { transaction in
          _ = try? transaction.execute(
            "INSERT OR FAIL INTO item (id, s, k) VALUES (5, 'B', 2), (1, 'B', 3), (6, 'B', 4)")
        }
      }
      #expect(lines == ["R+ [1,1] #5"])
    }
  }

  /// GRDB tells nobody of it; the rows must not be forgotten with a later rollback.
  @Test(arguments: [StorageKind.adoptedQueue, .adoptedPool, .file, .memory], [true, false])
  func insertOrFailInAutocommitIsFound(_ kind: StorageKind, throughGRDB: Bool) throws {
    struct Problem: Error {}
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      let lines = try live.changes {
        store.databaseWriter.writeWithoutTransaction { db in
          let sql = "INSERT OR FAIL INTO item (id, s, k) VALUES (5, 'B', 2), (1, 'B', 3)"
          if throughGRDB {
            _ = try? db.execute(sql: sql)
          } else {
            sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil)
            sqlite3_exec(
              db.sqliteConnection, "BEGIN; DELETE FROM item WHERE id = 4; COMMIT", nil, nil, nil)
            sqlite3_exec(
              db.sqliteConnection, "BEGIN; DELETE FROM item; ROLLBACK", nil, nil, nil)
          }
        }
        try? store.write { transaction in
          try transaction.execute("UPDATE item SET v = 'never'")
          throw Problem()
        }
        try? store.databaseWriter.write { db in
          try db.execute(sql: "UPDATE item SET v = 'never'")
          throw Problem()
        }
        try store.checkForExternalChanges()
      }
      #expect(
        lines == (throughGRDB ? ["R+ [1,1] #5"] : ["R- [1,0] #4", "R+ [1,0] #5"]))
    }
  }

  @Test(arguments: StorageKind.allCases)
  func attachedAndTemporaryTablesAreOtherTables(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      let other = try TemporaryFolder()
      live.recorder.reset()
      try store.databaseWriter.writeWithoutTransaction { db in
        try db.execute(
          sql: "ATTACH ? AS other; CREATE TABLE other.item (id INTEGER PRIMARY KEY, s, k, v, u);"
            + "INSERT INTO other.item VALUES (1, 'Q', 9, 9, 9); DELETE FROM other.item",
          arguments: [other.file("other.sqlite")])
      }
      try store.write { try $0.execute("INSERT INTO other.item VALUES (77, 'Q', 9, 9, 9)") }
      #expect(live.lines == [])
      try live.check()
      try store.write {
        try $0.execute(
          "CREATE TEMP TABLE other_item (id INTEGER PRIMARY KEY, s, k, v, u);"
            + "INSERT INTO temp.other_item VALUES (88, 'T', 1, 1, 1)")
      }
      #expect(live.lines == [])
      try live.check()
      try live.expect(["R> [0,0]→[0,2] #1*"]) {
        try store.write { try $0.execute("UPDATE main.item SET k = 9 WHERE id = 1") }
      }
      try store.databaseWriter.writeWithoutTransaction { try $0.execute(sql: "DETACH other") }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func commitThatFailsLeavesNoTrace(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k,
        p INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      INSERT INTO item VALUES (1, 'A', 1, NULL), (2, 'A', 2, NULL), (3, 'B', 1, NULL);
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try Live(
        SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k", "p"]), in: store)
      live.recorder.reset()
      try expectStoreError(.foreignKeyConstraint) {
        try store.write {
          try $0.execute("UPDATE item SET p = 99 WHERE id = 1; DELETE FROM item WHERE id = 2")
        }
      }
      #expect(live.recorder.events.isEmpty)
      try live.check()
      try live.expect(["R- [0,1] #2"]) {
        try store.write { try $0.execute("DELETE FROM item WHERE id = 2") }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func commitInDoubtIsFetchedAgain(_ kind: StorageKind) throws {
    struct Problem: Error {}
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      // The store only knows that the connection was in other hands.
      let lines = try live.changes {
        #expect(throws: Problem.self) {
          try store.write { transaction in
            try transaction.execute("UPDATE item SET k = 9 WHERE id = 1")
            sqlite3_exec(
              try transaction.database.sqliteConnection, "COMMIT; BEGIN", nil, nil, nil)
            try transaction.execute("DELETE FROM item")
            throw Problem()
          }
        }
      }
      #expect(lines == ["R> [0,0]→[0,2] #1*"])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func storedAndVirtualGeneratedColumnsAreFollowed(_ kind: StorageKind) throws {
    for suffix in ["", " WITHOUT ROWID"] {
      let schema = """
        CREATE TABLE item (a TEXT, g TEXT GENERATED ALWAYS AS (upper(a)) VIRTUAL, s TEXT,
          id TEXT PRIMARY KEY, w TEXT AS (a || s) STORED, k INTEGER)\(suffix);
        INSERT INTO item (a, s, id, k) VALUES ('x', 'A', 'one', 1), ('y', 'A', 'two', 2);
        """
      try SmallWorld.run(kind, schema: schema) { store in
        var plan = SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k", "a", "w"])
        plan.section = FetchPlan.Section(identity: plan.term("g"))
        let live = try Live(plan, in: store)
        try live.expect(["S- 0 (X)", "R> [0,0]→[0,0] #'one'*"]) {
          try store.write { try $0.execute("UPDATE item SET a = 'y' WHERE id = 'one'") }
        }
        try live.expect(["R- [0,0] #'one'", "R+ [0,1] #'six'"]) {
          try store.write { try $0.execute("UPDATE item SET id = 'six', k = 6 WHERE k = 1") }
        }
        try live.expect(["R- [0,0] #'two'"]) {
          try store.write { try $0.execute("DELETE FROM item WHERE id = 'two'") }
        }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func columnsAddedWithADefaultAreFollowed(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      try store.write { try $0.execute("ALTER TABLE item ADD COLUMN d INTEGER DEFAULT 5") }
      var plan = SmallWorld.plan
      plan.itemColumns.append("d")
      let live = try Live(plan, in: store)
      try live.expect(["R~ [0,0]→[0,0] #1"]) {
        try store.write { try $0.execute("UPDATE item SET d = NULL WHERE id = 1") }
      }
      try live.expect(["R> [0,1]→[0,2] #2*"]) {
        try store.write { try $0.execute("UPDATE item SET k = 9 WHERE id = 2") }
      }
    }
  }

  /// Before it is written, SQLite shows NULL for the parent's default: a change to NULL looks like
  /// none.
  @Test(arguments: StorageKind.allCases)
  func parentColumnsAddedWithADefaultAreFollowed(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE team (tid INTEGER PRIMARY KEY);
      CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k);
      INSERT INTO team VALUES (1), (2);
      INSERT INTO item VALUES (1, 'A', 1), (2, 'A', 2);
      ALTER TABLE team ADD COLUMN name TEXT DEFAULT 'Reds';
      ALTER TABLE item ADD COLUMN team INTEGER DEFAULT 1;
      """
    try SmallWorld.run(kind, schema: schema) { store in
      var plan = SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k"])
      plan.joins = [
        FetchPlan.Join(
          table: "team", alias: "t", source: "item", sourceColumns: ["team"],
          targetColumns: ["tid"])
      ]
      plan.section = FetchPlan.Section(
        identity: FetchPlan.SortTerm(expression: SQLFragment("t.name")))
      plan.dependencies = [
        FetchPlan.Dependency(
          table: "team", keyColumns: ["tid"], observedColumns: ["name"],
          affected: .query("SELECT id FROM item WHERE team = ?"))
      ]
      let live = try Live(plan, in: store)
      try live.expect([
        "S- 0 (Reds)", "S+ 0 (NULL)", "R> [0,0]→[0,0] #1", "R> [0,1]→[0,1] #2",
      ]) {
        try store.write { try $0.execute("UPDATE team SET name = NULL WHERE tid = 1") }
      }
      // To-many: the old parent of a child is told by a column that has a default.
      var counted = FetchPlan(table: "team", keyColumns: ["tid"], itemColumns: ["tid"])
      counted.section = FetchPlan.Section(
        identity: FetchPlan.SortTerm(
          expression: SQLFragment("(SELECT count(*) FROM item WHERE item.team = team.tid)")))
      counted.dependencies = [
        FetchPlan.Dependency(table: "item", keyColumns: ["team"], affected: .sameKey)
      ]
      let counts = try Live(counted, in: store)
      _ = try counts.changes {
        try store.write { try $0.execute("UPDATE item SET team = 2 WHERE id = 1") }
      }
      #expect(counts.lines.filter { $0.hasPrefix("R>") }.count == 2)
    }
  }

  /// The sort column of a joined row is no column of the row itself, even where it is of the same
  /// table.
  @Test(arguments: StorageKind.allCases)
  func sortsByAParentOfTheSameTableAreFollowed(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, parent INTEGER);
      INSERT INTO item VALUES (1, 'P', 1, 1), (2, 'P', 2, 2), (3, 'A', 0, 1), (4, 'A', 0, 2);
      """
    try SmallWorld.run(kind, schema: schema) { store in
      var plan = SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k", "parent"])
      plan.joins = [
        FetchPlan.Join(
          table: "item", alias: "p", source: "item", sourceColumns: ["parent"],
          targetColumns: ["id"])
      ]
      plan.sort = [
        FetchPlan.SortTerm(
          expression: SQLFragment(#""p"."k""#), column: FetchPlan.Column(table: "item", name: "k"))
      ]
      plan.dependencies = [
        FetchPlan.Dependency(
          table: "item", keyColumns: ["id"], observedColumns: ["k"],
          affected: .query("SELECT id FROM item WHERE parent = ?"))
      ]
      let live = try Live(plan, in: store)
      for key in [5, 0, 3] {
        try store.write { try $0.execute("UPDATE item SET k = ? WHERE id = 1", key) }
        #expect(!live.lines.isEmpty)
        try live.check()
      }
    }
  }
}

extension HookTableTests {
  /// SQLite stores a whole number of a REAL column as an integer, which is what the hook shows of
  /// old rows.
  @Test(
    arguments: StorageKind.allCases,
    [
      "n, w REAL, k, id TEXT PRIMARY KEY NOT NULL", "n, w REAL, k, id REAL PRIMARY KEY NOT NULL",
      "id TEXT PRIMARY KEY NOT NULL, w REAL, k, n",
    ])
  func realsOfTablesWithoutRowIDsAreWhatTheyWere(_ kind: StorageKind, columns: String) throws {
    let schema = """
      CREATE TABLE item (\(columns)) WITHOUT ROWID;
      INSERT INTO item (id, w) VALUES (1, 1.0), (2, 2.5), (3, -3.0);
      """
    try SmallWorld.run(kind, schema: schema) { store in
      var plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "w"])
      plan.sort = [plan.term("id")]
      let live = try Live(plan, in: store)
      for sql in [
        "UPDATE item SET k = 1", "UPDATE item SET n = n", "UPDATE item SET w = w WHERE id = 1",
      ] {
        try live.expect([]) { try store.write { try $0.execute(sql) } }
      }
      let held = live.results.snapshot
      let before = try held.materialized()
      try live.changes {
        try store.write { try $0.execute("UPDATE item SET w = w + 1") }
      }.expectCount(3)
      // Numbers are equal as integers and as reals: what is held is compared by its spelling.
      #expect("\(try held.materialized())" == "\(before)")
      #expect(
        try held.materialized().sections[0].rows.map(\.item.row.values[1].isReal) == [
          true, true, true,
        ])
    }
  }
}

extension StoredValue {
  fileprivate var isReal: Bool { if case .real = self { true } else { false } }
}

extension [String] {
  /// Expects so many lines.
  func expectCount(_ expected: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(count == expected, "\(self)", sourceLocation: sourceLocation)
  }
}

extension DatabaseWriter {
  /// A store on the connection.
  func adopted(_ configuration: StoreConfiguration) throws -> Store {
    if let queue = self as? DatabaseQueue {
      return try Store(adopting: queue, configuration: configuration)
    }
    return try Store(
      adopting: #require(self as? DatabasePool), configuration: configuration)
  }
}
