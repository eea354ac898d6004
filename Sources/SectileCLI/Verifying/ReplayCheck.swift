internal import Sectile

/// Whether live results keep up with the file: changesets are replayed, and compared with fetches.
///
/// Each comparison is of one version. The store looks for changes only when it is told to, and
/// fetches in the transaction in which it looks: a writer that is busy cannot get in between, and
/// has no way to hide a mistake.
struct ReplayCheck {
  /// How often to look for changes.
  private static let interval = Duration.milliseconds(25)
  /// What comparing may take of the time: one part of so many.
  private static let comparingShare = 4

  let store: Store
  let plans: [FetchPlan]

  /// Loads results of all plans, and compares them until the time is over.
  ///
  /// - Parameters:
  ///   - duration: How long to go on; nil for two comparisons.
  ///   - wait: Waits, and returns whether to stop; told how much of the time is over.
  /// - Returns: A report for each plan.
  /// - Throws: ``StoreError``; what `wait` throws.
  func reports(
    for duration: Duration?, wait: (_ pause: Duration, _ elapsed: Duration) throws -> Bool
  ) throws -> [CheckReport] {
    let results = try plans.map { try ReplayedResults(of: $0, in: store) }
    let start = ContinuousClock.now
    try compare(results)
    var isStopped = false
    var nextComparison = ContinuousClock.now
    while let duration, !isStopped {
      let now = ContinuousClock.now
      if now - start >= duration { break }
      if now >= nextComparison {
        try compare(results)
        let end = ContinuousClock.now
        nextComparison = end + (end - now) * (Self.comparingShare - 1)
      } else {
        try look(results)
      }
      isStopped = try wait(Self.interval, ContinuousClock.now - start)
    }
    try compare(results)
    return results.map(Self.report)
  }

  private func compare(_ results: [ReplayedResults]) throws {
    let live = results.filter { $0.obstacle == nil }
    if live.isEmpty { return }
    let fetched = try patiently { try store.checkForExternalChanges(fetching: live.map(\.plan)) }
    for (one, contents) in zip(live, fetched) { one.compare(with: contents) }
  }

  private func look(_ results: [ReplayedResults]) throws {
    try patiently { try store.checkForExternalChanges() }
    for one in results { one.replay() }
  }

  /// A lock of others is theirs for a while, also for longer than the busy timeout.
  private func patiently<Value>(_ body: () throws -> Value) throws -> Value {
    for _ in 0..<2 {
      do {
        return try body()
      } catch let error as StoreError where error.code == .busy {
        continue
      }
    }
    return try body()
  }

  private static func report(on results: ReplayedResults) -> CheckReport {
    let table = results.plan.table
    let figures = [
      ("rows", results.rowCount), ("comparisons", results.comparisonCount),
      ("changesets", results.changesetCount), ("restarts", results.restartCount),
    ]
    if !results.differences.isEmpty {
      return CheckReport(
        name: "replay", table: table, state: .problem,
        summary: "live results differ from a fetch of the same version",
        details: results.differences, figures: figures)
    }
    if let obstacle = results.obstacle {
      let error = obstacle as? StoreError
      let isDamage = error?.code == .corrupt || error?.code == .ioError
      return CheckReport(
        name: "replay", table: table, state: isDamage ? .problem : .skipped,
        summary: error?.message ?? "\(obstacle)", figures: figures)
    }
    let restarts =
      results.restartCount == 0 ? "" : ", begun anew \(times(results.restartCount))"
    return CheckReport(
      name: "replay", table: table, state: .ok,
      summary: "\(CountText.text(results.rowCount, "row")) compared "
        + "\(times(results.comparisonCount)), "
        + "\(CountText.text(results.changesetCount, "changeset")) replayed\(restarts)",
      figures: figures)
  }

  private static func times(_ count: Int) -> String {
    count == 1 ? "once" : "\(count) times"
  }
}
