public import SectileCore

/// Shows a row of its second input after every few rows of the first, as long as more follow.
///
/// ```text
/// first    a b c d e        second   X Y Z        every 2
/// shown    a b X c d Y e
/// ```
///
/// Rows are counted over all sections of the first input, whose sections are kept; a row of the
/// second is shown in the section of the row it follows.
struct Interleaving<Item: Sendable>: Composition {
  typealias ItemID = AnyItemID
  typealias InputID = AnyItemID

  let stride: Int

  struct Result: JoinedArrangement {
    let inputs: [any DataSourceSnapshot<AnyItemID, Item>]
    let sections: SectionList
    let stride: Int
    /// How many rows of the second input are shown.
    let count: Int

    init(_ inputs: [any DataSourceSnapshot<AnyItemID, Item>], stride: Int) {
      self.inputs = inputs
      sections = inputs[0].sections
      self.stride = stride
      count = min(inputs[1].numberOfItems, max(0, inputs[0].numberOfItems - 1) / stride)
    }

    var first: any DataSourceSnapshot<AnyItemID, Item> { inputs[0] }
    var second: any DataSourceSnapshot<AnyItemID, Item> { inputs[1] }

    var numberOfSections: Int { sections.count }
    var numberOfItems: Int { first.numberOfItems + count }

    func numberOfItems(in section: Int) -> Int {
      let start = first.rank(of: ItemPath(section: section, item: 0))
      let end = start + first.numberOfItems(in: section)
      return end - start + shown(before: end) - shown(before: start)
    }

    func header(ofSection section: Int) -> SourceSection { sections[section] }
    func section(withIdentity identity: StoredValue) -> Int? {
      first.section(withIdentity: identity)
    }

    func path(of id: AnyItemID) -> ItemPath? {
      switch id.source {
      case 0:
        return first.path(of: id.inSource).map { path in
          ItemPath(section: path.section, item: path.item + shown(inFrontOf: path))
        }
      case 1:
        guard let path = second.path(of: id.inSource) else { return nil }
        let number = second.rank(of: path)
        guard number < count else { return nil }
        let leader = first.path(atRank: (number + 1) * stride - 1)
        return ItemPath(section: leader.section, item: leader.item + shown(inFrontOf: leader) + 1)
      default: return nil
      }
    }

    func rank(of path: ItemPath) -> Int {
      let start = first.rank(of: ItemPath(section: path.section, item: 0))
      return start + shown(before: start) + path.item
    }

    func path(atRank rank: Int) -> ItemPath {
      // In front of the last of the second input's rows the pattern repeats.
      let (group, rest) = rank.quotientAndRemainder(dividingBy: stride + 1)
      guard group < count else { return shownPath(first.path(atRank: rank - count)) }
      if rest < stride { return shownPath(first.path(atRank: group * stride + rest)) }
      let leader = shownPath(first.path(atRank: group * stride + stride - 1))
      return ItemPath(section: leader.section, item: leader.item + 1)
    }

    func scan(_ body: (AnyItemID, Item, Int) throws -> Void) throws {
      try first.scan { id, item, rank in
        try body(AnyItemID(id, ofSource: 0), item, rank + shown(before: rank))
      }
      for number in 0..<count {
        let path = second.path(atRank: number)
        let id = AnyItemID(second.id(at: path), ofSource: 1)
        try body(id, try second.item(at: path), (number + 1) * stride + number)
      }
    }

    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) {
      let rank = rank(of: path)
      let (group, rest) = rank.quotientAndRemainder(dividingBy: stride + 1)
      if group < count, rest == stride { return (1, second.path(atRank: group)) }
      return (0, first.path(atRank: rank - min(group, count)))
    }

    /// Returns how many rows of the second input follow the first so many rows of the first.
    private func shown(before rank: Int) -> Int { min(count, rank / stride) }

    /// Returns how many rows of the second input are in a row's section, in front of it.
    private func shown(inFrontOf path: ItemPath) -> Int {
      let start = first.rank(of: ItemPath(section: path.section, item: 0))
      return shown(before: start + path.item) - shown(before: start)
    }

    private func shownPath(_ path: ItemPath) -> ItemPath {
      ItemPath(section: path.section, item: path.item + shown(inFrontOf: path))
    }
  }

  func origin(of id: AnyItemID) -> (input: Int, id: AnyItemID)? {
    id.source.map { ($0, id.inSource) }
  }

  func arrange(_ inputs: [any DataSourceSnapshot<AnyItemID, Item>]) -> Result {
    Result(inputs, stride: stride)
  }

  func follow(_ change: InputChange<AnyItemID, Item>, from old: Result) -> Followed<Result> {
    let new = arrange(change.after)
    let number = change.input
    var rows = TouchedRows<AnyItemID, Item>(
      change, withMovedSections: true, id: { AnyItemID($0, ofSource: number) },
      payload: { _, payload in payload })
    if number == 0 { rows.touchSections(of: change.changes) { $0 } }
    // The second input's rows are few: from the first place that changed on they all may move.
    let start = change.changes.keepsPlaces ? .max : firstRank(of: change)
    let stride = number == 0 ? self.stride : 1
    for result in [old, new] where start < .max {
      for rank in min(max(0, start / stride - 1), result.count)..<result.count {
        let id = result.second.id(at: result.second.path(atRank: rank))
        rows.touch(AnyItemID(id, ofSource: 1))
      }
    }
    return Followed(result: new, changes: rows.changes(from: old, to: new))
  }

  /// Returns the rank, before or after, of the first row of an input that changed places.
  private func firstRank(of change: InputChange<AnyItemID, Item>) -> Int {
    let changes = change.changes
    var ranks: [Int] = []
    func note(_ path: ItemPath?, in input: any DataSourceSnapshot<AnyItemID, Item>) {
      if let path { ranks.append(input.rank(of: path)) }
    }
    // Sections that come or go bring or take their rows, which are listed; those that move do not.
    note(changes.deletes.first?.path, in: change.old)
    note(changes.moves.first?.source, in: change.old)
    note(changes.inserts.first?.path, in: change.new)
    note(changes.moves.map(\.target).min(), in: change.new)
    for section in changes.sectionMoves {
      note(ItemPath(section: section.source, item: 0), in: change.old)
      note(ItemPath(section: section.target, item: 0), in: change.new)
    }
    return ranks.min() ?? 0
  }
}

extension DataSource {
  /// Returns a source with one item of another source after every few of this one's.
  ///
  /// Items are counted over all sections. After the last item of this source none follows; what is
  /// left of the other source is not shown.
  ///
  /// ```swift
  /// let list = stories.interleaved(with: advertisements, every: 5)
  /// ```
  ///
  /// - Parameters:
  ///   - other: The source whose items stand in between.
  ///   - stride: How many items of this source come before each of the other.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Precondition: `stride` is positive.
  /// - Complexity: A change costs O(log *n*), and O(*m*) for the *m* items of the other source that
  ///   are shown after it: each of them stands somewhere else now.
  public func interleaved<Other: DataSource>(
    with other: Other, every stride: Int = 1
  ) -> ComposedDataSource<AnyItemID, Item> where Other.Item == Item {
    precondition(stride > 0, "the stride \(stride) is not positive")
    return ComposedDataSource(
      Interleaving<Item>(stride: stride), of: [erased, other.erased], name: name)
  }
}
