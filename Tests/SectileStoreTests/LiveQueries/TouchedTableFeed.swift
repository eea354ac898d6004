import GRDB
import SectileCore

@testable import SectileStore

/// The virtual tables that the engine itself hands to SQLite.
final class TouchedTableFeed: TouchedRowFeed {
  private let tables = TouchedTables()
  private var byName: [String: TouchedTable] = [:]

  func name(of table: String, hasPresentRows: Bool) -> String {
    guard let table = byName[table] else { return table }
    return hasPresentRows ? table.name : table.formerName
  }

  func declare(_ table: CheckedTable, in db: Database) throws {
    guard let schema = try TableSchema(of: table.name, in: db) else { return }
    byName[table.name] = try tables.table(for: schema, in: db)
  }

  func replaceRows(
    of table: CheckedTable, former: [[StoredValue]], present: [[StoredValue]], in db: Database
  ) throws {
    guard let touched = byName[table.name] else { return }
    touched.removeAll()
    for (isFormer, rows) in [(true, former), (false, present)] {
      for row in rows { append(row, isFormer: isFormer, to: touched) }
    }
  }

  private func append(_ row: [StoredValue], isFormer: Bool, to touched: TouchedTable) {
    let bytes = row.map { value -> [UInt8] in
      switch value {
      case .text(let text): Array(text.utf8)
      case .blob(let bytes): bytes
      case .null, .integer, .real: []
      }
    }
    let offsets = bytes.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    let isAppended = Array(bytes.joined()).withUnsafeBytes { all in
      touched.append(id: 0, isFormer: isFormer) { column in
        let part = UnsafeRawBufferPointer(rebasing: all[offsets[column]..<offsets[column + 1]])
        return switch row[column] {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .text: .text(part)
        case .blob: .blob(part)
        }
      }
    }
    precondition(isAppended, "no memory")
  }
}
