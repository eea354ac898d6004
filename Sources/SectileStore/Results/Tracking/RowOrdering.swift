import Foundation
import GRDBSQLite
import SectileCore

/// Compares rows exactly as SQLite's ORDER BY does: storage classes, collations, directions, NULL
/// order.
///
/// Numbers come before text, text before blobs; Swift's own string order plays no part.
struct RowOrdering: Sendable {
  /// One column of the complete order.
  struct Term: Sendable {
    var isDescending: Bool
    var hasNullsFirst: Bool
    var collation: Rule
  }

  /// How text compares.
  enum Rule: Sendable {
    case binary, nocase, rtrim
    case custom(@Sendable (String, String) -> Int)
  }

  let terms: [Term]

  /// Whether one row comes before another.
  func areInOrder(
    _ left: UnsafeBufferPointer<RawColumn>, _ right: UnsafeBufferPointer<RawColumn>
  ) -> Bool {
    for position in terms.indices {
      let order = compare(left[position], right[position], by: terms[position])
      if order != 0 { return order < 0 }
    }
    return false
  }

  /// Whether a row comes before the one a statement stands on.
  func areInOrder(
    _ left: UnsafeBufferPointer<RawColumn>, _ statement: OpaquePointer, firstColumn: Int32
  ) -> Bool {
    for (position, term) in terms.enumerated() {
      let right = RawColumn(statement, firstColumn + Int32(position))
      let order = compare(left[position], right, by: term)
      if order != 0 { return order < 0 }
    }
    return false
  }

  private func compare(_ left: RawColumn, _ right: RawColumn, by term: Term) -> Int {
    switch (left.isNull, right.isNull) {
    case (true, true): return 0
    case (true, false): return term.hasNullsFirst ? -1 : 1
    case (false, true): return term.hasNullsFirst ? 1 : -1
    case (false, false): break
    }
    let order = compareValues(left, right, rule: term.collation)
    return term.isDescending ? -order : order
  }

  private func compareValues(_ left: RawColumn, _ right: RawColumn, rule: Rule) -> Int {
    if left.storageRank != right.storageRank { return left.storageRank - right.storageRank }
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
    case (.real(let left), .real(let right)): return left < right ? -1 : left > right ? 1 : 0
    case (.integer(let left), .real(let right)): return compareExactly(left, right)
    case (.real(let left), .integer(let right)): return -compareExactly(right, left)
    case (.text(let left), .text(let right)): return compareText(left, right, rule: rule)
    case (.blob(let left), .blob(let right)): return compareBytes(left, right)
    default: return 0
    }
  }

  /// Compares without losing digits beyond 2^53.
  private func compareExactly(_ integer: Int64, _ real: Double) -> Int {
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let whole = Int64(real.rounded(.towardZero))
    if integer != whole { return integer < whole ? -1 : 1 }
    let fraction = real - real.rounded(.towardZero)
    return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
  }

  private func compareText(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, rule: Rule
  ) -> Int {
    switch rule {
    case .binary: compareBytes(left, right)
    case .rtrim: compareBytes(left.withoutTrailingSpaces, right.withoutTrailingSpaces)
    case .nocase: compareFolded(left, right)
    case .custom(let compare):
      compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
    }
  }

  private func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int
  {
    let count = min(left.count, right.count)
    if count > 0, let start = left.baseAddress, let other = right.baseAddress {
      let order = memcmp(start, other, count)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  /// SQLite's NOCASE: ASCII letters are folded, and what follows a NUL that both have counts by its
  /// length only (`nocaseCollatingFunc` in SQLite's main.c).
  private func compareFolded(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int {
    for (left, right) in zip(left, right) {
      let order = Int(left.asciiFolded) - Int(right.asciiFolded)
      if order != 0 { return order }
      if left == 0 { break }
    }
    return left.count - right.count
  }
}

/// A column of the row a statement stands on, valid until the statement moves on.
enum RawColumn {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)

  init(_ statement: OpaquePointer, _ column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let start = UnsafeRawPointer(sqlite3_column_text(statement, column))
      self = .text(
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(statement, column)
      self = .blob(
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    default: self = .null
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  /// The rank of the storage class: numbers before text before blobs.
  var storageRank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}

extension UInt8 {
  /// The byte with ASCII upper case folded to lower case.
  var asciiFolded: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension UnsafeRawBufferPointer {
  fileprivate var withoutTrailingSpaces: UnsafeRawBufferPointer {
    var end = count
    while end > 0, self[end - 1] == 0x20 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[0..<end])
  }
}

extension RawStatement {
  /// Binds a value to the parameter with an index, counted from one.
  ///
  /// - Parameters:
  ///   - column: The value.
  ///   - index: The index.
  ///   - isCopied: Whether SQLite copies text and bytes. If not, they must stay where they are until
  ///     ``finish()``.
  /// - Throws: Where there is no such parameter.
  func bindColumn(
    _ column: RawColumn, at index: Int, isCopied: Bool = true
  ) throws(StoreError) {
    let position = CInt(index)
    let code =
      switch column {
      case .null: sqlite3_bind_null(handle, position)
      case .integer(let value): sqlite3_bind_int64(handle, position, value)
      case .real(let value): sqlite3_bind_double(handle, position, value)
      case .text(let bytes):
        bindText(bytes.bindMemory(to: UInt8.self), at: position, isCopied: isCopied)
      case .blob(let bytes): bindBlob(bytes, at: position, isCopied: isCopied)
      }
    guard code == SQLITE_OK else { throw failure(code) }
  }
}
