import GRDB
import SectileCore
import Synchronization

/// What a transaction comes to for one results object, until it has ended.
struct Preparation {
  /// Nil once it was handed on: to copy it is to retain all that it refers to.
  var outcome: Outcome?
  /// The epoch of the results; what belongs to an earlier one is dropped.
  let epoch: Int

  enum Outcome {
    case change(PreparedChange)
    /// The contents are the same at a newer version of the base table.
    case unchanged(VersionNode)
    /// The contents are not there yet: the load that is under way reads them.
    case unread
    case failure(any Error)
  }
}

// All of this happens on the writer.
extension ResultsTracker {
  var hub: HubCore { items.hub }

  /// Whether the results follow commits: from their load until they are cancelled.
  var isTracking: Bool { state.withLock { $0.isTracking || $0.unread != nil } }

  /// Makes the next transaction fetch the results again, whatever it touches.
  func requireRefetch() {
    state.withLock { $0.needsRefetch = true }
  }

  // MARK: Preparing

  /// Works out what a transaction means for the results, inside of it.
  ///
  /// - Parameters:
  ///   - registration: What is known of the plan.
  ///   - scope: The transaction.
  ///   - db: The connection, inside of it.
  /// - Returns: What it comes to, be it an error; nil where it touched nothing and nothing is open from
  ///   before.
  func prepare(
    _ registration: PlanRegistration, _ scope: CommitScope, in db: Database
  ) -> Preparation? {
    switch begin(registration, scope) {
    case .nothing: return nil
    case .nothingNew(let preparation): return preparation
    case .work(let start, let contents):
      let outcome: Preparation.Outcome
      do {
        outcome = try change(registration, scope, from: start, contents, in: db)
      } catch {
        outcome = .failure(error)
      }
      if scope.isRuledOut, !start.needsRefetch { checkRuledOut(outcome) }
      return Preparation(outcome: outcome, epoch: start.epoch)
    }
  }

  /// Takes note that no transaction before the one under way concerned the results, of those that left
  /// them behind.
  func catchUp(with registration: PlanRegistration) {
    guard let former = registration.base.notes?.formerNode else { return }
    state.withLock { state in
      guard state.isTracking, !state.needsRefetch, state.failure == nil else { return }
      state.advance(to: former)
    }
  }

  /// What there is to do about a transaction.
  private enum Beginning: ~Copyable {
    /// The results do not follow it.
    case nothing
    /// Without a look it is known what it comes to.
    case nothingNew(Preparation)
    case work(Starting, PlanContents)
  }

  private func begin(_ registration: PlanRegistration, _ scope: CommitScope) -> Beginning {
    state.withLock { state in
      guard scope.isTouched || state.needsRefetch, state.isTracking || state.unread != nil else {
        return .nothing
      }
      guard state.unread == nil else {
        if !scope.isCertain || !registration.isBaseAloneTouched {
          state.unread?.concernOtherTables = true
        }
        return .nothingNew(Preparation(outcome: .unread, epoch: state.epoch))
      }
      state.statistics.commitCount += 1
      if scope.isRuledOut, !state.needsRefetch, !InternalChecks.isOn,
        let node = registration.base.node
      {
        return .nothingNew(Preparation(outcome: .unchanged(node), epoch: state.epoch))
      }
      return .work(Starting(&state), state.latestContents())
    }
  }

  /// Prepares a failure instead of a change; nil where there is nobody to hear of it.
  func prepareFailure(_ error: any Error) -> Preparation? {
    state.withLock { state in
      // One that was delivered already is not news.
      guard state.isTracking, state.failure != String(describing: error) else { return nil }
      return Preparation(outcome: .failure(error), epoch: state.epoch)
    }
  }

