import SectileCore

/// The rows of an index in order, each with its path.
///
/// A step takes a few instructions; to ask for the path of a single row takes hundreds.
struct RowWalk: Sequence, IteratorProtocol {
  private let handles: [Int32]
  private let counts: [Int]
  private var rank = 0
  private var path = ItemPath(section: 0, item: 0)

  init(_ index: SectionedIndex) {
    handles = index.handles(in: 0..<index.count)
    counts = index.sectionCounts
  }

  mutating func next() -> (handle: Int32, path: ItemPath)? {
    guard rank < handles.count else { return nil }
    while path.item == counts[path.section] { path = ItemPath(section: path.section + 1, item: 0) }
    defer {
      rank += 1
      path.item += 1
    }
    return (handles[rank], path)
  }
}
