import Foundation
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

  /// Whether text is compared by SQLite's own collations only.
  var isBuiltIn: Bool {
    terms.allSatisfy { if case .custom = $0.collation { false } else { true } }
  }

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

  /// Whether two values of one column are equal to the order.
  func areEqual(_ left: RawColumn, _ right: RawColumn, at position: Int) -> Bool {
    left.isIdentical(to: right) || compare(left, right, by: terms[position]) == 0
  }

  private func compare(_ left: RawColumn, _ right: RawColumn, by term: Term) -> Int {
    switch (left.isNull, right.isNull) {
    case (true, true): return 0
    case (true, false): return term.hasNullsFirst ? -1 : 1
    case (false, true): return term.hasNullsFirst ? 1 : -1
    case (false, false): break
    }
    let order = Self.order(left, right, term.collation)
    return term.isDescending ? -order : order
  }

  /// Compares values that are not NULL.
  static func order(_ left: RawColumn, _ right: RawColumn, _ rule: Rule) -> Int {
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
  private static func compareExactly(_ integer: Int64, _ real: Double) -> Int {
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let whole = Int64(real.rounded(.towardZero))
    if integer != whole { return integer < whole ? -1 : 1 }
    let fraction = real - real.rounded(.towardZero)
    return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
  }

  private static func compareText(
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

  private static func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer)
    -> Int
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
  private static func compareFolded(
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

extension UnsafeRawBufferPointer {
  /// What RTRIM compares.
  var withoutTrailingSpaces: UnsafeRawBufferPointer {
    var end = count
    while end > 0, self[end - 1] == 0x20 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[0..<end])
  }
}
