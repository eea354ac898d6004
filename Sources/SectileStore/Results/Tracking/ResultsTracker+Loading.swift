import GRDB
import SectileCore
import Synchronization

/// Exclusive use of the writer, outside of any transaction of others.
struct WriterAccess: Sendable {
  let commits: CommitCenter
  /// How rows are remembered that others may write.
  let remembering: ContentRemembering
  /// What holds the rows that a load hands out; nil where there is one connection.
  private let views: HeldViews?
  private let perform: @Sendable ((Database) throws -> Void) throws -> Void

  init(
    commits: CommitCenter, remembering: ContentRemembering, views: HeldViews?,
    _ perform: @escaping @Sendable ((Database) throws -> Void) throws -> Void
  ) {
    self.commits = commits
    self.remembering = remembering
    self.views = views
    self.perform = perform
  }

  /// Runs a closure on the writer; what it reads is one state of the database.
  ///
  /// - Parameters:
  ///   - held: Where to hold a view of that state.
  ///   - body: Reads, inside a transaction; it is handed the view, if there is one.
  ///   - next: Called on the writer after it, before anybody else may write.
  /// - Returns: What `body` returns.
  /// - Throws: What the closures throw.
  func perform<Result>(
    holding held: LoadViews, _ body: (Database, HeldView?) throws -> Result,
    then next: (Database, HeldView?) throws -> Void
  ) throws -> Result {
    var result: Result?
    try perform { db in
      let view = views?.makeView()
      if let view { held.append(view) }
      var attempts = 0
      repeat {
        attempts += 1
        try db.inTransaction(.deferred) {
          if let view, try !view.begin(while: { _ = try DatabaseVersion.data(of: db) }) {
            // Somebody committed just then.
            if attempts < HeldView.attemptLimit { return .commit }
            view.end()
          }
          result = try body(db, view)
          return .commit
        }
      } while result == nil
      try next(db, view)
    }
    guard let result else { throw StaleContents() }
    return result
  }
}

extension ResultsTracker {
  /// What a load reads.
  enum Extent {
    case batch
    case rest
    case everything
    case plan(FetchPlan)
  }

  private func work(_ extent: Extent) -> (plan: FetchPlan, occasion: ContentsMaintainer.Occasion) {
    state.withLock { state in
      switch extent {
      case .batch: (state.plan, .firstBatch(min(state.batchSize, .max / 2)))
      case .rest: (state.plan, .firstLoad(state.everything.take()))
      case .everything: (state.plan, .commit)
      case .plan(let new): (new, .newRequest)
      }
    }
  }

  var epoch: Int { state.withLock { $0.epoch } }

  /// Whether nothing was loaded yet.
  var isUnloaded: Bool {
    state.withLock { $0.version == 0 && $0.pending.isEmpty && !$0.isTracking }
  }

  /// Reads, and queues the difference to the latest contents.
  ///
  /// Starts following commits in the same access to the writer, so that none is missed.
  ///
  /// - Parameters:
  ///   - extent: What is read.
  ///   - writer: The writer.
  ///   - epoch: The epoch in which the load began.
  ///   - held: Where a view of what was read is held, so that items can be read that others overwrite.
  /// - Returns: Whether everything was read.
  /// - Throws: What reading throws.
  func load(
    _ extent: Extent, _ writer: WriterAccess, in epoch: Int, holding held: LoadViews
  ) throws -> Bool {
    try writer.perform(
      holding: held,
      { db, view in
        try writer.commits.noticeForeignCommits(in: db)
        let (plan, occasion) = work(extent)
        let ready = try writer.commits.prepared(plan, in: db)
        let (followed, queries) = (ready.followed, ready.queries)
        let registration = try writer.commits.watch(trackedPlan(of: followed), in: db)
        var contents = PlanContents()
        let start = state.withLock { state in
          contents = state.latestContents()
          return Starting(&state)
        }
        let node = registration.base.node ?? start.node.unknownSuccessor()
        let maintainer = ContentsMaintainer(
          reader: PlanReader(queries: queries, db: db), items: items.makeSink(),
          base: contents,
          past: contents.isEmpty ? .nothing : registration.base.past(since: start.node))
        let rebuilt = try maintainer.rebuild(occasion)
        let isComplete = rebuilt.isComplete
        let prepared = try rebuilt.change.map {
          try self.prepared($0, from: start, node: node, view: view)
        }
        guard begin(followed, queries, rebuilt, in: epoch) else { return true }
        writer.commits.register(self, registration)
        if let prepared {
          enqueue(prepared, in: epoch)
        } else {
          state.withLock { $0.advance(to: node) }
        }
        state.withLock { $0.hold(view) }
        try writer.remembering.rememberInside(self, in: db)
        return isComplete
      },
      then: { db, view in
        writer.remembering.rememberAfterwards(self, seenBy: view) {
          try writer.commits.isOutdated(in: db)
        }
      })
  }

  private func trackedPlan(of plan: FetchPlan) -> TrackedPlan {
    let base = TrackedDependency(
      table: plan.table,
      interest: TableWatch.KeyInterest(keyColumns: plan.keyColumns, observedColumns: nil),
      affected: .sameKey, isBase: true)
    return TrackedPlan(
      plan: plan,
      dependencies: [base] + plan.dependencies.map { TrackedDependency($0) })
  }

  var trackedPlan: TrackedPlan { trackedPlan(of: plan) }

  /// Follows a plan from now on; false where the results were cancelled meanwhile.
  private func begin(
    _ plan: FetchPlan, _ queries: PlanQueries, _ rebuilt: ContentsMaintainer.Rebuilt, in epoch: Int
  ) -> Bool {
    state.withLock { state in
      guard state.epoch == epoch else { return false }
      state.plan = plan
      state.queries = queries
      state.isTracking = rebuilt.isComplete
      state.isFirstBatch = !rebuilt.isComplete
      state.everything = rebuilt.everything
      state.needsRefetch = false
      state.failure = nil
      return true
    }
  }

  func endFirstBatch() {
    state.withLock { state in
      state.isFirstBatch = false
      state.everything = nil
    }
  }
}
