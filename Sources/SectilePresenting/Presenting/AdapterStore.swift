internal import SectileCore
internal import SectileDataSources
internal import Synchronization

/// What an ``Adapter`` holds, apart from the adapter itself, so that the source it observes does
/// not keep it alive.
final class AdapterStore<ItemID: Hashable & Sendable, Item: Sendable, Cell: Sendable>: Sendable {
  typealias Source = any DataSource<ItemID, Item>
  typealias Target = any PresentationTarget<ItemID, Cell>
  typealias Presented = PresentedSnapshot<ItemID, Item, Cell>
  typealias OnSelect = @Sendable (Item, ItemOrigin, ItemPath) -> Void

  /// A call of the target.
  private enum Call {
    case reload
    case update(Changeset<ItemID, Cell>)
    case failure(any Error)
  }

  private struct Job: Sendable {
    let target: Target?
    let call: Call
    /// What the target shows after the call.
    let contents: Presented

    /// Returns calls that lead to the same as those that wait: everything anew, and the last
    /// failure.
    static func collapsed(_ waiting: [Job]) -> [Job] {
      guard let last = waiting.last else { return [] }
      let failure = waiting.last { if case .failure = $0.call { true } else { false } }
      let reload = Job(target: last.target, call: .reload, contents: last.contents)
      return [reload]
        + (failure.map { [Job(target: $0.target, call: $0.call, contents: last.contents)] } ?? [])
    }
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. Snapshots, differences and texts are made outside of it, from
  //   a copy, and taken only if the copy is still up to date. Calls of the target are submitted
  //   inside, so that they stand in order, and made outside.
  // - `last`: guarded by its mutex; changed by the one thread at a time that delivers.
  private struct State {
    var source: Source
    var presenter: any Presenter<Item, Cell>
    var target: Target?
    var token: DataSourceObservation?
    /// Tells the source from those before it.
    var generation = 0
    /// What the last call that was submitted leads to.
    var shown: Presented
    /// Grows with everything that happens.
    var revision = 0
    var onSelect: OnSelect?
  }

  private struct Last {
    var contents: Presented
    /// The target threw: what it shows is not known.
    var isBroken = false
  }

  /// How many calls may wait for a slow target, before one that shows everything replaces them.
  static var waitingCallLimit: Int { 256 }

  private let state: Mutex<State>
  private let last: Mutex<Last>
  private let lastGeneration = Atomic<Int>(0)
  private let calls = EventHub<Job>(
    collapsing: EventCollapsing(limit: waitingCallLimit) { Job.collapsed($0) })
  private let callToken = Mutex<DataSourceObservation?>(nil)
  let pages = PageAhead()

  init(
    source: Source, presenter: any Presenter<Item, Cell>, target: Target?,
    delivery: CallbackDelivery
  ) {
    let nothing = ContentsSnapshot(SectionedContents<ItemID, Item>())
    let contents = Presented(base: nothing, presenter: presenter, version: 0, pages: pages)
    state = Mutex(State(source: source, presenter: presenter, target: target, shown: contents))
    last = Mutex(Last(contents: contents))
    let token = calls.observe(on: delivery) { [weak self] job in self?.perform(job) }
    callToken.withLock { $0 = token }
  }

  private var current: State { state.withLock { $0 } }
  var source: Source { current.source }
  var presenter: any Presenter<Item, Cell> { current.presenter }
  var target: Target? { current.target }
  /// What the target was told to show last.
  var delivered: Presented { last.withLock { $0.contents } }

  var onSelect: OnSelect? {
    get { current.onSelect }
    set {
      edit { state in
        state.onSelect = newValue
        return nil
      }
    }
  }

  /// Ends everything.
  func stop() {
    pages.stop()
    current.token?.cancel()
    callToken.withLock { $0 }?.cancel()
  }

  /// Works out another state, and what to call the target with, until nothing happened meanwhile.
  private func edit(_ body: (inout State) -> Call?) {
    while true {
      let before = current
      var after = before
      let call = body(&after)
      let isDone = state.withLock { state in
        guard state.revision == before.revision else { return false }
        state = after
        state.revision += 1
        if let call {
          calls.submit(Job(target: after.target, call: call, contents: after.shown))
        }
        return true
      }
      // What is released with the former state is not ours: it goes here, outside of the lock.
      withExtendedLifetime((before, after)) {}
      if isDone { return calls.flush() }
    }
  }

  // MARK: - Replacing

  func replaceSource(with source: Source, isEqual: ((Item, Item) -> Bool)?) {
    let generation = lastGeneration.wrappingAdd(1, ordering: .relaxed).newValue
    // Observed before its contents are read: an event that comes before the source is in place
    // lets them be read again.
    let token = source.observe(on: .immediate) { [weak self] event in
      self?.follow(event, generation)
    }
    var former: DataSourceObservation?
    pages.reset()
    edit { state in
      former = state.token
      (state.source, state.token, state.generation) = (source, token, generation)
      return show(source.snapshot, isEqual: isEqual, in: &state)
    }
    former?.cancel()
  }

  func replacePresenter(with presenter: any Presenter<Item, Cell>) {
    edit { state in
      state.presenter = presenter
      return show(state.shown.base, in: &state)
    }
  }

  func replaceTarget(with target: Target?) {
    edit { state in
      state.target = target
      return show(state.shown.base, in: &state)
    }
  }

  func reload() {
    edit { state in show(state.source.snapshot, in: &state) }
  }