  @inline(__always)
  private func change(
    _ registration: PlanRegistration, _ scope: CommitScope, from start: borrowing Starting,
    _ contents: consuming PlanContents, in db: Database
  ) throws -> Preparation.Outcome {
    let past = registration.base.past(since: start.node)
    let node = registration.base.node ?? start.node.unknownSuccessor()
    guard scope.isCertain, !start.needsRefetch, let queries = start.queries else {
      awaitDigests()
      registration.prefixes.forget()
      return try refetch(from: start, contents, past, node, in: db)
    }
    // Equal plans whose contents are those before this transaction go through the same change.
    let isSimple = past.commitCount <= 1 && past.isComplete
    let shared = isSimple ? scope.shared : nil
    if let known = shared?.outcome(registration.planNumber, items.itemType) {
      return try preparation(known, from: start, node)
    }
    registration.prefixes.begin(contents.keys, start.number, next: start.nextNumber)
    let maintainer = ContentsMaintainer(
      reader: PlanReader(queries: queries, db: db, statements: registration.statements),
      items: items.makeSink(), base: contents, past: consume past, prefixes: registration.prefixes)
    let change = try change(registration, by: maintainer)
    guard let shared else {
      guard let change else { return .unchanged(node) }
      return .change(try prepared(change, from: start, node: node))
    }
    let outcome = SharedChanges.Outcome(
      planNumber: registration.planNumber, itemType: items.itemType, change: change)
    shared.add(outcome)
    return try preparation(outcome, from: start, node)
  }

  private func preparation(
    _ outcome: SharedChanges.Outcome, from start: borrowing Starting, _ node: VersionNode
  ) throws -> Preparation.Outcome {
    guard let change = outcome.change else { return .unchanged(node) }
    if let boxed = outcome.boxed, boxed.source == start.version, !change.isWhole {
      return .change(
        PreparedChange(
          change, boxed: boxed.changes, targetVersion: start.version + 1, node: node,
          number: start.nextNumber))
    }
    let prepared = try prepared(change, from: start, node: node)
    outcome.boxed = (prepared.boxed, start.version)
    return .change(prepared)
  }

  /// Works out what the touched rows mean, one by one or by a rebuild.
  @inline(__always)
  func change(
    _ registration: PlanRegistration, by maintainer: borrowing ContentsMaintainer
  ) throws -> PlanChange? {
    let queries = maintainer.reader.queries
    guard queries.ordering != nil, !queries.isWindowed else { return try rebuild(by: maintainer) }
    do {
      let change: PlanChange?
      switch try touchedKeys(registration, maintainer) {
      case .unknown: return try rebuild(by: maintainer)
      case .one(let key):
        countReread(1)
        change = try oneRowChange(key, by: maintainer)
      case .several(let keys):
        countReread(keys.count)
        change = try maintainer.incrementalChange(touching: keys)
      }
      try check(change, by: maintainer)
      return change
    } catch is StaleContents {
      return try rebuild(by: maintainer)
    }
  }

  @inline(__always)
  private func oneRowChange(
    _ key: RowKey, by maintainer: borrowing ContentsMaintainer
  ) throws -> PlanChange? {
    switch try maintainer.oneRowChange(key) {
    case .unchanged: nil
    case .change(let change): change
    case .needsMore: try maintainer.incrementalChange(touching: [key])
    }
  }

  private func countReread(_ rows: Int) { state.withLock { $0.statistics.rereadRowCount += rows } }

  private func rebuild(by maintainer: borrowing ContentsMaintainer) throws -> PlanChange? {
    state.withLock { $0.statistics.rebuildCount += 1 }
    maintainer.prefixes.forget()
    return try maintainer.rebuild(.commit).change
  }

  /// Fetches again although the recorder may have missed something, maybe the schema itself.
  private func refetch(
    from start: borrowing Starting, _ contents: consuming PlanContents, _ past: RowsBefore,
    _ node: VersionNode, in db: Database
  ) throws -> Preparation.Outcome {
    let queries = try PlanQueries(plan, in: db)
    state.withLock { state in
      state.queries = queries
      state.statistics.resyncCount += 1
    }
    let maintainer = ContentsMaintainer(
      reader: PlanReader(queries: queries, db: db), items: items.makeSink(), base: contents,
      past: past)
    let change = try maintainer.rebuild(.commit).change
    guard let change else { return .unchanged(node) }
    return .change(try prepared(change, from: start, node: node))
  }

  /// The rows to read again.
  private enum TouchedKeys {
    /// It is not known which, or there are too many.
    case unknown
    case one(RowKey)
    /// In ascending order.
    case several([RowKey])
  }

