internal import SectileCore

/// What a ``PaginatedDataSource`` holds: its loads, and how they crawl through the pages.
final class PaginationStore<Item: Identifiable & Sendable, Page: Hashable & Sendable>: Sendable
where Item.ID: Sendable {
  typealias Progress = PageProgress<Page>
  typealias Queue = LoadQueue<Item, Progress>

  let queue: Queue
  private let fetcher: PageFetcher<Item, Page>
  private let rules: ItemRules<Item>
  /// How many pages one load brings.
  private let pagesPerLoad: Int

  init(
    loader: any PageLoader<Item, Page>, pagesPerLoad: Int, configuration: RemoteConfiguration,
    delivery: CallbackDelivery, rules: ItemRules<Item>
  ) {
    queue = Queue(
      progress: Progress(firstPage: loader.firstPage), configuration: configuration,
      delivery: delivery)
    fetcher = PageFetcher(loader: loader, configuration: configuration)
    self.rules = rules
    self.pagesPerLoad = max(1, pagesPerLoad)
  }

  /// What a reader sees.
  var visible: Queue.Version { queue.visible }

  /// Begins to load again what is there, or the first pages.
  @discardableResult func refresh() -> Queue.Load {
    queue.load(.refresh) { [self] load in
      let version = try current(load)
      if version.snapshot.numberOfItems > 0 { return try await replace(version, load) }
      let beginning = Progress(firstPage: fetcher.loader.firstPage)
      try await append(Queue.Version(snapshot: version.snapshot, progress: beginning), load)
    }
  }

  /// Begins to load what comes next; nil at the end of the list.
  func more() -> Queue.Load? {
    if queue.isSettled, visible.progress.next == nil { return nil }
    return queue.load(.more) { [self] load in try await append(current(load), load) }
  }

  private func current(_ load: Queue.Load) throws -> Queue.Version {
    guard let version = queue.current(load) else { throw CancellationError() }
    return version
  }

  /// Appends pages, each visible as soon as it arrives.
  private func append(_ version: Queue.Version, _ load: Queue.Load) async throws {
    var version = version
    let (sum, isOverflow) = version.progress.pageCount.addingReportingOverflow(pagesPerLoad)
    let limit = isOverflow ? Int.max : sum
    while let page = version.progress.next, version.progress.pageCount < limit {
      let loaded = try await fetcher.page(page)
      let problem = version.progress.advance(past: page, loaded, queue.configuration)
      let merge = PageMerge(appending: loaded.items, to: version.snapshot, rules)
      version.snapshot = merge.snapshot
      let isLast = version.progress.next == nil || version.progress.pageCount >= limit
      try queue.submit(version, merge.changes, in: load, isLast: isLast && problem == nil)
      if let problem { throw problem }
    }
  }

  /// Loads as many pages as there are, and only then replaces the list: a list that is half old and
  /// half new is never seen, and a load that fails changes nothing.
  private func replace(_ version: Queue.Version, _ load: Queue.Load) async throws {
    let limit = max(pagesPerLoad, version.progress.pageCount)
    var progress = Progress(firstPage: fetcher.loader.firstPage)
    var items: [Item] = []
    while let page = progress.next, progress.pageCount < limit {
      let loaded = try await fetcher.page(page)
      let problem = progress.advance(past: page, loaded, queue.configuration)
      if let problem { throw problem }
      items += loaded.items
    }
    let merge = PageMerge(replacing: version.snapshot, with: items, rules)
    let next = Queue.Version(snapshot: merge.snapshot, progress: progress)
    try queue.submit(next, merge.changes, in: load)
  }
}

extension PageProgress {
  fileprivate mutating func advance(
    past page: Page, _ loaded: LoadedPage<some Sendable, Page>, _ limits: RemoteConfiguration
  ) -> RemoteError? {
    advance(
      past: page, nextPage: loaded.nextPage, isEmpty: loaded.items.isEmpty, total: loaded.total,
      limits)
  }
}
