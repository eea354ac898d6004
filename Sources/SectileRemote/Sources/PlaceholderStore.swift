internal import SectileCore

/// What a ``PlaceholderDataSource`` holds: its loads, and which pages they brought.
final class PlaceholderStore<Item: Identifiable & Sendable, Page: Hashable & Sendable>: Sendable
where Item.ID: Sendable {
  typealias Row = RemoteListRow<Item>
  typealias Queue = LoadQueue<Row, Progress>
  typealias Loaded = LoadedPage<Item, Page>

  /// How much of the list is known.
  struct Progress: Sendable {
    /// How many items the list has.
    var total: Int?
    /// The ranks at which the pages begin that were loaded.
    var firstRanks: Set<Int> = []
  }

  let queue: Queue
  private let fetcher: PageFetcher<Item, Page>
  private let loader: any RandomAccessPageLoader<Item, Page>
  private let rules: ItemRules<Row>
  private let rowCountLimit: Int

  init(
    loader: any RandomAccessPageLoader<Item, Page>, rowCountLimit: Int,
    configuration: RemoteConfiguration, delivery: CallbackDelivery, rules: ItemRules<Row>
  ) {
    queue = Queue(progress: Progress(), configuration: configuration, delivery: delivery)
    fetcher = PageFetcher(loader: loader, configuration: configuration)
    self.loader = loader
    self.rules = rules
    self.rowCountLimit = rowCountLimit
  }

  /// Begins to load again all pages that were loaded, at least the first.
  @discardableResult func refresh() -> Queue.Load {
    queue.load(.refresh) { [self] load in try await refresh(load) }
  }

  /// Begins to load the page with the row at a rank.
  @discardableResult func page(withRank rank: Int, isWanted: Bool) -> Queue.Load {
    let place = loader.place(ofRank: rank)
    return queue.load(.page(firstRank: place.firstRank), isWanted: isWanted) { [self] load in
      let loaded = try await fetcher.page(place.page)
      let version = try current(load)
      var progress = version.progress
      let total = take(loaded, place, &progress, count: version.snapshot.numberOfItems)
      let merge = RankedMerge(
        loaded.ranked(from: place.firstRank), total: total, in: version.snapshot, rules)
      let (snapshot, changes) = merge.finish()
      try queue.submit(Queue.Version(snapshot: snapshot, progress: progress), changes, in: load)
    }
  }

  /// Begins to load the page with the row at a rank, where that is a placeholder, until more is
  /// asked for.
  func want(rank: Int) {
    let snapshot = queue.visible.snapshot
    guard (0..<snapshot.numberOfItems).contains(rank),
      snapshot.row(at: snapshot.path(atRank: rank)).item.isPlaceholder
    else { return }
    page(withRank: rank, isWanted: false)
  }

  private func current(_ load: Queue.Load) throws -> Queue.Version {
    guard let version = queue.current(load) else { throw CancellationError() }
    return version
  }

  /// Takes note of a page, and returns how many rows the list has by it.
  private func take(
    _ loaded: Loaded, _ place: PagePlace<Page>, _ progress: inout Progress, count: Int
  ) -> Int {
    let end = place.firstRank + loaded.placeCount
    if loaded.total != nil || loaded.nextPage == nil { progress.total = loaded.total ?? end }
    let total = min(max(progress.total ?? max(count, end), 0), rowCountLimit)
    progress.firstRanks.insert(place.firstRank)
    progress.firstRanks = progress.firstRanks.filter { $0 < max(total, 1) }
    return total
  }

  /// Loads the pages that were loaded, and only then changes the list.
  private func refresh(_ load: Queue.Load) async throws {
    let version = try current(load)
    var progress = Progress()
    var items: [Int: Item] = [:]
    var total = 0
    for rank in version.progress.firstRanks.union([0]).sorted() where rank == 0 || rank < total {
      let place = loader.place(ofRank: rank)
      let loaded = try await fetcher.page(place.page)
      total = take(loaded, place, &progress, count: total)
      for (rank, item) in loaded.ranked(from: place.firstRank) { items[rank] = item }
    }
    var seen: Set<IdentityKey<Item.ID>> = []
    let rows = (0..<total).map { rank -> Row in
      guard let item = items[rank], seen.insert(IdentityKey(item.id)).inserted else {
        return .placeholder(rank: rank)
      }
      return .item(item)
    }
    let merge = PageMerge(replacing: version.snapshot, with: rows, rules)
    let next = Queue.Version(snapshot: merge.snapshot, progress: progress)
    try queue.submit(next, merge.changes, in: load)
  }
}
