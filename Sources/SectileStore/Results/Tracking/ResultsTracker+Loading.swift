import GRDB
import SectileCore
import Synchronization

/// Exclusive use of the writer, outside of any transaction of others.
struct WriterAccess: Sendable {
  let commits: CommitCenter
  /// How rows are remembered that others may write.
  let remembering: ContentRemembering
  /// Reading beside the writer.
  let reading: ReadAccess
  /// What holds the rows that a load hands out; nil where there is one connection.
  private let views: HeldViews?
  private let use: @Sendable ((Database) throws -> Void) throws -> Void

  init(
    commits: CommitCenter, remembering: ContentRemembering, reading: ReadAccess,
    views: HeldViews?, _ use: @escaping @Sendable ((Database) throws -> Void) throws -> Void
  ) {
    self.commits = commits
    self.remembering = remembering
    self.reading = reading
    self.views = views
    self.use = use
  }

  /// Runs a closure on the writer.
  func perform(_ body: (Database) throws -> Void) throws { try use(body) }

  /// Fetches again whatever may be out of date, and delivers what has changed.
  func refresh() throws {
    var hasNews = false
    try perform { hasNews = try commits.refresh(in: $0) }
    if hasNews { commits.flush() }
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

    var isFirstBatch: Bool { if case .batch = self { true } else { false } }
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
    if !extent.isFirstBatch,
      let isComplete = try loadBesideWriter(extent, writer, in: epoch, holding: held)
    {
      return isComplete
    }
    return try writer.perform(
      holding: held,
      { db, view in
        let work = try begin(extent, writer, in: db)
        let rebuilt = try rebuilt(work, in: db)
        guard follow(work, rebuilt, in: epoch) else { return true }
        writer.commits.register(self, work.registration)
        try enqueue(rebuilt, of: work, seenBy: view, in: epoch)
        try writer.remembering.rememberInside(self, in: db)
        return rebuilt.isComplete
      },
      then: { db, view in
        writer.remembering.rememberAfterwards(self, seenBy: view) {
          try writer.commits.isOutdated(in: db)
        }
      })
  }

  // MARK: The parts of a load

  /// What a load reads, and what it compares with.
  final class LoadWork {
    let occasion: ContentsMaintainer.Occasion
    /// The plan with every table its SQL reads.
    let plan: FetchPlan
    let queries: PlanQueries
    let registration: PlanRegistration
    /// The latest contents, and what they are at.
    let contents: PlanContents
    let start: Starting
    let past: RowsBefore
    /// The version of the base table that is read.
    let node: VersionNode

    init(
      _ occasion: ContentsMaintainer.Occasion, _ prepared: PreparedPlans.Entry,
      _ registration: PlanRegistration, from contents: PlanContents,
      at start: consuming Starting
    ) {
      self.occasion = occasion
      (plan, queries) = (prepared.followed, prepared.queries)
      self.registration = registration
      self.contents = contents
      past = contents.isEmpty ? .nothing : registration.base.past(since: start.node)
      node = registration.base.node ?? start.node.unknownSuccessor()
      self.start = start
    }
  }

  /// Watches the tables of the plan, and takes note of what there is before anything is read.
  func begin(_ extent: Extent, _ writer: WriterAccess, in db: Database) throws -> LoadWork {
    try writer.commits.noticeForeignCommits(in: db)
    let (plan, occasion) = work(extent)
    let ready = try writer.commits.prepared(plan, in: db)
    let registration = try writer.commits.watch(trackedPlan(of: ready.followed), in: db)
    var contents = PlanContents()
    let start = state.withLock { state in
      contents = state.latestContents()
      return Starting(&state)
    }
    return LoadWork(occasion, ready, registration, from: contents, at: start)
  }

  /// Reads, and compares with the latest contents.
  func rebuilt(
    _ work: LoadWork, in db: Database
  ) throws -> ContentsMaintainer.Rebuilt {
    try ContentsMaintainer(
      reader: PlanReader(queries: work.queries, db: db), items: items.makeSink(),
      base: work.contents, past: work.past
    ).rebuild(work.occasion)
  }

  /// Queues what a load has found.
  func enqueue(
    _ rebuilt: ContentsMaintainer.Rebuilt, of work: LoadWork, seenBy view: HeldView?,
    in epoch: Int
  ) throws {
    if let change = rebuilt.change {
      enqueue(try prepared(change, from: work.start, node: work.node, view: view), in: epoch)
    } else {
      let node = work.node
      state.withLock { $0.advance(to: node) }
    }
    state.withLock { $0.hold(view) }
  }

  /// Follows a plan from now on; false where the results were cancelled meanwhile.
  func follow(
    _ work: LoadWork, _ rebuilt: ContentsMaintainer.Rebuilt, in epoch: Int
  ) -> Bool {
    let (plan, queries) = (work.plan, work.queries)
    return state.withLock { state in
      guard state.epoch == epoch else { return false }
      state.plan = plan
      state.queries = queries
      state.isTracking = rebuilt.isComplete
      state.unread = rebuilt.isComplete ? nil : UnreadCommits()
      state.everything = rebuilt.everything
      state.needsRefetch = false
      state.failure = nil
      return true
    }
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

  func endFirstBatch() {
    state.withLock { state in
      state.unread = nil
      state.everything = nil
    }
  }
}
