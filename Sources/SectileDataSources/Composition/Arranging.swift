internal import SectileCore

/// Shows those rows of its input that it wants, in sections and in an order of its own.
///
/// Filtering, sorting and grouping are one rule: what a row is worth (whether it is shown, in which
/// section, by which key) is worked out when the row is written, and kept; rows of equal keys stand
/// as in the input. What is kept of all rows is an ``ArrangedIndex``.
struct Arranging<ItemID: Hashable & Sendable, Item: Sendable, Key: Sendable>: Composition {
  /// Returns what an item is sorted by, or nil where it is not shown.
  let key: @Sendable (Item) -> Key?
  /// The order of keys; nil where rows stand as in the input.
  var keyOrder: KeyOrder<Key>?
  /// Returns the section of an item; nil for that of the input.
  var section: (@Sendable (Item) -> SourceSection)?
  /// The order of sections; nil for the input's sections in the input's order.
  var sectionOrder: SectionOrder?
  /// Whether rows are left out.
  var selectsItems = false
  /// Whether the input's sections are there without rows, too; has no meaning where there are
  /// others.
  var keepsEmptySections = false

  var assignsSections: Bool { section != nil }

  struct Result: Arrangement {
    let input: any DataSourceSnapshot<ItemID, Item>
    var rows: ArrangedIndex<ItemID, Key>
    /// Whether the sections are those of the input.
    let isInInputSections: Bool

    var aggregates: AggregateValues { input.aggregates }
    var numberOfSections: Int { rows.index.sectionCount }
    var numberOfItems: Int { rows.index.count }
    func numberOfItems(in section: Int) -> Int { rows.index.count(inSection: section) }
    func header(ofSection section: Int) -> SourceSection { rows.index.header(ofSection: section) }
    func section(withIdentity identity: StoredValue) -> Int? {
      rows.index.sectionOrdinal(of: identity)
    }
    func item(at path: ItemPath) throws -> Item { try input.item(at: inputPath(path)) }
    func id(at path: ItemPath) -> ItemID { rows.id(at: path) }
    func path(of id: ItemID) -> ItemPath? { rows.path(of: id) }
    func rank(of path: ItemPath) -> Int {
      rows.index.startRank(ofSection: path.section) + path.item
    }
    func path(atRank rank: Int) -> ItemPath { rows.index.path(atRank: rank) }
    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) { (0, inputPath(path)) }

    func scan(_ body: (ItemID, Item, Int) throws -> Void) throws {
      // Of many rows that are not shown, each would be read.
      guard numberOfItems * 4 >= input.numberOfItems else { return try scanByRank(body) }
      let ranks = rows.index.ranksByHandle
      if let arrivals = rows.arrivals {
        // Numbered as they came; the input was scanned in the same order then.
        var (arrival, number) = (0, 0)
        try input.scan { id, item, _ in
          defer { arrival += 1 }
          guard arrivals[arrival] else { return }
          defer { number += 1 }
          try body(id, item, Int(ranks[number]))
        }
      } else {
        try input.scan { id, item, _ in
          guard let number = rows.handle(of: id) else { return }
          try body(id, item, Int(ranks[Int(number)]))
        }
      }
    }

    func origin(ofSection section: Int) -> (input: Int, section: Int?) {
      let identity = header(ofSection: section).identity
      return (0, isInInputSections ? input.section(withIdentity: identity) : nil)
    }

    func origin(ofAbsentSection identity: StoredValue) -> (input: Int, identity: StoredValue)? {
      isInInputSections ? (0, identity) : nil
    }

    private func inputPath(_ path: ItemPath) -> ItemPath {
      guard let inputPath = input.path(of: id(at: path)) else {
        preconditionFailure("the row at \(path) is shown, but not in the input")
      }
      return inputPath
    }
  }

  func origin(of id: ItemID) -> (input: Int, id: ItemID)? { (0, id) }

  func arrange(_ inputs: [any DataSourceSnapshot<ItemID, Item>]) throws -> Result {
    let input = inputs[0]
    let scanned = try ScannedRows(of: input, by: self)
    let order = RowOrder(input: input, keyOrder, sectionOrder)
    return Result(
      input: input, rows: scanned.arranged(in: order, keepsEmptySections: keepsEmptySections),
      isInInputSections: sectionOrder == nil)
  }

  func follow(
    _ change: InputChange<ItemID, Item>, from old: Result
  ) throws -> Followed<Result> {
    var placements: [IdentityKey<ItemID>: Placement<Key>] = [:]
    var touched = try TouchedRows<ItemID, Item>(
      change, withMovedSections: sectionOrder != nil, id: { $0 },
      payload: { id, payload in
        let item = try payload.item
        placements[IdentityKey(id)] = key(item).map { Placement(key: $0, header: section?(item)) }
        return .value(item)
      })
    let order = RowOrder(input: change.new, keyOrder, sectionOrder)
    var edits = ArrangedEdits(old.rows, in: order, keepsEmptySections: keepsEmptySections)
    for id in touched.rows.keys.lazy.map(\.id) {
      // A row that was not written is worth what it was worth.
      if !touched.isListed(id), let path = old.rows.path(of: id) {
        edits.insert(id, old.rows.key(at: path), under: old.header(ofSection: path.section))
      }
      edits.remove(id)
    }
    for (key, placement) in placements {
      guard let path = change.new.path(of: key.id) else { continue }
      let header = placement.header ?? change.new.sections[path.section]
      edits.insert(key.id, placement.key, under: header)
    }
    if sectionOrder == nil {
      touched.touchSections(of: change.changes) { $0 }
      edits.retitle(change.changes.sectionUpdates.map(\.header))
      edits.move(sections: touched.movableSections)
    }
    if sectionOrder == nil, keepsEmptySections {
      edits.replaceEmptySections(
        gone: change.changes.sectionDeletes.map(\.header.identity),
        come: change.changes.sectionInserts.map(\.header),
        moved: touched.movableSections)
    }
    let finished = try edits.finish { id in try header(ofFirst: id, in: change.new) }
    touched.movableSections.formUnion(finished.reorderedSections)
    let new = Result(
      input: change.new, rows: finished.rows, isInInputSections: sectionOrder == nil)
    return Followed(result: new, changes: touched.changes(from: old, to: new))
  }

  /// Returns the header that a section's first row gives it; nil where sections are the input's.
  private func header(ofFirst id: ItemID, in input: any DataSourceSnapshot<ItemID, Item>) throws
    -> SourceSection?
  {
    guard let section, let path = input.path(of: id) else { return nil }
    return section(try input.item(at: path))
  }
}

/// What is worked out from an item.
struct Placement<Key: Sendable>: Sendable {
  let key: Key
  /// The section's header; nil for that of the input's section.
  var header: SourceSection?
}
