import Foundation
import GRDBSQLite
import SectileCore

/// A column of a row as SQLite hands it out: valid until the statement moves on or the hook
/// returns.
enum RawColumn {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)

  /// Reads a column of the row a statement stands on.
  init(_ statement: OpaquePointer, _ column: Int32) {
    // The column is looked up once, and its value then asked for its type and what it holds.
    self.init(sqlite3_column_value(statement, column), isUTF8: false)
  }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isUTF8: Whether the value is known to be in UTF-8. Then text is read where it stands;
  ///     asked for as text, SQLite would copy what a hook is handed, to put a zero behind it.
  init(_ value: OpaquePointer?, isUTF8: Bool) {
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

  /// The value in the one form of all values that ORDER BY holds equal to it: 1 for 1.0.
  var asOrdered: RawColumn {
    guard case .real(let real) = self, let whole = Int64(exactly: real) else { return self }
    return .integer(whole)
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  /// The value; nil for text that is not UTF-8.
  var value: StoredValue? {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let bytes):
      bytes.withMemoryRebound(to: UInt8.self, StoredText.decode).map { .text($0) }
    case .blob(let bytes): .blob([UInt8](bytes))
    }
  }

  /// The bytes of text or of a blob, as a blob; an empty one for anything else.
  var bytesAsBlob: StoredValue {
    switch self {
    case .null, .integer, .real: .blob([])
    case .text(let bytes), .blob(let bytes): .blob([UInt8](bytes))
    }
  }

  /// The rank of the storage class: numbers before text before blobs.
  var storageRank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  /// Whether two columns hold one storage class and the same bytes.
  func isIdentical(to other: RawColumn) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)):
      left.hasSameBytes(as: right)
    default: false
    }
  }

  /// Whether the column holds a value, in its storage class.
  func holds(_ value: StoredValue) -> Bool {
    switch (self, value) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.text(let bytes), .text(let text)):
      text.utf8.withContiguousStorageIfAvailable {
        bytes.hasSameBytes(as: UnsafeRawBufferPointer($0))
      } ?? bytes.elementsEqual(text.utf8)
    case (.blob(let left), .blob(let right)):
      right.withUnsafeBytes { left.hasSameBytes(as: $0) }
    default: false
    }
  }
}

extension RawColumn {
  /// Returns the column with its bytes, where it has some, at the place that `keep` puts them.
  @inline(__always)
  func keepingBytes(_ keep: (UnsafeRawBufferPointer) -> UnsafeRawBufferPointer) -> RawColumn {
    switch self {
    case .null, .integer, .real: self
    case .text(let bytes): .text(keep(bytes))
    case .blob(let bytes): .blob(keep(bytes))
    }
  }

  /// Reads some columns of the row a statement stands on into a buffer with room for them.
  static func read(
    _ positions: some Sequence<Int>, of statement: OpaquePointer,
    into columns: UnsafeMutableBufferPointer<RawColumn>
  ) {
    var count = 0
    for position in positions {
      columns.initializeElement(at: count, to: RawColumn(statement, Int32(position)))
      count += 1
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether two buffers hold the same bytes; `elementsEqual` goes byte by byte.
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, count > 0 else { return count == other.count }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return false }
    return memcmp(start, otherStart, count) == 0
  }
}
