extension StoreReadTransaction {
  /// Returns the entity with a key, or nil if there is none.
  ///
  /// - Parameters:
  ///   - type: The type of the entity.
  ///   - key: Its primary key.
  /// - Returns: The entity, or nil if no row has the key.
  /// - Throws: A ``StoreError``: `decodingFailed` if a stored value does not fit its property,
  ///   `schemaMismatch` if the entity does not fit its table.
  public func fetchOne<E: Entity>(_ type: E.Type, key: E.ID) throws -> E? {
    try checkActive()
    let schema = E.schema
    let statement = try schema.statement(
      \.fetchOne, keyValues: schema.keyValues(of: key), on: db)
    defer { statement.finish() }
    guard try statement.step() else { return nil }
    var row = RowReader(statement: statement.handle, layout: schema.layout)
    return try E(row: &row)
  }

  /// Returns whether there is a row with a key.
  ///
  /// - Throws: A ``StoreError`` with the code `schemaMismatch` if the entity does not fit its
  ///   table.
  public func exists<E: Entity>(_ type: E.Type, key: E.ID) throws(StoreError) -> Bool {
    try checkActive()
    let schema = E.schema
    let statement = try schema.statement(
      \.exists, keyValues: schema.keyValues(of: key), on: db)
    defer { statement.finish() }
    return try statement.step()
  }
}
