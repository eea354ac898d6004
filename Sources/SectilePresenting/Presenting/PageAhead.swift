internal import SectileCore
internal import Synchronization

/// Fetches pages by itself, once rows near the end of what an adapter shows are asked for.
///
/// ```text
///  off ─ set ─→ idle ── a row near the end is asked for ──→ fetching ── enough follow ──→ idle
///                ↑                                            │  ↺ one page after another
///                │                                            │
///                └─ the source changed, or ended a load ── waiting   a page failed, there is none,
///                                                                    or too many showed nothing
/// ```
///
/// One page at a time is fetched. A failure is followed by no further attempt until something
/// changed *and* a row is asked for again: a target that draws itself anew because of the failure
/// asks in vain.
final class PageAhead: Sendable {
  /// Fetches a page, and returns whether there may be more.
  typealias Fetch = @Sendable () async throws -> Bool

  /// What pages are fetched for.
  struct Supply: Sendable {
    /// How many rows are to follow those that are asked for; zero for none.
    let rows: Int
    /// Returns how many items the source has now.
    let count: @Sendable () -> Int
    let fetch: Fetch

    /// Whether too few of so many rows follow a rank.
    func isNearEnd(_ rank: Int, of count: Int) -> Bool {
      if rank < 0 || count == 0 { return rank < 0 && count == 0 }
      return count - min(rank, count - 1) <= rows
    }
  }

  /// How many pages in a row are fetched that show no further row: a filter may want none of them.
  static var fruitlessPageLimit: Int { 64 }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; sources are asked, and pages fetched, outside of it.
  // - `isOn`: whether there is a supply, for those who ask for a cell of any adapter.
  private struct State {
    /// Nil while the pager is off.
    var supply: Supply?
    /// Grows with everything that makes the pages under way those of another time.
    var generation = 0
    /// The greatest rank that was asked for near the end and has not enough behind it; -1 where a
    /// list without rows is shown.
    var wish: Int?
    var isFetching = false
    var isWaiting = false
    var task: Task<Void, Never>?

    /// Lets go of what is under way.
    mutating func beginAnew() -> Task<Void, Never>? {
      generation += 1
      (isFetching, isWaiting) = (false, false)
      defer { task = nil }
      return task
    }
  }

  private let state = Mutex(State())
  private let isOn = Atomic(false)

  /// Sets what to fetch from now on; a failure before is forgotten.
  ///
  /// - Parameters:
  ///   - supply: What to fetch; one that is to have no row ahead turns the pager off.
  ///   - isShowing: Whether somebody sees the list.
  func set(_ supply: Supply, isShowing: Bool) {
    let isOn = supply.rows > 0
    let count = supply.count()
    let (former, task, wish) = state.withLock { state in
      defer { state.supply = isOn ? supply : nil }
      // All of a short list is near its end.
      let isShort = isShowing && count > 0 && supply.isNearEnd(0, of: count)
      let wish = state.wish ?? (isShort ? 0 : nil)
      state.wish = nil
      return (state.supply, state.beginAnew(), wish)
    }
    self.isOn.store(isOn, ordering: .relaxed)
    task?.cancel()
    withExtendedLifetime(former) {}
    if let wish { want(wish) }
  }

  /// Forgets what was asked for: another source is shown.
  func reset() {
    let task = state.withLock { state in
      state.wish = nil
      return state.beginAnew()
    }
    task?.cancel()
  }

  /// Ends everything.
  func stop() {
    isOn.store(false, ordering: .relaxed)
    let (task, supply) = state.withLock { state in
      defer { (state.supply, state.wish) = (nil, nil) }
      return (state.beginAnew(), state.supply)
    }
    task?.cancel()
    withExtendedLifetime(supply) {}
  }

  /// Whether a page is being fetched.
  var isFetching: Bool { state.withLock { $0.isFetching } }

  // MARK: - What happens

  /// Takes note that the cell of a row is asked for.
  func noteRow(at path: ItemPath, in contents: some DataSourceSnapshot) {
    guard isOn.load(ordering: .relaxed), contents.contains(path) else { return }
    let (rank, count) = (contents.rank(of: path), contents.numberOfItems)
    if supply?.isNearEnd(rank, of: count) ?? false { want(rank) }
  }

  /// Takes note that the source changed, or ended a load well: what failed may succeed now.
  ///
  /// - Parameter isEndShown: Whether a load has ended whose contents somebody sees: a list that has
  ///   no rows by then has none to ask for.
  func noteNews(isEndShown: Bool = false) {
    guard isOn.load(ordering: .relaxed) else { return }
    let hasWaited = state.withLock { state in
      guard !state.isFetching else { return true }
      defer { state.isWaiting = false }
      return state.isWaiting
    }
    if isEndShown, !hasWaited, supply?.count() == 0 { want(-1) }
  }

  private var supply: Supply? { state.withLock { $0.supply } }

  // MARK: - Fetching

  /// Fetches pages until enough rows follow a rank, unless that is under way already.
  private func want(_ rank: Int) {
    state.withLock { state in
      guard state.supply != nil else { return }
      state.wish = max(state.wish ?? rank, rank)
      guard !state.isFetching, !state.isWaiting else { return }
      state.isFetching = true
      let generation = state.generation
      state.task = Task { [self] in await fetchPages(generation) }
    }
  }

  private func fetchPages(_ generation: Int) async {
    var fruitlessPages = 0
    while fruitlessPages < Self.fruitlessPageLimit {
      guard let supply else { return }
      let count = supply.count()
      // Another adapter may have fetched it meanwhile.
      guard isMissingRows(supply, generation, of: count) else { return }
      do {
        guard try await supply.fetch() else { break }
      } catch {
        return end(generation, keepingWish: true)
      }
      fruitlessPages = supply.count() > count ? 0 : fruitlessPages + 1
    }
    end(generation, keepingWish: false)
  }

  /// Returns whether too few rows follow those that were asked for; where that is not so, what is
  /// under way is over.
  private func isMissingRows(_ supply: Supply, _ generation: Int, of count: Int) -> Bool {
    state.withLock { state in
      guard state.generation == generation else { return false }
      if let wish = state.wish, supply.isNearEnd(wish, of: count) { return true }
      (state.wish, state.isFetching, state.task) = (nil, false, nil)
      return false
    }
  }

  /// Fetches nothing more until something changes.
  private func end(_ generation: Int, keepingWish: Bool) {
    state.withLock { state in
      guard state.generation == generation else { return }
      (state.isFetching, state.isWaiting, state.task) = (false, true, nil)
      if !keepingWish { state.wish = nil }
    }
  }
}
