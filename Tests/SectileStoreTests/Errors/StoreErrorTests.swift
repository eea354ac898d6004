import GRDB
import SectileCore
import SectileStore
import Testing

@Suite(.timeLimit(.minutes(60))) struct StoreErrorTests {
  @Test func descriptionIsOneLine() {
    let error = StoreError(.statementFailed, message: "first line\nsecond line", hint: "a hint")
    #expect("\(error)" == "statementFailed: first line second line")
  }

  @Test func detailedDescriptionIsATree() {
    let failure = StoreError.SQLiteFailure(
      resultCode: 13, message: "database is full", sql: "INSERT …")
    let inner = StoreError(failure, file: "a.sqlite")
    let outer = StoreError(
      .migrationFailed, message: "V0001_create_a.sql", hint: "a hint", cause: inner)
    #expect(
      outer.detailedDescription == """
        StoreError migrationFailed
        ├─ message: V0001_create_a.sql
        ├─ hint: a hint
        └─ cause: StoreError diskFull
           ├─ message: a.sqlite: database is full
           ├─ hint: Free space on the disk (or raise PRAGMA max_page_count), then repeat the \
        write; nothing of it was stored.
           └─ cause: StoreError.SQLiteFailure 13: database is full
              └─ sql: INSERT …
        """)
  }

  @Test func otherCausesPrintThemselves() {
    let error = StoreError(.interrupted, message: "cancelled", cause: CancellationError())
    #expect(error.detailedDescription.hasSuffix("└─ cause: CancellationError: CancellationError()"))
  }

  @Test func constraintCodesSaySo() {
    let codes: [StoreError.Code] = [
      .uniqueConstraint, .foreignKeyConstraint, .notNullConstraint, .checkConstraint,
      .otherConstraint,
    ]
    #expect(codes.allSatisfy { $0.isConstraint })
    #expect(!StoreError.Code.busy.isConstraint)
  }

  static let schema = """
    CREATE TABLE parent (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INT NOT NULL,
      parent_id INTEGER REFERENCES parent ON DELETE RESTRICT,
      CONSTRAINT size_is_positive CHECK (size > 0), UNIQUE (name, size)) STRICT;
    CREATE TRIGGER item_guard BEFORE DELETE ON item BEGIN SELECT RAISE(ABORT, 'never'); END;
    INSERT INTO parent VALUES (1, 'p');
    INSERT INTO item VALUES (1, 'a', 1, 1);
    """

  @Test(
    arguments: [
      ("INSERT INTO item VALUES (1, 'b', 1, 1)", .uniqueConstraint, "item.id"),
      ("INSERT INTO item VALUES (2, 'a', 1, 1)", .uniqueConstraint, "item.name, item.size"),
      ("INSERT INTO item VALUES (2, NULL, 1, 1)", .notNullConstraint, "item.name"),
      ("INSERT INTO item VALUES (2, 'b', 0, 1)", .checkConstraint, "size_is_positive"),
      ("INSERT INTO item VALUES (2, 'b', 1, 9)", .foreignKeyConstraint, "FOREIGN KEY"),
      ("DELETE FROM parent", .foreignKeyConstraint, "FOREIGN KEY"),
      ("INSERT INTO item VALUES (2, 'b', 'x', 1)", .otherConstraint, "item.size"),
      ("DELETE FROM item", .otherConstraint, "never"),
      ("INSERT INTO missing VALUES (1)", .statementFailed, "missing"),
      ("SELEC 1", .statementFailed, "syntax"),
    ] as [(String, StoreError.Code, String)], StorageKind.allCases)
  func statementFailures(
    _ failing: (sql: String, code: StoreError.Code, part: String), _ kind: StorageKind
  ) throws {
    try withStore(kind) { store in
      try store.write { try $0.execute(Self.schema) }
      let error = try expectStoreError(failing.code) {
        try store.write { transaction in
          try transaction.execute(failing.sql)
          // Whether a foreign key is looked at now or at commit is the schema's choice.
        }
      }
      #expect(error.message.contains(failing.part))
      if let path = store.path {
        #expect(error.message.hasPrefix("\(path): "))
      }
      #expect(error.cause is StoreError.SQLiteFailure)
    }
  }

  /// Failures of the system, raised inside of SQLite by a function that fails with their code.
  @Test(
    arguments: [
      (.SQLITE_IOERR, .ioError), (.SQLITE_NOMEM, .outOfMemory), (.SQLITE_AUTH, .notAuthorized),
      (.SQLITE_PERM, .notAuthorized), (.SQLITE_SCHEMA, .schemaChanged),
      (.SQLITE_TOOBIG, .tooBig), (.SQLITE_INTERRUPT, .interrupted), (.SQLITE_LOCKED, .busy),
      (.SQLITE_PROTOCOL, .busy), (.SQLITE_CORRUPT, .corrupt), (.SQLITE_CANTOPEN, .cannotOpen),
      (.SQLITE_FULL, .diskFull), (.SQLITE_NOLFS, .ioError), (.SQLITE_ABORT, .transactionEnded),
      (.SQLITE_READONLY, .readOnly), (.SQLITE_NOTADB, .notADatabase),
    ] as [(ResultCode, StoreError.Code)])
  func systemFailures(_ resultCode: ResultCode, _ code: StoreError.Code) throws {
    let store = try Store.inMemory()
    let error = try expectStoreError(code) {
      try store.write { transaction in
        try transaction.database.add(
          function: DatabaseFunction("fail", argumentCount: 0) { _ in
            throw DatabaseError(resultCode: resultCode, message: "it failed")
          })
        _ = try transaction.query("SELECT fail()")
      }
    }
    #expect((error.cause as? StoreError.SQLiteFailure)?.resultCode == resultCode.rawValue)
    #expect((error.cause as? StoreError.SQLiteFailure)?.sql == "SELECT fail()")
  }

  @Test func tooBigValueIsRefused() throws {
    let store = try Store.inMemory()
    try expectStoreError(.tooBig) {
      try store.read { try $0.query("SELECT zeroblob(2000000000)") }
    }
  }

  @Test func errorsOfGRDBsOwnAreTranslated() throws {
    let store = try Store.inMemory()
    let error = try expectStoreError(.statementFailed) {
      try store.read { transaction in
        _ = try Int.fetchOne(transaction.database, sql: "SELECT ? FROM missing", arguments: ["s"])
      }
    }
    #expect(!error.detailedDescription.contains("\"s\""))
  }
}
