import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// What the hook does not see at all: schema changes, VACUUM, other connections and processes,
/// full-text indexes.
@Suite(.timeLimit(.minutes(60))) struct SchemaChangeTests {
  typealias Live = LiveResults<UntypedRow>

  @Test(arguments: StorageKind.allCases)
  func schemaChangesThatConcernNoRowChangeNothing(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      live.recorder.reset()
      for sql in [
        "CREATE TABLE another (id INTEGER PRIMARY KEY)", "CREATE INDEX i ON item (k)", "REINDEX",
        "ANALYZE", "ALTER TABLE item ADD COLUMN more TEXT DEFAULT 'm'", "DROP INDEX i",
        "DROP TABLE another", "ALTER TABLE item RENAME COLUMN more TO less",
      ] {
        try store.write { try $0.execute(sql) }
        #expect(live.recorder.events.isEmpty, "\(sql)")
        try live.check()
      }
      try live.expect(["R> [0,0]→[0,2] #1*"]) {
        try store.write { try $0.execute("UPDATE item SET k = 9, less = 'l' WHERE id = 1") }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func droppedTableFailsOnceAndRecovers(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      live.recorder.reset()
      try store.write { try $0.execute("DROP TABLE item") }
      #expect(live.recorder.errors.count == 1)
      try store.write { try $0.execute("CREATE TABLE another (id INTEGER PRIMARY KEY)") }
      try store.write { try $0.execute("INSERT INTO another VALUES (1)") }
      #expect(live.recorder.errors.count == 1)
      #expect(live.results.numberOfItems == 4)
      live.recorder.reset()
      try store.write {
        try $0.execute(
          SmallWorld.schema + "DELETE FROM item WHERE id = 3; UPDATE item SET k = 8 WHERE id = 1")
      }
      #expect(live.lines == ["R- [0,2] #3", "R> [0,0]→[0,1] #1*"])
      try expectReplayed(live)
      try live.expectLines(["R- [0,0] #2"]) {
        try store.write { try $0.execute("DELETE FROM item WHERE id = 2") }
      }
      // A second loss is a new failure.
      live.recorder.reset()
      try store.write { try $0.execute("ALTER TABLE item RENAME TO gone") }
      #expect(live.recorder.errors.count == 1)
      #expect(live.results.failure != nil)
      // Nothing changed: that it is over is news.
      live.recorder.reset()
      try store.write { try $0.execute("ALTER TABLE gone RENAME TO item") }
      #expect(live.recorder.events.count == 2 && !live.recorder.isLoading)
      #expect(live.recorder.changesets.isEmpty && live.recorder.errors.isEmpty)
      #expect(live.results.failure == nil)
      try store.write { try $0.execute("ALTER TABLE item RENAME TO gone") }
      #expect(live.recorder.errors.count == 1)
    }
  }

  private func expectReplayed(_ live: Live) throws {
    let snapshot = try live.results.snapshot.materialized()
    #expect(live.recorder.contents == snapshot)
  }

  @Test(arguments: StorageKind.allCases)
  func tableRebuiltByRenameIsComparedByKey(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(SmallWorld.plan, in: store)
      let lines = try live.changes {
        try store.write {
          try $0.execute(
            """
            CREATE TABLE new_item (k, u TEXT, v TEXT, s TEXT, id INTEGER PRIMARY KEY);
            INSERT INTO new_item (id, s, k, v, u) SELECT id, s, k, v, u FROM item WHERE id <> 2;
            DROP TABLE item;
            ALTER TABLE new_item RENAME TO item;
            UPDATE item SET v = 'new' WHERE id = 4;
            """)
        }
      }
      #expect(lines == ["R- [0,1] #2", "R~ [1,0]→[1,0] #4"])
      // The columns stand elsewhere now.
      try live.expect(["R- [0,1] #3", "R+ [0,0] #14"]) {
        try store.write { try $0.execute("UPDATE item SET id = 14, k = 0 WHERE id = 3") }
      }
    }
  }

  /// Commits that leave the schema alone do not ask for its number; whatever else may change it
  /// does.
  @Test(arguments: StorageKind.allCases)
  func schemaChangeBetweenOrdinaryCommitsIsNoticed(_ kind: StorageKind) throws {
    let changes: [(StoreTransaction) throws -> Void] = [
      { try $0.execute("ALTER TABLE item RENAME COLUMN k TO l") },
      { try $0.execute("-- UPDATE\nALTER TABLE item RENAME COLUMN k TO l") },
      { _ = try $0.query("ALTER TABLE item RENAME COLUMN k TO l") },
      { try $0.database.execute(sql: "ALTER TABLE item RENAME COLUMN k TO l") },
    ]
    for change in changes {
      try SmallWorld.run(kind) { store in
        let live = try Live(SmallWorld.plan, in: store)
        for number in 1...3 {
          try live.expect(["R~ [0,0]→[0,0] #1"]) {
            try store.write { try $0.execute("UPDATE item SET v = ? WHERE id = 1", number) }
          }
        }
        live.recorder.reset()
        // The column is the sort key: the results cannot be read any more.
        try store.write { try change($0) }
        #expect(live.recorder.errors.count == 1)
        try store.write { try $0.execute("ALTER TABLE item RENAME COLUMN l TO k") }
        try live.check()
        try live.expect(["R~ [0,0]→[0,0] #1"]) {
          try store.write { try $0.execute("UPDATE item SET v = 'last' WHERE id = 1") }
        }
      }
    }
  }

  /// The schema numbers of a change that was rolled back are used again by the next one.
  @Test(arguments: StorageKind.allCases)
  func schemaChangeAfterOneThatWasRolledBackIsNoticed(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (p INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE item (id TEXT PRIMARY KEY, s TEXT, k);
      INSERT INTO item VALUES ('a', 'A', 1), ('b', 'A', 2);
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try Live(
        SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k"]), in: store)
      live.recorder.reset()
      try expectStoreError(.foreignKeyConstraint) {
        try store.write {
          try $0.execute(
            "CREATE TABLE x (y); INSERT INTO child VALUES (9); UPDATE item SET k = 5")
        }
      }
      #expect(live.recorder.events.isEmpty)
      try live.expect(["R~ [0,0]→[0,0] #'a'", "R~ [0,1]→[0,1] #'b'"]) {
        try store.write {
          try $0.execute("ALTER TABLE item DROP COLUMN k")
          try $0.execute("ALTER TABLE item ADD COLUMN k DEFAULT 7")
        }
      }
      try live.expect(["R> [0,0]→[0,1] #'a'*"]) {
        try store.write { try $0.execute("UPDATE item SET k = 9 WHERE id = 'a'") }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func vacuumChangesNothing(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k);
      CREATE TABLE word (id TEXT PRIMARY KEY, s TEXT, k);
      INSERT INTO item VALUES (1, 'A', 1), (5, 'A', 2), (9, 'B', 3);
      INSERT INTO word VALUES ('one', 'A', 1), ('two', 'A', 2), ('three', 'B', 3);
      DELETE FROM word WHERE id = 'one';
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let columns = ["id", "s", "k"]
      let items = try Live(
        SmallWorld.plan(table: "item", key: ["id"], columns: columns), in: store)
      let words = try Live(
        SmallWorld.plan(table: "word", key: ["id"], columns: columns), in: store)
      items.recorder.reset()
      words.recorder.reset()
      try store.databaseWriter.vacuum()
      try store.checkForExternalChanges()
      #expect(items.recorder.events.isEmpty && words.recorder.events.isEmpty)
      try words.expect(["S- 0 (A)", "R> [0,0]→[0,0] #'two'*"]) {
        try store.write { try $0.execute("UPDATE word SET s = 'B' WHERE id = 'two'") }
      }
      try items.expect(["R- [0,1] #5"]) {
        try store.write { try $0.execute("DELETE FROM item WHERE id = 5") }
      }
    }
  }

  // MARK: Others who write

  @Test(arguments: [StorageKind.file, .adoptedQueue, .adoptedPool])
  func commitOfAnotherConnectionIsNoticed(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    try store.write { try $0.execute(SmallWorld.schema) }
    let live = try Live(SmallWorld.plan, in: store)
    let other = try DatabaseQueue(path: folder.file("store.sqlite"))
    try other.write { db in
      try db.execute(
        sql: "DELETE FROM item WHERE id = 2; UPDATE item SET s = 'B' WHERE id = 1;"
          + "INSERT INTO item (id, s, k) VALUES (8, 'C', 1)")
    }
    live.recorder.reset()
    try store.checkForExternalChanges()
    #expect(
      live.lines == ["S+ 2 (C)", "R- [0,1] #2", "R+ [2,0] #8", "R> [0,0]→[1,0] #1*"])
    try live.recorder.check(against: live.results)
    // The next own commit finds what happened since, too.
    try other.write { try $0.execute(sql: "DELETE FROM item WHERE id = 8") }
    live.recorder.reset()
    try store.write { try $0.execute("UPDATE item SET v = 'w' WHERE id = 3") }
    #expect(live.lines == ["S- 2 (C)", "R- [2,0] #8", "R~ [0,0]→[0,0] #3"])
    // Nothing of others, nothing to tell.
    live.recorder.reset()
    try store.checkForExternalChanges()
    #expect(live.recorder.events.isEmpty)
    try store.close()
  }

  @Test func commitOfAnotherProcessIsNoticedByPolling() async throws {
    guard let shell = ForeignProgram.shellPath(for: #function) else { return }
    let folder = try TemporaryFolder()
    var configuration = SmallWorld.configuration
    configuration.externalChangePolling = .milliseconds(20)
    let store = try StorageKind.file.open(in: folder, configuration: configuration)
    try await store.write { try $0.execute(SmallWorld.schema) }
    let live = try Live(SmallWorld.plan, in: store)
    live.recorder.reset()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: shell)
    process.arguments = [
      folder.file("store.sqlite"),
      "DELETE FROM item WHERE id = 2; UPDATE item SET k = 9 WHERE id = 1",
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // The shell commits each statement by itself: one look may see one or both.
    let isNoticed = try await comesTrue { live.lines.count >= 2 }
    #expect(isNoticed)
    #expect(live.lines.contains("R- [0,1] #2"))
    try await store.checkForExternalChanges()
    #expect(live.results.numberOfItems == 3)
    try live.recorder.check(against: live.results)
    try await store.close()
  }

  // MARK: Full text

  @Test(arguments: StorageKind.allCases)
  func fullTextMatchFollowsItsIndex(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE VIRTUAL TABLE label_text USING fts5(name, content='label', content_rowid='id');
      CREATE TRIGGER ai AFTER INSERT ON label BEGIN
        INSERT INTO label_text(rowid, name) VALUES (new.id, new.name);
      END;
      CREATE TRIGGER ad AFTER DELETE ON label BEGIN
        INSERT INTO label_text(label_text, rowid, name) VALUES ('delete', old.id, old.name);
      END;
      CREATE TRIGGER au AFTER UPDATE ON label BEGIN
        INSERT INTO label_text(label_text, rowid, name) VALUES ('delete', old.id, old.name);
        INSERT INTO label_text(rowid, name) VALUES (new.id, new.name);
      END;
      CREATE VIRTUAL TABLE note USING fts5(body);
      INSERT INTO label VALUES (1, 'blue note'), (2, 'verve'), (3, 'red note');
      INSERT INTO note (rowid, body) VALUES (2, 'swing'), (3, 'bop');
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try LiveResults<Label>(
        FetchRequest<Label>().filter { $0.matching("note", in: "label_text") }
          .sort(by: \.name), in: store)
      #expect(live.results.numberOfItems == 2)
      try live.expect(["R+ [0,2] #2"]) {
        try store.write { try $0.execute("UPDATE label SET name = 'verve note' WHERE id = 2") }
      }
      try live.expect(["R> [0,2]→[0,0] #2*"]) {
        try store.write { try $0.execute("UPDATE label SET name = 'a note' WHERE id = 2") }
      }
      try live.expect(["R- [0,1] #1", "R+ [0,1] #9"]) {
        try store.write {
          try $0.execute("DELETE FROM label WHERE id = 1; INSERT INTO label VALUES (9, 'note')")
        }
      }
      // An index that is written alone, without its table.
      let alone = try LiveResults<Label>(
        FetchRequest<Label>().filter { $0.matching("swing", in: "note") }, in: store)
      try alone.expect(["R+ [0,1] #3"]) {
        try store.write { try $0.execute("UPDATE note SET body = 'swing' WHERE rowid = 3") }
      }
      try alone.expect(["R- [0,0] #2"]) {
        try store.write { try $0.execute("DELETE FROM note WHERE rowid = 2") }
      }
    }
  }
}
