/// What became of contents, by the identities of their rows: for a client that comes back with
/// contents that nobody remembers.
///
/// A ``Changeset`` names paths before and after. Where only the keys of touched rows are known, as
/// in a change log, what can be said is: these are gone, these are there, each at its path *now*,
/// and these are all sections. Applied to the contents as they were at any time since which nothing
/// else was touched, they give the contents now:
///
/// ```text
///   the client has      A: 1 2 3 │ B: 4 5
///   touched             2, 4, 9
///   they are now        K- #2     K+ [0,0] #4     K+ [1,1] #9     A: 3 rows, B: 2
///   the client gets     A: 4 1 3 │ B: 5 9
/// ```
///
/// Nothing tells whether a row that is gone was ever in the client's contents, so ``deletes`` may
/// name ones that it never saw.
public struct KeyedChanges<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// A row that is there, whether it is new, has other contents, is in another place, or is as it
  /// was.
  public struct Upsert: Sendable {
    /// The row's path in the contents now.
    public let path: ItemPath
    /// The row's identity.
    public let id: ItemID
    /// The item.
    public let item: Item

    package init(path: ItemPath, id: ItemID, item: Item) {
      self.path = path
      self.id = id
      self.item = item
    }
  }

  /// A section that is there.
  public struct Section: Hashable, Sendable {
    /// The section's header.
    public let header: SourceSection
    /// The number of its rows.
    public let count: Int

    package init(header: SourceSection, count: Int) {
      self.header = header
      self.count = count
    }
  }

  /// The version of the contents that applying them gives.
  public let targetVersion: Int
  /// The rows that are not there, whether they were or not.
  public let deletes: [ItemID]
  /// The rows that are there, ascending by their paths.
  public let upserts: [Upsert]
  /// All sections in order, also those of which no row was touched.
  public let sections: [Section]
  /// The aggregates of all rows.
  public let aggregates: AggregateValues

  package init(
    targetVersion: Int, deletes: [ItemID], upserts: [Upsert], sections: [Section],
    aggregates: AggregateValues = .empty
  ) {
    self.targetVersion = targetVersion
    self.deletes = deletes
    self.upserts = upserts
    self.sections = sections
    self.aggregates = aggregates
  }
}

extension KeyedChanges.Upsert: Equatable where Item: Equatable {
  /// Returns whether path, identity and item are the same; texts in the identity, byte by byte.
  public static func == (left: Self, right: Self) -> Bool {
    left.path == right.path && IdentityKey(left.id) == IdentityKey(right.id)
      && left.item == right.item
  }
}

extension KeyedChanges: Equatable where Item: Equatable {
  /// Returns whether all lists are the same, in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.targetVersion == right.targetVersion && left.upserts == right.upserts
      && left.sections == right.sections && left.aggregates == right.aggregates
      && left.deletes.elementsEqual(right.deletes) { IdentityKey($0) == IdentityKey($1) }
  }
}
