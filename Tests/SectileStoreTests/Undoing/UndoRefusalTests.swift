import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// What is not undone, and that nothing has changed then.
@Suite(.timeLimit(.minutes(60))) struct UndoRefusalTests {
  private func expectRefusal(
    _ code: StoreError.Code, in store: Store, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) throws {
    let before = try DatabaseDump(of: store)
    let error = try expectStoreError(code, sourceLocation: sourceLocation, body)
    #expect(error.hint != nil, sourceLocation: sourceLocation)
    #expect(try DatabaseDump(of: store) == before, sourceLocation: sourceLocation)
    // Neither triggers nor foreign keys are left off.
    let keys = try store.read { try $0.query("PRAGMA foreign_keys") }
    #expect(keys.map(\.values) == [[1]], sourceLocation: sourceLocation)
  }

  // MARK: - Conflicts

  @Test(arguments: [
    "UPDATE item SET v = 'z' WHERE id = 2", "DELETE FROM item WHERE id = 2",
    "INSERT INTO item (id) VALUES (1)", "UPDATE item SET id = 1 WHERE id = 3",
  ])
  func aRowThatWasChangedSinceIsAConflict(_ sql: String) throws {
    let file = try LoggedFile(SmallWorld.schema, isLogged: false)
    let transaction = "UPDATE item SET v = 'y' WHERE id = 2; DELETE FROM item WHERE id = 1"
    let undo = try file.store.writeUndoably { try $0.execute(transaction) }.undo
    // By the store itself.
    let change = try file.store.writeUndoably { try $0.execute(sql) }.undo
    try expectRefusal(.editConflict, in: file.store) { try file.store.undo(undo) }
    try file.store.undo(change)
    // By another program.
    try file.other.commit(sql)
    try expectRefusal(.editConflict, in: file.store) { try file.store.undo(undo) }
    try file.close()
  }

  @Test func whatWasChangedAndChangedBackIsNone() throws {
    try SmallWorld.run(.file) { store in
      let before = try DatabaseDump(of: store)
      let undo = try store.writeUndoably { try $0.execute("UPDATE item SET v = 'y'") }.undo
      try store.write { try $0.execute("UPDATE item SET v = 'z'") }
      try store.write { try $0.execute("UPDATE item SET v = 'y'") }
      try store.undo(undo)
      #expect(try DatabaseDump(of: store) == before)
      // Undone twice is once too often.
      try expectRefusal(.editConflict, in: store) { try store.undo(undo) }
    }
  }

  @Test func aValueThatAnotherRowHasByNowIsAConflict() throws {
    try SmallWorld.run(.memory) { store in
      let undo = try store.writeUndoably { try $0.execute("UPDATE item SET u = 'x' WHERE id = 1") }
        .undo
      try store.write { try $0.execute("UPDATE item SET u = 'u1' WHERE id = 2") }
      try expectRefusal(.editConflict, in: store) { try store.undo(undo) }
    }
  }

  @Test(arguments: ["CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION"])
  func aRowThatOthersReferToByNowStays(_ action: String) throws {
    let schema = """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE \(action));
      CREATE TABLE d (id INTEGER PRIMARY KEY, code VARCHAR REFERENCES p (code) ON UPDATE \(action));
      INSERT INTO p VALUES (7, 'x');
      """
    try SmallWorld.run(.memory, schema: schema) { store in
      let undo = try store.writeUndoably { transaction in
        try transaction.execute("INSERT INTO p VALUES (1, 'a')")
        try transaction.execute("UPDATE p SET code = 'y' WHERE id = 7")
      }.undo
      for child in ["INSERT INTO c VALUES (1, 1)", "INSERT INTO d VALUES (1, 'y')"] {
        let change = try store.writeUndoably { try $0.execute(child) }.undo
        try expectRefusal(.editConflict, in: store) { try store.undo(undo) }
        try store.undo(change)
      }
      try store.undo(undo)
    }
  }

  @Test func aRowWhoseParentIsGoneDoesNotComeBack() throws {
    let schema = """
      CREATE TABLE p (a, b COLLATE NOCASE, PRIMARY KEY (a, b));
      CREATE TABLE c (id INTEGER PRIMARY KEY, a, b, FOREIGN KEY (a, b) REFERENCES p);
      INSERT INTO p VALUES (1, 'x'); INSERT INTO c VALUES (1, 1, 'X'), (2, NULL, 'y');
      """
    try SmallWorld.run(.memory, schema: schema) { store in
      let undo = try store.writeUndoably { try $0.execute("DELETE FROM c") }.undo
      let change = try store.writeUndoably { try $0.execute("DELETE FROM p") }.undo
      try expectRefusal(.editConflict, in: store) { try store.undo(undo) }
      try store.undo(change)
      try store.undo(undo)
      #expect(try store.read { try $0.query("SELECT id FROM c") }.count == 2)
    }
  }

  /// Others write without foreign keys, as SQLite does unless it is told to enforce them.
  @Test func aRowThatRefersToNothingAlreadyIsPutBackToWhatItWas() throws {
    let schema = """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p, v);
      INSERT INTO p VALUES (1); INSERT INTO c VALUES (1, 1, 'a');
      """
    let file = try LoggedFile(schema, isLogged: false)
    try file.other.commit("INSERT INTO c VALUES (2, 99, 'b')")
    let before = try DatabaseDump(of: file.store)
    let undo = try file.store.writeUndoably { try $0.execute("UPDATE c SET v = 'x'") }.undo
    #expect(undo.rowCount == 2)
    let redo = try file.store.undo(undo)
    #expect(try DatabaseDump(of: file.store) == before)
    try file.store.undo(redo)
    let rows = try file.store.read { try $0.query("SELECT v FROM c") }
    #expect(rows.map(\.values) == [["x"], ["x"]])
    // One that was deleted would be a row that SQLite refuses.
    let deletion = try file.store.writeUndoably {
      try $0.execute("DELETE FROM c WHERE id = 2")
    }.undo
    try expectRefusal(.editConflict, in: file.store) { try file.store.undo(deletion) }
    try file.close()
  }

  // MARK: - Transactions that are refused

  @Test(arguments: [
    "CREATE TABLE other (a)", "ALTER TABLE item ADD COLUMN w", "DROP TABLE item",
    "CREATE INDEX i ON item (k)",
  ])
  func aTransactionThatChangesTheSchemaIsRefused(_ sql: String) throws {
    try SmallWorld.run(.file) { store in
      try expectRefusal(.notUndoable, in: store) {
        _ = try store.writeUndoably { transaction in
          try transaction.execute("UPDATE item SET v = 'y'")
          try transaction.execute(sql)
        }
      }
      #expect(try store.writeUndoably { try $0.execute("DELETE FROM item") }.undo.rowCount == 4)
    }
  }

  @Test func moreRowsThanAreKeptAreRefused() throws {
    var configuration = SmallWorld.configuration
    configuration.undoByteCountLimit = 10_000
    try SmallWorld.run(.memory, configuration: configuration) { store in
      let filling = { (count: Int) in
        """
        WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < \(count + 9))
        INSERT INTO item (id, v) SELECT i, 'some text' FROM n
        """
      }
      try expectRefusal(.notUndoable, in: store) {
        _ = try store.writeUndoably { try $0.execute(filling(1_000)) }
      }
      let undo = try store.writeUndoably { try $0.execute(filling(40)) }.undo
      try store.undo(undo)
      // Few rows, but long ones.
      try expectRefusal(.notUndoable, in: store) {
        _ = try store.writeUndoably { try $0.execute("UPDATE item SET v = zeroblob(5000)") }
      }
    }
  }

  @Test func whatTheHookDoesNotTellIsRefused() throws {
    // The key behind the other columns: some versions of SQLite show these by each other's rules.
    let schema = """
      CREATE TABLE t (r REAL, n INTEGER, k INTEGER PRIMARY KEY, g AS (n + 1)) WITHOUT ROWID;
      INSERT INTO t VALUES (1, 2, 3);
      """
    try SmallWorld.run(.memory, schema: schema) { store in
      try expectRefusal(.notUndoable, in: store) {
        _ = try store.writeUndoably { try $0.execute("UPDATE t SET n = 7") }
      }
    }
  }

  @Test func attachedDatabasesAreRefused() throws {
    let folder = try TemporaryFolder()
    try SmallWorld.run(.memory) { store in
      try store.writer.writeWithoutTransaction { db in
        try db.execute(
          sql: "ATTACH ? AS aside; CREATE TABLE aside.item (id)",
          arguments: [folder.file("aside.sqlite")])
      }
      try expectRefusal(.notUndoable, in: store) {
        _ = try store.writeUndoably { try $0.execute("INSERT INTO aside.item VALUES (1)") }
      }
    }
  }

  // MARK: - What has changed since

  @Test(arguments: [
    "ALTER TABLE item ADD COLUMN w", "ALTER TABLE item RENAME TO other", "DROP TABLE item",
    "ALTER TABLE item RENAME COLUMN v TO w",
  ])
  func aTableThatWasAlteredIsRefused(_ sql: String) throws {
    try SmallWorld.run(.file) { store in
      let undo = try store.writeUndoably { try $0.execute("DELETE FROM item WHERE id = 1") }.undo
      try store.write { try $0.execute(sql) }
      try expectRefusal(.notUndoable, in: store) { try store.undo(undo) }
    }
  }

  @Test func aTemporaryTriggerThatInterferesIsNoticed() throws {
    try SmallWorld.run(.memory) { store in
      let undo = try store.writeUndoably { try $0.execute("DELETE FROM item WHERE id = 1") }.undo
      try store.write { transaction in
        try transaction.execute(
          """
          CREATE TEMP TRIGGER mine AFTER INSERT ON main.item
          BEGIN UPDATE item SET v = 'mine' WHERE id = 2; END
          """)
      }
      try expectRefusal(.notUndoable, in: store) { try store.undo(undo) }
      try store.write { try $0.execute("DROP TRIGGER mine") }
      try store.undo(undo)
      // Triggers of the file run again afterwards.
      try store.write { transaction in
        try transaction.execute(
          "CREATE TRIGGER own AFTER INSERT ON item BEGIN DELETE FROM item WHERE id = 2; END")
        try transaction.execute("INSERT INTO item (id) VALUES (8)")
      }
      #expect(try DatabaseDump(of: store).rows.count == 4)
    }
  }
}
