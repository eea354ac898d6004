internal import GRDB
internal import GRDBSQLite

extension StoreTransaction {
  /// Inserts the entities of a sequence with one prepared statement.
  ///
  /// The sequence is read lazily, so it may be longer than memory:
  ///
  /// ```swift
  /// try transaction.insert(contentsOf: packages, onConflict: .update, progressInterval: 10_000) {
  ///   print("\($0) rows")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - entities: The entities.
  ///   - policy: What happens where a row exists.
  ///   - interval: After how many entities `progress` is called.
  ///   - progress: Is called with the number of entities taken so far; what it throws ends the
  ///     insertion.
  /// - Returns: How many rows were inserted or updated: less than the entities if `policy` is
  ///   `.ignore`.
  /// - Throws: A ``StoreError`` as ``insert(_:)``. The rows before the one that failed stand until
  ///   the error leaves the transaction's closure.
  @discardableResult
  public func insert<Entities: Sequence>(
    contentsOf entities: Entities,
    onConflict policy: InsertConflictPolicy = .abort,
    progressInterval interval: Int = 1000,
    progress: ((Int) throws -> Void)? = nil
  ) throws -> Int where Entities.Element: Entity {
    try checkActive()
    let schema = Entities.Element.schema
    let statement = try schema.statement(schema.statements.insert(onConflict: policy), on: db)
    let connection = sqlite3_db_handle(statement.handle)
    var changed = 0
    var taken = 0
    var untilProgress = max(interval, 1)
    try withUnsafeTemporaryAllocation(byteCount: RowWriter.scratchByteCount, alignment: 1) {
      scratch in
      defer { statement.finish() }
      var row = RowWriter(statement: statement.handle, layout: schema.layout, scratch: scratch)
      for entity in entities {
        row.rewind()
        try entity.write(to: &row)
        try row.checkIsComplete()
        while try statement.step() {}
        changed += Int(sqlite3_changes(connection))
        statement.reset()
        guard let progress else { continue }
        taken += 1
        untilProgress -= 1
        if untilProgress == 0 {
          untilProgress = max(interval, 1)
          try progress(taken)
        }
      }
    }
    return changed
  }
}
