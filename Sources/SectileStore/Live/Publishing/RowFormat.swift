import SectileCore

/// How an item is made of a row, and a row of an item: which columns, how to read and how to write
/// them.
final class RowFormat<Item: Sendable>: Sendable {
  let columns: [String]
  /// The table that the items were declared for; nil where they fit any.
  let table: (any TableFitting)?
  /// The forms of the key's columns; none where all are the standard one.
  let keyForms: [ColumnEncoding]
  /// Makes the item of the row a statement stands on; its first column has the given position.
  let decode: @Sendable (RawStatement, Int) throws -> Item
  /// Binds columns of an item, told by their positions, to the parameters of their numbers, and
  /// calls a closure while they are bound.
  private let encode: @Sendable (Item, [Int], RawStatement, () throws -> Void) throws -> Void

  init(
    columns: [String], of table: (any TableFitting)? = nil, keyForms: [ColumnEncoding] = [],
    decode: @escaping @Sendable (RawStatement, Int) throws -> Item,
    encode: @escaping @Sendable (Item, [Int], RawStatement, () throws -> Void) throws -> Void
  ) {
    self.columns = columns
    self.table = table
    self.keyForms = keyForms
    self.decode = decode
    self.encode = encode
  }

  /// Calls a closure with a statement to which columns of an item are bound: the first to `?1`, and
  /// so on.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - columns: The positions of the columns that the statement has parameters for.
  ///   - statement: The statement.
  ///   - body: Runs it.
  /// - Throws: `encodingFailed` for a value that SQLite cannot hold; what `body` throws.
  func withBound(
    _ item: Item, _ columns: [Int], to statement: RawStatement,
    _ body: (RawStatement) throws -> Void
  ) throws {
    defer { statement.finish() }
    try encode(item, columns, statement) { try body(statement) }
  }
}

extension RowFormat where Item == UntypedRow {
  /// Values as they are stored; text that is not UTF-8 as the blob of its bytes, and noted.
  ///
  /// The key columns must be among the columns. They are read strictly: what identifies a row must
  /// find it again.
  static func untyped(keyColumns: [String], columns: [String]) -> RowFormat {
    let keyPositions = keyColumns.compactMap { columns.firstIndex(of: $0) }
    return RowFormat(
      columns: columns
    ) { statement, firstColumn in
      let id = UntypedRow.ID(
        keyValues: try keyPositions.map { try statement.columnValue(at: firstColumn + $0) })
      return statement.untypedRow(id: id, columns: columns, at: firstColumn)
    } encode: { item, positions, statement, body in
      for position in positions {
        let name = columns[position]
        guard let value = item.row[name] else {
          throw StoreError(
            .encodingFailed, message: "The row that is to be written has no column \(name).",
            hint: "Give a row all columns of the plan.", rowKey: item.id.keyValues)
        }
        if case .blob(let bytes) = value, item.invalidTextColumns.contains(name) {
          try bytes.withUnsafeBytes {
            try statement.bindColumn(.text($0), at: position + 1)
          }
        } else {
          try statement.bind(value, at: position + 1)
        }
      }
      try body()
    }
  }
}

extension RowFormat where Item: Entity {
  /// The way the entity itself declares.
  static var entity: RowFormat {
    let layout = Item.schema.layout
    return RowFormat(
      columns: layout.columns, of: Item.schema, keyForms: layout.keyForms
    ) { statement, firstColumn in
      var reader = RowReader(
        statement: statement.handle, firstColumn: firstColumn, layout: layout)
      return try Item(row: &reader)
    } encode: { item, _, statement, body in
      try withUnsafeTemporaryAllocation(byteCount: RowWriter.scratchByteCount, alignment: 1) {
        var row = RowWriter(statement: statement.handle, layout: layout, scratch: $0)
        try item.write(to: &row)
        try row.checkIsComplete()
        try body()
      }
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
  func untypedRow(id: UntypedRow.ID, columns: [String], at firstColumn: Int) -> UntypedRow {
    var invalidTextColumns: Set<String> = []
    let values = columns.enumerated().map { offset, name in
      let column = column(firstColumn + offset)
      if let value = column.value { return value }
      invalidTextColumns.insert(name)
      return column.bytesAsBlob
    }
    return UntypedRow(
      id: id, row: StoredRow(columns: columns, values: values),
      invalidTextColumns: invalidTextColumns)
  }
}
