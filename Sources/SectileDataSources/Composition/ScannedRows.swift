internal import SectileCore

/// The rows of an input that an ``Arranging`` rule shows, as they come in a scan; an
/// ``ArrangedIndex`` is made of them.
///
/// ```text
/// come        b 2   a 0   (c 1)   d 3       with their ranks in the input; c is not shown
/// numbered    b 0   a 1           d 2       as they come
/// by rank     1 0 2                         then by section, then by key
/// ```
///
/// Nothing is inserted anywhere: the numbers are sorted, and what they are found by is made of the
/// sorted ones at once.
struct ScannedRows<ItemID: Hashable & Sendable, Key: Sendable> {
  private let ids: ContiguousArray<ItemID>
  /// Nil where there is no order of keys.
  private let keys: ContiguousArray<Key>?
  private let ranks: ContiguousArray<Int32>
  private let sections: SectionAssignment
  private let arrivals: ArrivalMarks

  /// Scans an input.
  ///
  /// - Parameters:
  ///   - input: The input; no two of its rows have the same identity.
  ///   - rule: What says which rows are shown, and what decides their places.
  /// - Throws: What reading an item throws.
  init<Item>(
    of input: any DataSourceSnapshot<ItemID, Item>, by rule: Arranging<ItemID, Item, Key>
  ) throws {
    let limit = input.numberOfItems
    let isSorted = rule.keyOrder != nil
    var keys: ContiguousArray<Key> = []
    var ranks: ContiguousArray<Int32> = []
    var sections = SectionAssignment()
    var arrivals = ArrivalMarks()
    // Written to memory: an array that is appended to row by row looks its own type up each time.
    ids = try ContiguousArray(unsafeUninitializedCapacity: limit) { ids, count in
      keys = try ContiguousArray(unsafeUninitializedCapacity: isSorted ? limit : 0) {
        keys, keyCount in
        try input.scan { id, item, rank in
          guard let key = rule.key(item) else { return arrivals.append(false) }
          precondition(count < limit, "there are more rows than the \(limit) of the snapshot")
          arrivals.append(true)
          ids.initializeElement(at: count, to: id)
          count += 1
          if isSorted {
            keys.initializeElement(at: keyCount, to: key)
            keyCount += 1
          }
          ranks.append(Int32(rank))
          if let section = rule.section { sections.append(section(item), rank: Int32(rank)) }
        }
      }
    }
    self.keys = isSorted ? keys : nil
    self.ranks = ranks
    self.sections = sections
    self.arrivals = arrivals
  }

  /// Returns the index of the rows, in the input's sections without those that have none, unless
  /// they are kept.
  ///
  /// - Complexity: O(*n*) for *n* rows of the input, and what sorting the keys takes.
  func arranged<Item>(
    in order: RowOrder<ItemID, Item, Key>, keepsEmptySections: Bool
  ) -> ArrangedIndex<ItemID, Key> {
    let numbers = RankedNumbers(ranks, limit: order.input.numberOfItems).numbers
    let index =
      order.sectionOrder.map { inSections(numbers, $0) }
      ?? inSections(numbers, of: order, keepsEmpty: keepsEmptySections)
    return ArrangedIndex(ids, keys: keys, index: index, arrivals: arrivals)
  }

  /// Puts rows into the input's sections.
  private func inSections<Item>(
    _ numbers: ContiguousArray<Int32>, of order: RowOrder<ItemID, Item, Key>, keepsEmpty: Bool
  ) -> SectionedIndex {
    var builder = SectionedIndexBuilder()
    let headers = order.input.sections
    var (position, end) = (0, 0)
    for section in 0..<headers.count where keepsEmpty || position < numbers.count {
      end += order.input.numberOfItems(in: section)
      let start = position
      while position < numbers.count, ranks[Int(numbers[position])] < end { position += 1 }
      guard keepsEmpty || position > start else { continue }
      var members = ContiguousArray(numbers[start..<position])
      if let keys { order.keyOrder?.sort(&members, by: keys) }
      builder.appendSection(headers[section])
      for number in members { builder.appendRow(number) }
    }
    return builder.finish()
  }

  /// Puts rows into the sections that were made of them; in each they stand as in the input.
  private func inSections(
    _ numbers: ContiguousArray<Int32>, _ order: SectionOrder
  ) -> SectionedIndex {
    var builder = SectionedIndexBuilder()
    let (grouped, starts) = sections.group(numbers)
    for ordinal in sections.order(by: order.areInIncreasingOrder) {
      builder.appendSection(sections.headers[ordinal])
      for number in grouped[starts[ordinal]..<starts[ordinal + 1]] { builder.appendRow(number) }
    }
    return builder.finish()
  }
}
