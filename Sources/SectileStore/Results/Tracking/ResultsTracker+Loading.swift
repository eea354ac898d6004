import GRDB
import SectileCore
import Synchronization

/// Exclusive use of the writer, outside of any transaction of others.
struct WriterAccess: Sendable {
  let commits: CommitCenter
  private let perform: @Sendable ((Database) throws -> Void) throws -> Void

  init(
    commits: CommitCenter, _ perform: @escaping @Sendable ((Database) throws -> Void) throws -> Void
  ) {
    self.commits = commits
    self.perform = perform
  }

  /// Runs a closure on the writer; what it reads is one state of the database.
  func perform<Result>(_ body: (Database) throws -> Result) throws -> Result {
    var result: Result?
    try perform { db in
      try db.inTransaction(.deferred) {
        result = try body(db)
        return .commit
      }
    }
    guard let result else { throw StaleContents() }
    return result
  }
}

extension ResultsTracker {
  /// The cycle of a load.
  ///
  /// A first load delivers the first batch as soon as it is read, then reads the rest; any other
  /// load delivers the difference to what is there.
  func loadCycle(_ writer: WriterAccess) -> Cycle {
    let epoch = state.withLock { $0.epoch }
    return Cycle([
      Cycle.Step { [self] in
        let isFirst = state.withLock { $0.version == 0 && $0.pending.isEmpty && !$0.isTracking }
        let isComplete = try load(isFirst ? .batch : .everything, writer, in: epoch)
        return Cycle.Step.Outcome(flip(), next: remainingSteps(isComplete, writer, in: epoch))
      }
    ])
  }

  /// The cycle of a changed request: the difference between the two results.
  func requestCycle(_ plan: FetchPlan, _ writer: WriterAccess) -> Cycle {
    let epoch = state.withLock { $0.epoch }
    return Cycle([
      Cycle.Step { [self] in
        _ = try load(.plan(plan), writer, in: epoch)
        return Cycle.Step.Outcome(flip(), next: remainingSteps(true, writer, in: epoch))
      }
    ])
  }

  /// What a load reads.
  private enum Extent {
    case batch
    case rest
    case everything
    case plan(FetchPlan)

    func work(current: FetchPlan) -> (plan: FetchPlan, occasion: ContentsMaintainer<Item>.Occasion)
    {
      switch self {
      case .batch: (current, .firstBatch(current.batchSize))
      case .rest: (current, .firstLoad)
      case .everything: (current, .commit)
      case .plan(let new): (new, .newRequest)
      }
    }
  }

  /// A load that finds changes on their way delivers them first, each as a partial load.
  private func remainingSteps(
    _ isComplete: Bool, _ writer: WriterAccess, in epoch: Int
  ) -> [Cycle.Step] {
    var steps: [Cycle.Step] = []
    if !isComplete {
      steps.append(
        Cycle.Step { [self] in
          defer { state.withLock { $0.isFirstBatch = false } }
          _ = try load(.rest, writer, in: epoch)
          return Cycle.Step.Outcome(flip(), next: remainingSteps(true, writer, in: epoch))
        })
    }
    let count = state.withLock { $0.pending.count }
    for _ in 0..<count { steps.append(Cycle.Step { [self] in Cycle.Step.Outcome(flip()) }) }
    return steps
  }

  /// Reads, and queues the difference to the latest contents.
  ///
  /// Starts following commits in the same access to the writer, so that none is missed.
  ///
  /// - Returns: Whether everything was read.
  private func load(_ extent: Extent, _ writer: WriterAccess, in epoch: Int) throws -> Bool {
    try writer.perform { db in
      let (plan, occasion) = extent.work(current: state.withLock { $0.plan })
      let followed = try plan.followingWhatItReads(in: db)
      let queries = try PlanQueries(followed, in: db)
      var isComplete = true
      let preparation = try maintain(in: db, queries: queries) { maintainer in
        let (change, readsAll) = try maintainer.rebuild(occasion)
        isComplete = readsAll
        return change
      }
      let isCurrent = state.withLock { state in
        guard state.epoch == epoch else { return false }
        state.plan = followed
        state.queries = queries
        state.isTracking = isComplete
        state.isFirstBatch = !isComplete
        state.needsRefetch = false
        state.failure = nil
        return true
      }
      guard isCurrent else { return true }
      do {
        try writer.commits.register(self, in: db)
      } catch {
        requireRefetch()
        throw error
      }
      if case .change(let change, let node) = preparation {
        node.connectEnd(to: change.node)
        enqueue(change, in: epoch)
      }
      return isComplete
    }
  }
}
