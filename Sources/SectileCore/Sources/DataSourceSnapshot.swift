/// One version of a data source's contents, for good: it never changes under the reader.
///
/// A snapshot answers every question of position: by section and offset (*path*), by position over
/// all sections (*rank*), by identity. It is what compositions of sources are made of, since each
/// of them shows a version of its inputs while they move on.
///
/// ```swift
/// let snapshot = source.snapshot
/// for rank in 0..<snapshot.numberOfItems {
///   print(try snapshot.item(at: snapshot.path(atRank: rank)))
/// }
/// ```
public protocol DataSourceSnapshot<ItemID, Item>: Sendable {
  /// What identifies an item across versions.
  associatedtype ItemID: Hashable & Sendable
  /// What a row is.
  associatedtype Item: Sendable

  /// The version of the source's contents this is.
  var version: Int { get }

  /// The sections, in order.
  var sections: SectionList { get }

  /// What is worked out from all items; ``AggregateValues/empty``, unless the source was asked for
  /// it.
  var aggregates: AggregateValues { get }

  /// The number of sections.
  var numberOfSections: Int { get }

  /// The number of items in all sections.
  var numberOfItems: Int { get }

  /// Returns the number of items in a section; zero where there is no such section.
  func numberOfItems(in section: Int) -> Int

  /// Returns the ordinal of the section with an identity, or nil.
  func section(withIdentity identity: StoredValue) -> Int?

  /// Returns the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with the code `noSuchPath` where there is none; what reading
  ///   from the source throws.
  func item(at path: ItemPath) throws -> Item

  /// Returns the identity of the item at a path.
  ///
  /// - Precondition: `path` exists: ask ``contains(_:)`` of one that comes from elsewhere.
  func id(at path: ItemPath) -> ItemID

  /// Returns the path of an item, or nil where there is none with that identity.
  func path(of id: ItemID) -> ItemPath?

  /// Returns how many items come before a path, over all sections.
  ///
  /// - Precondition: `path` exists, or is just behind the last item of a section.
  func rank(of path: ItemPath) -> Int

  /// Returns the path of the item before which as many items come.
  ///
  /// - Precondition: `rank` is in `0..<numberOfItems`.
  func path(atRank rank: Int) -> ItemPath

  /// Returns how this version differs from an earlier one of the same source.
  ///
  /// It is what ``ChangesetSequence`` falls back to for a consumer that is far behind. A row that
  /// cannot be read any more as it was is reported as updated.
  ///
  /// - Parameter earlier: The earlier version.
  /// - Returns: The difference, by identity.
  func changes(since earlier: Self) -> Changeset<ItemID, Item>

  /// Reads everything: sections with their identities and items.
  ///
  /// A snapshot that reads from somewhere can do so at once.
  ///
  /// - Throws: What ``item(at:)`` throws.
  func materialized() throws -> SectionedContents<ItemID, Item>
}

extension DataSourceSnapshot {
  /// No aggregates: most sources work none out.
  public var aggregates: AggregateValues { .empty }

  /// Reads everything: sections with their identities and items.
  ///
  /// - Throws: What ``item(at:)`` throws.
  /// - Complexity: O(*n*) look-ups.
  public func materialized() throws -> SectionedContents<ItemID, Item> {
    var contents = SectionedContents<ItemID, Item>(version: version, aggregates: aggregates)
    for (section, header) in sections.enumerated() {
      let rows = try (0..<numberOfItems(in: section)).map { offset in
        let path = ItemPath(section: section, item: offset)
        return SectionedContents<ItemID, Item>.Row(id: id(at: path), item: try item(at: path))
      }
      contents.sections.append(SectionedContents<ItemID, Item>.Section(header: header, rows: rows))
    }
    return contents
  }
}
