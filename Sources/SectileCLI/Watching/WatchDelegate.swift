internal import Sectile
internal import Synchronization

/// Hands what live results tell to the reporters of a watch, and keeps what they throw.
final class WatchDelegate: DataSourceDelegate {
  private let reporters: [any WatchReporting]
  private let kinds: Set<ChangeKind>

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; reporters are called outside of it, on the watch's thread.
  private let state = Mutex(State())

  private struct State {
    var failure: (any Error)?
    var loadFailure: (any Error)?
    var isLoaded = false
    /// Whether what is loaded has yet to be compared with what was told before.
    var awaitsComparison = false
    var changeCount = 0
    /// The version at which a load began that nobody has heard of: it may hold nothing to tell.
    var quietVersion: Int?
  }

  /// Creates a delegate.
  ///
  /// - Parameters:
  ///   - reporters: Who hears of what happens.
  ///   - kinds: The changes that they hear of; none for all. Loads without such a change are not
  ///     told either, but for first loads.
  init(reporters: [any WatchReporting], only kinds: Set<ChangeKind> = []) {
    self.reporters = reporters
    self.kinds = kinds
  }

  /// Whether a first load has ended well.
  var isLoaded: Bool { state.withLock { $0.isLoaded } }

  /// How many changesets there were after the first load, those that compare contents that began
  /// anew with the ones before among them.
  var changeCount: Int { state.withLock { $0.changeCount } }

  /// Why the last load failed; nil where it did not.
  var loadFailure: (any Error)? { state.withLock { $0.loadFailure } }

  /// Takes note that other results are loaded from now on, for the first time.
  ///
  /// - Parameter isCompared: Whether ``tellDifference(_:_:)`` follows; until then all changes are
  ///   part of the first load.
  func restart(isCompared: Bool) {
    state.withLock { state in
      state.isLoaded = false
      state.awaitsComparison = isCompared
      state.loadFailure = nil
    }
  }

  /// Tells how contents that began anew differ from those that were told before.
  ///
  /// - Parameters:
  ///   - changes: The difference; empty where there is none.
  ///   - results: The new contents.
  func tellDifference(_ changes: WatchedChanges, _ results: WatchedResults) {
    let changes = changes.isEmpty ? nil : kinds.part(of: changes)
    state.withLock { state in
      state.awaitsComparison = false
      if changes != nil { state.changeCount += 1 }
    }
    if let changes { report { try $0.differs(by: changes, results) } }
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

  func dataSourceWillLoad(_ source: any DataSource<UntypedRow.ID, UntypedRow>) {
    guard let results = source as? WatchedResults else { return }
    let version = results.version
    let isQuiet = state.withLock { state in
      state.loadFailure = nil
      guard !kinds.isEmpty, state.isLoaded, !state.awaitsComparison else { return false }
      state.quietVersion = version
      return true
    }
    if !isQuiet { report { try $0.willLoad(at: version) } }
  }

  /// Tells the beginning of a load that has something to tell after all.
  private func breakSilence() {
    let version = state.withLock { state in
      defer { state.quietVersion = nil }
      return state.quietVersion
    }
    if let version { report { try $0.willLoad(at: version) } }
  }

  func dataSource(
    _ source: any DataSource<UntypedRow.ID, UntypedRow>, didPartiallyLoad changes: WatchedChanges
  ) {
    guard let results = source as? WatchedResults, let changes = kinds.part(of: changes)
    else { return }
    breakSilence()
    let isFirstLoad = state.withLock { state in
      let isFirstLoad = !state.isLoaded || state.awaitsComparison
      if !isFirstLoad { state.changeCount += 1 }
      return isFirstLoad
    }
    report { try $0.changed(changes, isFirstLoad: isFirstLoad, results) }
  }

  func dataSourceDidFinishLoading(_ source: any DataSource<UntypedRow.ID, UntypedRow>) {
    guard let results = source as? WatchedResults else { return }
    let isQuiet = state.withLock { state in
      state.isLoaded = true
      defer { state.quietVersion = nil }
      return state.quietVersion != nil
    }
    if !isQuiet { report { try $0.finished(results) } }
  }

  func dataSource(
    _ source: any DataSource<UntypedRow.ID, UntypedRow>, didFailWith error: any Error
  ) {
    state.withLock { $0.loadFailure = error }
    breakSilence()
    report { try $0.failed(error) }
  }
}
