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
  @inlinable
  public func insert<Entities: Sequence>(
    contentsOf entities: Entities,
    onConflict policy: InsertConflictPolicy = .abort,
    progressInterval interval: Int = 1000,
    progress: ((Int) throws -> Void)? = nil
  ) throws -> Int where Entities.Element: Entity {
    try withRowWriter(for: Entities.Element.self, onConflict: policy) { row in
      // Inlined into the caller's module, where the compiler knows the entity: one loop without
      // witnesses and metadata, and one call a row into this module to run the statement.
      var count = InsertionCount(interval: interval, progress: progress)
      let stored: Void? = try entities.withContiguousStorageIfAvailable { entities in
        // Written where they stand: a copy would retain and release each of their parts.
        for index in entities.indices {
          try entities[index].write(to: &row)
          try count.add(row.finishRow())
        }
      }
      guard stored == nil else { return count.changed }
      for entity in entities {
        try entity.write(to: &row)
        try count.add(row.finishRow())
      }
      return count.changed
    }
  }

  /// Calls `body` with a writer of the rows that an INSERT takes.
  @usableFromInline
  internal func withRowWriter<E: Entity>(
    for type: E.Type, onConflict policy: InsertConflictPolicy,
    _ body: (inout RowWriter) throws -> Int
  ) throws -> Int {
    try checkActive()
    let schema = E.schema
    // SQLite 3.40 leaves the index entries of a row deleted that a STRICT table then does not
    // replace.
    let mayBreakIndexes =
      try policy.kind == .replace && TableListing(of: schema.table, in: db)?.isStrict == true
    let statement = try schema.statement({ $0.insert(onConflict: policy) }, on: db)
    return try withUnsafeTemporaryAllocation(
      byteCount: RowWriter.scratchByteCount, alignment: 1
    ) { scratch in
      defer { statement.finish() }
      var row = RowWriter(
        statement: statement.handle, layout: schema.layout, scratch: scratch,
        hasSavepoints: mayBreakIndexes)
      return try body(&row)
    }
  }
}
