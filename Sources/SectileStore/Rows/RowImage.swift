import CSQLite
import GRDBSQLite
import SectileCore

/// The values of some columns of a row, written one after another as bytes.
///
/// ```text
/// 3  4 'J' 'a' 'z' 'z'   1  7 0 0 0 0 0 0 0   0      5
/// text of four bytes     the integer 7        NULL   a gap: nobody knows
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
    static let gap: UInt8 = 5
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

  /// Whether one of some columns of an image is a gap, which is read as NULL.
  static func hasGap(
    _ bytes: UnsafeRawBufferPointer, from start: Int, among columns: [Int]
  ) -> Bool {
    guard let last = columns.max() else { return false }
    var position = start
    for column in 0...last {
      if bytes[position] == Tag.gap, columns.contains(column) { return true }
      _ = readColumn(bytes, at: &position)
    }
    return false
  }

  /// Whether two images begin with the same column.
  static func haveSameColumn(_ bytes: UnsafeRawBufferPointer, at left: Int, _ right: Int) -> Bool {
    var end = left
    _ = readColumn(bytes, at: &end)
    let length = end - left
    return right + length <= bytes.count
      && UnsafeRawBufferPointer(rebasing: bytes[left..<end])
        .hasSameBytes(as: UnsafeRawBufferPointer(rebasing: bytes[right..<right + length]))
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

  /// Adds a column to the image at the end of some bytes.
  static func append(_ column: RawColumn, to bytes: inout ByteBuffer) {
    switch column {
    case .null: bytes.extend(by: 1).storeBytes(of: Tag.null, as: UInt8.self)
    case .integer(let value): append(Tag.integer, UInt64(bitPattern: value), to: &bytes)
    case .real(let value): append(Tag.real, value.bitPattern, to: &bytes)
    case .text(let value): append(Tag.text, value, to: &bytes)
    case .blob(let value): append(Tag.blob, value, to: &bytes)
    }
  }

  /// Adds a column whose value nobody knows.
  static func appendGap(to bytes: inout ByteBuffer) {
    bytes.extend(by: 1).storeBytes(of: Tag.gap, as: UInt8.self)
  }

  private static func append(_ tag: UInt8, _ word: UInt64, to bytes: inout ByteBuffer) {
    let target = bytes.extend(by: 9)
    target.storeBytes(of: tag, as: UInt8.self)
    target.storeBytes(of: word, toByteOffset: 1, as: UInt64.self)
  }

  private static func append(
    _ tag: UInt8, _ value: UnsafeRawBufferPointer, to bytes: inout ByteBuffer
  ) {
    let target = bytes.extend(by: 5 + value.count)
    target.storeBytes(of: tag, as: UInt8.self)
    target.storeBytes(of: UInt32(value.count), toByteOffset: 1, as: UInt32.self)
    if let start = value.baseAddress {
      (target + 5).copyMemory(from: start, byteCount: value.count)
    }
  }
}
