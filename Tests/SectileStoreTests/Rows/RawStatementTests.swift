import SectileCore
import SectileStore
import Testing

@Suite(.timeLimit(.minutes(60))) struct RawStatementTests {
  @Test func valuesOfEveryClassAreBoundAndRead() throws {
    try withTransaction("CREATE TABLE t (x)") { transaction throws in
      let values: [StoredValue] = [
        .null, .integer(.min), .real(-0.5), .text("a\0b"), .text(""), .blob([]), .blob([0, 1]),
      ]
      let statement = try RawStatement.prepare("SELECT ?, ?, ?, ?, ?, ?, ?", on: transaction.db)
      try statement.bindAll(values)
      #expect(try statement.step())
      #expect(try statement.rowValues() == values)
      #expect(statement.isBusy)
      #expect(try !statement.step())
    }
  }

  @Test func wrongNumberOfValuesIsRefused() throws {
    try withTransaction("CREATE TABLE t (x)") { transaction throws in
      let statement = try RawStatement.prepare("SELECT ?, ?", on: transaction.db)
      #expect(storeError { try statement.bindAll([1]) }?.code == .valueCount)
      #expect(storeError { try statement.bind(1, at: 3) } != nil)
      #expect(storeError { try statement.bind(.real(.nan), at: 1) }?.code == .encodingFailed)
    }
  }

  @Test func statementsOfAScriptRunInOrder() throws {
    try withTransaction("CREATE TABLE t (x)") { transaction throws in
      let script = "CREATE TABLE s (x); INSERT INTO s VALUES (1); -- done\n"
      var kinds: [Bool] = []
      try RawStatement.forEach(in: script, on: transaction.db) { statement in
        try statement.run()
        kinds.append(statement.mayChangeSchema)
      }
      #expect(kinds == [true, false])
      #expect(try transaction.query("SELECT x FROM s").count == 1)
    }
  }

  @Test func errorsCarrySQLitesMessageAndTheText() throws {
    try withTransaction("CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (1)") {
      transaction throws in
      let syntax = storeError { _ = try RawStatement.prepare("SELEKT 1", on: transaction.db) }
      #expect(syntax?.code == .statementFailed)
      #expect(syntax?.message.contains("SELEKT") == true)
      let statement = try RawStatement.prepare("INSERT INTO t VALUES (1)", on: transaction.db)
      let constraint = storeError { try statement.run() }
      #expect(constraint?.code == .uniqueConstraint)
      let failure = constraint?.cause as? StoreError.SQLiteFailure
      #expect(failure?.resultCode == 2067)
      #expect(failure?.sql == "INSERT INTO t VALUES (1)")
    }
  }

  @Test func zeroByteInSQLIsRefused() throws {
    try withTransaction("CREATE TABLE t (x)") { transaction throws in
      let error = storeError {
        _ = try RawStatement.prepare("DELETE FROM t WHERE x = 'a\0b'", on: transaction.db)
      }
      #expect(error?.code == .statementFailed)
    }
  }

  @Test func aBusyCachedStatementIsNotSharedTwice() throws {
    try withTransaction("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)") { transaction throws in
      let outer = try RawStatement.cached("SELECT x FROM t", on: transaction.db)
      #expect(try outer.step())
      let inner = try RawStatement.cached("SELECT x FROM t", on: transaction.db)
      #expect(inner.handle != outer.handle)
      outer.finish()
      #expect(try RawStatement.cached("SELECT x FROM t", on: transaction.db).handle == outer.handle)
    }
  }

  @Test func textBytesAreReadWithoutAString() throws {
    try withTransaction("CREATE TABLE t (x)") { transaction throws in
      let statement = try RawStatement.prepare("SELECT 'ab', NULL", on: transaction.db)
      #expect(try statement.step())
      #expect(statement.withTextBytes(at: 0) { Array($0) } == Array("ab".utf8))
      #expect(statement.withTextBytes(at: 1) { $0.count } == 0)
      #expect(statement.isNull(at: 1))
      #expect(statement.columnName(at: 0) == "'ab'")
    }
  }
}
