import Foundation
import GRDB
import SectileCore

/// Where a table's columns stand in the rows that the pre-update functions show.
///
/// An object: the hook takes it along for each row.
final class TableLayout {
  /// The column that is another name of the row id, if there is one.
  let rowIDColumn: String?
  private let table: String
  /// Columns of which an old NULL may mean something else: where a column was added with a default,
  /// some versions of SQLite show NULL for rows that were not written since.
  let doubtfulColumns: Set<Int32>
  /// Columns whose values the hook shows otherwise than they are; see ``HookTrust``.
  let untrustedColumns: Set<Int32>
  /// Whether the positions hold for the values before and after alike.
  ///
  /// In a table WITHOUT ROWID with virtual generated columns they do not.
  let isReadable: Bool
  /// Whether the database is in UTF-8.
  let isUTF8: Bool
  private let positions: [String: Int32]
  /// The columns that are stored, in their order.
  let storedColumns: [String]

  init(table: String, in db: Database) throws {
    var positions: [String: Int32] = [:]
    var storedColumns: [String] = []
    var doubtfulColumns: Set<Int32> = []
    var keys: [(name: String, type: String)] = []
    var hasVirtualColumns = false
    let rows = try Row.fetchCursor(
      db,
      sql:
        """
        SELECT name, type, pk, hidden, dflt_value IS NOT NULL
        FROM pragma_table_xinfo(?, 'main')
        """,
      arguments: [table])
    while let row = try rows.next() {
      let name: String = row[0]
      if row[2] as Int > 0 { keys.append((name, row[1])) }
      // Virtual generated columns (2) are not stored, so they take no position.
      if row[3] as Int == 2 {
        hasVirtualColumns = true
        continue
      }
      if row[4] { doubtfulColumns.insert(Int32(positions.count)) }
      positions[name.lowercased()] = Int32(positions.count)
      storedColumns.append(name)
    }
    self.positions = positions
    self.storedColumns = storedColumns
    self.doubtfulColumns = doubtfulColumns
    self.table = table
    isUTF8 = try String.fetchOne(db, sql: "PRAGMA encoding") == "UTF-8"
    // Only a key without an index of its own is the row id: `INTEGER PRIMARY KEY DESC` and keys of
    // tables WITHOUT ROWID have one.
    let hasKeyIndex =
      try Bool.fetchOne(
        db, sql: "SELECT count(*) > 0 FROM pragma_index_list(?, 'main') WHERE origin = 'pk'",
        arguments: [table]) ?? false
    isReadable = !(hasKeyIndex && hasVirtualColumns)
    let sql = try String.fetchOne(
      db,
      sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
      arguments: [table])
    // What cannot be tried is trusted where rows have ids: there it was always right.
    untrustedColumns =
      sql.flatMap { HookTrust.untrustedColumns(ofTableWith: $0, named: table) }
      ?? (hasKeyIndex ? Set(positions.values) : [])
    rowIDColumn =
      keys.count == 1 && !hasKeyIndex && keys[0].type.uppercased() == "INTEGER" ? keys[0].name : nil
  }

  func position(of column: String) -> Int32? { positions[column.lowercased()] }

  /// Where a column stands; nil where it is not stored, and where the hook does not show what it holds.
  func trustedPosition(of column: String) -> Int32? {
    position(of: column).flatMap { untrustedColumns.contains($0) ? nil : $0 }
  }

  /// Whether no two rows can have the same values in these columns.
  func isUnique(_ columns: [String], in db: Database) throws -> Bool {
    let names = Set(columns.map { $0.lowercased() })
    if let rowIDColumn, names == [rowIDColumn.lowercased()] { return true }
    let indexes = try Row.fetchAll(
      db,
      sql: """
        SELECT (SELECT json_group_array(lower(name)) FROM pragma_index_info(list.name, 'main'))
        FROM pragma_index_list(?, 'main') AS list WHERE "unique" AND NOT partial
        """,
      arguments: [table])
    return try indexes.contains { row in
      let list = Data((row[0] as String).utf8)
      return try Set(JSONDecoder().decode([String?].self, from: list)) == Set(names.map { $0 })
    }
  }

  /// Whether the hook shows exactly what these columns were.
  func showsOldValues(of columns: [String]) -> Bool {
    isReadable
      && columns.allSatisfy { name in
        trustedPosition(of: name).map { !doubtfulColumns.contains($0) } ?? false
      }
  }
}