  func refresh(_ ids: [ItemID]) {
    edit { state in
      let (base, presenter) = (state.shown.base, state.presenter)
      let paths = Set(ids.map { IdentityKey($0) }).compactMap { base.path(of: $0.id) }.sorted()
      guard !paths.isEmpty else { return nil }
      let updates = paths.map { path in
        ItemUpdate<ItemID, Cell>(
          source: path, target: path, id: base.id(at: path),
          payload: .deferred { [pages] in
            pages.noteRow(at: path, in: base)
            base.prefetchItem(at: path)
            return try presenter.preparedCell(for: base.item(at: path), at: path)
          })
      }
      let version = state.shown.version
      state.shown = presented(base, by: presenter, version + 1)
      return .update(
        Changeset(sourceVersion: version, targetVersion: version + 1, updates: updates))
    }
  }

  /// Shows a snapshot: as the difference where items can be compared and read, anew otherwise.
  private func show(
    _ snapshot: any DataSourceSnapshot<ItemID, Item>, isEqual: ((Item, Item) -> Bool)? = nil,
    in state: inout State
  ) -> Call? {
    let before = state.shown
    state.shown = presented(snapshot, by: state.presenter, before.version + 1)
    guard let isEqual, let old = try? before.base.materialized(),
      let new = try? snapshot.materialized()
    else { return .reload }
    let changes = Changeset(from: old, to: new, isEqual: isEqual)
    if changes.isEmpty {
      state.shown = presented(snapshot, by: state.presenter, before.version)
      return nil
    }
    return .update(update(changes, in: state))
  }

  private func presented(
    _ base: any DataSourceSnapshot<ItemID, Item>, by presenter: any Presenter<Item, Cell>,
    _ version: Int
  ) -> Presented {
    Presented(base: base, presenter: presenter, version: version, pages: pages)
  }

  /// Returns changes as the target sees them that lead to what is shown from the version before.
  private func update(
    _ changes: Changeset<ItemID, Item>, in state: State
  ) -> Changeset<ItemID, Cell> {
    let (base, version) = (state.shown.base, state.shown.version)
    return changes.presented(by: state.presenter, from: version - 1, to: version) {
      [pages] path in
      pages.noteRow(at: path, in: base)
      base.prefetchItem(at: path)
    }
  }

  // MARK: - Following the source

  private func follow(_ event: DataSourceEvent<ItemID, Item>, _ generation: Int) {
    switch event {
    case .willLoad:
      break
    case .didPartiallyLoad(let changes):
      // Before the target hears of them, and asks for rows.
      pages.noteNews()
      follow(changes, generation)
    case .didFinishLoading:
      follow(nil, generation)
      pages.noteNews(isEndShown: target != nil)
    case .didFail(let error):
      follow(nil, generation)
      edit { $0.generation == generation ? .failure(error) : nil }
    }
  }

  /// Shows changes, or what the source contains where changes before them were missed.
  private func follow(_ changes: Changeset<ItemID, Item>?, _ generation: Int) {
    edit { state in
      // The event of a source that is not in place yet counts as something that happened.
      guard state.generation == generation else { return nil }
      let snapshot = state.source.snapshot
      let before = state.shown
      guard snapshot.version != before.base.version else { return nil }
      guard let changes, changes.sourceVersion == before.base.version,
        changes.targetVersion == snapshot.version
      else { return show(snapshot, in: &state) }
      state.shown = presented(snapshot, by: state.presenter, before.version + 1)
      return .update(update(changes, in: state))
    }
  }

  // MARK: - Paging ahead

  func pageAhead(rows: Int, _ fetchMore: PageAhead.Fetch?) {
    let supply = PageAhead.Supply(
      rows: rows, count: { [weak self] in self?.source.numberOfItems ?? 0 },
      fetch: { [weak self] in try await self?.fetchPage(fetchMore) ?? false })
    pages.set(supply, isShowing: target != nil)
  }

  /// Fetches a page, and returns whether there may be more.
  private func fetchPage(_ fetchMore: PageAhead.Fetch?) async throws -> Bool {
    if let fetchMore { return try await tellingFailures(of: fetchMore) }
    let source = source
    guard let fetcher = source.pageFetchers.last(where: { $0.hasMore }) else { return false }
    if fetcher.isSourceTellingFailures {
      try await fetcher.fetchNextPage()
    } else {
      try await tellingFailures { try await fetcher.fetchNextPage() }
    }
    return source.pageFetchers.contains { $0.hasMore }
  }

  /// Tells the target where a page cannot be fetched, and its source does not.
  private func tellingFailures<Result: Sendable>(
    of fetch: @Sendable () async throws -> Result
  ) async throws -> Result {
    do {
      return try await fetch()
    } catch {
      if !(error is CancellationError), !Task.isCancelled { edit { _ in .failure(error) } }
      throw error
    }
  }

  // MARK: - Calling the target

  private func perform(_ job: Job) {
    let isBroken = last.withLock { last in
      last.contents = job.contents
      return last.isBroken
    }
    guard let target = job.target, target === current.target else { return }
    do {
      switch job.call {
      case .failure(let error):
        return target.didFail(with: error)
      case .update(let changes) where !isBroken:
        try target.update(PresentationUpdate(changes: changes, contents: job.contents))
      case .update, .reload:
        try target.reload(job.contents)
      }
      last.withLock { $0.isBroken = false }
    } catch {
      last.withLock { $0.isBroken = true }
      target.didFail(with: error)
    }
  }

  // MARK: - Selecting

  func select(at path: ItemPath) throws -> Bool {
    let shown = delivered
    guard shown.contains(path) else { return false }
    let state = current
    let snapshot = state.source.snapshot
    guard let now = snapshot.path(of: shown.id(at: path)) else { return false }
    let item = try snapshot.item(at: now)
    state.onSelect?(item, state.source.origin(at: now), now)
    return true
  }
}
