public import SectileCore

/// One version of the contents of a list that grows by pages.
///
/// Versions share what they have in common: a page that is appended costs O(*p* log *n*) for *p*
/// items, whatever was there before. Positions are answered in O(1), ranks in O(log *s*) for *s*
/// sections, identities in O(log *n*).
public struct PagedSnapshot<ItemID: Hashable & Sendable, Item: Sendable>: DataSourceSnapshot {
  /// A section's header and rows.
  struct Section: Sendable {
    var header: SourceSection
    var rows = ChunkedRows<ItemID, Item>()
  }

  /// The version of the contents.
  public internal(set) var version: Int
  private(set) var list: [Section]
  private var places = LayeredPlaces<ItemID>()
  private var ordinals: [StoredValue: Int] = [:]
  /// The rank of each section's first row, and the number of rows at the end.
  private var starts: [Int] = [0]
  /// Called with the rank of a row that is wanted; nil where nothing is to be done about it.
  var onWanted: (@Sendable (Int) -> Void)?

  /// Creates a snapshot without items.
  init(version: Int = 0) {
    self.version = version
    list = []
  }

  /// Creates a snapshot of contents; no two rows, and no two sections, may share an identity.
  init(_ contents: SectionedContents<ItemID, Item>) {
    version = contents.version
    list = contents.sections.map { Section(header: $0.header, rows: ChunkedRows($0.rows)) }
    var places: [IdentityKey<ItemID>: ItemPath?] = [:]
    for (ordinal, section) in contents.sections.enumerated() {
      ordinals[section.header.identity] = ordinal
      for (offset, row) in section.rows.enumerated() {
        places[IdentityKey(row.id)] = ItemPath(section: ordinal, item: offset)
      }
    }
    self.places.record(places)
    countAnew()
  }

  // MARK: - Reading

  /// The sections, in order.
  public var sections: SectionList {
    SectionList(count: list.count) { [list] in list[$0].header }
  }

  /// The number of sections.
  public var numberOfSections: Int { list.count }

  /// The number of items in all sections.
  public var numberOfItems: Int { starts[starts.count - 1] }

  /// Returns the number of items in a section; zero where there is no such section.
  public func numberOfItems(in section: Int) -> Int {
    list.indices.contains(section) ? list[section].rows.count : 0
  }

  /// Returns the ordinal of the section with an identity, or nil.
  public func section(withIdentity identity: StoredValue) -> Int? { ordinals[identity] }

  /// Returns the item at a path.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath` where there is none.
  public func item(at path: ItemPath) throws(DataSourceError) -> Item {
    try check(path)
    return row(at: path).item
  }

  /// Returns the identity of the item at a path.
  ///
  /// - Precondition: `path` exists.
  public func id(at path: ItemPath) -> ItemID { row(at: path).id }

  /// Returns the row at a path.
  ///
  /// - Precondition: `path` exists.
  func row(at path: ItemPath) -> ChunkedRows<ItemID, Item>.Row {
    list[path.section].rows[path.item]
  }

  /// Returns the path of an item, or nil where there is none with that identity.
  public func path(of id: ItemID) -> ItemPath? { places[id] }

  /// Returns how many items come before a path, over all sections.
  ///
  /// - Precondition: `path` exists, or is just behind the last item of a section.
  public func rank(of path: ItemPath) -> Int { starts[path.section] + path.item }

  /// Returns the path of the item before which as many items come.
  ///
  /// - Precondition: `rank` is in `0..<numberOfItems`.
  public func path(atRank rank: Int) -> ItemPath {
    precondition(rank >= 0 && rank < numberOfItems, "rank \(rank) is outside 0..<\(numberOfItems)")
    let section = starts.partitioningIndex { $0 > rank } - 1
    return ItemPath(section: section, item: rank - starts[section])
  }

  /// The whole contents as a plain value.
  var contents: SectionedContents<ItemID, Item> {
    SectionedContents(
      version: version,
      sections: list.map {
        SectionedContents<ItemID, Item>.Section(header: $0.header, rows: $0.rows.all)
      })
  }

  // MARK: - Editing a copy

  /// Changes sections in place, or adds some behind them, and records where items are now.
  ///
  /// - Parameters:
  ///   - moved: Every item that came, moved or went, with its path after the change.
  ///   - body: Changes the sections; it must leave each section that was there where it was.
  mutating func edit(
    recording moved: [IdentityKey<ItemID>: ItemPath?], _ body: (inout [Section]) -> Void
  ) {
    let former = list.count
    body(&list)
    for ordinal in former..<list.count { ordinals[list[ordinal].header.identity] = ordinal }
    places.record(moved)
    countAnew()
  }

  private mutating func countAnew() {
    starts = [0]
    starts.reserveCapacity(list.count + 1)
    for section in list { starts.append(starts[starts.count - 1] + section.rows.count) }
  }
}

extension PagedSnapshot: RowWanting {
  package var loadsWantedRows: Bool { onWanted != nil }

  package func noteWanted(at path: ItemPath) {
    guard let onWanted, contains(path) else { return }
    onWanted(rank(of: path))
  }
}

extension PagedSnapshot: Encodable where ItemID: Encodable, Item: Encodable {}
