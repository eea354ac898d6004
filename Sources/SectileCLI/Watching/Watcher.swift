internal import Sectile
internal import SectileInspecting

/// Follows a request on a file, whatever process writes to it.
///
/// Looks at the file again and again: at its schema first, then whether somebody has committed. In
/// a file with a change log it looks at once when somebody has written, too. What a look finds is
/// worked out and told before it returns, so everything happens on one thread.
///
/// Confined to that thread.
final class Watcher {
  /// When a watch ends by itself.
  struct Limits {
    /// After this long; nil for never.
    var duration: Duration?
    /// After so many changesets, those of the first load not counted; nil for never.
    var changes: Int?
  }

  /// How far apart looks are at least: a commit is told several times, first when it is not
  /// complete yet.
  private static let distance = Duration.milliseconds(1)
  /// How long a look waits for another's lock.
  private static let busyTimeout = Duration.seconds(1)

  /// The store; read-only.
  let store: Store
  /// What there is to say of the key at the start; nil for nothing.
  let keyNote: String?

  private let file: String
  private let opening: OpeningOptions
  /// The condition of the request as it was given.
  private let givenFilter: String?
  private let filter: WatchFilter?
  private let kinds: Set<ChangeKind>
  private let delegate: WatchDelegate
  private let output: Output?
  private let stop: StopSignal

  // MARK: - Mutable state
  //
  // Used on the watch's thread only.
  private var tableRequest: TableRequest
  private var plan: FetchPlan
  private var results: WatchedResults
  private var schemaVersion: Int64
  private var isBusy = false
  /// Whether there ever were contents.
  private var wasLoaded = false
  /// Whether the request makes no sense in the schema of now.
  private var awaitsSchema = false
  /// What was told before a new schema made the contents begin anew, until they are compared.
  private var former: FormerContents?

  /// Opens the file and makes the request ready; nothing is loaded yet.
  ///
  /// - Parameters:
  ///   - file: The file's path.
  ///   - opening: How it is opened.
  ///   - tableRequest: What to fetch.
  ///   - kinds: The kinds of changes that are told and counted; none for all.
  ///   - filter: Asks for other conditions while the watch runs.
  ///   - reporters: Who hears of it.
  ///   - output: Where they write, if that may have to be waited for.
  ///   - stop: What ends the watch.
  /// - Throws: ``CommandFailure`` and ``StoreError`` for a file or request that is not possible.
  init(
    file: String, opening: OpeningOptions = OpeningOptions(isImmutable: false),
    request tableRequest: TableRequest, only kinds: Set<ChangeKind> = [],
    filter: WatchFilter? = nil, reporters: [any WatchReporting], output: Output? = nil,
    stop: StopSignal
  ) throws {
    self.kinds = kinds
    self.output = output
    self.file = file
    self.opening = opening
    self.tableRequest = tableRequest
    givenFilter = tableRequest.filter
    self.filter = filter
    self.stop = stop
    store = try Self.waiting(stop) {
      try opening.store(at: file, busyTimeout: Self.busyTimeout)
    }
    delegate = WatchDelegate(reporters: reporters, only: kinds)
    let (version, followed) = try Self.waiting(stop) { [store] in
      (try Self.schemaVersion(of: store), try FollowedRequest(tableRequest, in: store))
    }
    (schemaVersion, plan) = (version, followed.plan)
    keyNote = followed.note
    results = try store.results(of: plan)
    results.delegate = delegate
  }

  /// Tries again while others keep the file locked, for as long as a person may take for a start.
  private static func waiting<Result>(
    _ stop: StopSignal, _ body: () throws -> Result
  ) throws -> Result {
    var rest = 10
    while true {
      do {
        return try body()
      } catch let error as StoreError where error.code == .busy && rest > 0 && !stop.hasStopped {
        rest -= 1
      }
    }
  }

  /// Follows the file until a limit is reached or a signal comes.
  ///
  /// - Parameters:
  ///   - interval: How long to wait between two looks.
  ///   - limits: When to end.
  /// - Throws: What the first load meets; ``StoreError`` with `fileReplaced`; what reporters throw.
  func run(every interval: Duration, limits: Limits) throws {
    let end = limits.duration.map { ContinuousClock.now + $0 }
    // Without a log each look after a commit reads everything: then they come at the interval
    // alone.
    let listening = store.listenForCommits { [weak store, stop] in
      if store?.followsChangeLog == true { stop.wake() }
    }
    defer {
      withExtendedLifetime(listening) {}
      former?.cancel()
      results.cancel()
    }
    do {
      delegate.report { [request, results] in try $0.begin(request, results) }
      try load()
      while !stop.hasStopped, !isDone(limits, end) {
        let rest = end.map { $0 - .now } ?? interval
        stop.rest(for: min(interval, Self.distance))
        if stop.wait(for: min(interval, max(rest, .zero))) { break }
        // A table may be quiet for long; what ends the output should end the watch, too.
        if Output.hasLostReader { throw ClosedPipe() }
        try look()
      }
    } catch is WatchStopped {
      return
    } catch let error as StoreError where error.code == .interrupted && stop.hasStopped {
      return
    }
  }

