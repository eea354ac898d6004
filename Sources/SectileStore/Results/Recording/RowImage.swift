import CSQLite
import GRDBSQLite
import SectileCore

/// The values of some columns of a row, written one after another as bytes.
///
/// ```text
/// 3  4 'J' 'a' 'z' 'z'   1  7 0 0 0 0 0 0 0   0
/// text of four bytes     the integer 7        NULL
/// ```
///
/// Nothing is allocated for a value, text need not be UTF-8, and two rows are compared as bytes.
struct RowImage {
  private enum Tag {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let real: UInt8 = 2
    static let text: UInt8 = 3
    static let blob: UInt8 = 4
  }

  private let bytes: UnsafeRawBufferPointer
  private let columnCount: Int

  /// Reads an image of so many columns, at the beginning of some bytes.
  init(_ bytes: UnsafeRawBufferPointer, columnCount: Int) {
    self.bytes = bytes
    self.columnCount = columnCount
  }

  /// Calls `body` with the columns, valid inside it.
  func withColumns<Result>(
    _ body: (UnsafeBufferPointer<RawColumn>) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: RawColumn.self, capacity: columnCount) { columns in
      var position = 0
      for column in 0..<columnCount {
        columns.initializeElement(at: column, to: readColumn(at: &position))
      }
      return try body(UnsafeBufferPointer(columns))
    }
  }

  private func readColumn(at position: inout Int) -> RawColumn {
    let tag = bytes[position]
    position += 1
    switch tag {
    case Tag.integer: return .integer(Int64(bitPattern: readWord(at: &position)))
    case Tag.real: return .real(Double(bitPattern: readWord(at: &position)))
    case Tag.text, Tag.blob:
      let count = Int(bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
      let start = position + 4
      position = start + count
      let value = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
      return tag == Tag.text ? .text(value) : .blob(value)
    default: return .null
    }
  }

  private func readWord(at position: inout Int) -> UInt64 {
    defer { position += 8 }
    return bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
  }

  /// Appends a column to an image that is being written.
  static func append(_ column: RawColumn, to image: inout ContiguousArray<UInt8>) {
    switch column {
    case .null: image.append(Tag.null)
    case .integer(let value): append(Tag.integer, UInt64(bitPattern: value), to: &image)
    case .real(let value): append(Tag.real, value.bitPattern, to: &image)
    case .text(let value): append(Tag.text, value, to: &image)
    case .blob(let value): append(Tag.blob, value, to: &image)
    }
  }

  private static func append(_ tag: UInt8, _ word: UInt64, to image: inout ContiguousArray<UInt8>) {
    image.append(tag)
    withUnsafeBytes(of: word) { image.append(contentsOf: $0) }
  }

  private static func append(
    _ tag: UInt8, _ value: UnsafeRawBufferPointer, to image: inout ContiguousArray<UInt8>
  ) {
    image.append(tag)
    withUnsafeBytes(of: UInt32(value.count)) { image.append(contentsOf: $0) }
    image.append(contentsOf: value)
  }
}

extension RawColumn {
  /// Reads a value that SQLite hands to a hook, valid inside it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isUTF8: Whether the database is in UTF-8. Then text is read where it stands; asked for as
  ///     text, SQLite would copy it to put a zero behind it.
  init(_ value: OpaquePointer, isUTF8: Bool) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = isUTF8 ? sqlite3_value_blob(value) : UnsafeRawPointer(sqlite3_value_text(value))
      self = .text(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      self = .blob(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    default: self = .null
    }
  }
}
