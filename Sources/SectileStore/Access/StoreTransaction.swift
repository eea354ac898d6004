internal import GRDB
public import SectileCore

/// A writing transaction: everything in it is committed when the closure returns, and nothing if
/// it throws.
///
/// `Store.write(_:)` hands it to its closure. It reads like a ``StoreReadTransaction``, sees its
/// own changes, and ends with the closure.
///
/// ```swift
/// try store.write { transaction in
///   try transaction.execute("UPDATE package SET size = ? WHERE name = ?", 1_024, "sed")
/// }
/// ```
public final class StoreTransaction: StoreReadTransaction {
  /// Who follows the commits of the store.
  weak var commits: (any SchemaChangeTelling)?
  /// Who commits, for the change log.
  var origin = CommitOrigin()

  /// How many rows the connection has written since it was opened, those of triggers included.
  package var writtenRowCount: Int { db.totalChangesCount }

  package override func exposeDatabase() {
    if !isDatabaseExposed { commits?.schemaWillChange(in: db) }
    super.exposeDatabase()
  }

  package override func statementWillRun(_ statement: RawStatement) {
    if statement.mayChangeSchema { commits?.schemaWillChange(in: db) }
  }

  /// Runs SQL: one statement or several, with values bound to their `?` marks in order.
  ///
  /// ```swift
  /// try transaction.execute("UPDATE package SET size = ? WHERE name = ?", 1_024, "sed")
  /// ```
  ///
  /// Rows that statements return are ignored. Savepoints may be opened and left open; BEGIN,
  /// COMMIT, END and ROLLBACK are refused before they run.
  ///
  /// - Parameters:
  ///   - sql: Statements, separated by semicolons.
  ///   - values: As many values as there are `?` marks in all statements together.
  /// - Throws: ``StoreError``: what SQLite refuses; `valueCount` for too few or too many values;
  ///   `encodingFailed` for one that SQLite cannot hold; `transactionEnded` for COMMIT and its
  ///   like. Statements before the failing one stand, until the error leaves the closure.
  public func execute(_ sql: String, _ values: any StorableValue...) throws(StoreError) {
    try execute(sql, values: storedValues(values, sql: sql))
  }

  /// Runs SQL with stored values.
  ///
  /// See ``execute(_:_:)`` for more information.
  public func execute(_ sql: String, values: [StoredValue]) throws(StoreError) {
    try checkActive()
    do {
      try RawStatement.refuseZeroByte(sql)
      var rest = values[...]
      let statements = try db.allStatements(sql: sql)
      while let statement = try statements.next() {
        try refuseTransactionControl(statement.sql)
        // Tells GRDB that the arguments are seen to; its own binding cuts text at its first NUL.
        statement.setUncheckedArguments([])
        let raw = RawStatement(statement)
        try raw.bindAll(Array(rest.prefix(raw.parameterCount)))
        rest = rest.dropFirst(raw.parameterCount)
        statementWillRun(raw)
        try statement.execute()
      }
      guard rest.isEmpty else {
        throw StoreError.valueCount(values.count, marks: values.count - rest.count, sql: sql)
      }
    } catch {
      throw .wrapping(error, file: file)
    }
  }

  /// Runs a closure of which everything is undone if it throws.
  ///
  /// Savepoints nest. The error is thrown on; whoever catches it outside of `savepoint` keeps the
  /// rest of the transaction.
  ///
  /// - Parameter body: Works with this transaction.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or ``StoreError`` with the code `transactionEnded`.
  public func savepoint<T>(_ body: () throws -> T) throws -> T {
    try checkActive()
    var value: T?
    do {
      try db.inSavepoint {
        value = try body()
        return .commit
      }
    } catch {
      throw StoreError.translating(error, file: file)
    }
    guard let value else {
      throw StoreError.transactionEnded(file: file)
    }
    return value
  }

  /// How many rows the last INSERT, UPDATE or DELETE changed, without cascades and triggers.
  public var changesCount: Int {
    get throws(StoreError) {
      try checkActive()
      return db.changesCount
    }
  }

  /// The row id of the last inserted row; of little meaning in a WITHOUT ROWID table.
  public var lastInsertedRowID: Int64 {
    get throws(StoreError) {
      try checkActive()
      return db.lastInsertedRowID
    }
  }
}

/// Who has to be told of what is about to happen in a transaction.
protocol SchemaChangeTelling: AnyObject {
  /// Called before something that the recorder does not see: a statement that changes the schema,
  /// or work on GRDB's own connection.
  func schemaWillChange(in db: Database)
}
