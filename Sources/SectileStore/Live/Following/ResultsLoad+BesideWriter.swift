import GRDB
import SectileCore

// What is read through a held view, while others write.
extension ResultsLoad {
  /// Whether a load may read beside the writer, with a view that shows what it began with.
  func mayReadBesideWriter(_ work: Work, _ view: HeldView) -> Bool {
    guard case .afterLoad = writer.digests, view.isHeld else { return false }
    if case .firstBatch = work.occasion { return false }
    // A view, or a virtual table, does not tell which of its rows have changed.
    return work.plan.base.node != nil
  }

  /// Reads through the view, and catches up with what was committed meanwhile.
  ///
  /// - Returns: Whether everything was read.
  /// - Throws: What reading throws.
  func readBesideWriter(_ work: Work, _ view: HeldView) throws -> Bool {
    do {
      guard let derived = try writer.reading.read(in: view, { try derive(work, in: $0) }) else {
        throw StaleContents()
      }
      try catchUp(with: work, derived, seenBy: view)
      return derived.isComplete
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
    with work: Work, _ derived: LoadDerivation.Outcome, seenBy view: HeldView
  ) throws {
    var progress = Progress.cancelled
    var hasNews = false
    var pass: DigestPass?
    defer {
      pass?.end(with: nil)
      if hasNews { writer.commits.deliver() }
    }
    try writer.perform { db in
      try writer.commits.inReadTransaction(of: db) {
        progress = try catchUp(with: work, derived, &pass, seenBy: view, in: db)
      }
      // Before the look: the contents are still those that the view shows.
      switch progress {
      case .cancelled: break
      case .current(let hasNews):
        writer.digests.takeAfterwards(results, for: &pass, seenBy: hasNews ? nil : view) {
          try writer.commits.isOutdated(in: db)
        }
      case .behind:
        writer.digests.takeAfterwards(results, for: &pass, seenBy: view) { true }
        // What nobody can catch up with is fetched again, and compared.
        writer.followed.requireRefetch(of: results)
      }
      // Where it fails, what was read before holds nevertheless, and the next look finds the rest.
      try? writer.commits.catchUp(in: db, hasNews: &hasNews)
    }
  }

  private func catchUp(
    with work: Work, _ derived: LoadDerivation.Outcome, _ pass: inout DigestPass?,
    seenBy view: HeldView, in db: Database
  ) throws -> Progress {
    let later = work.plan.base.rowsBefore(since: work.node)
    let isCertain =
      try !writer.commits.isOutdated(in: db)
      && writer.followed.isCurrent(work.plan, of: results)
      && !results.unreadCommitsConcernOtherTables && later.isComplete
    guard try enqueue(derived, of: work, &pass, seenBy: view) else { return .cancelled }
    guard isCertain else {
      // Where the schema has changed meanwhile, the request before this one was followed anew.
      if let plan = try? writer.followed.follow(results.plan, in: db) {
        writer.followed.register(results, following: plan)
      }
      return .behind
    }
    guard !later.isEmpty else { return .current(hasNews: false) }
    var contents = PlanContents()
    let baseline = results.baseline(&contents)
    var derivation = CommitDerivation(
      of: work.plan,
      in: DerivationContext(
        reader: PlanReader(queries: work.queries, db: db, statements: work.plan.statements),
        items: results.items.makeSink(), base: contents, rowsBefore: later))
    let change = try derivation.change()
    try results.note(derivation, of: change)
    try results.enqueue(
      change, from: baseline, node: work.plan.base.node ?? work.node, in: epoch)
    return .current(hasNews: true)
  }
}