  private func isDone(_ limits: Limits, _ end: ContinuousClock.Instant?) -> Bool {
    if let end, .now >= end { return true }
    return limits.changes.map { delegate.changeCount >= $0 } ?? false
  }

  private var request: WatchedRequest {
    WatchedRequest(
      file: file, table: plan.table, columns: plan.itemColumns, key: plan.keyColumns,
      sectionBy: tableRequest.sectionBy, isImmutable: opening.isImmutable, only: kinds)
  }

  /// Loads for the first time; a lock of others is waited for with the next look, and a schema in
  /// which the request makes sense again with the next schema.
  private func load() throws {
    if awaitsSchema { return }
    do {
      // A load holds a state of the file, in a file without a log its lock: no reader keeps that
      // up.
      if let output { try output.withoutWaiting(results.load) } else { try results.load() }
    } catch {
      // What the delegate heard of is told below.
      guard delegate.loadFailure != nil else { throw error }
    }
    try delegate.check()
    guard !delegate.isLoaded, let failure = delegate.loadFailure else { return wasLoaded = true }
    if let error = failure as? StoreError, error.code == .busy { return }
    guard wasLoaded, !stop.hasStopped else { throw Self.explained(failure) }
    awaitsSchema = true
  }

  /// Looks once.
  private func look() throws {
    do {
      try followSchema()
      try followFilter()
      if !delegate.isLoaded {
        try load()
        guard delegate.isLoaded, former != nil else { return }
      }
      try store.checkForExternalChanges()
      isBusy = false
      compareWithFormer()
    } catch let error as StoreError where error.code == .busy {
      // It goes away; nobody needs to hear of it twice.
      if !isBusy { delegate.report { try $0.failed(error) } }
      isBusy = true
    }
    try delegate.check()
  }

  /// Takes the rows that meet another condition, where that is asked for.
  private func followFilter() throws {
    guard let wish = filter?.takeWish() else { return }
    var request = tableRequest
    request.filter = WatchFilter.joined(givenFilter, wish.condition)
    do {
      // What SQLite says against a condition is told while the rows of before stay.
      try RequestCheck.check(request, in: file, opening)
      let plan = try FollowedRequest(request, in: store).plan
      former?.cancel()
      former = nil
      // What another condition brings or leaves out is no change of the file.
      delegate.restart(isCompared: false)
      let isAsBefore =
        plan.keyColumns == self.plan.keyColumns && plan.itemColumns == self.plan.itemColumns
      if isAsBefore {
        try results.update(to: plan)
        (tableRequest, self.plan) = (request, plan)
      } else {
        // The condition of before made no sense in a schema with other columns.
        results.cancel()
        (tableRequest, self.plan) = (request, plan)
        results = try store.results(of: plan)
        results.delegate = delegate
        delegate.report { [request = self.request, results] in try $0.begin(request, results) }
      }
      awaitsSchema = false
      filter?.answer(.met(wish.condition))
    } catch {
      let code = (error as? StoreError)?.code
      if code == .busy { filter?.putBack(wish) }
      let isOver = code == .fileReplaced || (code == .interrupted && stop.hasStopped)
      if code == .busy || isOver { throw error }
      filter?.answer(.refused(WatchFilter.reason(of: error)))
    }
  }

  // MARK: - The schema

  private static func schemaVersion(of store: Store) throws -> Int64 {
    let rows = try store.read { try $0.query("PRAGMA schema_version") }
    guard case .integer(let version) = rows.first?.values.first else { return 0 }
    return version
  }

  /// Begins anew where the table has become another one.
  private func followSchema() throws {
    let version = try Self.schemaVersion(of: store)
    guard version != schemaVersion else { return }
    awaitsSchema = false
    let plan: FetchPlan
    do {
      plan = try FollowedRequest(tableRequest, in: store).plan
    } catch let error where Self.isOfSchema(error) {
      // The table is gone, or its key: the results say what is missing, and again when it is there.
      schemaVersion = version
      return delegate.report { try $0.schemaChanged(to: nil, restarts: false) }
    }
    schemaVersion = version
    let restarts = plan != self.plan
    if restarts {
      setAside()
      self.plan = plan
      results = try store.results(of: plan)
      results.delegate = delegate
    }
    delegate.report { [request] in try $0.schemaChanged(to: request, restarts: restarts) }
    guard restarts else { return }
    delegate.restart(isCompared: former != nil)
    delegate.report { [request, results] in try $0.begin(request, results) }
  }

  /// Keeps the contents that were told, before they begin anew.
  private func setAside() {
    if former == nil && delegate.isLoaded {
      former = FormerContents(results)
    } else {
      // What began anew and was not compared yet is not what was told last.
      results.cancel()
    }
  }

  /// Tells how the contents that began anew differ from those before.
  ///
  /// Called where a look has just brought both to one state of the file: what was committed while
  /// the new ones were loaded is part of the difference.
  private func compareWithFormer() {
    guard let former else { return }
    delegate.tellDifference(former.changes(to: results), results)
    former.cancel()
    self.former = nil
  }
}
