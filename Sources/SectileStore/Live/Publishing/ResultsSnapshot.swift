public import SectileCore
internal import Synchronization

/// One version of sectioned results, for good: it never changes under the reader.
///
/// Sections, counts, paths and identities are part of the snapshot. Items are read when asked for,
/// in batches, and are what they were at the snapshot's version also when they were written or
/// deleted since, as long as this store wrote them while the results followed its commits: not
/// after they were cancelled or released, not for views, whose rows are nobody's, and not where a
/// table has virtual columns and a key that is not its row id.
///
/// ```swift
/// let snapshot = results.snapshot
/// try store.write { try $0.delete(Package.self, key: 7) }
/// snapshot.numberOfItems  // as before
/// ```
///
/// Copies share one cache of items. A snapshot that is held on to keeps the rows that were
/// overwritten since in memory.
public struct ResultsSnapshot<Item: Identifiable & Sendable>: DataSourceSnapshot
where Item.ID: EntityKey {
  /// What identifies an item: its primary key.
  public typealias ItemID = Item.ID

  /// The version of the results this is.
  public let version: Int
  let contents: PlanContents
  let node: VersionNode
  let reader: ItemReader<Item>
  let batchSize: Int
  /// The version's rows, as long as the load holds them that read it.
  let view: HeldView?
  private let cache: SnapshotCache<Item>

  init(
    contents: PlanContents, version: Int, node: VersionNode, reader: ItemReader<Item>,
    batchSize: Int, view: HeldView?, heldBy views: LoadViews? = nil
  ) {
    self.contents = contents
    self.version = version
    self.node = node
    self.reader = reader
    self.batchSize = batchSize
    self.view = view
    cache = SnapshotCache(limit: ItemCache<Item>.limit(batchSize: batchSize), heldBy: views)
  }

  /// The number of sections.
  public var numberOfSections: Int { contents.index.sectionCount }

  /// The number of items in all sections.
  public var numberOfItems: Int { contents.count }

  /// The sections, in order.
  public var sections: SectionList {
    let index = contents.index
    return SectionList(count: index.sectionCount) { index.header(ofSection: $0) }
  }

  /// What is worked out from all items; none, unless the request asks for it.
  ///
  /// Those of a section are in its header.
  public var aggregates: AggregateValues { contents.aggregates }

  /// Returns the number of items in a section; zero where there is no such section.
  ///
  /// - Complexity: O(log *n*).
  public func numberOfItems(in section: Int) -> Int {
    section >= 0 && section < numberOfSections ? contents.index.count(inSection: section) : 0
  }

  /// Returns the item at a path, as it was at this version.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath` where this version has no item at the
  ///   path; a ``StoreError``: `itemChangedElsewhere` if another process has changed the row since;
  ///   what reading throws.
  /// - Complexity: O(log *n*); one query reads a batch of neighbours.
  public func item(at path: ItemPath) throws -> Item {
    guard contents.index.contains(path) else { throw DataSourceError.noSuchPath(path) }
    let key = contents.key(at: path)
    if let item = cache.item(key) { return item }
    let batch = try contents.fault(
      at: path, batchSize: batchSize, node: node, view: view, by: reader)
    cache.insert(batch)
    return batch.item
  }

  /// Returns the item at a path, as it was at this version, without blocking the caller's thread.
  ///
  /// An item that is remembered is returned at once. See `item(at:)` for more information.
  public func item(at path: ItemPath) async throws -> Item {
    guard contents.index.contains(path) else { throw DataSourceError.noSuchPath(path) }
    if let item = cache.item(contents.key(at: path)) { return item }
    return try await reader.access.blockingCalls.run { try item(at: path) }
  }

  /// Reads everything: sections with their identities and items, all in one reading transaction.
  ///
  /// The version is the snapshot's: where another process has overwritten a row of it, it is
  /// nowhere any more. Who wants what is there now asks `SectionedResults.contents()`.
  ///
  /// - Throws: A ``StoreError``: `itemChangedElsewhere` if another process has changed a row since;
  ///   what reading throws.
  public func materialized() throws -> SectionedContents<Item.ID, Item> {
    if view?.isHeld != true { contents.content?.pass?.waitBriefly() }
    return try contents.materialized(
      version: version, items: reader.allItems(of: contents, at: node, in: view), readBy: reader)
  }

  /// Reads everything, without blocking the caller's thread.
  ///
  /// Cancelling the task has it throw `CancellationError` where its turn has not come. See
  /// `materialized()` for more information.
  public func materialized() async throws -> SectionedContents<Item.ID, Item> {
    try await reader.access.blockingCalls.run { try materialized() }
  }

  /// Returns the path of an item, or nil where this version does not contain it.
  ///
  /// - Complexity: O(log *n*).
  public func path(of id: Item.ID) -> ItemPath? {
    contents.path(of: RowKey(of: id, forms: reader.format.keyForms))
  }

  /// Returns the identity of the item at a path.
  ///
  /// - Precondition: `path` exists in this version.
  /// - Complexity: O(log *n*).
  public func id(at path: ItemPath) -> Item.ID {
    do {
      return try contents.key(at: path).id(forms: reader.format.keyForms)
    } catch {
      preconditionFailure("a key was loaded as \(Item.ID.self) and cannot be read again: \(error)")
    }
  }

  /// Returns the ordinal of the section with an identity, or nil.
  ///
  /// - Complexity: O(log *n*).
  public func section(withIdentity identity: StoredValue) -> Int? {
    contents.index.sectionOrdinal(of: identity)
  }

  /// Returns how many items come before a path, over all sections.
  ///
  /// - Precondition: `path` exists, or is just behind the last item of a section.
  /// - Complexity: O(log *n*).
  public func rank(of path: ItemPath) -> Int {
    contents.index.startRank(ofSection: path.section) + path.item
  }

  /// Returns the path of the item before which as many items come.
  ///
  /// - Precondition: `rank` is in `0..<numberOfItems`.
  /// - Complexity: O(log *n*).
  public func path(atRank rank: Int) -> ItemPath { contents.index.path(atRank: rank) }
}

