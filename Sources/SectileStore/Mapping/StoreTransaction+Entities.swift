internal import GRDB
package import SectileCore

extension StoreTransaction {
  /// Inserts an entity.
  ///
  /// An optional integer key that is nil is assigned by SQLite:
  ///
  /// ```swift
  /// note.id = try transaction.insert(note)
  /// ```
  ///
  /// - Returns: The row id of the new row, which is its integer primary key if it has one. A table
  ///   WITHOUT ROWID has none; there the result means nothing.
  /// - Throws: A ``StoreError``: `uniqueConstraint` if the key exists, another constraint's code,
  ///   `encodingFailed` for a value that SQLite cannot hold, `schemaMismatch` if the entity does
  ///   not fit its table.
  @discardableResult
  public func insert<E: Entity>(_ entity: E) throws -> Int64 {
    try run(entity, \.insert)
    return db.lastInsertedRowID
  }

  /// Updates every column of the row that has the entity's key.
  ///
  /// - Throws: A ``StoreError``: `rowNotFound` if there is no such row, else as ``insert(_:)``.
  public func update<E: Entity>(_ entity: E) throws {
    try run(entity, \.update)
    guard db.changesCount > 0 else {
      throw StoreError(
        .rowNotFound,
        message: "\(E.schema.table) has no row with the key of the entity, to update it",
        hint: "Insert the entity, or call save, which inserts or updates.",
        rowKey: E.schema.keyValues(of: entity.id))
    }
    try checkIsOneRow(of: E.schema.table)
  }

  /// Inserts an entity, or updates the row that has its key.
  ///
  /// An existing row is updated in place, never deleted and inserted again, so rows that refer to
  /// it stay. Columns that the entity does not list keep their values then; but the row must be one
  /// that could be inserted: where a column that the entity does not list is NOT NULL and has no
  /// DEFAULT, `save` fails with `notNullConstraint` for an existing row, too, and ``update(_:)`` is
  /// the call for it.
  ///
  /// - Throws: A ``StoreError`` as ``insert(_:)``, but not for an existing key.
  public func save<E: Entity>(_ entity: E) throws {
    try run(entity, \.save)
  }

  /// Deletes the row that has the entity's key.
  ///
  /// - Returns: False if there was no such row.
  /// - Throws: A ``StoreError``: `foreignKeyConstraint` if other rows refer to it.
  @discardableResult
  public func delete<E: Entity>(_ entity: E) throws(StoreError) -> Bool {
    try delete(E.self, key: entity.id)
  }

  /// Deletes the row that has a key.
  ///
  /// See ``delete(_:)`` for more information.
  @discardableResult
  public func delete<E: Entity>(_ type: E.Type, key: E.ID) throws(StoreError) -> Bool {
    try delete(type, keyValues: E.schema.keyValues(of: key))
  }

  /// Deletes the row that has a key, which is given as it is stored.
  ///
  /// See ``delete(_:)`` for more information.
  package func delete<E: Entity>(
    _ type: E.Type, keyValues: [StoredValue]
  ) throws(StoreError) -> Bool {
    try checkActive()
    let schema = E.schema
    let statement = try schema.statement(\.delete, keyValues: keyValues, on: db)
    try statement.run()
    guard db.changesCount > 0 else { return false }
    try checkIsOneRow(of: schema.table)
    return true
  }

  /// Checks that the statement that has just run wrote no more than one row.
  private func checkIsOneRow(of table: String) throws(StoreError) {
    guard db.changesCount > 1 else { return }
    throw .severalRows(of: table)
  }

  /// Runs a statement whose parameters are the columns of an entity.
  private func run<E: Entity>(_ entity: E, _ text: (EntityStatements) -> String) throws {
    try checkActive()
    let schema = E.schema
    let statement = try schema.statement(text, on: db)
    try withUnsafeTemporaryAllocation(byteCount: RowWriter.scratchByteCount, alignment: 1) {
      scratch in
      defer { statement.finish() }
      var row = RowWriter(statement: statement.handle, layout: schema.layout, scratch: scratch)
      try entity.write(to: &row)
      try row.checkIsComplete()
      while try statement.step() {}
    }
  }
}
