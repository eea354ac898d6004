import GRDB
import SectileCore

/// One load of some results, or a change of their request, until its last callback was made.
///
/// On a file, all but the first batch is read through a held view, so that others write meanwhile:
///
/// ```text
///   writer   begin ─┐                                  ┌─── catch up with what was committed since
///   view            └── read all, compare, read items ─┘
/// ```
///
/// Commits of the store are recorded from the beginning on, and are not worked out until the load
/// has caught up with them.
struct ResultsLoad: Sendable {
  let results: ResultsTracker
  let writer: WriterAccess
  /// The epoch in which it began: what belongs to an earlier one is dropped.
  let epoch: Int
  /// What holds the rows that were read, so that items can be read that others overwrite.
  let views: LoadViews
  /// What it meets on the thread that called for it.
  let outcome = LoadOutcome()

  init(of results: ResultsTracker, _ writer: WriterAccess) {
    self.results = results
    self.writer = writer
    epoch = results.epoch
    views = LoadViews(for: .load, of: results.plan.table)
  }

  /// What is read.
  enum Extent {
    case firstBatch
    case rest
    case all
    case plan(FetchPlan)

    var isFirstBatch: Bool { if case .firstBatch = self { true } else { false } }

    /// Whether it is compared with what was read before.
    var isCompared: Bool {
      switch self {
      case .firstBatch, .rest: false
      case .all, .plan: true
      }
    }
  }

  /// Reads, and queues the difference to the latest contents.
  ///
  /// Starts following commits in the same access to the writer, so that none is missed.
  ///
  /// - Parameter extent: What is read.
  /// - Returns: Whether everything was read.
  /// - Throws: What reading throws.
  func read(_ extent: Extent) throws -> Bool {
    var isComplete = true
    var beside: (work: Work, view: HeldView)?
    var hasNews = false
    defer { if hasNews { writer.commits.deliver() } }
    try writer.perform(
      holding: views,
      { db, view in
        if try writer.commits.noticeForeignCommits(in: db) { hasNews = true }
        let work = try begin(extent, in: db)
        writer.commits.noteLogPlace()
        if let view, mayReadBesideWriter(work, view),
          results.leaveCommitsToLoad(in: epoch, after: writer.commits.logPlace)
        {
          writer.followed.register(results, following: work.plan)
          beside = (work, view)
        } else {
          isComplete = try readOnWriter(work, seenBy: view, in: db)
        }
      },
      then: { db, view in
        guard beside == nil else { return }
        writer.digests.takeAfterwards(results, seenBy: view) {
          try writer.commits.isOutdated(in: db)
        }
      })
    guard let (work, view) = beside else { return isComplete }
    return try readBesideWriter(work, view)
  }

  // MARK: The parts of a load

  /// What a load reads, and what it compares with.
  private final class Work {
    let occasion: ContentsMaintainer.Occasion
    let plan: FollowedPlan
    let queries: PlanQueries
    /// The latest contents, and what they are at.
    let contents: PlanContents
    let baseline: Baseline
    let past: RowsBefore
    /// The version of the base table that is read.
    let node: VersionNode

    init(
      _ occasion: ContentsMaintainer.Occasion, _ plan: FollowedPlan, _ queries: PlanQueries,
      from contents: PlanContents, at baseline: consuming Baseline, mayLackRows: Bool
    ) {
      self.occasion = occasion
      self.plan = plan
      self.queries = queries
      self.contents = contents
      var past = contents.isEmpty ? .nothing : plan.base.past(since: baseline.node)
      past.mayLackRows = mayLackRows && !contents.isEmpty
      self.past = past
      node = plan.base.node ?? baseline.node.unknownSuccessor()
      self.baseline = baseline
    }
  }

  /// Watches the tables of the plan, and takes note of what there is before anything is read.
  private func begin(_ extent: Extent, in db: Database) throws -> Work {
    let plan: FetchPlan
    let occasion: ContentsMaintainer.Occasion
    switch extent {
    case .firstBatch:
      plan = results.plan
      occasion = .firstBatch(min(plan.batchSize, .max / 2))
    case .rest: (plan, occasion) = (results.plan, .firstLoad(results.takeAllContents()))
    case .all: (plan, occasion) = (results.plan, .commit)
    case .plan(let new): (plan, occasion) = (new, .newRequest)
    }
    let ready = try writer.followed.prepared(plan, of: results.items, in: db)
    let followed = try writer.followed.follow(ready.followed, in: db)
    // What others write without triggers is not in the log: whoever loads again looks at every row.
    let mayLackRows = extent.isCompared && writer.commits.hasLog
    if mayLackRows { results.awaitDigests() }
    var contents = PlanContents()
    let baseline = results.baseline(&contents)
    return Work(
      occasion, followed, ready.queries, from: contents, at: baseline, mayLackRows: mayLackRows)
  }

  /// Reads, and compares with the latest contents.
  private func rebuild(_ work: Work, in db: Database) throws -> ContentsMaintainer.Rebuilt {
    try ContentsMaintainer(
      reader: PlanReader(queries: work.queries, db: db), items: results.items.makeSink(),
      base: work.contents, past: work.past
    ).rebuild(work.occasion)
  }

  /// Queues what the load has found; the results follow commits from now on.
  ///
  /// - Returns: False where the results were cancelled meanwhile.
  private func enqueue(
    _ rebuilt: ContentsMaintainer.Rebuilt, of work: Work, seenBy view: HeldView?
  ) throws -> Bool {
    guard results.follow(work.plan.plan, work.queries, rebuilt, in: epoch) else { return false }
    try results.enqueue(
      rebuilt.change, from: work.baseline, node: work.node, seenBy: view, in: epoch)
    results.hold(view)
    return true
  }

