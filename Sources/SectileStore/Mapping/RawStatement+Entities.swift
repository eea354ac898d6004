extension RawStatement {
  /// Steps to the end, and decodes an entity from each row.
  ///
  /// - Parameters:
  ///   - type: The type of the entity.
  ///   - firstColumn: Where its columns begin.
  ///   - count: How many rows are expected, to make room for them at once.
  /// - Returns: The entities, in the order of the rows.
  /// - Throws: A ``StoreError`` of SQLite, or with the code `decodingFailed`.
  package func decodeAll<E: Entity>(
    _ type: E.Type, firstColumn: Int = 0, expecting count: Int = 0
  ) throws -> [E] {
    var entities: [E] = []
    entities.reserveCapacity(count)
    var row = RowReader(statement: handle, firstColumn: firstColumn, layout: E.schema.layout)
    while try step() {
      row.rewind()
      entities.append(try E(row: &row))
    }
    return entities
  }
}
