import CSQLite
import GRDBSQLite
import SectileCore

/// One row about to change, as the pre-update hook shows it.
///
/// Valid inside the hook only.
struct PreUpdate {
  enum Side { case before, after }

  let connection: OpaquePointer
  let operation: Int32
  let oldRowID: Int64
  let newRowID: Int64

  func exists(_ side: Side) -> Bool {
    operation != (side == .before ? SQLITE_INSERT : SQLITE_DELETE)
  }

  func value(_ side: Side, _ column: Int32) -> OpaquePointer? {
    var value: OpaquePointer?
    let code =
      side == .before
      ? sqlite3_preupdate_old(connection, column, &value)
      : sqlite3_preupdate_new(connection, column, &value)
    return code == SQLITE_OK ? value : nil
  }

  /// Returns the row's key before or after the change.
  ///
  /// - Parameters:
  ///   - side: Before or after.
  ///   - columns: The positions of the key's columns; nil where the key is the row id.
  ///   - doubtful: See ``TableLayout/doubtfulColumns``.
  /// - Returns: The key, or nil where it cannot be told: it is text that is not UTF-8, or a NULL
  ///   that may mean a column's default.
  func key(_ side: Side, columns: [Int32]?, doubtful: Set<Int32>) -> RowKey? {
    guard let columns else { return .integer(side == .before ? oldRowID : newRowID) }
    var values: [StoredValue] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      guard let stored = StoredValue(validating: value(side, column)) else { return nil }
      if case .null = stored, side == .before, doubtful.contains(column) { return nil }
      values.append(stored)
    }
    return RowKey(values)
  }

  /// Returns whether any of the columns changes; a row that comes or goes changes all of them.
  func changesAny(of columns: [Int32]?, doubtful: Set<Int32>) -> Bool {
    guard let columns, operation == SQLITE_UPDATE else { return true }
    return columns.contains { column in
      guard let before = value(.before, column), let after = value(.after, column) else {
        return true
      }
      let isDoubtful = doubtful.contains(column) && sqlite3_value_type(before) == SQLITE_NULL
      return isDoubtful || !isIdentical(before, after)
    }
  }

  /// Whether two values have one storage class and the same bytes.
  private func isIdentical(_ left: OpaquePointer, _ right: OpaquePointer) -> Bool {
    let type = sqlite3_value_type(left)
    guard type == sqlite3_value_type(right) else { return false }
    switch type {
    case SQLITE_INTEGER: return sqlite3_value_int64(left) == sqlite3_value_int64(right)
    case SQLITE_FLOAT:
      return sqlite3_value_double(left).bitPattern == sqlite3_value_double(right).bitPattern
    case SQLITE_NULL: return true
    default: return withBytes(left) { bytes in withBytes(right) { bytes.hasSameBytes(as: $0) } }
    }
  }

  private func withBytes<T>(
    _ value: OpaquePointer, _ body: (UnsafeRawBufferPointer) -> T
  ) -> T {
    let start =
      sqlite3_value_type(value) == SQLITE_TEXT
      ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
    return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
  }
}

extension StoredValue {
  /// Creates a value from SQLite's, or nil if it is text that is not UTF-8.
  init?(validating value: OpaquePointer?) {
    guard let value, let stored = Self(value, text: { String(validating: $0, as: UTF8.self) })
    else { return nil }
    self = stored
  }

  private init?(_ value: OpaquePointer, text: (UnsafeBufferPointer<UInt8>) -> String?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      guard let string = text(bytes) else { return nil }
      self = .text(string)
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
      self = .blob(
        [UInt8](UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
    default: self = .null
    }
  }
}
