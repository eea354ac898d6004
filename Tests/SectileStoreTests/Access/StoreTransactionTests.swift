import GRDB
import SectileCore
import SectileStore
import SectileTestHelpers
import Testing

@Suite(.timeLimit(.minutes(60))) struct StoreTransactionTests {
  struct Problem: Error {}

  /// Runs a closure in a write on a fresh table.
  private func onTable(
    _ kind: StorageKind = .memory, _ body: (StoreTransaction) throws -> Void
  ) throws {
    try withStore(kind) { store in
      try store.write { transaction in
        try transaction.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name, size)")
        try body(transaction)
      }
    }
  }

  private func names(_ transaction: StoreReadTransaction) throws -> [StoredValue] {
    try transaction.query("SELECT name FROM item ORDER BY id").map { $0.values[0] }
  }

  @Test(arguments: [
    "ADD COLUMN weight DEFAULT 7", "DROP COLUMN size", "RENAME COLUMN size TO length",
  ])
  func rowsHaveTheColumnsThatTheTableHasNow(_ change: String) throws {
    let folder = try TemporaryFolder()
    let store = try Store.open(at: folder.file("a.sqlite"))
    try store.write { transaction in
      try transaction.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name, size)")
      try transaction.execute("INSERT INTO item VALUES (1, 'hammer', 3)")
    }
    let others = try Store.open(at: folder.file("a.sqlite"))
    #expect(try others.read { try $0.query("SELECT * FROM item") }.first?.columns.count == 3)
    try store.write { try $0.execute("ALTER TABLE item \(change)") }
    let row = try #require(try others.read { try $0.query("SELECT * FROM item") }.first)
    #expect(row == (try store.read { try $0.query("SELECT * FROM item") }.first))
    #expect(row.columns.contains("size") == change.hasPrefix("ADD"))
    #expect(try store.write { try $0.query("SELECT * FROM item") }.first == row)
  }

  @Test func executeBindsEveryKindOfValue() throws {
    try onTable { transaction in
      let values: [StoredValue] = [
        .null, .integer(.min), .real(1.5), .text(""), .text("a\0b"), .text("é"), .blob([]),
        .blob([0, 255]),
      ]
      for value in values {
        try transaction.execute("INSERT INTO item (name) VALUES (?)", values: [value])
      }
      #expect(try names(transaction) == values)
      let kinds = try transaction.query("SELECT typeof(name) AS kind FROM item ORDER BY id")
      #expect(
        kinds.map { $0["kind"] } == [
          "null", "integer", "real", "text", "text", "text", "blob", "blob",
        ])
    }
  }

  @Test func executeTakesSwiftValues() throws {
    try onTable { transaction in
      let nothing: String? = nil
      try transaction.execute(
        "INSERT INTO item VALUES (?, ?, ?)", 7, nothing, [1, 2] as [UInt8])
      let row = try #require(try transaction.query("SELECT * FROM item WHERE id = ?", 7).first)
      #expect(row.columns == ["id", "name", "size"])
      #expect(row.values == [7, .null, .blob([1, 2])])
      #expect(row["missing"] == nil)
    }
  }

  @Test func executeRunsSeveralStatementsWithTheirValues() throws {
    try onTable { transaction in
      try transaction.execute(
        """
        CREATE TABLE note (text); -- a comment; with a semicolon
        INSERT INTO note VALUES (?);
        INSERT INTO item (name, size) VALUES (?, ?);
        """, "n", "a", 3)
      #expect(try transaction.query("SELECT text FROM note").first?["text"] == "n")
      #expect(try names(transaction) == ["a"])
    }
  }

  @Test func wrongNumberOfValuesIsRefused() throws {
    try onTable { transaction in
      for values in [[], [1], [1, 2, 3]] as [[StoredValue]] {
        try expectStoreError(.valueCount) {
          try transaction.execute("INSERT INTO item (name, size) VALUES (?, ?)", values: values)
        }
        try expectStoreError(.valueCount) {
          try transaction.query("SELECT ?, ?", values: values)
        }
      }
    }
  }

  @Test func valuesThatSQLiteCannotHoldAreRefused() throws {
    try onTable { transaction in
      try expectStoreError(.encodingFailed) { try transaction.query("SELECT ?", Double.nan) }
      try expectStoreError(.encodingFailed) { try transaction.query("SELECT ?", UInt64.max) }
      try expectStoreError(.encodingFailed) {
        try transaction.execute("SELECT ?", values: [.real(.nan)])
      }
    }
  }

  @Test func queryTakesExactlyOneStatement() throws {
    try onTable { transaction in
      #expect(try transaction.query("SELECT 1 AS one; -- and nothing more").count == 1)
      try expectStoreError(.statementFailed) { try transaction.query("SELECT 1; SELECT 2") }
      try expectStoreError(.statementFailed) { try transaction.query(" -- nothing") }
      try expectStoreError(.statementFailed) { try transaction.query("SELECT 1 \0 FROM x") }
      try transaction.execute("")
    }
  }

  @Test func queryReturnsRowsOfAReturningClause() throws {
    try onTable { transaction in
      let rows = try transaction.query("INSERT INTO item (name) VALUES ('a'), ('b') RETURNING id")
      #expect(rows.map { $0["id"] } == [1, 2])
    }
  }

  @Test func textThatIsNotUTF8IsAnError() throws {
    try onTable { transaction in
      let error = try expectStoreError(.decodingFailed) {
        try transaction.query("SELECT 1 AS id, CAST(x'61ff' AS TEXT) AS name")
      }
      #expect(error.message.contains("name"))
    }
  }

  @Test func invalidSQLNamesTheStatement() throws {
    try onTable(.file) { transaction in
      let error = try expectStoreError(.statementFailed) {
        try transaction.execute("INSERT INTO item (nam) VALUES (?)", "secret")
      }
      #expect(error.message.contains("no column named nam"))
      #expect(error.message.contains("store.sqlite"))
      #expect(error.detailedDescription.contains("INSERT INTO item (nam) VALUES (?)"))
      #expect(!error.detailedDescription.contains("secret"))
    }
  }

  @Test(arguments: StorageKind.allCases)
  func savepointUndoesWhatItsClosureDid(_ kind: StorageKind) throws {
    try onTable(kind) { transaction in
      try transaction.execute("INSERT INTO item (name) VALUES ('before')")
      #expect(throws: Problem.self) {
        try transaction.savepoint {
          try transaction.execute("INSERT INTO item (name) VALUES ('undone')")
          try transaction.savepoint {
            try transaction.execute("INSERT INTO item (name) VALUES ('undone, too')")
          }
          throw Problem()
        }
      }
      let name = try transaction.savepoint {
        try transaction.execute("INSERT INTO item (name) VALUES ('kept')")
        #expect(throws: Problem.self) { try transaction.savepoint { throw Problem() } }
        return "returned"
      }
      #expect(name == "returned")
      #expect(try names(transaction) == ["before", "kept"])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func savepointLeftOpenIsCommitted(_ kind: StorageKind) throws {
    try withStore(kind) { store in
      try store.write { transaction in
        try transaction.execute("CREATE TABLE item (id); SAVEPOINT mine")
        try transaction.execute("INSERT INTO item VALUES (1); SAVEPOINT other")
        try transaction.execute("INSERT INTO item VALUES (2); ROLLBACK TO SAVEPOINT other")
      }
      #expect(try store.read { try $0.query("SELECT id FROM item").map { $0["id"] } } == [1])
    }
  }

  @Test(
    arguments: [
      "COMMIT", "end", "ROLLBACK", "/* x */ commit transaction", ";;-- x\n Rollback",
      "\u{FEFF}COMMIT", " \u{B}END",
    ],
    StorageKind.allCases)
  func sqlThatEndsTheTransactionIsRefusedBeforeItRuns(_ sql: String, _ kind: StorageKind) throws {
    try withStore(kind) { store in
      try store.write { try $0.execute("CREATE TABLE item (id)") }
      try expectStoreError(.transactionEnded) {
        try store.write { transaction in
          try transaction.execute("INSERT INTO item VALUES (1)")
          try transaction.execute(sql)
        }
      }
      try expectStoreError(.transactionEnded) { try store.write { try $0.query(sql) } }
      try expectStoreError(.transactionEnded) { try store.read { try $0.query(sql) } }
      #expect(try store.read { try $0.query("SELECT * FROM item") } == [])
      try store.write { try $0.execute("INSERT INTO item VALUES (2)") }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func transactionEndedThroughGRDBIsAnError(_ kind: StorageKind) throws {
    let log = CommitLog()
    try withStore(kind, readBy: [log]) { store in
      try store.write { try $0.execute("CREATE TABLE item (id)") }
      log.clear()
      let error = try expectStoreError(.transactionEnded) {
        try store.write { transaction in
          try transaction.execute("INSERT INTO item VALUES (1)")
          try transaction.database.execute(sql: "COMMIT")
        }
      }
      #expect(error.hint != nil)
      #expect(
        log.lines == [
          "read inside", "committed", "unknown", "read inside", "committed", "deliver",
        ])
      try store.write { try $0.execute("INSERT INTO item VALUES (2)") }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func statementThatRollsBackEndsTheTransaction(_ kind: StorageKind) throws {
    try withStore(kind) { store in
      try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
      try expectStoreError(.transactionEnded) {
        try store.write { transaction in
          try transaction.execute("INSERT INTO item VALUES (1)")
          try expectStoreError(.uniqueConstraint) {
            try transaction.execute("INSERT OR ROLLBACK INTO item VALUES (1)")
          }
          try expectStoreError(.transactionEnded) { try transaction.query("SELECT 1") }
        }
      }
      try expectStoreError(.transactionEnded) {
        try store.write { transaction in
          try transaction.savepoint {
            try? transaction.execute("INSERT INTO item VALUES (1)")
            try? transaction.execute("INSERT OR ROLLBACK INTO item VALUES (1)")
          }
        }
      }
      #expect(try store.read { try $0.query("SELECT * FROM item") } == [])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func transactionKeptBeyondItsClosureIsInactive(_ kind: StorageKind) throws {
    try withStore(kind) { store in
      var kept: StoreTransaction?
      try store.write { kept = $0 }
      let writing = try #require(kept)
      try expectStoreError(.transactionInactive) { try writing.execute("SELECT 1") }
      try expectStoreError(.transactionInactive) { try writing.query("SELECT 1") }
      try expectStoreError(.transactionInactive) { try writing.savepoint {} }
      try expectStoreError(.transactionInactive) { try writing.changesCount }
      try expectStoreError(.transactionInactive) { try writing.lastInsertedRowID }
      try expectStoreError(.transactionInactive) { try writing.database }
      var reading: StoreReadTransaction?
      try store.read { reading = $0 }
      try expectStoreError(.transactionInactive) { try reading?.query("SELECT 1") }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func readingTransactionRefusesToWrite(_ kind: StorageKind) throws {
    try withStore(kind) { store in
      try store.write { try $0.execute("CREATE TABLE item (id)") }
      let error = try expectStoreError(.readOnly) {
        try store.read { try $0.query("INSERT INTO item VALUES (1) RETURNING id") }
      }
      #expect(error.hint?.contains("store.write") == true)
      #expect(try store.read { try $0.query("SELECT * FROM item") } == [])
    }
  }
}
