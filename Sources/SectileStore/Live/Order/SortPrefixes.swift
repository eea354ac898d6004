import SectileCore

/// The prefixes of the sort keys of a plan's rows, as far as they were met: with them a place is found
/// without a question to SQLite, where no index has the order.
///
/// They are about the newest contents, whose rows they know by handle. Nothing depends on them: where a
/// prefix is missing, or two are equal, the database is asked. All are forgotten where contents come
/// about otherwise than by finding the places of single rows.
///
/// ```text
/// begin(7, next: 8)   note(row, prefix) …       a commit is worked out
/// begin(8, next: 9)                             it was published: the notes hold
/// begin(7, next: 9)                             or rolled back: the notes are dropped
/// begin(5, next: 9)                             something else was published: nothing is known
/// ```
///
/// Confined to the writing connection's serial queue.
final class SortPrefixes {
  /// For so many notes memory is kept from one commit to the next.
  private static let keptNoteCount = 64

  // Asked for in each commit; not checked at run time, because no access is inside another.
  /// The number of the contents that the prefixes are about.
  @exclusivity(unchecked) private var contents = 0
  /// The number of the contents that the notes are about.
  @exclusivity(unchecked) private var next = 0
  @exclusivity(unchecked) private var notes: [(key: RowKey, prefix: SortPrefix)] = []
  /// By handle; what is not in use holds what was there last.
  @exclusivity(unchecked) private var prefixes: ContiguousArray<SortPrefix> = []

  init() {}

  // MARK: Following the contents

  /// Takes note of the contents that a change is worked out from.
  ///
  /// - Parameters:
  ///   - keys: Their keys.
  ///   - number: Their number.
  ///   - next: The number of the contents after the change.
  func begin(_ keys: borrowing RowKeyMap, _ number: Int, next: Int) {
    if number == self.next {
      while let note = notes.popLast() {
        if let handle = keys.handle(of: note.key) { set(note.prefix, of: handle) }
      }
    } else if number != contents {
      forget()
    }
    contents = number
    self.next = next
    // Mostly empty by now. What a large transaction needed is not kept for the small ones after it.
    if !notes.isEmpty || notes.capacity > Self.keptNoteCount { notes = [] }
  }

  /// Takes note of the prefix that a row has in the contents that come next.
  func note(_ key: RowKey, _ prefix: SortPrefix) { notes.append((key, prefix)) }

  /// Forgets everything: rows may be ordered by another rule, or the contents that come next are worked
  /// out otherwise.
  func forget() {
    next = contents
    notes = []
    prefixes = []
  }

  // MARK: Knowing

  /// On which side of a row one with another prefix belongs; nil where the prefixes cannot tell.
  func side(of prefix: SortPrefix, from handle: Int32) -> PlaceSide? {
    prefixes.withUnsafeBufferPointer { Self.side(of: prefix, from: $0.prefix(of: handle)) }
  }

  @inline(__always)
  private static func side(of prefix: SortPrefix, from known: SortPrefix) -> PlaceSide? {
    guard known != 0, known != prefix else { return nil }
    return prefix < known ? .before : .behind
  }

  /// Narrows the ranks among which a row belongs.
  ///
  /// - Parameters:
  ///   - ranks: The ranks of rows of its section.
  ///   - prefix: The row's prefix.
  ///   - index: The order of the contents.
  /// - Returns: An empty range at the row's place, or the ranks that are left when a row could not be
  ///   told; and that row, if its prefix is not known.
  func narrow(
    _ ranks: Range<Int>, to prefix: SortPrefix, in index: borrowing SectionedIndex
  ) -> (ranks: Range<Int>, unknown: Int32?) {
    var unknown: Int32?
    let left = prefixes.withUnsafeBufferPointer { prefixes in
      index.narrow(ranks) { handle in
        let known = prefixes.prefix(of: handle)
        if known == 0 { unknown = handle }
        return Self.side(of: prefix, from: known)
      }
    }
    return (left, unknown)
  }

  /// Takes note of the prefix that a row has in the contents that a change is worked out from.
  func set(_ prefix: SortPrefix, of handle: Int32) {
    let missing = Int(handle) + 1 - prefixes.count
    if missing > 0 { prefixes.append(contentsOf: repeatElement(0, count: missing)) }
    prefixes[Int(handle)] = prefix
  }
}

extension UnsafeBufferPointer<SortPrefix> {
  /// The prefix of the row with a handle; zero where it is not known.
  @inline(__always)
  fileprivate func prefix(of handle: Int32) -> SortPrefix {
    Int(handle) < count ? self[Int(handle)] : 0
  }
}
