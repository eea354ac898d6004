/// A list that changes one element at a time from its old to its new state.
///
/// ```text
/// before     a b c d        b leaves, d moves to the front, x enters at the end
/// stays      a   c          gaps 0, 1, 2 lie before a, before c, after c
/// line      D a b c d x     every element once per place where it ever is
/// now        1 1 1 1 0      present or not (D, the new place of d, is not yet: 0 1 1 1 1 0)
/// ```
///
/// Each element that leaves, enters or moves has a fixed coordinate on the line for its old place,
/// its new place, or both. In whatever order the steps are taken, the position of one now is the
/// number of elements present before its coordinate, which a Fenwick tree counts.
struct OccurrenceLine {
  private let removed: [Int]
  private let inserted: [Int]
  private var removedCoordinates: [Int] = []
  private var insertedCoordinates: [Int] = []
  /// The gap of each coordinate.
  private var gaps: [Int] = []
  private var presence = FenwickTree()

  /// Creates the line in its old state.
  init(removed: [Int], inserted: [Int]) {
    self.removed = removed.sorted()
    self.inserted = inserted.sorted()
    var (old, new) = (0, 0)
    var isOld: [Bool] = []
    while old < removed.count || new < inserted.count {
      let takesOld =
        old < self.removed.count
        && (new == self.inserted.count || self.removed[old] - old <= self.inserted[new] - new)
      if takesOld {
        removedCoordinates.append(gaps.count)
        gaps.append(self.removed[old] - old)
        old += 1
      } else {
        insertedCoordinates.append(gaps.count)
        gaps.append(self.inserted[new] - new)
        new += 1
      }
      isOld.append(takesOld)
    }
    presence.rebuild(count: isOld.count) { isOld[$0] ? 1 : 0 }
  }

  /// Takes an element from its old place, and returns where it was.
  mutating func remove(old position: Int) -> Int {
    let coordinate = removedCoordinates[Self.offset(of: position, in: removed)]
    presence.add(-1, at: coordinate)
    return gaps[coordinate] + presence.sum(before: coordinate)
  }

  /// Puts an element to its new place, and returns where it is.
  mutating func insert(new position: Int) -> Int {
    let coordinate = insertedCoordinates[Self.offset(of: position, in: inserted)]
    presence.add(1, at: coordinate)
    return gaps[coordinate] + presence.sum(before: coordinate)
  }

  /// Returns where an element is now that is at its old place, or stays.
  func position(old: Int) -> Int {
    let offset = Self.offset(of: old, in: removed)
    if offset < removed.count, removed[offset] == old {
      return position(atCoordinate: removedCoordinates[offset])
    }
    return position(ofStaying: old - offset)
  }

  /// Returns where an element is now that is at its new place, or stays.
  func position(new: Int) -> Int {
    let offset = Self.offset(of: new, in: inserted)
    if offset < inserted.count, inserted[offset] == new {
      return position(atCoordinate: insertedCoordinates[offset])
    }
    return position(ofStaying: new - offset)
  }

  private func position(atCoordinate coordinate: Int) -> Int {
    gaps[coordinate] + presence.sum(before: coordinate)
  }

  private func position(ofStaying number: Int) -> Int {
    number + presence.sum(before: partition(gaps.count) { gaps[$0] > number })
  }

  private static func offset(of position: Int, in positions: [Int]) -> Int {
    partition(positions.count) { positions[$0] >= position }
  }
}
