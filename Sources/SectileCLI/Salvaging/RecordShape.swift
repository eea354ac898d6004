internal import Sectile

/// What the records of a table or an index look like.
struct RecordShape {
  /// A value of each record.
  struct Column {
    /// The column of the table.
    let name: String
    /// Whether it is the row id, in whose place a record has NULL.
    var isRowID = false
    /// Whether it is never NULL.
    var isNotNull = false
    /// Whether numbers become text in it.
    var isText = false
    /// Whether somebody writes it; not so for computed values, and those that stand there again.
    var isWritten = true
  }

  /// The values, in the order in which they stand there.
  let columns: [Column]
  /// Whether there are no records with fewer values; those of tables are older than columns that
  /// were added.
  let isExact: Bool

  /// Reads the shape of a table's records.
  ///
  /// - Parameters:
  ///   - schema: The table.
  ///   - source: The file that has it.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  init(of schema: TableSchema, in source: InspectionConnection) throws(StoreError) {
    isExact = false
    let stored = schema.storedColumns
    func column(_ column: TableSchema.Column) -> Column {
      Column(
        name: column.name, isRowID: column.name == schema.rowIDColumn,
        isNotNull: column.isNotNull,
        isText: ColumnAffinity(declaredType: column.declaredType) == .text,
        isWritten: column.origin == .written)
    }
    guard schema.listing.isWithoutRowID else {
      columns = stored.map(column)
      return
    }
    // The key comes first, and a column twice that is in it twice, under two collations.
    let rows = try source.schemaRows(
      """
      SELECT part.name FROM pragma_index_list(?1, 'main') AS list,
        pragma_index_xinfo(list.name, 'main') AS part
      WHERE list.origin = 'pk' ORDER BY part.seqno
      """, [.text(schema.name)])
    var found: [Column] = []
    for row in rows {
      guard case .text(let name) = row[0], let place = stored.first(where: { $0.name == name })
      else { continue }
      var next = column(place)
      if found.contains(where: { $0.name == name }) { next.isWritten = false }
      found.append(next)
    }
    columns = found
  }

  /// Creates the shape of an index's records.
  ///
  /// - Parameter count: How many values each has.
  init(ofIndexWith count: Int) {
    columns = Array(repeating: Column(name: ""), count: count)
    isExact = true
  }

  /// Returns whether a record can be one of these, by the types of its values.
  func fits(_ types: [Int64]) -> Bool {
    guard types.count <= columns.count, !isExact || types.count == columns.count else {
      return false
    }
    return zip(types, columns).allSatisfy { type, column in
      if column.isRowID { return type == 0 }
      if type == 0 { return !column.isNotNull }
      return !column.isText || type >= 12
    }
  }
}
