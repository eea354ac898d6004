public import Foundation
public import SectileCore

extension Data: StorableValue {
  /// Creates data from a blob column.
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    self = try column.withBlob { bytes in Data(bytes) }
  }

  /// The bytes as a blob.
  public var storedValue: StoredValue { .blob([UInt8](self)) }

  /// Appends the bytes to a row that is being written.
  public func write(to row: inout RowWriter) throws(ColumnValueError) {
    let code = withUnsafeBytes { bytes in row.bind(blob: bytes) }
    try row.advance(code)
  }
}

extension Array: StorableValue where Element == UInt8 {
  /// Creates an array from a blob column.
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    self = try column.blob()
  }

  /// The bytes as a blob.
  public var storedValue: StoredValue { .blob(self) }

  /// Appends the bytes to a row that is being written.
  public func write(to row: inout RowWriter) throws(ColumnValueError) {
    let code = withUnsafeBytes { bytes in row.bind(blob: bytes) }
    try row.advance(code)
  }
}
