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
    /// Another plan, and the request that it was made of; nil where there is none.
    case plan(FetchPlan, of: (any Sendable)?)

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
    var pass: DigestPass?
    defer {
      pass?.end(with: nil)
      if hasNews { writer.commits.deliver() }
    }
    try writer.perform(
      holding: views,
      { db, view in
        if try writer.commits.noteForeignCommits(in: db) { hasNews = true }
        let work = try begin(extent, in: db)
        writer.commits.log.notePlace()
        if let view, mayReadBesideWriter(work, view),
          results.leaveCommitsToLoad(in: epoch, after: writer.commits.log.publishedPlace)
        {
          writer.followed.register(results, following: work.plan)
          beside = (work, view)
        } else {
          isComplete = try readOnWriter(work, &pass, seenBy: view, in: db)
        }
      },
      then: { db, view in
        guard beside == nil else { return }
        writer.digests.takeAfterwards(results, for: &pass, seenBy: view) {
          try writer.commits.isOutdated(in: db)
        }
      })
    guard let (work, view) = beside else { return isComplete }
    return try readBesideWriter(work, view)
  }

  // MARK: The parts of a load

  /// What a load reads, and what it compares with.
  final class Work {
    let occasion: LoadDerivation.Occasion
    let plan: FollowedPlan
    let queries: PlanQueries
    /// The latest contents, and what they are at.
    let contents: PlanContents
    let baseline: Baseline
    let rowsBefore: RowsBefore
    /// The version of the base table that is read.
    let node: VersionNode

    init(
      _ occasion: LoadDerivation.Occasion, _ plan: FollowedPlan, _ queries: PlanQueries,
      from contents: PlanContents, at baseline: consuming Baseline, mayLackRows: Bool
    ) {
      self.occasion = occasion
      self.plan = plan
      self.queries = queries
      self.contents = contents
      var rowsBefore = contents.isEmpty ? .nothing : plan.base.rowsBefore(since: baseline.node)
      rowsBefore.mayLackRows = mayLackRows && !contents.isEmpty
      self.rowsBefore = rowsBefore
      node = plan.base.node(after: baseline.node)
      self.baseline = baseline
    }
  }

  /// Watches the tables of the plan, and takes note of what there is before anything is read.
  private func begin(_ extent: Extent, in db: Database) throws -> Work {
    let plan: FetchPlan
    let occasion: LoadDerivation.Occasion
    switch extent {
    case .firstBatch:
      plan = results.plan
      occasion = .firstBatch(min(plan.batchSize, .max / 2))
    case .rest: (plan, occasion) = (results.plan, .firstLoad(results.takeAllContents()))
    case .all: (plan, occasion) = (results.plan, .reload)
    case .plan(let new, of: _): (plan, occasion) = (new, .newRequest)
    }
    let ready = try writer.followed.prepared(plan, of: results.items, in: db)
    let followed = try writer.followed.follow(ready.followed, in: db)
    // What others write without triggers is not in the log: whoever loads again looks at every row.
    let mayLackRows = extent.isCompared && writer.commits.log.isThere
    if mayLackRows { results.awaitDigests() }
    var contents = PlanContents()
    let baseline = results.baseline(&contents)
    return Work(
      occasion, followed, ready.queries, from: contents, at: baseline, mayLackRows: mayLackRows)
  }

  /// Reads, and compares with the latest contents.
  func derive(_ work: Work, in db: Database) throws -> LoadDerivation.Outcome {
    try LoadDerivation(occasion: work.occasion).outcome(
      in: DerivationContext(
        reader: PlanReader(queries: work.queries, db: db), items: results.items.makeSink(),
        base: work.contents, rowsBefore: work.rowsBefore))
  }

  /// Queues what the load has found; the results follow commits from now on.
  ///
  /// The pass is set to what was begun to take digests of the rows. Returns false where the results
  /// were cancelled meanwhile.
  func enqueue(
    _ derived: LoadDerivation.Outcome, of work: Work, _ pass: inout DigestPass?,
    seenBy view: HeldView?
  ) throws -> Bool {
    guard results.follow(work.plan.plan, work.queries, derived, in: epoch) else { return false }
    let begun = writer.digests.begin(for: results, queueing: derived.change)
    pass = begun.pass
    try results.enqueue(
      begun.change, from: work.baseline, node: work.node, seenBy: view, in: epoch)
    results.hold(view)
    return true
  }

  private func readOnWriter(
    _ work: Work, _ pass: inout DigestPass?, seenBy view: HeldView?, in db: Database
  ) throws -> Bool {
    let derived = try derive(work, in: db)
    guard try enqueue(derived, of: work, &pass, seenBy: view) else { return true }
    writer.followed.register(results, following: work.plan)
    try writer.digests.takeInside(results, for: &pass, in: db)
    return derived.isComplete
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

  /// Returns the cycle of what is said when its turn has come; of a changed request, that is the
  /// difference between the two results.
  func cycle<Item>(
    deliveredBy items: ItemDelivery<Item>, _ extent: @escaping @Sendable () throws -> Extent
  ) -> ItemDelivery<Item>.Cycle {
    ItemDelivery.Cycle([
      items.step(of: results) {
        let isComplete = try notingFailure {
          let wanted = try extent()
          let isComplete = try read(wanted)
          if case .plan(_, of: let request) = wanted, epoch == results.epoch {
            results.noteRequest(request)
          }
          return isComplete
        }
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
