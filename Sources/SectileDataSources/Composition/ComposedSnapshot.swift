public import SectileCore

/// One version of a ``ComposedDataSource``, for good.
///
/// It holds on to the versions of the composed sources that it shows.
public struct ComposedSnapshot<ItemID: Hashable & Sendable, Item: Sendable>: DataSourceSnapshot {
  /// The version of the composition's contents.
  public let version: Int
  /// What is worked out from all items, by ``DataSource/aggregating(_:)`` or the composed source;
  /// empty where there are several of them.
  ///
  /// Those of the composed source are of all its items, whether they are shown or not.
  public let aggregates: AggregateValues
  let arrangement: any Arrangement<ItemID, Item>
  private let inputs: (any InputSnapshots)?

  /// Creates a snapshot.
  ///
  /// - Parameters:
  ///   - version: The version of the contents.
  ///   - arrangement: What is shown.
  ///   - aggregates: The arrangement's aggregates; nil to ask it.
  ///   - inputs: The versions of the inputs.
  init(
    version: Int, arrangement: any Arrangement<ItemID, Item>, aggregates: AggregateValues? = nil,
    inputs: (any InputSnapshots)? = nil
  ) {
    self.version = version
    self.arrangement = arrangement
    self.aggregates = aggregates ?? arrangement.aggregates
    self.inputs = inputs
  }

  /// The sections, in order.
  public var sections: SectionList { arrangement.sections }

  /// The number of sections.
  public var numberOfSections: Int { arrangement.numberOfSections }

  /// The number of items in all sections.
  public var numberOfItems: Int { arrangement.numberOfItems }

  /// Returns the number of items in a section; zero where there is no such section.
  public func numberOfItems(in section: Int) -> Int {
    section >= 0 && section < numberOfSections ? arrangement.numberOfItems(in: section) : 0
  }

  /// Returns the ordinal of the section with an identity, or nil.
  public func section(withIdentity identity: StoredValue) -> Int? {
    arrangement.section(withIdentity: identity)
  }

  /// Returns the item at a path, made when asked for.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath` where there is none; what reading from
  ///   the composed source throws.
  public func item(at path: ItemPath) throws -> Item {
    try check(path)
    return try arrangement.item(at: path)
  }

  /// Returns the identity of the item at a path.
  ///
  /// - Precondition: `path` exists.
  public func id(at path: ItemPath) -> ItemID { arrangement.id(at: path) }

  /// Returns the path of an item, or nil where there is none with that identity.
  public func path(of id: ItemID) -> ItemPath? { arrangement.path(of: id) }

  /// Returns how many items come before a path, over all sections.
  public func rank(of path: ItemPath) -> Int { arrangement.rank(of: path) }

  /// Returns the path of the item before which as many items come.
  ///
  /// - Precondition: `rank` is in `0..<numberOfItems`.
  public func path(atRank rank: Int) -> ItemPath { arrangement.path(atRank: rank) }
}

extension ComposedSnapshot: ScannedSnapshot {
  /// Calls a closure once for each row; see ``SectileCore/DataSourceSnapshot/scan(_:)``.
  package func scanRows(
    _ body: (_ id: ItemID, _ item: Item, _ rank: Int) throws -> Void
  ) throws {
    try arrangement.scan(body)
  }
}

extension ComposedSnapshot: RowWanting {
  package var loadsWantedRows: Bool { inputs?.mayLoadWantedRows ?? false }

  package func noteWanted(at path: ItemPath) {
    guard contains(path) else { return }
    let (input, path) = arrangement.origin(at: path)
    inputs?.noteWanted(at: path, ofInput: input)
  }
}

/// The versions of its inputs that a composition shows, whatever these are.
protocol InputSnapshots: Sendable {
  /// Whether wanting a row may do anything; of several inputs it may, since to ask all of them
  /// would cost more than to look for the row.
  var mayLoadWantedRows: Bool { get }

  func noteWanted(at path: ItemPath, ofInput input: Int)
}

/// The versions of inputs of one kind.
struct InputSnapshotList<ItemID: Hashable & Sendable, Item: Sendable>: InputSnapshots {
  let list: [any DataSourceSnapshot<ItemID, Item>]

  var mayLoadWantedRows: Bool { list.count == 1 ? list[0].loadsWantedRows : !list.isEmpty }

  func noteWanted(at path: ItemPath, ofInput input: Int) { list[input].prefetchItem(at: path) }
}

extension ComposedSnapshot: Encodable where ItemID: Encodable, Item: Encodable {}
