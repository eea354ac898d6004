import Foundation
import GRDB
import SectileCore

/// Where a table's columns stand in the rows that the pre-update functions show.
///
/// An object: the hook takes it along for each row.
final class TableLayout {
  /// The column that is another name of the row id, if there is one.
  let rowIDColumn: String?
  /// Whether rows have ids.
  let hasRowIDs: Bool
  /// What reads the row id, where no column is one; not to be quoted.
  let hiddenRowID: String?
  private let table: String
  /// Columns of which an old NULL may mean something else: where a column was added with a default,
  /// some versions of SQLite show NULL for rows that were not written since.
  let doubtfulColumns: Set<Int32>
  /// Columns whose values the hook shows otherwise than they are; see ``HookTrust``.
  let untrustedColumns: Set<Int32>
  /// Columns of reals of which the hook shows old values as equal integers: as SQLite stores them.
  let reclassedColumns: Set<Int32>
  /// Whether there are such columns.
  let hasReclassedColumns: Bool
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
    let schema = try TableSchema(of: table, in: db)
    // Virtual generated columns are not stored, so they take no position.
    let stored = schema?.storedColumns ?? []
    var positions: [String: Int32] = [:]
    var doubtfulColumns: Set<Int32> = []
    for (position, column) in stored.enumerated() {
      positions[column.name.lowercased()] = Int32(position)
      if column.defaultValue != nil { doubtfulColumns.insert(Int32(position)) }
    }
    self.positions = positions
    self.doubtfulColumns = doubtfulColumns
    storedColumns = stored.map(\.name)
    self.table = table
    isUTF8 = try String.fetchOne(db, sql: "PRAGMA encoding") == "UTF-8"
    rowIDColumn = schema?.rowIDColumn
    hasRowIDs = schema?.listing.isWithoutRowID == false
    hiddenRowID = hasRowIDs && rowIDColumn == nil ? schema?.rowIDNames.first : nil
    isReadable = hasRowIDs || stored.count == schema?.columns.count
    // What cannot be tried is trusted where rows have ids: there it was always right.
    let verdict = try TableSchema.creation(ofTable: table, in: db)
      .flatMap { HookTrust.verdict(onTableWith: $0, named: table) }
    // Anywhere but in a column of reals nobody can tell which number was meant.
    let reclassed = verdict?.reclassedColumns ?? []
    let reals = reclassed.filter { schema?.affinity(of: stored[Int($0)]) == .real }
    reclassedColumns = reals
    hasReclassedColumns = !reals.isEmpty
    untrustedColumns =
      verdict.map { $0.untrustedColumns.union(reclassed.subtracting(reals)) }
      ?? (hasRowIDs ? [] : Set(positions.values))
  }

  /// Returns an old value that the hook shows, in the storage class that the row has it in.
  @inline(__always)
  func stored(_ value: RawColumn, at position: Int32) -> RawColumn {
    guard hasReclassedColumns, case .integer(let integer) = value,
      reclassedColumns.contains(position)
    else { return value }
    return .real(Double(integer))
  }

  func position(of column: String) -> Int32? { positions[column.lowercased()] }

  /// Where a column stands; nil where it is not stored, and where the hook does not show what it
  /// holds.
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
