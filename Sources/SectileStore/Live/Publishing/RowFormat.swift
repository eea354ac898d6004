import SectileCore

/// How an item is made of a row: which columns, and how to read them.
final class RowFormat<Item: Sendable>: Sendable {
  let columns: [String]
  /// The forms of the key's columns; none where all are the standard one.
  let keyForms: [ColumnForm]
  /// Makes the item of the row a statement stands on; its first column has the given position.
  let decode: @Sendable (RawStatement, Int) throws -> Item

  init(
    columns: [String], keyForms: [ColumnForm] = [],
    decode: @escaping @Sendable (RawStatement, Int) throws -> Item
  ) {
    self.columns = columns
    self.keyForms = keyForms
    self.decode = decode
  }
}

extension RowFormat where Item == PlanItem {
  /// Values as they are stored; text that is not UTF-8 as the blob of its bytes, and noted.
  ///
  /// The key columns must be among the columns. They are read strictly: what identifies a row must
  /// find it again.
  static func untyped(keyColumns: [String], columns: [String]) -> RowFormat {
    let keyPositions = keyColumns.compactMap { columns.firstIndex(of: $0) }
    return RowFormat(columns: columns) { statement, firstColumn in
      let id = PlanItem.ID(
        keyValues: try keyPositions.map { try statement.columnValue(at: firstColumn + $0) })
      return statement.planItem(id: id, columns: columns, at: firstColumn)
    }
  }
}

extension RowFormat where Item: Entity {
  /// The way the entity itself declares.
  static var entity: RowFormat {
    let layout = Item.schema.layout
    return RowFormat(columns: layout.columns, keyForms: layout.keyForms) { statement, firstColumn in
      var reader = RowReader(
        statement: statement.handle, firstColumn: firstColumn, layout: layout)
      return try Item(row: &reader)
    }
  }
}

extension RawStatement {
  /// Makes an untyped item of some columns of the current row, whatever bytes they hold.
  ///
  /// - Parameters:
  ///   - id: The row's identity.
  ///   - columns: The names of the columns.
  ///   - firstColumn: The position of the first of them.
  /// - Returns: The item.
  func planItem(id: PlanItem.ID, columns: [String], at firstColumn: Int) -> PlanItem {
    var invalidTextColumns: Set<String> = []
    let values = columns.enumerated().map { offset, name in
      let column = column(firstColumn + offset)
      if let value = column.value { return value }
      invalidTextColumns.insert(name)
      return column.bytesAsBlob
    }
    return PlanItem(
      id: id, row: StoredRow(columns: columns, values: values),
      invalidTextColumns: invalidTextColumns)
  }
}
