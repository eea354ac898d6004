internal import SectileCore
public import SectileDataSources
public import SectileStore

/// Keeps the items of a remote list in a store: what is shown is the store's, and so are the diffs.
///
/// Pages are stored as they come, each in one transaction with what is known of the list: items are
/// inserted or updated by key, and the page that follows is noted. So the list can be shown without
/// a network, goes on where it stopped, also after a restart, and never shows half a page.
///
/// ```swift
/// let mediator = StoreMediator(name: "songs", store: store, loader: loader)
/// let songs = try mediator.source(of: FetchRequest<Song>().sort(by: \.title))
/// songs.delegate = printer
/// try songs.load()       // what was stored last time, at once; then the diffs of the refresh
/// ```
///
/// An item is deleted only on proof: when a crawl, from the first page to the last, is complete and
/// has not seen it, and no other list has it. Rows that came from elsewhere are never deleted. Where
/// the service says how many items there are, and the crawl has seen fewer, or the number changed on
/// the way (the list changed while it was paged through), that is no proof. A service that says no
/// number, and is paged by offset while its list shrinks, can hide an item from a crawl; it comes back
/// with the next refresh.
///
/// The idea is that of `RemoteMediator` in Android's Room.
public actor StoreMediator<Model: Entity, Page: Codable & Hashable & Sendable> {
  /// What the list is called in the database.
  public nonisolated let name: String
  /// Where the items are kept.
  public nonisolated let store: Store
  private nonisolated let fetcher: PageFetcher<Model, Page>
  private nonisolated let list: RemoteList

  // MARK: - Mutable state, the actor's
  //
  // - `running`: the work under way; a second call joins it.
  private var running: SharedWork<RemoteListState>?

  /// Creates a mediator.
  ///
  /// - Parameters:
  ///   - name: What the list is called in the database; one mediator at a time for each.
  ///   - store: Where the items are kept.
  ///   - loader: What loads the pages.
  ///   - configuration: Limits and patience.
  public init(
    name: String, store: Store, loader: some PageLoader<Model, Page>,
    configuration: RemoteConfiguration = RemoteConfiguration()
  ) {
    self.name = name
    self.store = store
    fetcher = PageFetcher(loader: loader, configuration: configuration)
    list = RemoteList(
      name: name, table: Model.schema.table, keyColumns: Model.schema.primaryKey)
  }

  /// How far the list has come; nil where it was never refreshed.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  public nonisolated var state: RemoteListState? {
    get throws { try store.read { try list.state(in: $0) } }
  }

  /// Returns a source of stored items whose loads refresh the list.
  ///
  /// A load shows what is stored at once, then every page as it is stored, and ends when the
  /// refresh has. Where that fails, what is stored stands, and the load ends with the error.
  ///
  /// - Parameters:
  ///   - request: What to show of the stored items.
  ///   - pages: How many pages a load asks for; nil for all.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Throws: `StoreError` where the request does not fit the database.
  public nonisolated func source(
    of request: FetchRequest<Model>, pages: Int? = nil
  ) throws -> ComposedDataSource<Model.ID, Model> {
    try store.results(of: request).refreshed { [self] in _ = try await refresh(pages: pages) }
  }

  // MARK: - Crawling

  /// Begins the list anew and stores its pages; a call while another is at work joins that one.
  ///
  /// Nothing is cleared first: items are updated, and those that are gone are deleted once the last
  /// page was stored.
  ///
  /// - Parameter pages: How many pages to load; nil for all. ``loadMore(pages:)`` loads the others.
  /// - Returns: How far the list has come.
  /// - Throws: `CancellationError`, ``RemoteError``, or `StoreError` where a page
  ///   cannot be stored. The pages before stand; ``loadMore(pages:)`` goes on with the one that
  ///   failed.
  @discardableResult
  public func refresh(pages: Int? = nil) async throws -> RemoteListState {
    try await run { [self] in
      let first = try JSONText.encodePlainly(fetcher.loader.firstPage)
      let list = list
      let crawl = try await store.write { transaction in
        try RemoteList.createTables(in: transaction)
        return try list.beginCrawl(firstPage: first, in: transaction)
      }
      return try await self.crawl(crawl, from: fetcher.loader.firstPage, pages: pages)
    }
  }

  /// Goes on with the list where it stopped: by itself, with an error, or with the process.
  ///
  /// - Parameter pages: How many pages to load; nil for all that follow.
  /// - Returns: How far the list has come. One that is complete stays as it is; one that was never
  ///   begun is begun.
  /// - Throws: See ``refresh(pages:)``.
  @discardableResult
  public func loadMore(pages: Int? = 1) async throws -> RemoteListState {
    guard let place = try place else {
      return try await refresh(pages: pages)
    }
    guard let next = place.nextPage else { return try knownState() }
    return try await run { [self] in
      let page = try self.page(from: next)
      return try await crawl(place.crawl, from: page, pages: pages)
    }
  }

  /// Stops the work under way: the page that is being loaded is not stored.
  public func cancel() {
    running?.cancel()
  }

  /// Does work, or joins the work under way.
  ///
  /// Whoever gives up waiting leaves the work to those who still wait; the last ends it.
  private func run(
    _ work: @escaping @Sendable () async throws -> RemoteListState
  ) async throws -> RemoteListState {
    if let running, running.join() { return try await running.value() }
    let former = running
    let shared = SharedWork {
      // Work that was given up ends first.
      await former?.end()
      return try await work()
    }
    running = shared
    defer { if running === shared { running = nil } }
    return try await shared.value()
  }

  private nonisolated func crawl(
    _ crawl: Int, from page: Page, pages: Int?
  ) async throws -> RemoteListState {
    var progress = PageProgress(firstPage: page)
    var count = 0
    while let page = progress.next, count < pages ?? .max {
      let loaded = try await fetcher.page(page)
      try Task.checkCancellation()
      let problem = progress.advance(
        past: page, nextPage: loaded.nextPage, isEmpty: loaded.items.isEmpty, total: loaded.total,
        fetcher.configuration)
      if let problem { throw problem }
      try await keep(loaded, from: page, crawl: crawl)
      count += 1
    }
    return try knownState()
  }

  private nonisolated var place: RemoteList.Place? {
    get throws { try store.read { try list.place(in: $0) } }
  }

  private nonisolated func knownState() throws -> RemoteListState {
    guard let state = try state else {
      throw StoreError(
        .rowNotFound, message: "The remote list \(name) is no longer known to the database.",
        hint: "Another program deleted it from sectile_remote_list: refresh.")
    }
    return state
  }

  /// Stores a page, and what is known of the list, in one transaction.
  private nonisolated func keep(
    _ loaded: LoadedPage<Model, Page>, from page: Page, crawl: Int
  ) async throws {
    let list = list
    let limit = fetcher.configuration.pageCountLimit
    let this = try JSONText.encodePlainly(page)
    let next = try loaded.nextPage.map { try JSONText.encodePlainly($0) }
    try await store.write { transaction in
      // Another crawl may have begun meanwhile, in another process.
      guard let place = try list.place(in: transaction), place.crawl == crawl else {
        throw CancellationError()
      }
      guard next == nil || place.pageCount + 1 < limit else {
        throw RemoteError.tooManyPages(limit)
      }
      for item in loaded.items {
        try transaction.save(item)
        try list.noteRow(Model.schema.keyValues(of: item.id), crawl: crawl, in: transaction)
      }
      let isCircle = try list.notePage(this, next: next, total: loaded.total, in: transaction)
      // What the crawl has stored before stands; this page, which leads back, does not.
      if isCircle { throw RemoteError.circle(page: place.pageCount + 1) }
      if next == nil, try list.isProof(crawl: crawl, in: transaction) {
        _ = try list.deleteUnseen(crawl: crawl, in: transaction)
      }
    }
  }

  // MARK: - Pages as text

  private nonisolated func page(from text: String) throws -> Page {
    do {
      return try JSONText.decodePlainly(from: text)
    } catch {
      throw StoreError(
        .decodingFailed, message: "The next page of \(name), as it was stored, is no \(Page.self).",
        hint: "The program's pages are others than they were: refresh.",
        storedValue: .text(text))
    }
  }
}

extension RemoteError {
  fileprivate static func tooManyPages(_ limit: Int) -> RemoteError {
    RemoteError(
      code: .tooManyPages, message: "The list has more than \(limit) pages.",
      hint: "Raise pageCountLimit, or ask for larger pages.")
  }

  fileprivate static func circle(page: Int) -> RemoteError {
    RemoteError(
      code: .tokenLoop, message: "Page \(page) names one as its next that was stored before.",
      hint: "The service leads in a circle; report it, or end the list in the parser.")
  }
}