  private func readOnWriter(
    _ work: Work, seenBy view: HeldView?, in db: Database
  ) throws -> Bool {
    let rebuilt = try rebuild(work, in: db)
    guard try enqueue(rebuilt, of: work, seenBy: view) else { return true }
    writer.followed.register(results, following: work.plan)
    try writer.digests.takeInside(results, in: db)
    return rebuilt.isComplete
  }

  // MARK: Beside the writer

  private func mayReadBesideWriter(_ work: Work, _ view: HeldView) -> Bool {
    guard case .afterLoad = writer.digests, view.isHeld else { return false }
    if case .firstBatch = work.occasion { return false }
    // A view, or a virtual table, does not tell which of its rows have changed.
    return work.plan.base.node != nil
  }

  private func readBesideWriter(_ work: Work, _ view: HeldView) throws -> Bool {
    do {
      guard let rebuilt = try writer.reading.read(in: view, { try rebuild(work, in: $0) }) else {
        throw StaleContents()
      }
      try catchUp(with: work, rebuilt, seenBy: view)
      return rebuilt.isComplete
    } catch {
      giveUp()
      throw error
    }
  }

  /// Goes back to what there was before the load, which has failed.
  private func giveUp() {
    guard results.takeCommitsBack(in: epoch) else { return }
    try? writer.perform { db in
      try writer.commits.inReadTransaction(of: db) {
        let plan = try writer.followed.follow(results.plan, in: db)
        writer.followed.register(results, following: plan)
        writer.followed.requireRefetch(of: results)
      }
    }
  }

  /// How far a load has come that was read beside the writer.
  private enum Progress {
    /// It has everything that was committed meanwhile.
    case current(hasNews: Bool)
    /// Something was committed that nobody can catch up with.
    case behind
    /// The results were cancelled meanwhile.
    case cancelled
  }

  /// Follows commits from now on, after those since the load began.
  private func catchUp(
    with work: Work, _ rebuilt: ContentsMaintainer.Rebuilt, seenBy view: HeldView
  ) throws {
    var progress = Progress.cancelled
    var hasNews = false
    defer { if hasNews { writer.commits.deliver() } }
    try writer.perform { db in
      try writer.commits.inReadTransaction(of: db) {
        progress = try catchUp(with: work, rebuilt, seenBy: view, in: db)
      }
      // Before the look: the contents are still those that the view shows.
      switch progress {
      case .cancelled: break
      case .current(let hasNews):
        writer.digests.takeAfterwards(results, seenBy: hasNews ? nil : view) {
          try writer.commits.isOutdated(in: db)
        }
      case .behind:
        writer.digests.takeAfterwards(results, seenBy: view) { true }
        // What nobody can catch up with is fetched again, and compared.
        writer.followed.requireRefetch(of: results)
      }
      hasNews = writer.commits.lookBehindRead(in: db)
    }
  }

  private func catchUp(
    with work: Work, _ rebuilt: ContentsMaintainer.Rebuilt, seenBy view: HeldView,
    in db: Database
  ) throws -> Progress {
    let later = work.plan.base.past(since: work.node)
    let isCertain =
      try !writer.commits.isOutdated(in: db)
      && writer.followed.isCurrent(work.plan, of: results)
      && !results.unreadCommitsConcernOtherTables && later.isComplete
    guard try enqueue(rebuilt, of: work, seenBy: view) else { return .cancelled }
    guard isCertain else { return .behind }
    guard !later.isEmpty else { return .current(hasNews: false) }
    var contents = PlanContents()
    let baseline = results.baseline(&contents)
    let change = try results.derived(
      CommitDerivation(
        of: work.plan,
        by: ContentsMaintainer(
          reader: PlanReader(queries: work.queries, db: db, statements: work.plan.statements),
          items: results.items.makeSink(), base: contents, past: later)))
    try results.enqueue(
      change, from: baseline, node: work.plan.base.node ?? work.node, in: epoch)
    return .current(hasNews: true)
  }
}

extension ResultsLoad {
  /// Returns the cycle of a load.
  ///
  /// A first load delivers the first batch as soon as it is read, then reads the rest; any other
  /// load delivers the difference to what is there.
  func cycle<Item>(deliveredBy items: ItemDelivery<Item>) -> ItemDelivery<Item>.Cycle {
    cycle(deliveredBy: items) { results.isUnloaded ? .firstBatch : .all }
  }

  /// Returns the cycle of a changed request: the difference between the two results.
  func cycle<Item>(
    changingTo plan: FetchPlan, deliveredBy items: ItemDelivery<Item>
  ) -> ItemDelivery<Item>.Cycle {
    cycle(deliveredBy: items) { .plan(plan) }
  }

  private func cycle<Item>(
    deliveredBy items: ItemDelivery<Item>, _ extent: @escaping @Sendable () -> Extent
  ) -> ItemDelivery<Item>.Cycle {
    ItemDelivery.Cycle([
      items.step(of: results) {
        let isComplete = try notingFailure { try read(extent()) }
        return remainingSteps(isComplete, items)
      }
    ])
  }

  private func notingFailure<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      results.noteFailedLoad(error, in: epoch)
      outcome.note(error)
      throw error
    }
  }

  /// A load that finds changes on their way delivers them first, each as a partial load.
  private func remainingSteps<Item>(
    _ isComplete: Bool, _ items: ItemDelivery<Item>
  ) -> [ItemDelivery<Item>.Cycle.Step] {
    var steps: [ItemDelivery<Item>.Cycle.Step] = []
    if !isComplete {
      steps.append(
        items.step(of: results) {
          defer { results.endFirstBatch() }
          _ = try notingFailure { try read(.rest) }
          return remainingSteps(true, items)
        })
    }
    for _ in 0..<results.pendingCount { steps.append(items.step(of: results)) }
    return steps
  }
}
