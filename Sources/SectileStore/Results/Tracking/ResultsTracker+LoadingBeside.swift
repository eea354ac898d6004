import GRDB
import SectileCore
import Synchronization

// A load that reads through a held view, so that others write meanwhile:
//
//   writer   begin ───┐                                  ┌─── catch up with what was committed since
//   view              └── read all, compare, read items ─┘
//
// Commits of the store are recorded from the beginning on, and are not worked out until the load has
// caught up with them.
extension ResultsTracker {
  /// Reads beside the writer.
  ///
  /// - Returns: Whether everything was read; nil where it has to be read on the writer.
  /// - Throws: What reading throws.
  func loadBesideWriter(
    _ extent: Extent, _ writer: WriterAccess, in epoch: Int, holding held: LoadViews
  ) throws -> Bool? {
    guard case .afterLoad = writer.remembering else { return nil }
    var begun: (work: LoadWork, view: HeldView)?
    try writer.perform(
      holding: held,
      { db, view in
        guard let view, view.isHeld else { return }
        let work = try begin(extent, writer, in: db)
        // A view, or a virtual table, does not tell which of its rows have changed.
        guard work.registration.base.node != nil, beginReading(in: epoch) else { return }
        writer.commits.register(self, work.registration)
        begun = (work, view)
      }, then: { _, _ in })
    guard let (work, view) = begun else { return nil }
    do {
      guard let rebuilt = try writer.reading.read(in: view, { try rebuilt(work, in: $0) }) else {
        throw StaleContents()
      }
      return try catchUp(with: work, rebuilt, seenBy: view, writer, in: epoch)
    } catch {
      giveUpReading(writer, in: epoch)
      throw error
    }
  }

  /// Leaves commits to the load from now on; false where the results were cancelled.
  private func beginReading(in epoch: Int) -> Bool {
    state.withLock { state in
      guard state.epoch == epoch else { return false }
      state.unread = UnreadCommits()
      return true
    }
  }

  /// Goes back to what there was before the load, which has failed.
  private func giveUpReading(_ writer: WriterAccess, in epoch: Int) {
    let isLeft = state.withLock { state in
      guard state.epoch == epoch else { return false }
      state.unread = nil
      return state.isTracking
    }
    guard isLeft else { return }
    // What was committed meanwhile was not worked out.
    try? writer.perform { db in
      let registration = try writer.commits.watch(trackedPlan, in: db)
      writer.commits.register(self, registration)
      writer.commits.requireRefetch(of: self)
    }
  }

  /// Follows commits from now on, after those since the load began.
  private func catchUp(
    with work: LoadWork, _ rebuilt: ContentsMaintainer.Rebuilt, seenBy view: HeldView,
    _ writer: WriterAccess, in epoch: Int
  ) throws -> Bool {
    var (isCertain, hasCaughtUp) = (true, false)
    try writer.perform { db in
      try db.inTransaction(.deferred) {
        isCertain =
          try !writer.commits.isOutdated(in: db)
          && writer.commits.isCurrent(work.registration, of: self)
        let later = work.registration.base.past(since: work.node)
        let others = state.withLock { $0.unread?.concernOtherTables } ?? false
        isCertain = isCertain && !others && later.isComplete
        guard follow(work, rebuilt, in: epoch) else {
          isCertain = true
          return .commit
        }
        try enqueue(rebuilt, of: work, seenBy: view, in: epoch)
        if isCertain, !later.isEmpty {
          hasCaughtUp = true
          try enqueueLater(work, later, in: db, epoch)
        }
        return .commit
      }
      writer.remembering.rememberAfterwards(self, seenBy: hasCaughtUp ? nil : view) {
        try !isCertain || writer.commits.isOutdated(in: db)
      }
      if !isCertain { writer.commits.requireRefetch(of: self) }
    }
    // What nobody can catch up with is fetched again, and compared.
    if !isCertain { try writer.refresh() }
    return rebuilt.isComplete
  }

  /// Queues what was committed since a load began.
  private func enqueueLater(
    _ work: LoadWork, _ later: RowsBefore, in db: Database, _ epoch: Int
  ) throws {
    var contents = PlanContents()
    let start = state.withLock { state in
      contents = state.latestContents()
      return Starting(&state)
    }
    let node = work.registration.base.node ?? work.node
    let maintainer = ContentsMaintainer(
      reader: PlanReader(queries: work.queries, db: db, statements: work.registration.statements),
      items: items.makeSink(), base: contents, past: later)
    if let change = try change(work.registration, by: maintainer) {
      enqueue(try prepared(change, from: start, node: node), in: epoch)
    } else {
      state.withLock { $0.advance(to: node) }
    }
  }
}
