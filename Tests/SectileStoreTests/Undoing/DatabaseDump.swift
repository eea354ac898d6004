import SectileCore

@testable import SectileStore

/// All rows of a database to the last bit, by table and by what tells them apart; the change log's
/// are left out.
struct DatabaseDump: Equatable, CustomStringConvertible {
  /// A row: its table, and its row id or, without one, its primary key.
  struct Key: Hashable, Comparable {
    let table: String
    let row: String

    static func < (left: Key, right: Key) -> Bool {
      (left.table, left.row) < (right.table, right.row)
    }
  }

  var rows: [Key: String] = [:]

  init(of store: Store) throws {
    try store.read { transaction in
      let tables = try transaction.query(
        """
        SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
          AND name NOT LIKE 'sectile_log%' AND name NOT IN ('sqlite_schema', 'sqlite_master')
        """)
      for table in tables {
        guard case .text(let name) = table.values[0] else { continue }
        try add(name, hasRowID: table.values[1] == 0, transaction)
      }
    }
  }

  private mutating func add(
    _ table: String, hasRowID: Bool, _ transaction: StoreReadTransaction
  ) throws {
    let columns = try transaction.query(
      "SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1", table)
    func list(_ columns: [StoredRow]) -> String {
      columns.map { column in
        guard case .text(let name) = column.values[0] else { return "''" }
        let value = SQLName.quote(table, name)
        return """
          CASE typeof(\(value)) WHEN 'text' THEN 't' || hex(\(value))
            WHEN 'blob' THEN 'b' || hex(\(value)) ELSE quote(\(value)) END
          """
      }.joined(separator: " || '|' || ")
    }
    let keys = columns.filter { $0.values[1] != 0 }
    let key = hasRowID ? "CAST(\(SQLName.quote(table, "_rowid_")) AS TEXT)" : list(keys)
    let found = try transaction.query(
      "SELECT \(key), \(list(columns)) FROM \(SQLName.table(table))")
    for row in found {
      guard case .text(let key) = row.values[0], case .text(let text) = row.values[1] else {
        continue
      }
      rows[Key(table: table, row: key)] = text
    }
  }

  var description: String {
    rows.sorted { $0.key < $1.key }.map { "\($0.key.table) \($0.key.row): \($0.value)" }
      .joined(separator: "\n")
  }

  /// The rows that differ, in words.
  func difference(from other: DatabaseDump) -> String {
    Set(rows.keys).union(other.rows.keys).sorted().filter { rows[$0] != other.rows[$0] }
      .map { "\($0.table) \($0.row): \(rows[$0] ?? "none") instead of \(other.rows[$0] ?? "none")" }
      .joined(separator: "\n")
  }

  /// The same without what AUTOINCREMENT remembers.
  var withoutSequences: DatabaseDump {
    var dump = self
    dump.rows = rows.filter { $0.key.table != "sqlite_sequence" }
    return dump
  }

  /// What these rows are once the rows that one transaction changed are put back; nil where one of
  /// them is not what it left.
  func undoing(from before: DatabaseDump, to after: DatabaseDump) -> DatabaseDump? {
    var result = self
    for key in Set(before.rows.keys).union(after.rows.keys)
    where before.rows[key] != after.rows[key] {
      guard rows[key] == after.rows[key] else { return nil }
      result.rows[key] = before.rows[key]
    }
    return result
  }
}
