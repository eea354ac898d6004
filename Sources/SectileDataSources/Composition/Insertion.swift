public import SectileCore

/// Shows its first input with all rows of the second one in the middle of a section.
///
/// ```text
/// first    a b c d        second   X Y        at item 2
/// shown    a b X Y c d
/// ```
///
/// The second input's rows keep their place by number: when a row comes in front of them, the row
/// that stood before them stands after them. Of these it is theirs that move.
struct Insertion<Item: Sendable>: Composition {
  typealias ItemID = AnyItemID
  typealias InputID = AnyItemID

  /// Where the second input's first row is; in a section that is too short, at its end.
  let place: ItemPath

  /// The rows that are inserted are shown with the others: where they come first, all come at once.
  ///
  /// Of insertions one around another each would otherwise tell all outer ones twice.
  var loadsLastInputFirst: Bool { true }

  struct Result: JoinedArrangement {
    let inputs: [any DataSourceSnapshot<AnyItemID, Item>]
    // Of insertions one around another each would ask the next, for every header and every count.
    let sections: SectionList
    let numberOfSections: Int
    let numberOfItems: Int
    let section: Int
    /// Whether there is such a section.
    private let isThere: Bool
    /// How many rows of the first input are in the section.
    private let length: Int
    /// How many rows of the section come before the second input's.
    let item: Int
    /// How many rows of the second input are shown: all, or none where there is no such section.
    let count: Int

    init(_ inputs: [any DataSourceSnapshot<AnyItemID, Item>], place: ItemPath) {
      self.inputs = inputs
      sections = inputs[0].sections
      numberOfSections = sections.count
      section = place.section
      isThere = place.section >= 0 && place.section < numberOfSections
      length = isThere ? inputs[0].numberOfItems(in: place.section) : 0
      item = min(max(place.item, 0), length)
      count = isThere ? inputs[1].numberOfItems : 0
      numberOfItems = inputs[0].numberOfItems + count
    }

    var first: any DataSourceSnapshot<AnyItemID, Item> { inputs[0] }
    var second: any DataSourceSnapshot<AnyItemID, Item> { inputs[1] }

    func numberOfItems(in section: Int) -> Int {
      section == self.section ? length + count : first.numberOfItems(in: section)
    }
    func header(ofSection section: Int) -> SourceSection { sections[section] }
    func section(withIdentity identity: StoredValue) -> Int? {
      first.section(withIdentity: identity)
    }

    func path(of id: AnyItemID) -> ItemPath? {
      if id.source == 1 {
        guard count > 0, let path = second.path(of: id.inSource) else { return nil }
        return ItemPath(section: section, item: item + second.rank(of: path))
      }
      guard id.source == 0, let path = first.path(of: id.inSource) else { return nil }
      let isBehind = path.section == section && path.item >= item
      return ItemPath(section: path.section, item: path.item + (isBehind ? count : 0))
    }

    func rank(of path: ItemPath) -> Int {
      let start = first.rank(of: ItemPath(section: path.section, item: 0))
      return start + (path.section > section ? count : 0) + path.item
    }

    func path(atRank rank: Int) -> ItemPath {
      let start = isThere ? first.rank(of: ItemPath(section: section, item: 0)) + item : .max
      if rank < start { return first.path(atRank: rank) }
      if rank < start + count { return ItemPath(section: section, item: item + rank - start) }
      let path = first.path(atRank: rank - count)
      let isBehind = path.section == section && path.item >= item
      return ItemPath(section: path.section, item: path.item + (isBehind ? count : 0))
    }

    func scan(_ body: (AnyItemID, Item, Int) throws -> Void) throws {
      let start = isThere ? first.rank(of: ItemPath(section: section, item: 0)) + item : .max
      try first.scan { id, item, rank in
        try body(AnyItemID(id, ofSource: 0), item, rank < start ? rank : rank + count)
      }
      guard isThere else { return }
      try second.scan { try body(AnyItemID($0, ofSource: 1), $1, start + $2) }
    }

    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) {
      guard path.section == section, path.item >= item else { return (0, path) }
      if path.item < item + count { return (1, second.path(atRank: path.item - item)) }
      return (0, ItemPath(section: path.section, item: path.item - count))
    }

    func origin(ofAbsentSection identity: StoredValue) -> (input: Int, identity: StoredValue)? {
      (0, identity)
    }
  }

  func origin(of id: AnyItemID) -> (input: Int, id: AnyItemID)? {
    id.source.map { ($0, id.inSource) }
  }

  func arrange(_ inputs: [any DataSourceSnapshot<AnyItemID, Item>]) -> Result {
    Result(inputs, place: place)
  }

  func follow(_ change: InputChange<AnyItemID, Item>, from old: Result) -> Followed<Result> {
    let new = arrange(change.after)
    let number = change.input
    var rows = TouchedRows<AnyItemID, Item>(
      change, withMovedSections: number == 1, id: { AnyItemID($0, ofSource: number) },
      payload: { _, payload in payload })
    if number == 0 { rows.touchSections(of: change.changes) { $0 } }
    if number == 1 || !change.changes.keepsPlaces {
      for result in [old, new] where result.count > 0 {
        for rank in 0..<result.count {
          let id = result.second.id(at: result.second.path(atRank: rank))
          rows.touch(AnyItemID(id, ofSource: 1))
        }
      }
    }
    return Followed(result: new, changes: rows.changes(from: old, to: new))
  }
}

extension Changeset {
  /// Whether all rows and sections are where they were.
  var keepsPlaces: Bool {
    sectionDeletes.isEmpty && sectionInserts.isEmpty && sectionMoves.isEmpty && deletes.isEmpty
      && inserts.isEmpty && moves.isEmpty
  }
}

extension DataSource {
  /// Returns a source with the items of another one in the middle of a section.
  ///
  /// They keep their place by number, whatever comes and goes before them. In a section that is
  /// shorter they stand at its end; where there is no such section they are not shown.
  ///
  /// - Parameters:
  ///   - other: The source whose items are inserted, without its sections: a few.
  ///   - path: Where the first of them is, counted in this source.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Complexity: A change costs O(log *n*), and O(*m*) for the *m* items of the other source. Of
  ///   *d* insertions one around another, a change that moves them all costs more than O(*d*²):
  ///   insert items that stand together as one source.
  public func inserting<Other: DataSource>(
    contentsOf other: Other, at path: ItemPath
  ) -> ComposedDataSource<AnyItemID, Item> where Other.Item == Item {
    ComposedDataSource(
      Insertion<Item>(place: path), of: [erased, other.erased], name: name)
  }

  /// Returns a source with one more item in the middle of a section: a banner, say.
  ///
  /// See ``inserting(contentsOf:at:)`` for more information.
  ///
  /// ```swift
  /// let list = packages.map { Row.package($0) }
  ///   .inserting(.banner("Security updates"), at: ItemPath(section: 0, item: 3))
  /// ```
  ///
  /// - Parameters:
  ///   - item: The item. Its identity is `AnyItemID(0, ofSource: 1)`.
  ///   - path: Where it is, counted in this source.
  /// - Returns: The source; it is empty until it is loaded.
  public func inserting(
    _ item: Item, at path: ItemPath
  ) -> ComposedDataSource<AnyItemID, Item> {
    let banner = FixedDataSource(name: "banner", items: [SingleItem(item: item)])
    return inserting(contentsOf: banner.map { $0.item }, at: path)
  }
}

/// An item that stands alone, and needs no identity of its own.
private struct SingleItem<Item: Sendable>: Identifiable, Sendable {
  let item: Item
  var id: Int { 0 }
}
