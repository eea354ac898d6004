internal import SectileCore

/// How the values of a key compare where a table tells its rows apart by them.
///
/// The index of a key may compare text otherwise than the key's columns do:
///
/// ```sql
/// CREATE TABLE t (id TEXT COLLATE NOCASE NOT NULL, PRIMARY KEY (id COLLATE BINARY))
/// ```
///
/// holds both `a` and `A`, and `id = 'a'` finds both of them. Whoever asks for one row has to
/// compare as the index does: `id COLLATE BINARY = 'a'`.
package struct KeyCollations: Hashable, Sendable {
  /// What has to be written out, by column; nil where the column's own collation is the index's.
  ///
  /// Empty where that holds for all of them.
  private let written: [TextCollation?]
  /// Whether no two rows have keys that are equal by the collations of the columns.
  package let columnsTellRowsApart: Bool

  /// The columns' own collations.
  package static let own = KeyCollations(written: [], columnsTellRowsApart: true)

  private init(written: [TextCollation?], columnsTellRowsApart: Bool) {
    self.written = written.allSatisfy { $0 == nil } ? [] : written
    self.columnsTellRowsApart = columnsTellRowsApart
  }

  /// Reads the schema.
  ///
  /// - Parameters:
  ///   - columns: The columns of the key: those of the primary key, or of another unique index.
  ///   - table: The table; views and virtual tables have no index.
  ///   - source: The connection.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  package init(
    of columns: [String], in table: TableSchema, on source: some SchemaSource
  ) throws(StoreError) {
    let names = columns.map { $0.lowercased() }
    guard table.kind.isStored, names != [table.rowIDColumn?.lowercased()] else {
      self = .own
      return
    }
    let declared = names.map { name in
      table.columns.first { $0.name.lowercased() == name }?.collation ?? .binary
    }
    let indexes = try UniqueIndex.all(of: table, in: source).filter { $0.condition == nil }
      .sorted { $0.isKey && !$1.isKey }.compactMap { $0.collations(of: names) }
    // Bytes that differ are different rows, whatever an index takes for equal besides.
    let areBytes = declared.allSatisfy { $0 == .binary }
    guard let first = indexes.first, !indexes.contains(declared) else {
      self.init(written: [], columnsTellRowsApart: areBytes || !indexes.isEmpty)
      return
    }
    self.init(
      written: zip(first, declared).map { $0 == $1 ? nil : $0 }, columnsTellRowsApart: areBytes)
  }

  /// Returns a column of the key as it is compared: `"id" COLLATE "BINARY"`.
  ///
  /// - Parameters:
  ///   - column: The column in SQL, as it is named there.
  ///   - position: Its position in the key, from 0.
  /// - Returns: The column, with a collation where it needs one.
  package func compared(_ column: String, at position: Int) -> String {
    guard position < written.count, let collation = written[position] else { return column }
    return "\(column) COLLATE \(SQLName.quote(collation.name))"
  }

  /// Returns columns of the key as they are compared, in the key's order.
  package func compared(_ columns: [String]) -> [String] {
    written.isEmpty ? columns : columns.enumerated().map { compared($1, at: $0) }
  }
}

extension UniqueIndex {
  /// How the index compares some columns; nil where it is not one of just these.
  ///
  /// - Parameter names: The columns, in lower case.
  /// - Returns: The collations, in the order of the columns.
  fileprivate func collations(of names: [String]) -> [TextCollation]? {
    guard terms.count == names.count else { return nil }
    var collations: [String: TextCollation] = [:]
    for term in terms {
      guard case .column(let column) = term.value else { return nil }
      collations[column.name.lowercased()] = term.collation
    }
    let found = names.compactMap { collations[$0] }
    return found.count == names.count ? found : nil
  }
}
