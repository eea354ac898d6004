internal import Foundation
internal import GRDB
internal import SectileCore

/// Reads the old values that are kept beside rows of the change log.
struct LogValueReading {
  typealias RowChange = Store.ChangeLog.RowChange

  /// What is kept beside one row.
  struct Kept {
    let date: Date?
    let values: [RowChange.ColumnChange]
  }

  private let db: Database

  /// Nil where the file keeps none.
  ///
  /// - Parameter db: The connection, inside a transaction.
  /// - Throws: What reading the schema throws.
  init?(in db: Database) throws {
    guard try LogAudit.isThere(in: db) else { return nil }
    self.db = db
  }

  /// Reads what is kept beside a row.
  ///
  /// - Parameters:
  ///   - sequence: The number of the row.
  ///   - operation: What the row tells.
  /// - Returns: It; nil where values were not kept when the row was written.
  /// - Throws: What reading throws.
  /// - Complexity: O(log *n* + *c*) for *n* values and *c* columns.
  func kept(beside sequence: Int64, _ operation: Store.ChangeLog.Operation) throws -> Kept? {
    let statement = try RawStatement.cached(
      "SELECT place, name, old, new FROM main.sectile_log_value WHERE seq = ? ORDER BY place",
      on: db)
    defer { statement.finish() }
    try statement.bind(.integer(sequence), at: 1)
    var isKept = false
    var date: Date?
    var values: [RowChange.ColumnChange] = []
    while try statement.step() {
      isKept = true
      let before = statement.exactValue(at: 2)
      if case .text(let name) = statement.exactValue(at: 1) {
        values.append(
          RowChange.ColumnChange(
            column: name, before: before,
            after: operation == .update ? .some(statement.exactValue(at: 3)) : .none))
      } else if case .integer(let milliseconds) = before {
        date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
      }
    }
    return isKept ? Kept(date: date, values: values) : nil
  }
}
