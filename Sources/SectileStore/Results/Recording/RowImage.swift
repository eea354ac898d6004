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
enum RowImage {
  private enum Tag {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let real: UInt8 = 2
    static let text: UInt8 = 3
    static let blob: UInt8 = 4
  }

  // MARK: Reading

  /// Reads an image, which lasts as long as its bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - start: Where the image starts.
  ///   - columns: Takes as many columns as there is room for: all there are.
  static func read(
    _ bytes: UnsafeRawBufferPointer, from start: Int,
    into columns: UnsafeMutableBufferPointer<RawColumn>
  ) {
    var position = start
    for column in columns.indices {
      columns.initializeElement(at: column, to: readColumn(bytes, at: &position))
    }
  }

  private static func readColumn(
    _ bytes: UnsafeRawBufferPointer, at position: inout Int
  ) -> RawColumn {
    let tag = bytes[position]
    position += 1
    switch tag {
    case Tag.integer: return .integer(Int64(bitPattern: readWord(bytes, at: &position)))
    case Tag.real: return .real(Double(bitPattern: readWord(bytes, at: &position)))
    case Tag.text, Tag.blob:
      let count = Int(bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
      let start = position + 4
      position = start + count
      let value = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
      return tag == Tag.text ? .text(value) : .blob(value)
    default: return .null
    }
  }

  private static func readWord(_ bytes: UnsafeRawBufferPointer, at position: inout Int) -> UInt64 {
    defer { position += 8 }
    return bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
  }

  // MARK: Writing

  /// Calls `body` with the image of some columns, valid inside it.
  static func withBytes<Result>(
    of columns: UnsafeBufferPointer<RawColumn>, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    var count = 0
    for column in columns { count += byteCount(of: column) }
    return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { bytes in
      var position = 0
      for column in columns { write(column, to: bytes, at: &position) }
      return body(UnsafeRawBufferPointer(bytes))
    }
  }

  private static func byteCount(of column: RawColumn) -> Int {
    switch column {
    case .null: 1
    case .integer, .real: 9
    case .text(let value), .blob(let value): 5 + value.count
    }
  }

  private static func write(
    _ column: RawColumn, to bytes: UnsafeMutableRawBufferPointer, at position: inout Int
  ) {
    switch column {
    case .null:
      bytes[position] = Tag.null
      position += 1
    case .integer(let value):
      write(Tag.integer, UInt64(bitPattern: value), to: bytes, at: &position)
    case .real(let value): write(Tag.real, value.bitPattern, to: bytes, at: &position)
    case .text(let value): write(Tag.text, value, to: bytes, at: &position)
    case .blob(let value): write(Tag.blob, value, to: bytes, at: &position)
    }
  }

  private static func write(
    _ tag: UInt8, _ word: UInt64, to bytes: UnsafeMutableRawBufferPointer,
    at position: inout Int
  ) {
    bytes[position] = tag
    bytes.storeBytes(of: word, toByteOffset: position + 1, as: UInt64.self)
    position += 9
  }

  private static func write(
    _ tag: UInt8, _ value: UnsafeRawBufferPointer, to bytes: UnsafeMutableRawBufferPointer,
    at position: inout Int
  ) {
    bytes[position] = tag
    bytes.storeBytes(of: UInt32(value.count), toByteOffset: position + 1, as: UInt32.self)
    UnsafeMutableRawBufferPointer(rebasing: bytes[(position + 5)...]).copyMemory(from: value)
    position += 5 + value.count
  }
}
