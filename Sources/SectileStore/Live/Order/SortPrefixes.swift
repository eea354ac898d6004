import SectileCore

/// The prefixes of the sort keys of a plan's rows, as far as they were met: with them a place is
/// found without a question to SQLite.
///
/// They are about the newest contents, whose rows they know by handle. Nothing depends on them:
/// where a prefix is missing, or two are equal, the database is asked. All are forgotten where
/// contents come about otherwise than by finding the places of single rows.
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
  /// How far the rows are known.
  private enum Extent {
    /// So many places were sought with an index, and no row is known.
    case none(searchCount: Int)
    /// The rows are being read from the last to the first; those from a rank on were.
    case from(rank: Int)
    /// Rows that are not known are read when they are met.
    case whereMet
    /// To know them costs more than it is worth.
    case never
  }

  /// How much may be spent on reading rows in one go, in rows that SQLite passes.
  static let readCost = InternalChecks.isOn ? 12 : 128
  /// What it costs to look up a row, from which SQLite then passes those before it in its section.
  static let lookUpCost = 8
  /// How many more searches may be undecided than decided.
  private static let undecidedLimit = 256
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
  @exclusivity(unchecked) private var extent = Extent.none(searchCount: 0)
  /// Whether rows were read in this commit.
  @exclusivity(unchecked) private var hasRead = false
  /// How many more searches prefixes did not decide than they did.
  @exclusivity(unchecked) private var undecidedCount = 0

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
    hasRead = false
    // Mostly empty by now. What a large transaction needed is not kept for the small ones after it.
    if !notes.isEmpty || notes.capacity > Self.keptNoteCount { notes = [] }
  }

  /// Takes note of the prefix that a row has in the contents that come next.
  func note(_ key: RowKey, _ prefix: SortPrefix) { notes.append((key, prefix)) }

  /// Forgets everything: rows may be ordered by another rule, or the contents that come next are
  /// worked out otherwise.
  func forget() {
    next = contents
    undecidedCount = 0
    know(.none(searchCount: 0))
  }

  private func know(_ nothing: Extent) {
    extent = nothing
    notes = []
    prefixes = []
  }

  // MARK: Knowing

  /// Whether it is known of any row what it is sorted by.
  var isEmpty: Bool {
    switch extent {
    case .none, .never: true
    case .from, .whereMet: false
    }
  }

  /// Whether a row that is not known is read when it is met.
  var readsWhereMet: Bool { if case .whereMet = extent { true } else { false } }

  /// The rank up to which rows are to be read; nil where none are in this commit.
  var unreadRank: Int? { if !hasRead, case .from(let rank) = extent { rank } else { nil } }

  /// On which side of a row one with another prefix belongs; nil where the prefixes cannot tell.
  func side(of prefix: SortPrefix, from handle: Int32) -> PlaceSide? {
    prefixes.withUnsafeBufferPointer { Self.side(of: prefix, from: $0.prefix(of: handle)) }
  }

  @inline(__always)
  private static func side(of prefix: SortPrefix, from other: SortPrefix) -> PlaceSide? {
    guard other != 0, other != prefix else { return nil }
    return prefix < other ? .before : .behind
  }

  /// Narrows the ranks among which a row belongs.
  ///
  /// - Parameters:
  ///   - ranks: The ranks of rows of its section.
  ///   - prefix: The row's prefix.
  ///   - index: The order of the contents.
  /// - Returns: An empty range at the row's place, or the ranks that are left when a row could not
  ///   be told; and that row, if its prefix is not known.
  func narrow(
    _ ranks: Range<Int>, to prefix: SortPrefix, in index: borrowing SectionedIndex
  ) -> (ranks: Range<Int>, unknown: Int32?) {
    var unknown: Int32?
    let left = prefixes.withUnsafeBufferPointer { prefixes in
      index.narrow(ranks) { handle in
        let other = prefixes.prefix(of: handle)
        if other == 0 { unknown = handle }
        return Self.side(of: prefix, from: other)
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

  /// Rows are read from now on as they are met: no index serves, and each place takes many of them.
  func readWhereMet() { extent = .whereMet }

  /// Counts a place that was sought with an index.
  ///
  /// The rows are read once a quarter as much was spent on places: to read a row that SQLite passes
  /// takes a quarter of what it takes to seek a place.
  ///
  /// - Parameter count: The number of rows.
  func countSearch(among count: Int) {
    guard case .none(let searchCount) = extent else { return }
    let isWorthIt = InternalChecks.isOn || searchCount >= count / 16
    extent = isWorthIt ? .from(rank: count) : .none(searchCount: searchCount + 1)
  }

  /// Rows were read from a rank on.
  ///
  /// No more are read where that costs too much: where a filter wants few of the rows that SQLite
  /// passes, or sections have few rows.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - rank: The lowest rank.
  ///   - cost: What it cost, in rows that SQLite passes.
  func countRead(_ count: Int, downTo rank: Int, for cost: Int) {
    hasRead = true
    if rank == 0 {
      extent = .whereMet
    } else if count * 4 >= cost || InternalChecks.isOn {
      extent = .from(rank: rank)
    } else {
      know(.never)
    }
  }

  /// Counts a search among rows that were read for it, and gives up where too few are decided: many
  /// values begin with the same bytes, or there are few values.
  func countSearch(isDecided: Bool) {
    undecidedCount = isDecided ? max(0, undecidedCount - 1) : undecidedCount + 1
    if undecidedCount > Self.undecidedLimit, !InternalChecks.isOn { know(.never) }
  }
}

extension UnsafeBufferPointer<SortPrefix> {
  /// The prefix of the row with a handle; zero where it is not known.
  @inline(__always)
  fileprivate func prefix(of handle: Int32) -> SortPrefix {
    Int(handle) < count ? self[Int(handle)] : 0
  }
}
