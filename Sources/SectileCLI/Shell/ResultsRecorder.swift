internal import Sectile
internal import Synchronization

/// What live results came to.
struct ResultsRecord: Sendable {
  /// The table or view.
  let table: String
  /// What rows were grouped by; nil for nothing.
  let sectionBy: String?
  /// How many rows there were.
  let rowCount: Int
  /// How many sections there were.
  let sectionCount: Int
  /// The version: how many changes there were.
  let version: Int
  /// How the results kept up with commits; nil where the file did not tell.
  let strategy: UpdateStrategy.Kind?
  /// What that took.
  let statistics: ResultsStatistics
}

/// Takes down what live results come to while they are watched.
final class ResultsRecorder: WatchReporting {
  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex.
  private let state = Mutex<(request: WatchedRequest?, record: ResultsRecord?)>((nil, nil))

  /// What the results came to; nil where nothing was loaded.
  var record: ResultsRecord? { state.withLock { $0.record } }

  func begin(_ request: WatchedRequest, _ results: WatchedResults) throws {
    state.withLock { $0.request = request }
  }

  func schemaChanged(to request: WatchedRequest?, restarts: Bool) throws {}

  func willLoad(at version: Int) throws {}

  func changed(_ changes: WatchedChanges, isFirstLoad: Bool, _ results: WatchedResults) throws {}

  func differs(by changes: WatchedChanges, _ results: WatchedResults) throws {}

  func finished(_ results: WatchedResults) throws {
    let rowCount = results.numberOfItems
    let sectionCount = results.numberOfSections
    let version = results.version
    // Who holds a lock just now must not end the watch.
    let strategy = try? results.strategy.kind
    let statistics = results.statistics
    state.withLock { state in
      state.record = state.request.map { request in
        ResultsRecord(
          table: request.table, sectionBy: request.sectionBy, rowCount: rowCount,
          sectionCount: sectionCount, version: version, strategy: strategy, statistics: statistics)
      }
    }
  }

  func failed(_ error: any Error) throws {}
}
