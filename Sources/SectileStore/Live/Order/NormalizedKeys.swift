import Foundation
import SectileCore

/// What many rows are sorted by, each row's values written as bytes that compare as the rows do.
///
/// ```text
/// 'Jazz', 7        20 'J' 'a' 'z' 'z' 00 01   10 C0 1C 00 00 00 00 00 00 00 00   00 00 00 05
///                  text, and its end          a number                          the sixth row
/// ```
///
/// Goetz Graefe calls them *normalized keys* ("Implementing Sorting in Database Systems", ACM
/// Computing Surveys 38, 2006). One comparison of words stands for the comparison of many values,
/// their storage classes, collations and directions. The bytes of each value say where they end, so
/// no row's bytes are the beginning of another's, and the row's number makes them unique.
///
/// ```text
/// NULL             00 or FF, before or after everything else
/// a number         10, the largest Double that is not above it, and what is left of an integer
/// text             20, its bytes, 00 01; a zero inside is 00 FF
/// a blob           30, likewise
/// ```
///
/// Where larger values come first, the bits of all but NULL are inverted.
struct NormalizedKeys: ~Copyable {
  /// How much memory keys may take: 256 MiB, or little enough to exceed it in tests of Sectile.
  static let memoryLimit = InternalChecks.isOn ? 2048 : 256 << 20

  enum Tag {
    static let first: UInt8 = 0x00
    static let number: UInt8 = 0x10
    static let text: UInt8 = 0x20
    static let blob: UInt8 = 0x30
    static let last: UInt8 = 0xFF
  }

  /// How the values of one column are written.
  struct Column {
    /// FF where larger values come first, otherwise 00.
    let inversion: UInt8
    /// The tag of NULL.
    let null: UInt8
    let collation: Collation
  }

  enum Collation {
    case binary, nocase, rtrim
  }

  private let columns: ContiguousArray<Column>
  private let limit: Int
  private var bytes = ByteBuffer()
  private var entries: ContiguousArray<NormalizedKeySort.Entry> = []

  /// Creates a list of no rows.
  ///
  /// - Parameters:
  ///   - ordering: How rows compare.
  ///   - limit: How many bytes the keys may take.
  /// - Precondition: The collations are SQLite's own.
  init(ordering: RowOrdering, limit: Int = Self.memoryLimit) {
    columns = ContiguousArray(ordering.terms.map(Column.init))
    self.limit = limit
  }

  /// Appends the key of a row.
  ///
  /// - Parameter row: Its values of the complete order.
  /// - Returns: Whether the row has a key. It has none where keys would take too much memory, and
  ///   where NOCASE has to compare text with a zero inside, which SQLite does by a rule of its own.
  mutating func append(_ row: UnsafeBufferPointer<RawColumn>) -> Bool {
    let start = bytes.count
    let number = Int32(entries.count)
    let room = row.reduce(MemoryLayout.size(ofValue: number)) { $0 + $1.normalizedRoom }
    guard start + room <= limit else { return false }
    let target = bytes.extend(by: room)
    var length = 0
    for position in columns.indices {
      guard let count = row[position].write(to: target + length, columns[position]) else {
        return false
      }
      length += count
    }
    target.storeBytes(of: number.bigEndian, toByteOffset: length, as: Int32.self)
    bytes.truncate(to: start + length + MemoryLayout.size(ofValue: number))
    entries.append(NormalizedKeySort.Entry(start: UInt32(start), number: number))
    return true
  }

  /// Returns the numbers of the rows, counted as they were appended, in their order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rows.
  mutating func sorted() -> ContiguousArray<Int32> {
    bytes.extend(by: NormalizedKeySort.slack)
      .storeBytes(of: 0, as: NormalizedKeySort.Word.self)
    NormalizedKeySort.sort(&entries, by: bytes.all)
    return ContiguousArray(entries.map(\.number))
  }
}

extension NormalizedKeys.Column {
  /// - Precondition: The collation is one of SQLite's own.
  init(_ term: RowOrdering.Term) {
    inversion = term.isDescending ? 0xFF : 0
    null = term.hasNullsFirst ? NormalizedKeys.Tag.first : NormalizedKeys.Tag.last
    collation =
      switch term.collation {
      case .binary: .binary
      case .nocase: .nocase
      case .rtrim: .rtrim
      case .custom: preconditionFailure("only SQLite knows the collation's rule")
      }
  }
}

