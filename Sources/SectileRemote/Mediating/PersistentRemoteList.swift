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
/// let remoteList = PersistentRemoteList(name: "songs", store: store, loader: loader)
/// let songs = try remoteList.source(of: FetchRequest<Song>().sort(by: \.title))
/// songs.delegate = printer
/// try songs.load()  // what was stored last time, at once; then the diffs of the pages that follow
/// ```
///
/// An item is deleted only on proof: when a crawl, from the first page to the last, is complete and
/// has not seen it, and no other list has it. Rows that came from elsewhere are never deleted.
/// Where the service says how many items there are, and the crawl has seen fewer, or the number
/// changed on the way (the list changed while it was paged through), that is no proof, and neither
/// is a crawl in which elements were left out that are no items. A service that says no number, and
/// is paged by offset while its list shrinks, can hide an item from a crawl; it comes back with the
/// next refresh.
///
/// The idea is that of `RemoteMediator` in Android's Room.
public actor PersistentRemoteList<Model: Entity, Page: Codable & Hashable & Sendable> {
  /// What the list is called in the database.
  public nonisolated let name: String
  /// Where the items are kept.
  public nonisolated let store: Store
  private nonisolated let fetcher: PageFetcher<Model, Page>
  private nonisolated let list: RemoteList

  // MARK: - Mutable state, the actor's
  //
  // - `underWay`: the work under way, and what waits for it; a call joins the last, where that does
  //   what the call asks for.
  private var underWay: [(work: Work, isAnew: Bool)] = []

  private typealias Work = SharedWork<RemoteListState>

  /// Creates a persistent list.
  ///
  /// - Parameters:
  ///   - name: What the list is called in the database; one persistent list at a time for each.
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
    list = RemoteList(name: name, table: Model.schema.table)
  }

  /// How far the list has come; nil where it was never refreshed.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  public nonisolated var state: RemoteListState? {
    get throws { try store.read { try list.state(in: $0) } }
  }

  /// Returns a source of stored items whose loads go on with the list.
  ///
  /// A load shows what is stored at once, then every page as it is stored. It goes on where the
  /// list stopped, whoever stopped it: another source of the same list, a failure, or the end of
  /// the process. Only where there is nothing to go on with it begins with the first page: see
  /// ``resume(pages:)``. It ends when the pages are stored; where one fails, what is stored stands,
  /// and the load ends with the error.
  ///
  /// Loads of several sources share the work: no page is loaded twice for them. An adapter that
  /// pages ahead fetches the pages that follow, which suits a source that loads one page at a time:
  ///
  /// ```swift
  /// let songs = try remoteList.source(of: FetchRequest<Song>().sort(by: \.title), pages: 1)
  /// let adapter = Adapter(source: songs, presenter: presenter, target: list)
  /// adapter.pageAhead(rows: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - request: What to show of the stored items.
  ///   - pages: How many pages a load asks for; nil for all.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Throws: `StoreError` where the request does not fit the database.
  public nonisolated func source(
    of request: FetchRequest<Model>, pages: Int? = nil
  ) throws -> ComposedDataSource<Model.ID, Model> {
    try store.results(of: request).refreshed(
      by: { [self] in _ = try await resume(pages: pages) }, pagedBy: self)
  }

  // MARK: - Crawling

  /// Begins the list anew and stores its pages; a call while another of this kind is at work joins
  /// that one, and one while the list is gone on with follows that.
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
    try await run(isAnew: true) { [self] entrance in try await begin(pages, entrance) }.state
  }

  /// Goes on with the list where it stopped: by itself, with an error, or with the process.
  ///
  /// A call while another is at work joins that one, unless all its pages are stored: whoever hears
  /// of the last of them, and asks for more, means the page after it. One that was asked for fewer
  /// pages is followed by the others.
  ///
  /// - Parameter pages: How many pages to load; nil for all that follow.
  /// - Returns: How far the list has come. One that is complete stays as it is; one that was never
  ///   begun is begun.
  /// - Throws: See ``refresh(pages:)``. Where the service does not know the page any more,
  ///   ``RemoteError`` with `pageExpired`: ``resume(pages:)`` and ``refresh(pages:)`` lead on then.
  @discardableResult
  public func loadMore(pages: Int? = 1) async throws -> RemoteListState {
    try await goOn(pages: pages) { [self] entrance in
      guard let place = try place else { return try await begin(pages, entrance) }
      guard let next = place.nextPage else { return try knownState() }
      return try await crawl(place.crawl, from: try page(from: next), pages: pages, entrance)
    }
  }

  /// Goes on with the list where it stopped, or begins it anew where that cannot be.
  ///
  /// It is begun anew where it is complete, or was never begun; where the page that follows has
  /// expired, as the loader says with `pageExpired`; and where that page, as it was stored, is none
  /// of this program's. Nothing is cleared then either. A call while another is at work joins it,
  /// as in ``loadMore(pages:)``.
  ///
  /// - Parameter pages: How many pages to load; nil for all that follow.
  /// - Returns: How far the list has come.
  /// - Throws: See ``refresh(pages:)``; `pageExpired` only of a page that came after the first one
  ///   here.
  @discardableResult
  public func resume(pages: Int? = nil) async throws -> RemoteListState {
    try await goOn(pages: pages) { [self] entrance in
      guard let place = try place, let next = place.nextPage,
        let page = try? self.page(from: next)
      else { return try await begin(pages, entrance) }
      do {
        return try await crawl(place.crawl, from: page, pages: pages, entrance)
      } catch let error as RemoteError where error.code == .pageExpired {
        // Of a page that followed another one just now, the service has said so in time.
        guard try self.place == place else { throw error }
        return try await begin(pages, entrance)
      }
    }
  }

  /// Stops the work under way: the page that is being loaded is not stored.
  public func cancel() {
    for work in underWay { work.work.cancel() }
  }

  /// How many calls wait for work.
  var waiterCount: Int { underWay.reduce(0) { $0 + $1.work.waiterCount } }

  /// Goes on with the list, for so many pages also where work is joined that was asked for fewer.
  private func goOn(
    pages: Int?,
    _ work: @escaping @Sendable (Work.Entrance) async throws -> RemoteListState
  ) async throws -> RemoteListState {
    let start = try place
    var (state, isOwn) = try await run(isAnew: false, work)
    while !isOwn, !state.isComplete {
      let done = state.pageCount - (state.crawl == start?.crawl ? start?.pageCount ?? 0 : 0)
      let left = pages.map { $0 - done }
      if let left, left <= 0 { break }
      (state, isOwn) = try await run(isAnew: false) { [self] entrance in
        guard let place = try place, let next = place.nextPage else { return try knownState() }
        return try await crawl(place.crawl, from: try page(from: next), pages: left, entrance)
      }
    }
    return state
  }

  /// Does work, or joins the work under way.
  ///
  /// Whoever gives up waiting leaves the work to those who still wait; the last ends it.
  ///
  /// - Parameters:
  ///   - isAnew: Whether the work begins the list anew: it joins no work that goes on with it.
  ///   - work: What to do; it closes the entrance when it has stored its last page.
  /// - Returns: How far the list has come, and whether this work did it.
  /// - Throws: What the work throws; `CancellationError` where the caller gave up.
  private func run(
    isAnew: Bool, _ work: @escaping @Sendable (Work.Entrance) async throws -> RemoteListState
  ) async throws -> (state: RemoteListState, isOwn: Bool) {
    if let last = underWay.last, last.isAnew || !isAnew, last.work.join() {
      return (try await last.work.value(), false)
    }
    let former = underWay.last?.work
    let shared = Work { entrance in
      // What was given up, or goes on with the list, ends first.
      await former?.end()
      try Task.checkCancellation()
      return try await work(entrance)
    }
    underWay.append((shared, isAnew))
    defer { underWay.removeAll { $0.work === shared } }
    return (try await shared.value(), true)
  }

  /// Begins the next crawl, and stores its first pages.
  private nonisolated func begin(
    _ pages: Int?, _ entrance: Work.Entrance
  ) async throws -> RemoteListState {
    let first = fetcher.loader.firstPage
    let (list, text) = (list, try JSONText.encodePlainly(first))
    let crawl = try await store.write { transaction in
      try RemoteList.createTables(in: transaction)
      return try list.beginCrawl(firstPage: text, in: transaction)
    }
    return try await self.crawl(crawl, from: first, pages: pages, entrance)
  }

  private nonisolated func crawl(
    _ crawl: Int, from page: Page, pages: Int?, _ entrance: Work.Entrance
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
      count += 1
      let isLast = loaded.nextPage == nil || count == pages
      try await keep(loaded, from: page, crawl: crawl) { if isLast { entrance.close() } }
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
  ///
  /// - Parameters:
  ///   - loaded: The page's items, and which page follows.
  ///   - page: The page.
  ///   - crawl: Of which crawl it is.
  ///   - onStored: Called before anybody hears of what was stored.
  /// - Throws: `CancellationError` where another crawl began, ``RemoteError`` where the page leads
  ///   in a circle or too far, `StoreError` where it cannot be stored.
  private nonisolated func keep(
    _ loaded: LoadedPage<Model, Page>, from page: Page, crawl: Int,
    onStored: @escaping @Sendable () -> Void
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
      let isCircle = try list.notePage(
        this, next: next, total: loaded.total, isWhole: loaded.skippedOffsets.isEmpty,
        in: transaction)
      // What the crawl has stored before stands; this page, which leads back, does not.
      if isCircle { throw RemoteError.circle(page: place.pageCount + 1) }
      if next == nil, try list.isProof(crawl: crawl, in: transaction) {
        try list.deleteUnseen(crawl: crawl, in: transaction) {
          try transaction.delete(Model.self, keyValues: $0)
        }
      }
      onStored()
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

extension PersistentRemoteList: PageFetching {
  package nonisolated var isSourceTellingFailures: Bool { false }

  /// Whether the list was begun, and is not complete; false where the store cannot be read.
  package nonisolated var hasMore: Bool { (try? place)?.nextPage != nil }

  package func fetchNextPage() async throws { try await loadMore(pages: 1) }
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