  /// Finds out which rows to read again.
  @inline(__always)
  private func touchedKeys(
    _ registration: PlanRegistration, _ maintainer: borrowing ContentsMaintainer
  ) throws -> TouchedKeys {
    guard !registration.isEverythingTouched, maintainer.past.isComplete else {
      return .unknown
    }
    if registration.dependencies.count == 1, let key = maintainer.past.onlyTouchedKey {
      return .one(key)
    }
    let touchedCount = maintainer.past.touchedCount
    let count = try maintainer.rebuildSize(touched: touchedCount)
    if MaintenanceCost.prefersRebuild(touched: touchedCount, of: count) {
      guard try maintainer.touchedRowsStay() else { return .unknown }
    }
    var keys: [RowKey] = []
    keys.reserveCapacity(touchedCount)
    maintainer.past.forEachTouchedKey { keys.append($0) }
    let others = registration.dependencies.filter { !$0.dependency.isBase && $0.isTouched }
    // Neighbours are on one page of the table.
    if keys.count > 1 { keys.sort { $0.comesBefore($1) } }
    if others.isEmpty, maintainer.past.commitCount == 1 {
      return keys.count == 1 ? .one(keys[0]) : .several(keys)
    }
    var known = Set(keys)
    for dependency in others {
      guard let touched = dependency.notes?.images,
        !MaintenanceCost.prefersRebuild(touched: touched.count, of: count)
      else { return .unknown }
      for position in 0..<touched.count {
        let key = touched.key(at: position)
        switch dependency.dependency.affected {
        case .sameKey: known.insert(key)
        case .query(let sql) where !key.hasNull:
          try known.formUnion(maintainer.reader.baseKeys(sql, for: key))
        case .query, .everything: break
        }
      }
      guard !MaintenanceCost.prefersRebuild(touched: known.count, of: count) else {
        return .unknown
      }
    }
    if known.count == 1, let key = known.first { return .one(key) }
    return .several(known.sorted { $0.comesBefore($1) })
  }

  // MARK: Publishing

  /// Queues for delivery what a transaction came to that has committed.
  ///
  /// - Parameter preparation: What it came to.
  /// - Returns: Whether there is something to deliver, and whether the next transaction fetches the
  ///   results again.
  func publish(_ preparation: inout Preparation) -> (isNews: Bool, needsRefetch: Bool) {
    switch state.withLock({ publish(&preparation, &$0) }) {
    case .nothing(let released, let needsRefetch):
      withExtendedLifetime(released) {}
      return (false, needsRefetch)
    case .change:
      items.submitCommit()
      return (true, false)
    case .failure(let error): return (fail(error), true)
    }
  }

  /// What there is to deliver of a transaction.
  private enum News {
    /// Nothing, but something to release outside of the lock.
    case nothing([PlanChange] = [], needsRefetch: Bool)
    case change
    case failure(any Error)
  }

  @inline(__always)
  private func publish(_ preparation: inout Preparation, _ state: inout State) -> News {
    guard preparation.epoch == state.epoch else {
      return .nothing(needsRefetch: state.needsRefetch)
    }
    switch preparation.outcome.take() {
    case .change(let change):
      state.needsRefetch = false
      let isQuiet = change.isQuiet
      let released = enqueue(change, &state)
      return isQuiet ? .nothing(released, needsRefetch: false) : .change
    case .unchanged(let node):
      state.needsRefetch = false
      state.failure = nil
      state.advance(to: node)
      return .nothing(needsRefetch: false)
    case .unread, nil: return .nothing(needsRefetch: state.needsRefetch)
    case .failure(let error): return .failure(error)
    }
  }

  /// Delivers a failure, unless the same one was delivered last; then it returns false.
  private func fail(_ error: any Error) -> Bool {
    let isNew = state.withLock { state in
      state.needsRefetch = true
      let text = String(describing: error)
      defer { state.failure = text }
      return state.failure != text
    }
    if isNew { items.submitFailure(error) }
    return isNew
  }
}

extension TrackedDependency {
  init(_ dependency: PlanDependency) {
    table = dependency.table
    affected = dependency.affected
    interest = TableWatch.KeyInterest(
      keyColumns: dependency.keyColumns, observedColumns: dependency.observedColumns)
    isBase = false
  }
}

extension VersionNode {
  /// The version after a commit of which nobody knows what it touched.
  ///
  /// Rows of older versions are then found in the database, or found to be others than they were.
  func unknownSuccessor() -> VersionNode {
    let successor = VersionNode()
    connect(to: successor, before: .unknown)
    return successor
  }
}
