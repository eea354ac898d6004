import SectileCore

extension RowFormat where Item: Decodable & Identifiable, Item.ID: EntityKey {
  /// Items decoded from a query's rows, by the names of its columns.
  ///
  /// - Parameter plan: The plan of the query; its key columns are among its item columns.
  /// - Returns: The format; nobody writes with it.
  static func decoded(from plan: FetchPlan) -> RowFormat {
    let columns = plan.itemColumns
    let names = RowNames(of: plan.table, columns)
    let keyPositions = plan.keyColumns.compactMap { columns.firstIndex(of: $0) }
    return RowFormat(columns: columns) { statement, firstColumn in
      let item = try DecodedRow.decode(
        Item.self, from: statement.handle, firstColumn: firstColumn, names)
      let key = try keyPositions.map { try statement.columnValue(at: firstColumn + $0) }
      guard item.id.keyValues == key else {
        throw StoreError(
          .decodingFailed,
          message: "The id of an item of \(names.query) is not the query's key, "
            + "\(keyPositions.map { columns[$0] }.joined(separator: ", ")).",
          hint: "Let id be made of these columns, in this order.", rowKey: key)
      }
      return item
    } encode: { _, _, _, _ in
      throw StoreError(
        .encodingFailed, message: "A row of \(names.query) cannot be written.",
        hint: "Write to the tables that it reads.")
    }
  }
}
