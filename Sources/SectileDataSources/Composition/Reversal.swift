public import SectileCore

/// Shows sections, and the rows in them, in the opposite order.
struct Reversal<ItemID: Hashable & Sendable, Item: Sendable>: Composition {
  var reversesRows: Bool { true }

  struct Result: Arrangement {
    let input: any DataSourceSnapshot<ItemID, Item>

    var aggregates: AggregateValues { input.aggregates }
    var numberOfSections: Int { input.numberOfSections }
    var numberOfItems: Int { input.numberOfItems }
    func numberOfItems(in section: Int) -> Int { input.numberOfItems(in: opposite(section)) }
    func header(ofSection section: Int) -> SourceSection { input.sections[opposite(section)] }
    func section(withIdentity identity: StoredValue) -> Int? {
      input.section(withIdentity: identity).map(opposite)
    }
    func item(at path: ItemPath) throws -> Item { try input.item(at: inputPath(path)) }
    func id(at path: ItemPath) -> ItemID { input.id(at: inputPath(path)) }
    func path(of id: ItemID) -> ItemPath? { input.path(of: id).map(path) }
    func rank(of path: ItemPath) -> Int {
      // Counted from the path's section on: the path may be just behind its last item.
      let section = opposite(path.section)
      let start = input.rank(of: ItemPath(section: section, item: 0))
      return numberOfItems - start - input.numberOfItems(in: section) + path.item
    }
    func path(atRank rank: Int) -> ItemPath {
      path(input.path(atRank: input.numberOfItems - 1 - rank))
    }
    func scan(_ body: (ItemID, Item, Int) throws -> Void) throws {
      let last = numberOfItems - 1
      try input.scan { try body($0, $1, last - $2) }
    }
    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) { (0, inputPath(path)) }

    func origin(ofSection section: Int) -> (input: Int, section: Int?) { (0, opposite(section)) }
    func origin(ofAbsentSection identity: StoredValue) -> (input: Int, identity: StoredValue)? {
      (0, identity)
    }

    private func opposite(_ section: Int) -> Int { input.numberOfSections - 1 - section }

    /// Returns where an input's path is here.
    func path(_ path: ItemPath) -> ItemPath {
      ItemPath(
        section: opposite(path.section),
        item: input.numberOfItems(in: path.section) - 1 - path.item)
    }

    private func inputPath(_ path: ItemPath) -> ItemPath {
      let section = opposite(path.section)
      return ItemPath(section: section, item: input.numberOfItems(in: section) - 1 - path.item)
    }
  }

  func origin(of id: ItemID) -> (input: Int, id: ItemID)? { (0, id) }

  func arrange(_ inputs: [any DataSourceSnapshot<ItemID, Item>]) -> Result {
    Result(input: inputs[0])
  }

  func follow(_ change: InputChange<ItemID, Item>, from old: Result) -> Followed<Result> {
    let new = arrange(change.after)
    let (oldCount, newCount) = (old.numberOfSections, new.numberOfSections)
    let translation = ChangesetTranslation<ItemID, Item, ItemID, Item>(
      sectionBefore: { oldCount - 1 - $0 }, sectionAfter: { newCount - 1 - $0 },
      pathBefore: { old.path($0) }, pathAfter: { new.path($0) }, id: { $0 }, payload: { $0 },
      keepsOrder: false)
    return Followed(result: new, changes: translation(change.changes))
  }
}

extension DataSource {
  /// Returns a source with the sections, and the items in each of them, in the opposite order.
  public func reversed() -> ComposedDataSource<ItemID, Item> {
    ComposedDataSource(Reversal(), of: [self])
  }
}
