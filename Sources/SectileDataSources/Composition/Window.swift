public import SectileCore

/// Shows the rows of its input whose ranks are in a range, in the input's sections.
///
/// Sections before and behind the range are not shown. Rows that enter or leave the range are
/// inserted and deleted: next to the changed rows only those at the edges are looked at.
struct Window<ItemID: Hashable & Sendable, Item: Sendable>: Composition {
  /// How many rows are passed over.
  let offset: Int
  /// How many rows are shown at most; nil for all.
  let limit: Int?

  struct Result: Arrangement {
    let input: any DataSourceSnapshot<ItemID, Item>
    /// The ranks of the input that are shown.
    let ranks: Range<Int>
    /// The rank that the window is around, where it is one that follows a row.
    let anchor: Int
    /// Where the first row that is shown, and the last, are in the input.
    private let first: ItemPath
    private let last: ItemPath

    init(_ input: any DataSourceSnapshot<ItemID, Item>, offset: Int, limit: Int?) {
      let start = min(offset, input.numberOfItems)
      let count = min(limit ?? .max, input.numberOfItems - start)
      self.init(input, start..<start + count, around: start)
    }

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - input: The rows.
    ///   - ranks: Which of them are shown, all of which are there.
    ///   - anchor: The rank that it is around.
    init(_ input: any DataSourceSnapshot<ItemID, Item>, _ ranks: Range<Int>, around anchor: Int) {
      (self.input, self.ranks, self.anchor) = (input, ranks, anchor)
      let none = ItemPath(section: 0, item: 0)
      first = ranks.isEmpty ? none : input.path(atRank: ranks.lowerBound)
      last = ranks.isEmpty ? none : input.path(atRank: ranks.upperBound - 1)
    }

    var aggregates: AggregateValues { input.aggregates }
    var numberOfItems: Int { ranks.count }
    var numberOfSections: Int { ranks.isEmpty ? 0 : last.section - first.section + 1 }

    func numberOfItems(in section: Int) -> Int {
      let number = section + first.section
      let end = number == last.section ? last.item + 1 : input.numberOfItems(in: number)
      return end - start(ofSection: number)
    }

    func header(ofSection section: Int) -> SourceSection { input.sections[section + first.section] }

    func section(withIdentity identity: StoredValue) -> Int? {
      guard !ranks.isEmpty, let section = input.section(withIdentity: identity),
        (first.section...last.section).contains(section)
      else { return nil }
      return section - first.section
    }

    func item(at path: ItemPath) throws -> Item { try input.item(at: inputPath(path)) }
    func id(at path: ItemPath) -> ItemID { input.id(at: inputPath(path)) }
    func path(of id: ItemID) -> ItemPath? {
      guard !ranks.isEmpty, let path = input.path(of: id), first <= path, path <= last else {
        return nil
      }
      return self.path(path)
    }
    func rank(of path: ItemPath) -> Int { input.rank(of: inputPath(path)) - ranks.lowerBound }
    func path(atRank rank: Int) -> ItemPath { path(input.path(atRank: rank + ranks.lowerBound)) }
    func scan(_ body: (ItemID, Item, Int) throws -> Void) throws {
      // Rows outside of the window are not read.
      if ranks.count == input.numberOfItems { try input.scan(body) } else { try scanByRank(body) }
    }
    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) { (0, inputPath(path)) }

    func origin(ofSection section: Int) -> (input: Int, section: Int?) {
      (0, section + first.section)
    }

    /// Returns the item of the first row that is shown of an input's section.
    private func start(ofSection section: Int) -> Int {
      section == first.section ? first.item : 0
    }

    private func path(_ path: ItemPath) -> ItemPath {
      ItemPath(
        section: path.section - first.section,
        item: path.item - start(ofSection: path.section))
    }

