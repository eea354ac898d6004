internal import SectileCore

extension SyncedTable {
  /// Returns a text that is the same for the same tables, for ``HubToken/tables``.
  ///
  /// Tables are the same where their names, columns, keys and conditions are; the order of the
  /// tables does not matter. Every process and every machine gets the same text.
  ///
  /// - Parameter tables: The tables.
  /// - Returns: 16 hexadecimal digits.
  public static func fingerprint(of tables: [SyncedTable]) -> String {
    var hash = StableHash()
    for table in tables.sorted(by: { $0.name < $1.name }) {
      hash.combine(table.name)
      hash.combine(UInt64(table.columns.count))
      for column in table.columns {
        hash.combine(column.name)
        hash.combine(column.type.rawValue)
        hash.combine(column.isNullable ? 1 : 0)
        // What it was before there were scales, where there is none.
        if let scale = column.scale { hash.combine("scale \(scale)") }
      }
      hash.combine(UInt64(table.key.count))
      for name in table.key { hash.combine(name) }
      hash.combine(table.condition == nil ? 0 : 1)
      hash.combine(table.condition ?? "")
    }
    return hash.text
  }
}
