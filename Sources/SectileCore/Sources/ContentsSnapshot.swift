internal import Synchronization

/// A version of contents that are held in memory, as an array of sections.
///
/// Where rows and sections are is worked out when it is first asked for, in O(*n*); from then on
/// every question is answered in O(1), or O(log *s*) for *s* sections. Copies share it.
public struct ContentsSnapshot<ItemID: Hashable & Sendable, Item: Sendable>: DataSourceSnapshot {
  /// The sections and rows.
  public let contents: SectionedContents<ItemID, Item>
  private let positions: Positions

  /// Creates a snapshot of contents; no two rows, and no two sections, may share an identity.
  public init(_ contents: SectionedContents<ItemID, Item> = SectionedContents()) {
    self.contents = contents
    positions = Positions()
  }

  /// The version of the contents.
  public var version: Int { contents.version }

  /// The aggregates of all rows.
  public var aggregates: AggregateValues { contents.aggregates }

  /// The sections, in order.
  public var sections: SectionList {
    let contents = contents
    return SectionList(count: contents.sections.count) { contents.sections[$0].header }
  }

  /// The number of sections.
  public var numberOfSections: Int { contents.sections.count }

  /// The number of items in all sections.
  public var numberOfItems: Int { starts.last ?? 0 }

  /// Returns the number of items in a section; zero where there is no such section.
  public func numberOfItems(in section: Int) -> Int {
    contents.sections.indices.contains(section) ? contents.sections[section].rows.count : 0
  }

  /// Returns the ordinal of the section with an identity, or nil.
  public func section(withIdentity identity: StoredValue) -> Int? {
    positions.sections(of: contents)[identity]
  }

  /// Returns the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with the code `noSuchPath` where there is none.
  public func item(at path: ItemPath) throws(DataSourceError) -> Item {
    try check(path)
    return contents[path].item
  }

  /// Returns the identity of the item at a path.
  ///
  /// - Precondition: `path` exists.
  public func id(at path: ItemPath) -> ItemID { contents[path].id }

  /// Returns the path of an item, or nil where there is none with that identity.
  public func path(of id: ItemID) -> ItemPath? { positions.paths(of: contents)[IdentityKey(id)] }

  /// Returns how many items come before a path, over all sections.
  public func rank(of path: ItemPath) -> Int { starts[path.section] + path.item }

  /// Returns the path of the item before which as many items come.
  ///
  /// - Precondition: `rank` is in `0..<numberOfItems`.
  public func path(atRank rank: Int) -> ItemPath {
    let starts = starts
    precondition(rank >= 0 && rank < numberOfItems, "rank \(rank) is outside 0..<\(numberOfItems)")
    let section = partition(starts.count) { starts[$0] > rank } - 1
    return ItemPath(section: section, item: rank - starts[section])
  }

  /// The rank of each section's first row, and the number of rows at the end.
  private var starts: [Int] { positions.starts(of: contents) }

  /// Where everything is, once somebody asked.
  private final class Positions: Sendable {
    private let knownPaths = Mutex<[IdentityKey<ItemID>: ItemPath]?>(nil)
    private let knownSections = Mutex<[StoredValue: Int]?>(nil)
    private let knownStarts = Mutex<[Int]?>(nil)

    func paths(of contents: SectionedContents<ItemID, Item>) -> [IdentityKey<ItemID>: ItemPath] {
      // Hashing identities is the user's code: it runs outside of the lock, at worst twice.
      if let known = knownPaths.withLock({ $0 }) { return known }
      var found: [IdentityKey<ItemID>: ItemPath] = [:]
      found.reserveCapacity(contents.count)
      for (section, rows) in contents.sections.enumerated() {
        for (item, row) in rows.rows.enumerated() {
          found[IdentityKey(row.id)] = ItemPath(section: section, item: item)
        }
      }
      let paths = found
      knownPaths.withLock { $0 = paths }
      return paths
    }

    func sections(of contents: SectionedContents<ItemID, Item>) -> [StoredValue: Int] {
      knownSections.withLock { known in
        if let known { return known }
        let found = Dictionary(
          contents.sections.enumerated().map { ($0.element.header.identity, $0.offset) }
        ) { first, _ in first }
        known = found
        return found
      }
    }

    func starts(of contents: SectionedContents<ItemID, Item>) -> [Int] {
      knownStarts.withLock { known in
        if let known { return known }
        var starts = [0]
        for section in contents.sections {
          starts.append(starts[starts.count - 1] + section.rows.count)
        }
        known = starts
        return starts
      }
    }
  }
}