extension ResultsSnapshot: Encodable where Item: Encodable, Item.ID: Encodable {}

private final class SnapshotCache<Item: Sendable>: Sendable {
  private let items: Mutex<ItemCache<Item>>

  /// What holds the rows that are read.
  private let views: LoadViews?

  init(limit: Int, heldBy views: LoadViews?) {
    items = Mutex(ItemCache(limit: limit))
    self.views = views
  }

  func item(_ key: RowKey) -> Item? {
    let (item, forgotten) = items.withLock { ($0.item(key), $0.takeForgotten()) }
    withExtendedLifetime(forgotten) {}
    return item
  }

  func insert(_ batch: FaultedItems<Item>) {
    let forgotten = items.withLock { items in
      items.insert(batch)
      return items.takeForgotten()
    }
    withExtendedLifetime(forgotten) {}
  }
}

/// An item that was asked for, and its neighbours.
struct FaultedItems<Item: Sendable>: Sendable {
  let item: Item
  let rows: [WantedRow]
  /// One for each of the rows; nil for one that is no longer what it was.
  let items: [Item?]
}

extension ItemCache {
  func insert(_ batch: FaultedItems<Item>) {
    for offset in batch.rows.indices {
      if let item = batch.items[offset] { insert(item, for: batch.rows[offset].key) }
    }
  }
}

extension PlanContents {
  /// Reads the item at a path together with its neighbours.
  func fault<Item>(
    at path: ItemPath, batchSize: Int, node: VersionNode, view: HeldView?,
    by reader: ItemReader<Item>
  ) throws -> FaultedItems<Item> {
    if view?.isHeld != true { content?.pass?.waitBriefly() }
    let rank = index.rank(at: path)
    let first = rank - rank % max(1, batchSize)
    let ranks = first..<(first + min(count - first, max(1, batchSize)))
    let rows = ranks.map { rank in
      let handle = index.handle(atRank: rank)
      return WantedRow(
        key: keys.key(of: handle), content: content?[handle] ?? RowDigest.unknown)
    }
    let items = try reader.items(rows, at: node, in: view)
    guard let item = items[rank - first] else {
      view?.noteGoneRow()
      throw StoreError.itemChangedElsewhere(table: reader.table, key: rows[rank - first].key)
    }
    return FaultedItems(item: item, rows: rows, items: items)
  }
}

extension StoreError {
  static func itemChangedElsewhere(table: String, key: RowKey) -> StoreError {
    StoreError(
      .itemChangedElsewhere,
      message: "A row of \(table) is no longer what it was in the version that is read.",
      hint: "Another process wrote to the database: call store.checkForExternalChanges(), or wait "
        + "for the changeset.", rowKey: key.values)
  }
}