extension RawColumn {
  /// At most how many bytes the value takes in a key.
  @inline(__always)
  fileprivate var normalizedRoom: Int {
    switch self {
    case .null: 1
    case .integer, .real: 11
    case .text(let bytes), .blob(let bytes): 3 + 2 * bytes.count
    }
  }

  /// Writes the value into a key, and returns how many bytes it takes; nil where it has no place
  /// there.
  @inline(__always)
  func write(to target: UnsafeMutableRawPointer, _ column: NormalizedKeys.Column) -> Int? {
    switch self {
    case .null:
      target.storeBytes(of: column.null, as: UInt8.self)
      return 1
    case .integer(let integer):
      let floor = integer.floor
      return target.write(floor, rest: UInt16(integer - Int64(floor)), column)
    case .real(let real): return target.write(real, rest: 0, column)
    case .blob(let bytes): return target.write(bytes, NormalizedKeys.Tag.blob, column)
    case .text(let bytes):
      switch column.collation {
      case .binary: return target.write(bytes, NormalizedKeys.Tag.text, column)
      case .rtrim:
        return target.write(bytes.withoutTrailingSpaces, NormalizedKeys.Tag.text, column)
      case .nocase: return target.writeFolded(bytes, column)
      }
    }
  }
}

extension Int64 {
  /// The largest `Double` that is not above the integer: beyond 2⁵³ they are up to 1,024 apart.
  fileprivate var floor: Double {
    let nearest = Double(self)
    if magnitude <= 1 << 53 { return nearest }
    guard let whole = Int64(exactly: nearest), whole <= self else { return nearest.nextDown }
    return nearest
  }
}

extension UnsafeMutableRawPointer {
  fileprivate func write(_ number: Double, rest: UInt16, _ column: NormalizedKeys.Column) -> Int {
    // Adding zero makes 0.0 of -0.0, which SQLite holds for equal.
    let bits = (number + 0).bitPattern
    let ordered = number < 0 ? ~bits : bits | 1 << 63
    let isInverted = column.inversion != 0
    storeBytes(of: NormalizedKeys.Tag.number ^ column.inversion, as: UInt8.self)
    storeBytes(
      of: (isInverted ? ~ordered : ordered).bigEndian, toByteOffset: 1, as: UInt64.self)
    storeBytes(of: (isInverted ? ~rest : rest).bigEndian, toByteOffset: 9, as: UInt16.self)
    return 11
  }

  /// Writes text or a blob.
  fileprivate func write(
    _ value: UnsafeRawBufferPointer, _ tag: UInt8, _ column: NormalizedKeys.Column
  ) -> Int {
    guard let start = value.baseAddress else { return finish(tag, 0, column) }
    guard memchr(start, 0, value.count) != nil else {
      (self + 1).copyMemory(from: start, byteCount: value.count)
      return finish(tag, value.count, column)
    }
    var count = 0
    for byte in value {
      count += 1
      storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
      if byte == 0 {
        count += 1
        storeBytes(of: 0xFF, toByteOffset: count, as: UInt8.self)
      }
    }
    return finish(tag, count, column)
  }

  /// Writes text that NOCASE compares.
  fileprivate func writeFolded(
    _ value: UnsafeRawBufferPointer, _ column: NormalizedKeys.Column
  ) -> Int? {
    for (offset, byte) in value.enumerated() {
      guard byte != 0 else { return nil }
      storeBytes(of: byte.asciiFolded, toByteOffset: 1 + offset, as: UInt8.self)
    }
    return finish(NormalizedKeys.Tag.text, value.count, column)
  }

  /// Writes what stands before and behind the bytes of a text or blob, and inverts all of it where
  /// larger values come first.
  private func finish(_ tag: UInt8, _ count: Int, _ column: NormalizedKeys.Column) -> Int {
    storeBytes(of: tag, as: UInt8.self)
    storeBytes(of: 0, toByteOffset: count + 1, as: UInt8.self)
    storeBytes(of: 1, toByteOffset: count + 2, as: UInt8.self)
    if column.inversion != 0 {
      let bytes = UnsafeMutableRawBufferPointer(start: self, count: count + 3)
      for offset in bytes.indices { bytes[offset] = ~bytes[offset] }
    }
    return count + 3
  }
}
