public import SectileCore

/// Shows all rows of its input in one section; without rows there is none.
struct Flattening<ItemID: Hashable & Sendable, Item: Sendable>: Composition {
  let header: SourceSection

  struct Result: Arrangement {
    let input: any DataSourceSnapshot<ItemID, Item>
    let header: SourceSection

    var aggregates: AggregateValues { input.aggregates }
    var numberOfSections: Int { numberOfItems == 0 ? 0 : 1 }
    var numberOfItems: Int { input.numberOfItems }
    func numberOfItems(in section: Int) -> Int { numberOfItems }
    func header(ofSection section: Int) -> SourceSection { header }
    func section(withIdentity identity: StoredValue) -> Int? {
      identity == header.identity && numberOfSections == 1 ? 0 : nil
    }
    func item(at path: ItemPath) throws -> Item { try input.item(at: inputPath(path)) }
    func id(at path: ItemPath) -> ItemID { input.id(at: inputPath(path)) }
    func path(of id: ItemID) -> ItemPath? {
      input.path(of: id).map { ItemPath(section: 0, item: input.rank(of: $0)) }
    }
    func rank(of path: ItemPath) -> Int { path.item }
    func path(atRank rank: Int) -> ItemPath { ItemPath(section: 0, item: rank) }
    func scan(_ body: (ItemID, Item, Int) throws -> Void) throws { try input.scan(body) }
    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) { (0, inputPath(path)) }

    func origin(ofSection section: Int) -> (input: Int, section: Int?) {
      (0, input.numberOfSections == 1 ? 0 : nil)
    }

    private func inputPath(_ path: ItemPath) -> ItemPath { input.path(atRank: path.item) }
  }

  func origin(of id: ItemID) -> (input: Int, id: ItemID)? { (0, id) }

  func arrange(_ inputs: [any DataSourceSnapshot<ItemID, Item>]) -> Result {
    Result(input: inputs[0], header: header)
  }

  func follow(_ change: InputChange<ItemID, Item>, from old: Result) -> Followed<Result> {
    let new = arrange(change.after)
    let rows = TouchedRows<ItemID, Item>(change, withMovedSections: true)
    return Followed(result: new, changes: rows.changes(from: old, to: new))
  }
}

extension DataSource {
  /// Returns a source with all items in one section, in the order they have over all sections.
  ///
  /// A section that moves moves its items one by one.
  ///
  /// - Parameter title: The title of the section.
  /// - Returns: The source; it is empty until it is loaded.
  public func flattened(title: String = "") -> ComposedDataSource<ItemID, Item> {
    ComposedDataSource(
      Flattening(header: SourceSection(identity: .null, title: title)), of: [self])
  }
}
