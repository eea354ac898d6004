import GRDB
import GRDBSQLite
import SectileCore

extension FetchPlan.Column {
  /// Returns the collation a column declares, or nil for `BINARY` and for what is no table's
  /// column.
  func declaredCollation(in db: Database) throws -> TextCollation? {
    guard let connection = db.sqliteConnection else { return nil }
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      connection, "main", table, self.name, nil, &name, nil, nil, nil)
    guard code == SQLITE_OK, let name else { return nil }
    switch String(cString: name).uppercased() {
    case "BINARY": return nil
    case "NOCASE": return .nocase
    case "RTRIM": return .rtrim
    default: return TextCollation(named: String(cString: name))
    }
  }
}

extension RowOrdering.Rule {
  init?(_ collation: TextCollation) {
    switch collation {
    case .binary: self = .binary
    case .nocase: self = .nocase
    case .rtrim: self = .rtrim
    default:
      guard let compare = collation.compare else { return nil }
      self = .custom(compare)
    }
  }
}
