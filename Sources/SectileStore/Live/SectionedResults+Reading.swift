public import SectileCore
internal import Synchronization

extension SectionedResults {
  /// The version of the contents: zero before the first load, one more with each changeset.
  public var version: Int { tracker.state.withLock { $0.versions.version } }

  /// The current version, for good.
  ///
  /// - Complexity: O(1); the next commit copies what it changes while a snapshot is held.
  public var snapshot: ResultsSnapshot<Item> { items.snapshot(of: tracker) }

  /// The sections of the current version, in order.
  public var sections: SectionList { snapshot.sections }

  /// The number of sections.
  public var numberOfSections: Int {
    tracker.state.withLock { $0.versions.visible.index.sectionCount }
  }

  /// The number of items in all sections.
  public var numberOfItems: Int { tracker.state.withLock { $0.versions.visible.count } }

  /// What is worked out from all items of the current version; none, unless the request asks for
  /// it.
  public var aggregates: AggregateValues {
    tracker.state.withLock { $0.versions.visible.aggregates }
  }

  /// Returns the number of items in a section; zero where there is no such section.
  ///
  /// - Complexity: O(log *n*).
  public func numberOfItems(in section: Int) -> Int {
    tracker.state.withLock { state in
      let index = state.versions.visible.index
      return section >= 0 && section < index.sectionCount ? index.count(inSection: section) : 0
    }
  }

  /// Returns the item at a path of the current version.
  ///
  /// Items are read in batches when asked for, and the ones asked for lately are kept.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath` where the current version has no item
  ///   at the path; a ``StoreError``: `itemChangedElsewhere` if another process has changed the row
  ///   and its changeset is not here yet; what reading throws.
  /// - Complexity: O(log *n*); one query reads a batch of neighbours.
  public func item(at path: ItemPath) throws -> Item {
    try items.item(at: path, of: tracker)
  }

  /// Returns the item at a path of the current version, without blocking the caller's thread.
  ///
  /// An item that is remembered is returned at once. See `item(at:)` for more information.
  public func item(at path: ItemPath) async throws -> Item {
    if let item = try items.rememberedItem(at: path, of: tracker) { return item }
    return try await writer.blockingCalls.run { try item(at: path) }
  }

  /// Returns the path of an item, or nil where the results do not contain it.
  ///
  /// - Complexity: O(log *n*).
  public func path(of id: Item.ID) -> ItemPath? {
    let key = RowKey(of: id, forms: items.format.keyForms)
    return tracker.state.withLock { $0.versions.visible.path(of: key) }
  }

  /// How the results keep up with commits, and why they do it that way.
  ///
  /// ```swift
  /// print(try results.strategy)
  /// // seeking: The order (genre, title, id) is that of index track_on_genre_title.
  /// ```
  ///
  /// ``Store/explain(_:)-(FetchRequest<E>)`` says more: the SQL, its plan, and the index that would
  /// help.
  ///
  /// - Throws: A ``StoreError`` where SQLite does not accept the request any more; `storeClosed`,
  ///   `reentrantAccess` inside a closure of the store.
  public var strategy: UpdateStrategy {
    get throws {
      try items.reader.access.read { db in
        try UpdateStrategy(
          of: PlanQueries(tracker.plan.followingWhatItReads(in: db), in: db), in: db)
      }
    }
  }

  /// What keeps the results from being up to date: what their load met, or a commit since; nil
  /// where they show what the database holds, as far as anybody has looked.
  ///
  /// ```swift
  /// let isHealthy = results.failure == nil
  /// ```
  ///
  /// The contents are then those from before, or none; ``snapshot`` and `item(at:)` go on showing
  /// them, and `contents()` throws the failure. It mends itself where its cause goes away: with the
  /// next commit, or when somebody looks, as `contents()` does; that of a load which left the
  /// results following nothing, with another `load()`. Listeners heard of it when it came, once; of
  /// its end they hear as of a load that finishes, also where nothing has changed.
  public var failure: (any Error)? { tracker.failure }

  /// What the results have done so far to stay up to date.
  public var statistics: ResultsStatistics { tracker.state.withLock { $0.statistics } }
}
