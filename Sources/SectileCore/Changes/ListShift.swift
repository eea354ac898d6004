/// Where the elements that stay in a list go, when others leave it and others enter it.
///
/// ```text
/// before   a b c d e      removed at 1, 3
/// stays    a   c   e      number 0, 1, 2 of those that stay
/// after    x a c y e      inserted at 0, 3
/// ```
///
/// The element that stays as number *n* is the same before and after; the shift finds *n* from
/// either side, by binary search.
struct ListShift: Sendable {
  /// The positions before of what leaves, ascending.
  private(set) var removed: [Int]
  /// The positions after of what enters, ascending.
  private(set) var inserted: [Int]

  init(removed: [Int] = [], inserted: [Int] = []) {
    self.removed = removed.sorted()
    self.inserted = inserted.sorted()
  }

  /// Returns the position after of the element at a position before, or nil where it leaves.
  func target(of source: Int) -> Int? {
    Self.gap(of: source, in: removed).map { Self.position(ofStaying: $0, in: inserted) }
  }

  /// Returns the position before of the element at a position after, or nil where it entered.
  func source(of target: Int) -> Int? {
    Self.gap(of: target, in: inserted).map { Self.position(ofStaying: $0, in: removed) }
  }

  /// Returns how many of the elements that stay come before a position before.
  func gap(ofRemoved source: Int) -> Int {
    source - Self.lowerBound(of: source, in: removed)
  }

  /// Returns how many of the elements that stay come before a position after.
  func gap(ofInserted target: Int) -> Int {
    target - Self.lowerBound(of: target, in: inserted)
  }

  private static func gap(of position: Int, in others: [Int]) -> Int? {
    let before = lowerBound(of: position, in: others)
    return before < others.count && others[before] == position ? nil : position - before
  }

  private static func position(ofStaying number: Int, in others: [Int]) -> Int {
    number + partition(others.count) { others[$0] - $0 > number }
  }

  private static func lowerBound(of position: Int, in others: [Int]) -> Int {
    partition(others.count) { others[$0] >= position }
  }
}
