internal import HashTreeCollections
internal import SectileCore

/// The rows that an ``Arranging`` rule shows: where they are, and by which key.
///
/// ```text
/// ids      "b" → 0   "a" → 1   "d" → 2          row by identity
/// rows     0 → "b", key   1 → "a", key  …       identity by row
/// index    [1 0] [2]                            rows in sections, in order
/// ```
///
/// It is a value: copies share everything until one of them changes, and then all but O(log *n*).
struct ArrangedIndex<ItemID: Hashable & Sendable, Key: Sendable>: Sendable {
  /// A row, and what decides its place.
  struct Row: Sendable {
    let id: ItemID
    let key: Key
    let header: SourceSection
  }

  var index = SectionedIndex()
  var handles = TreeDictionary<IdentityKey<ItemID>, Int32>()
  var rows = TreeDictionary<Int32, Row>()
  /// The lowest number that no row had yet, and those that are free again.
  var handleCount: Int32 = 0
  var freeHandles = TreeSet<Int32>()

  /// Arranges rows that are given in the input's order.
  ///
  /// - Complexity: O(*n* log *n*).
  init<Item>(_ given: [Row], in order: RowOrder<ItemID, Item, Key>) {
    var ordinals: [StoredValue: Int] = [:]
    var groups: [(header: SourceSection, rows: [Row])] = []
    for row in given {
      if let ordinal = ordinals[row.header.identity] {
        groups[ordinal].rows.append(row)
      } else {
        ordinals[row.header.identity] = groups.count
        groups.append((row.header, [row]))
      }
    }
    for number in groups.indices {
      // Sorting is not stable everywhere: rows of equal keys are compared by where they were.
      let rows = groups[number].rows.enumerated().sorted { left, right in
        if order.areInIncreasingOrder(left.element.key, right.element.key) { return true }
        if order.areInIncreasingOrder(right.element.key, left.element.key) { return false }
        return left.offset < right.offset
      }
      groups[number].rows = rows.map(\.element)
    }
    if order.sectionOrder?.areInIncreasingOrder != nil {
      groups.sort { order.isBefore($0.header, $1.header) }
    }
    var builder = SectionedIndexBuilder()
    for group in groups {
      builder.appendSection(group.header)
      for row in group.rows { builder.appendRow(makeHandle(for: row)) }
    }
    index = builder.finish()
  }

  func row(of id: ItemID) -> Row? { handles[IdentityKey(id)].flatMap { rows[$0] } }

  func path(of id: ItemID) -> ItemPath? {
    handles[IdentityKey(id)].flatMap { index.path(of: $0) }
  }

  func id(at path: ItemPath) -> ItemID { row(at: path).id }

  func row(at path: ItemPath) -> Row {
    let handle = index.handle(at: path)
    guard let row = rows[handle] else { preconditionFailure("row \(handle) has no identity") }
    return row
  }

  /// Reserves the number of a new row.
  mutating func makeHandle(for row: Row) -> Int32 {
    let handle: Int32
    if let free = freeHandles.first {
      handle = free
      freeHandles.remove(free)
    } else {
      handle = handleCount
      handleCount += 1
    }
    handles[IdentityKey(row.id)] = handle
    rows[handle] = row
    return handle
  }

  /// Gives back the number of a row that is gone.
  mutating func freeHandle(of id: ItemID) {
    guard let handle = handles.removeValue(forKey: IdentityKey(id)) else { return }
    rows[handle] = nil
    freeHandles.insert(handle)
  }
}
