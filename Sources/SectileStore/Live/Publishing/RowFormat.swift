import SectileCore

/// How an item is made of a row: which columns, and how to read them.
final class RowFormat<Item: Sendable>: Sendable {
  let columns: [String]
  /// Makes the item of the row a statement stands on; its first column has the given position.
  let decode: @Sendable (RawStatement, Int) throws -> Item

  init(columns: [String], decode: @escaping @Sendable (RawStatement, Int) throws -> Item) {
    self.columns = columns
    self.decode = decode
  }
}

extension RowFormat where Item == PlanItem {
  /// Values as they are stored.
  ///
  /// The key columns must be among the columns.
  static func untyped(keyColumns: [String], columns: [String]) -> RowFormat {
    let keyPositions = keyColumns.compactMap { columns.firstIndex(of: $0) }
    return RowFormat(columns: columns) { statement, firstColumn in
      let values = try columns.indices.map { try statement.columnValue(at: firstColumn + $0) }
      return PlanItem(
        id: PlanItem.ID(keyValues: keyPositions.map { values[$0] }),
        row: StoredRow(columns: columns, values: values))
    }
  }
}

extension RowFormat where Item: Entity {
  /// The way the entity itself declares.
  static var entity: RowFormat {
    let layout = Item.schema.layout
    return RowFormat(columns: layout.columns) { statement, firstColumn in
      var reader = RowReader(
        statement: statement.handle, firstColumn: firstColumn, layout: layout)
      return try Item(row: &reader)
    }
  }
}
