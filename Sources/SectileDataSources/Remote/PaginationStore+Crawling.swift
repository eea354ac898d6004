internal import SectileCore

extension PaginationStore {
  /// Does the work of a load.
  ///
  /// - Throws: `CancellationError` where the load was cancelled, and otherwise ``RemoteError``.
  func run(_ load: Load) async throws {
    guard let version = current(load) else { throw CancellationError() }
    let beginning = Progress(firstPage: fetcher.loader.firstPage)
    switch load.kind {
    case .more:
      try await append(version, load)
    case .refresh where version.snapshot.numberOfItems == 0:
      try await append(Version(snapshot: version.snapshot, progress: beginning), load)
    case .refresh:
      try await replace(version, load)
    }
  }

  /// Appends pages, each visible as soon as it arrives.
  private func append(_ version: Version, _ load: Load) async throws {
    var version = version
    let limit = version.progress.pageCount.addingReportingOverflow(pagesPerLoad)
    while let page = version.progress.next,
      limit.overflow
        || version.progress.pageCount < limit.partialValue
    {
      let loaded = try await fetcher.page(page)
      let problem = version.progress.advance(past: page, loaded, fetcher.configuration)
      let merge = PageMerge(appending: loaded.items, to: version.snapshot, rules)
      try submit(merge, version.progress, in: load)
      version.snapshot = merge.snapshot
      if let problem { throw problem }
    }
  }

  /// Loads as many pages as there are, and only then replaces the list: a list that is half old and
  /// half new is never seen, and a load that fails changes nothing.
  private func replace(_ version: Version, _ load: Load) async throws {
    let limit = max(pagesPerLoad, version.progress.pageCount)
    var progress = Progress(firstPage: fetcher.loader.firstPage)
    var items: [Item] = []
    while let page = progress.next, progress.pageCount < limit {
      let loaded = try await fetcher.page(page)
      let problem = progress.advance(past: page, loaded, fetcher.configuration)
      if let problem { throw problem }
      items += loaded.items
    }
    try submit(PageMerge(replacing: version.snapshot, with: items, rules), progress, in: load)
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