    private func inputPath(_ path: ItemPath) -> ItemPath {
      let section = path.section + first.section
      return ItemPath(section: section, item: path.item + start(ofSection: section))
    }
  }

  func origin(of id: ItemID) -> (input: Int, id: ItemID)? { (0, id) }

  func arrange(_ inputs: [any DataSourceSnapshot<ItemID, Item>]) -> Result {
    Result(inputs[0], offset: offset, limit: limit)
  }

  func follow(_ change: InputChange<ItemID, Item>, from old: Result) -> Followed<Result> {
    Self.follow(change, from: old, to: arrange(change.after))
  }

  /// Returns the difference between two windows, wherever they are.
  ///
  /// - Parameters:
  ///   - change: What changed of the input; nothing where only the window has moved.
  ///   - old: The window of the input as it was.
  ///   - new: The window of the input as it is.
  /// - Returns: The new window, and the difference.
  /// - Complexity: O((*w* + *c*) log *n*) for windows of *w* rows and *c* changes.
  static func follow(
    _ change: InputChange<ItemID, Item>, from old: Result, to new: Result
  ) -> Followed<Result> {
    // A section that moves may take some of its rows into the window, or out of it.
    var rows = TouchedRows<ItemID, Item>(change, withMovedSections: true)
    rows.touchSections(of: change.changes) { $0 }
    touchEdges(of: old, notIn: new, &rows)
    touchEdges(of: new, notIn: old, &rows)
    touchEdgeSections(of: old, notIn: new, &rows)
    touchEdgeSections(of: new, notIn: old, &rows)
    return Followed(result: new, changes: rows.changes(from: old, to: new))
  }

  /// Notes the rows of one window that are not in the other: those at its edges, since what was not
  /// touched keeps its order.
  private static func touchEdges(
    of window: Result, notIn other: Result, _ rows: inout TouchedRows<ItemID, Item>
  ) {
    /// Returns whether the row at a rank of the input ends the walk.
    func ends(at rank: Int) -> Bool {
      let id = window.input.id(at: window.input.path(atRank: rank))
      if rows.contains(id) { return false }
      if other.path(of: id) != nil { return true }
      rows.touch(id)
      return false
    }
    var (low, high) = (window.ranks.lowerBound, window.ranks.upperBound - 1)
    while high >= low, !ends(at: high) { high -= 1 }
    while low < high, !ends(at: low) { low += 1 }
  }

  /// Notes the sections of one window that are not in the other: also those without rows.
  private static func touchEdgeSections(
    of window: Result, notIn other: Result, _ rows: inout TouchedRows<ItemID, Item>
  ) {
    func ends(at section: Int) -> Bool {
      let identity = window.header(ofSection: section).identity
      let isTouched =
        rows.touchedSections.contains(identity) || rows.movableSections.contains(identity)
      if isTouched { return false }
      if other.section(withIdentity: identity) != nil { return true }
      rows.touchedSections.insert(identity)
      return false
    }
    var (low, high) = (0, window.numberOfSections - 1)
    while high >= low, !ends(at: high) { high -= 1 }
    while low < high, !ends(at: low) { low += 1 }
  }
}

extension DataSource {
  /// Returns a source with the first items only, counted over all sections.
  ///
  /// Sections behind the last of them are not there. An item that others push out is deleted, one
  /// that they let in is inserted.
  ///
  /// - Parameter limit: How many items the result has at most; none where it is negative.
  /// - Returns: The source; it is empty until it is loaded.
  public func prefix(_ limit: Int) -> ComposedDataSource<ItemID, Item> {
    window(offset: 0, limit: limit)
  }

  /// Returns a source without the first items, counted over all sections.
  ///
  /// See ``prefix(_:)`` for more information.
  ///
  /// - Parameter count: How many items are left out; none where it is negative.
  /// - Returns: The source; it is empty until it is loaded.
  public func dropFirst(_ count: Int = 1) -> ComposedDataSource<ItemID, Item> {
    window(offset: count, limit: nil)
  }

  /// Returns a source with some items from a position on, counted over all sections.
  ///
  /// See ``prefix(_:)`` for more information. Numbers that a client sent may be anything: one that
  /// is negative counts as zero.
  ///
  /// - Parameters:
  ///   - offset: How many items are left out before.
  ///   - limit: How many items the result has at most; nil for all that follow.
  /// - Returns: The source; it is empty until it is loaded.
  public func window(offset: Int, limit: Int?) -> ComposedDataSource<ItemID, Item> {
    ComposedDataSource(
      Window(offset: max(offset, 0), limit: limit.map { max($0, 0) }), of: [self])
  }
}
