import SectileCore

/// The first bytes of what a row is sorted by inside its section, as a number.
///
/// Of two rows of a section, the one with the smaller prefix comes first. Rows of one prefix may be
/// in any order. No row's prefix is zero: that stands for one that is not known.
typealias SortPrefix = UInt64

/// Takes prefixes of sort keys: the first eight bytes of a value as ``NormalizedKeys`` writes it.
///
/// Goetz Graefe and Per-Åke Larson call them *poor man's normalized keys* ("B-Tree Indexes and CPU
/// Caches", ICDE 2001).
struct SortPrefixRule: Sendable {
  /// Which of the values of the complete order the prefix is taken of: the first that decides
  /// inside a section.
  let position: Int
  private let column: NormalizedKeys.Column

  /// Creates the rule for a plan's order; nil where what decides first is not told by its first
  /// bytes.
  ///
  /// - Parameters:
  ///   - ordering: How rows compare.
  ///   - plan: The terms of the order.
  ///   - query: How to seek the row before a row; nil where no index serves.
  init?(_ ordering: RowOrdering, _ plan: PlanOrdering, seeking query: PredecessorQuery?) {
    let position: Int
    if let query {
      guard let first = query.firstPosition else { return nil }
      position = first
    } else {
      // What sections are ordered by decides first, and need not be the same in all rows of one.
      guard plan.sectionOrder.isEmpty else { return nil }
      position = plan.identity == nil ? 0 : 1
    }
    switch ordering.terms[position].collation {
    case .binary, .nocase: break
    // What follows the first bytes decides whether spaces among them count.
    case .rtrim, .custom: return nil
    }
    self.position = position
    column = NormalizedKeys.Column(ordering.terms[position])
  }

  /// Returns the prefix of a row, or zero where it has none.
  ///
  /// - Parameter value: The row's value at ``position``.
  /// - Returns: The prefix.
  func prefix(of value: RawColumn) -> SortPrefix {
    let size = MemoryLayout<SortPrefix>.size
    let start = value.keepingBytes { UnsafeRawBufferPointer(rebasing: $0.prefix(size)) }
    // A number takes eleven bytes, and eight bytes of text nineteen at most.
    var bytes: (UInt64, UInt64, UInt64) = (0, 0, 0)
    return withUnsafeMutableBytes(of: &bytes) { bytes in
      guard let target = bytes.baseAddress, start.write(to: target, column) != nil else { return 0 }
      // NULL would be zero.
      return SortPrefix(bigEndian: target.load(as: SortPrefix.self)) | 1
    }
  }
}
