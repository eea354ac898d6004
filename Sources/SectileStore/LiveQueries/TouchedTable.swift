import CSQLite
import GRDB
import SectileCore
import Synchronization

/// The touched rows of one table, as they were and as they are, which SQLite reads as a table.
///
/// It compares as the table does, since its columns have the table's affinities and collations, and
/// it is small, so SQLite reads it first and searches the others for its rows. It is in no schema:
/// SQLite knows it by a module of its name (an eponymous virtual table).
///
/// Confined to the writer, as the rows themselves are. They last as long as the connection.
final class TouchedTable {
  /// What stands in FROM for all rows.
  let name: String
  /// What stands in FROM for the rows as they were.
  let formerName: String
  private let rows: OpaquePointer
  private let columnCount: Int

  /// Makes the touched rows of a table known to a connection.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - name: What stands in FROM for all rows; the name of no table of the connection.
  ///   - formerName: What stands in FROM for the rows as they were; another such name.
  ///   - db: The connection.
  /// - Throws: What SQLite says.
  init(of table: TableSchema, named name: String, formerName: String, in db: Database) throws {
    self.name = name
    self.formerName = formerName
    columnCount = table.columns.count
    var rows: OpaquePointer?
    let code = sectile_create_rows(
      db.sqliteConnection, name, formerName, Self.declaration(of: table), CInt(columnCount), &rows)
    guard let rows else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    self.rows = rows
  }

  /// Declares columns that compare as those of a table do.
  fileprivate static func declaration(of table: TableSchema) -> String {
    let columns = table.columns.map { column in
      [
        SQLName.quote(column.name), table.affinity(of: column).declaredType,
        "COLLATE \(SQLName.quote(column.collation.name))",
      ].filter { !$0.isEmpty }.joined(separator: " ")
    }
    return "CREATE TABLE x(\(columns.joined(separator: ", ")))"
  }

  /// Forgets all rows.
  func removeAll() { sectile_clear_rows(rows) }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - id: Its row id; 0 where rows have none.
  ///   - isFormer: Whether it is what a row was before.
  ///   - column: Returns the values, by the positions of the table's columns.
  /// - Returns: Whether there is memory for it.
  func append(id: Int64, isFormer: Bool, column: (Int) -> RawColumn) -> Bool {
    guard sectile_add_row(rows, id, isFormer ? 1 : 0) != 0 else { return false }
    for position in 0..<columnCount {
      switch column(position) {
      case .null: sectile_add_null(rows)
      case .integer(let integer): sectile_add_integer(rows, integer)
      case .real(let real): sectile_add_real(rows, real)
      case .text(let bytes):
        guard sectile_add_bytes(rows, 1, bytes.baseAddress, Int64(bytes.count)) != 0 else {
          return false
        }
      case .blob(let bytes):
        guard sectile_add_bytes(rows, 0, bytes.baseAddress, Int64(bytes.count)) != 0 else {
          return false
        }
      }
    }
    return true
  }
}

/// The touched tables of one connection: one for each way in which a table was ever declared.
///
/// Results share them, one after the other: each fills them with what it wants to ask.
final class TouchedTables {
  private var tables: [String: TouchedTable] = [:]

  private static let lastNumber = Atomic(0)

  /// Returns what stands for the touched rows of a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - db: The connection, always the same one.
  /// - Returns: The table that SQLite reads.
  /// - Throws: What SQLite says.
  func table(for table: TableSchema, in db: Database) throws -> TouchedTable {
    let key = "\(table.name.inSQLLowerCase) \(TouchedTable.declaration(of: table))"
    if let known = tables[key] { return known }
    let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    let made = try TouchedTable(
      of: table, named: "sectile_touched_\(number)", formerName: "sectile_former_\(number)", in: db)
    tables[key] = made
    return made
  }
}

extension ColumnAffinity {
  /// A type that has the affinity.
  fileprivate var declaredType: String {
    switch self {
    case .text: "TEXT"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .numeric: "NUMERIC"
    case .blob: "BLOB"
    case .none: ""
    }
  }
}
