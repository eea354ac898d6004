internal import Sectile
internal import Synchronization

/// Hands what live results tell to the reporters of a watch, and keeps what they throw.
final class WatchDelegate: DataSourceDelegate {
  private let reporters: [any WatchReporting]

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; reporters are called outside of it, on the watch's thread.
  private let state = Mutex(State())

  private struct State {
    var failure: (any Error)?
    var loadFailure: (any Error)?
    var isLoaded = false
    var changeCount = 0
  }

  init(reporters: [any WatchReporting]) {
    self.reporters = reporters
  }

  /// Whether a first load has ended well.
  var isLoaded: Bool { state.withLock { $0.isLoaded } }

  /// How many changesets there were after the first load.
  var changeCount: Int { state.withLock { $0.changeCount } }

  /// Why the last load failed; nil where it did not.
  var loadFailure: (any Error)? { state.withLock { $0.loadFailure } }

  /// Takes note that other results are loaded from now on, for the first time.
  func restart() {
    state.withLock { state in
      state.isLoaded = false
      state.loadFailure = nil
    }
  }

  /// Throws what a reporter threw.
  func check() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Calls the reporters; after one has thrown, nobody any more.
  func report(_ body: (any WatchReporting) throws -> Void) {
    if state.withLock({ $0.failure }) != nil { return }
    do {
      for reporter in reporters { try body(reporter) }
    } catch {
      state.withLock { $0.failure = error }
    }
  }

  // MARK: - DataSourceDelegate

  func dataSourceWillLoad(_ source: any DataSource<PlanItem.ID, PlanItem>) {
    guard let results = source as? WatchedResults else { return }
    state.withLock { $0.loadFailure = nil }
    report { try $0.willLoad(results) }
  }

  func dataSource(
    _ source: any DataSource<PlanItem.ID, PlanItem>, didPartiallyLoad changes: WatchedChanges
  ) {
    guard let results = source as? WatchedResults else { return }
    let isLoaded = state.withLock { state in
      if state.isLoaded { state.changeCount += 1 }
      return state.isLoaded
    }
    report { try $0.changed(changes, isFirstLoad: !isLoaded, results) }
  }

  func dataSourceDidFinishLoading(_ source: any DataSource<PlanItem.ID, PlanItem>) {
    guard let results = source as? WatchedResults else { return }
    state.withLock { $0.isLoaded = true }
    report { try $0.finished(results) }
  }

  func dataSource(
    _ source: any DataSource<PlanItem.ID, PlanItem>, didFailWith error: any Error
  ) {
    state.withLock { $0.loadFailure = error }
    report { try $0.failed(error) }
  }
}
