import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// What is undone, case by case.
@Suite(.timeLimit(.minutes(60))) struct UndoTests {
  /// Runs a transaction, undoes it and does it again, and compares all rows.
  @discardableResult
  private func expectUndone(
    _ sql: String, in store: Store, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Store.Undo {
    let before = try DatabaseDump(of: store)
    let undo = try store.writeUndoably { try $0.execute(sql) }.undo
    let after = try DatabaseDump(of: store)
    #expect(before != after, sourceLocation: sourceLocation)
    let redo = try store.undo(undo)
    #expect(try DatabaseDump(of: store) == before, sourceLocation: sourceLocation)
    let back = try store.undo(redo)
    #expect(try DatabaseDump(of: store) == after, sourceLocation: sourceLocation)
    try store.undo(back)
    #expect(try DatabaseDump(of: store) == before, sourceLocation: sourceLocation)
    return undo
  }

  /// A schema, a transaction, and how many rows it changes.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let schema: String
    let transaction: String
    let rowCount: Int

    static let all = [
      Case(
        testDescription: "values of all kinds",
        schema: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a, r REAL);
          INSERT INTO t VALUES (1, 1, 1), (2, 1.0, -0.0), (3, '1', 1e300), (4, x'31', NULL),
            (5, NULL, 9007199254740993), (6, 'a' || char(0) || 'b', 0.1), (7, CAST(x'ff' AS TEXT), 2),
            (8, x'', 3), (9, '', 4), (-9223372036854775808, 9223372036854775807, 5);
          """,
        transaction: "UPDATE t SET a = 'x', r = 7", rowCount: 10),
      Case(
        testDescription: "all rows, at one stroke",
        schema: "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2), (1, 2), (NULL, NULL);",
        transaction: "DELETE FROM t", rowCount: 3),
      Case(
        testDescription: "rows that change places in a unique column",
        schema: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER UNIQUE);
          INSERT INTO t VALUES (1, 1), (2, 2), (3, 3);
          """,
        transaction: """
          UPDATE t SET p = -p; UPDATE t SET p = 3 WHERE id = 1; UPDATE t SET p = 1 WHERE id = 2;
          UPDATE t SET p = 2 WHERE id = 3;
          """, rowCount: 3),
      Case(
        testDescription: "REPLACE, which fires no triggers",
        schema: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, b UNIQUE);
          INSERT INTO t VALUES (1, 'a', 'b'), (2, 'c', 'd'), (3, 'e', 'f');
          """,
        transaction:
          "REPLACE INTO t VALUES (9, 'a', 'd'); UPDATE OR REPLACE t SET id = 9 WHERE id = 3",
        rowCount: 4),
      Case(
        testDescription: "a table that lets rows give way",
        schema: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE ON CONFLICT REPLACE);
          INSERT INTO t VALUES (1, 1), (2, 2);
          """,
        transaction: "UPDATE t SET a = 1 WHERE id = 2", rowCount: 2),
      Case(
        testDescription: "keys that change, and cascades",
        schema: """
          CREATE TABLE p (id TEXT PRIMARY KEY, v);
          CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p ON UPDATE CASCADE ON DELETE CASCADE);
          CREATE TABLE g (id INTEGER PRIMARY KEY, c REFERENCES c ON DELETE SET NULL);
          INSERT INTO p VALUES ('a', 1), ('b', 2); INSERT INTO c VALUES (1, 'a'), (2, 'a'), (3, 'b');
          INSERT INTO g VALUES (1, 1), (2, 3);
          """,
        transaction: "DELETE FROM p WHERE id = 'a'; UPDATE p SET id = 'z'", rowCount: 6),
      Case(
        testDescription: "a key that restricts",
        schema: """
          CREATE TABLE p (id INTEGER PRIMARY KEY);
          CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE RESTRICT);
          """,
        transaction: "INSERT INTO p VALUES (1); INSERT INTO c VALUES (1, 1)", rowCount: 2),
      Case(
        testDescription: "triggers that count",
        schema: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a);
          CREATE TABLE tally (n); INSERT INTO tally VALUES (0);
          CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, what);
          CREATE TRIGGER i AFTER INSERT ON t BEGIN UPDATE tally SET n = n + 1; INSERT INTO audit (what) VALUES ('+'); END;
          CREATE TRIGGER d AFTER DELETE ON t BEGIN UPDATE tally SET n = n - 1; INSERT INTO audit (what) VALUES ('-'); END;
          INSERT INTO t VALUES (1, 1);
          """,
        transaction: "INSERT INTO t VALUES (2, 2), (3, 3); DELETE FROM t WHERE id = 1", rowCount: 7),
      Case(
        testDescription: "WITHOUT ROWID, with a key that tells apart what its columns do not",
        schema: """
          CREATE TABLE t (k TEXT COLLATE NOCASE, n, v, PRIMARY KEY (k COLLATE BINARY, n)) WITHOUT ROWID;
          INSERT INTO t VALUES ('B', 2, 'kept'), ('a', 2, 'old'), ('A', 2, 'kept, too');
          """,
        transaction: "INSERT INTO t VALUES ('b', 2, 'new'); UPDATE t SET v = 'new' WHERE v = 'old'",
        rowCount: 2),
      Case(
        testDescription: "WITHOUT ROWID, and a key in another case",
        schema: """
          CREATE TABLE t (k TEXT COLLATE NOCASE, n INTEGER, v, PRIMARY KEY (k, n)) WITHOUT ROWID;
          INSERT INTO t VALUES ('a', 1, 'x'), ('a', 2, 'y'), ('b', 1, 'z');
          """,
        transaction: "UPDATE t SET k = 'A' WHERE n = 1 AND k = 'a'; DELETE FROM t WHERE k = 'b'",
        rowCount: 3),
      Case(
        testDescription: "generated columns",
        schema: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a, v AS (a || '!') VIRTUAL, b,
            s AS (a || '?') STORED UNIQUE, z);
          INSERT INTO t (a, b, z) VALUES ('x', 1, 2), ('y', 3, 4);
          """,
        transaction: "UPDATE t SET a = a || a, z = 9; INSERT INTO t (a) VALUES ('x')", rowCount: 3),
      Case(
        testDescription: "reals behind a virtual column",
        schema: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, v AS (id + 1) VIRTUAL, b TEXT, r REAL);
          INSERT INTO t (id, b, r) VALUES (1, 'a', 1), (2, 'b', 2.5), (3, 'c', NULL);
          """,
        transaction: "UPDATE t SET b = 'z', r = 7", rowCount: 3),
      Case(
        testDescription: "rows that are too short",
        schema: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a);
          INSERT INTO t VALUES (1, 1), (2, 2);
          ALTER TABLE t ADD COLUMN b DEFAULT 7; ALTER TABLE t ADD COLUMN c REAL DEFAULT 1;
          ALTER TABLE t ADD COLUMN d TEXT NOT NULL DEFAULT 'it''s'; ALTER TABLE t ADD COLUMN e;
          ALTER TABLE t ADD COLUMN f DEFAULT -1.5;
          INSERT INTO t VALUES (3, 3, NULL, NULL, 'd', NULL, NULL);
          """,
        transaction: "UPDATE t SET b = NULL, c = 2; DELETE FROM t WHERE id = 2", rowCount: 3),
      Case(
        testDescription: "names that have to be quoted",
        schema: """
          CREATE TABLE "a ""b" ("rowid" TEXT, "select" TEXT); INSERT INTO "a ""b" VALUES ('x', 'y');
          """,
        transaction: #"UPDATE "a ""b" SET "rowid" = 'z'; INSERT INTO "a ""b" VALUES (1, 2)"#,
        rowCount: 2),
      Case(
        testDescription: "a key that is a real in one place and an integer in another",
        schema: "CREATE TABLE t (k PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO t VALUES (1, 'a');",
        transaction: "UPDATE t SET k = 1.0, v = 'b'", rowCount: 1),
      Case(
        testDescription: "numbers that AUTOINCREMENT gives away",
        schema: """
          CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
          CREATE TABLE u (id INTEGER PRIMARY KEY AUTOINCREMENT);
          INSERT INTO t (a) VALUES (1); DELETE FROM t; INSERT INTO t (a) VALUES (2);
          """,
        transaction: "INSERT INTO t (a) VALUES (3), (4); DELETE FROM t; INSERT INTO u VALUES (5)",
        rowCount: 2),
    ]
  }

  @Test(arguments: Case.all, [StorageKind.memory, .file, .adoptedQueue])
  func theRowsAreWhatTheyWere(_ test: Case, kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: test.schema) { store in
      #expect(try expectUndone(test.transaction, in: store).rowCount == test.rowCount)
      try store.changeLog.enable(allowsAdopted: true)
      #expect(try expectUndone(test.transaction, in: store).rowCount == test.rowCount)
      #expect(try store.verifyChangeLog(limit: 1)?.problems == [])
    }
  }

  @Test func theClosuresValueComesBack() throws {
    try SmallWorld.run(.memory) { store in
      let (value, undo) = try store.writeUndoably { transaction in
        try transaction.execute("DELETE FROM item WHERE id > 2")
        return try transaction.changesCount
      }
      #expect(value == 2)
      #expect(undo.rowCount == 2)
      #expect(undo.byteCount > 20)
    }
  }

  @Test func aSavepointThatWasRolledBackLeavesNothingToUndo() throws {
    struct RollBack: Error {}
    try SmallWorld.run(.memory) { store in
      let undo = try store.writeUndoably { transaction in
        try? transaction.savepoint {
          try transaction.execute("DELETE FROM item; INSERT INTO item (id) VALUES (77)")
          throw RollBack()
        }
        try transaction.execute("UPDATE item SET v = 'y' WHERE id = 2")
      }.undo
      #expect(undo.rowCount == 1)
    }
  }

  @Test func numbersThatOthersWereGivenAreNotGivenAgain() throws {
    try SmallWorld.run(
      .memory, schema: "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)"
    ) { store in
      let insertion = "INSERT INTO t (a) VALUES (1)"
      let undo = try store.writeUndoably { try $0.execute(insertion) }.undo
      try store.write { try $0.execute(insertion) }
      try store.write { try $0.execute("DELETE FROM t WHERE id = 2") }
      try store.undo(undo)
      try store.write { try $0.execute(insertion) }
      #expect(try store.read { try $0.query("SELECT id FROM t") }.map(\.values) == [[3]])
    }
  }

  @Test func tasksUndoWithoutBlocking() async throws {
    try await withStore(.file, configuration: SmallWorld.configuration) { store in
      try await store.write { try $0.execute(SmallWorld.schema) }
      let (count, undo) = try await store.writeUndoably(author: "me") { transaction in
        try transaction.execute("DELETE FROM item")
        return try transaction.changesCount
      }
      #expect(count == 4)
      let redo = try await store.undo(undo, tag: "undo")
      #expect(redo.rowCount == 4)
      let rows = try await store.read { try $0.query("SELECT id FROM item").count }
      #expect(rows == 4)
    }
  }

  @Test func theLogSaysWhoUndid() throws {
    let file = try LoggedFile(SmallWorld.schema)
    let token = try file.store.history(since: nil, limit: 10).token
    let undo = try file.store.writeUndoably(author: "me", tag: "delete") {
      try $0.execute("DELETE FROM item WHERE id = 2")
    }.undo
    try file.store.undo(undo, author: "you", tag: "undo")
    let transactions = try file.store.history(since: token, limit: 10).transactions
    #expect(transactions.map(\.author) == ["me", "you"])
    #expect(transactions.map(\.tag) == ["delete", "undo"])
    #expect(transactions.map { $0.changes.map(\.operation) } == [[.delete], [.insert]])
    #expect(transactions.map { $0.changes.map(\.key) } == [[[2]], [[2]]])
    try file.close()
  }

  @Test func otherWritesRecordNothing() throws {
    try SmallWorld.run(.memory) { store in
      _ = try store.writeUndoably { try $0.execute("DELETE FROM item WHERE id = 1") }
      #expect(store.commits.recorder.journal == nil)
      _ = try? store.writeUndoably { try $0.execute("nonsense") }
      #expect(store.commits.recorder.journal == nil)
    }
  }
}
