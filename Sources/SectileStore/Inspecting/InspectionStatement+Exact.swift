internal import Foundation
internal import GRDBSQLite
package import SectileCore

extension InspectionStatement {
  /// Starts the statement with values that may be text that is not UTF-8; see ``start(_:)``.
  ///
  /// - Parameter values: A value for each `?` mark, in order; marks without a value are NULL.
  /// - Throws: ``StoreError``; `valueCount` for more values than marks.
  package func start(exactly values: [ExactValue]) throws(StoreError) {
    try start(
      values.map(\.stored),
      invalidText: values.indices.filter {
        if case .invalidText = values[$0] { true } else { false }
      })
  }

  /// Runs the statement with values that may be text that is not UTF-8; see
  /// ``run(_:invalidText:row:)``.
  ///
  /// - Parameters:
  ///   - values: A value for each `?` mark, in order.
  ///   - row: Hears each row.
  /// - Throws: ``StoreError``; what the closure throws, which ends the run.
  package func run(
    exactly values: [ExactValue], row: (_ values: [StoredValue]) throws -> Void = { _ in }
  ) throws {
    defer { reset() }
    try start(exactly: values)
    while let values = try next() { try row(values) }
  }

  /// Runs the statement with values that may be text that is not UTF-8, and returns its first row.
  ///
  /// - Parameter values: A value for each `?` mark, in order.
  /// - Returns: The first row; nil where there is none.
  /// - Throws: ``StoreError``.
  @discardableResult
  package func runExactly(_ values: [ExactValue]) throws(StoreError) -> [ExactValue]? {
    defer { reset() }
    try start(exactly: values)
    return try step() ? exactRow : nil
  }

  /// Goes to the next row of a statement that was started, without reading its values.
  ///
  /// - Returns: Whether there is one.
  /// - Throws: ``StoreError``.
  package func step() throws(StoreError) -> Bool {
    let code = sqlite3_step(statement)
    noteStep()
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw connection.failure(sql: sql) }
    reset()
    return false
  }

  /// The values of the row that the statement is at.
  package var exactRow: [ExactValue] { columnNames.indices.map(exactValue) }

  /// Returns a value of the row that the statement is at.
  package func exactValue(at column: Int) -> ExactValue {
    let place = Int32(column)
    switch sqlite3_column_type(statement, place) {
    case SQLITE_INTEGER: return .value(.integer(sqlite3_column_int64(statement, place)))
    case SQLITE_FLOAT: return .value(.real(sqlite3_column_double(statement, place)))
    case SQLITE_TEXT:
      return withText(at: place) { bytes in
        String(validating: bytes, as: UTF8.self).map { .value(.text($0)) }
          ?? .invalidText(Array(bytes))
      }
    case SQLITE_BLOB: return withBlob(at: place) { .value(.blob([UInt8]($0))) }
    default: return .null
    }
  }

  /// Returns whether a value of this row and one of another statement's are the same to the last
  /// bit, without copying either.
  ///
  /// - Parameters:
  ///   - column: The column's position, in both.
  ///   - other: The other statement, at a row.
  /// - Returns: Whether they are.
  package func isSame(at column: Int, as other: InspectionStatement) -> Bool {
    let place = Int32(column)
    let type = sqlite3_column_type(statement, place)
    guard type == sqlite3_column_type(other.statement, place) else { return false }
    switch type {
    case SQLITE_INTEGER:
      return sqlite3_column_int64(statement, place) == sqlite3_column_int64(other.statement, place)
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, place).bitPattern
        == sqlite3_column_double(other.statement, place).bitPattern
    case SQLITE_TEXT:
      return withText(at: place) { left in other.withText(at: place) { order(left, $0) == 0 } }
    case SQLITE_BLOB:
      return withBlob(at: place) { left in other.withBlob(at: place) { order(left, $0) == 0 } }
    default: return true
    }
  }

  /// Returns a negative number, zero or a positive number, as a value of this row sorts before,
  /// with or after one of another statement's under `BINARY`.
  ///
  /// - Parameters:
  ///   - column: The column's position, in both.
  ///   - other: The other statement, at a row.
  /// - Returns: The order.
  package func order(at column: Int, to other: InspectionStatement) -> Int {
    let place = Int32(column)
    let (left, right) = (
      sqlite3_column_type(statement, place), sqlite3_column_type(other.statement, place)
    )
    if left != right || left == SQLITE_FLOAT {
      let (left, right) = (rank(left), other.rank(right))
      if left != right { return left < right ? -1 : 1 }
      guard case .value(let first) = exactValue(at: column),
        case .value(let second) = other.exactValue(at: column)
      else { return 0 }
      return first < second ? -1 : first == second ? 0 : 1
    }
    switch left {
    case SQLITE_INTEGER:
      let left = sqlite3_column_int64(statement, place)
      let right = sqlite3_column_int64(other.statement, place)
      return left < right ? -1 : left == right ? 0 : 1
    case SQLITE_TEXT:
      return withText(at: place) { left in other.withText(at: place) { order(left, $0) } }
    case SQLITE_BLOB:
      return withBlob(at: place) { left in other.withBlob(at: place) { order(left, $0) } }
    default: return 0
    }
  }

  /// Where a storage class sorts.
  private func rank(_ type: Int32) -> Int {
    switch type {
    case SQLITE_INTEGER, SQLITE_FLOAT: 1
    case SQLITE_TEXT: 2
    case SQLITE_BLOB: 3
    default: 0
    }
  }

  private func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let sharedCount = min(left.count, right.count)
    if sharedCount > 0, let left = left.baseAddress, let right = right.baseAddress {
      let order = memcmp(left, right, sharedCount)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  private func withText<Result>(
    at column: Int32, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    raw.withTextBytes(at: Int(column)) { body(UnsafeRawBufferPointer($0)) }
  }

  private func withBlob<Result>(
    at column: Int32, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let start = sqlite3_column_blob(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
