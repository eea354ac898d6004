import GRDB
import SectileCore
import Synchronization

extension ResultsTracker: TrackedResults {
  var hub: any HubFlushing { deliveryHub }

  var trackedPlan: TrackedPlan {
    let plan = state.withLock { $0.plan }
    let base = TrackedDependency(
      table: plan.table,
      interest: TableWatch.KeyInterest(keyColumns: plan.keyColumns, observedColumns: nil),
      affected: .sameKey, isBase: true)
    return TrackedPlan(
      itemColumns: plan.itemColumns,
      dependencies: [base] + plan.dependencies.map { TrackedDependency($0) })
  }

  var isTracking: Bool { state.withLock { $0.isTracking || $0.isFirstBatch } }

  var needsRefetch: Bool { state.withLock { $0.needsRefetch } }

  func requireRefetch() {
    state.withLock { $0.needsRefetch = true }
  }

  func prepare(_ scope: CommitScope) {
    let (epoch, isFirstBatch, node, columns) = state.withLock { state in
      (state.epoch, state.isFirstBatch, state.latestNode, state.plan.itemColumns)
    }
    var preparation: Preparation
    if isFirstBatch {
      let end = node.newest
      end.connect(to: VersionNode(), before: scope.preImages(of: columns))
      preparation = .linked(end)
    } else {
      do {
        preparation = try change(in: scope)
      } catch {
        preparation = .failure(error)
      }
    }
    if case .change(let change, let node) = preparation {
      node.connect(to: change.node, before: scope.preImages(of: columns))
    }
    state.withLock { state in
      if state.epoch == epoch { state.inFlight = preparation }
    }
  }

  private func change(in scope: CommitScope) throws -> Preparation {
    state.withLock { $0.statistics.commitCount += 1 }
    if !scope.isCertain || needsRefetch { return try refetch(in: scope.db) }
    let keys = try touchedKeys(in: scope)
    let (count, canSearch) = state.withLock { state in
      (state.visible.count, state.queries.map { $0.ordering != nil && !$0.isWindowed } ?? false)
    }
    guard let keys, canSearch, !MaintenanceCost.prefersRebuild(touched: keys.count, of: count)
    else { return try rebuild(in: scope.db) }
    state.withLock { $0.statistics.rereadRowCount += keys.count }
    do {
      return try maintain(in: scope.db) { maintainer in
        let change = try maintainer.incrementalChange(touching: keys)
        try maintainer.check(change)
        return change
      }
    } catch is StaleContents {
      return try rebuild(in: scope.db)
    }
  }

  /// Fetches again although the recorder may have missed something, maybe the schema itself.
  private func refetch(in db: Database) throws -> Preparation {
    let queries = try PlanQueries(state.withLock { $0.plan }, in: db)
    state.withLock { state in
      state.queries = queries
      state.statistics.resyncCount += 1
    }
    return try maintain(in: db) { try $0.rebuild(.commit).change }
  }

  private func rebuild(in db: Database) throws -> Preparation {
    state.withLock { $0.statistics.rebuildCount += 1 }
    return try maintain(in: db) { try $0.rebuild(.commit).change }
  }

  /// Returns the keys of the rows to read again, or nil where they are not known.
  private func touchedKeys(in scope: CommitScope) throws -> Set<RowKey>? {
    guard !scope.isEverythingTouched else { return nil }
    var keys: Set<RowKey> = []
    for dependency in scope.dependencies where dependency.isTouched {
      switch dependency.dependency.affected {
      case .sameKey where keys.isEmpty: keys = dependency.touchedKeys
      case .sameKey: keys.formUnion(dependency.touchedKeys)
      case .query(let sql):
        let (queries, rowCount) = state.withLock { ($0.queries, $0.visible.count) }
        guard let queries,
          !MaintenanceCost.prefersRebuild(touched: dependency.touchedKeys.count, of: rowCount)
        else { return nil }
        let reader = PlanReader(queries: queries, db: scope.db)
        for key in dependency.touchedKeys where !key.hasNull {
          try keys.formUnion(reader.baseKeys(sql, for: key))
        }
      case .everything: break
      }
    }
    return keys
  }

  func publish() {
    let (preparation, epoch) = state.withLock { state in
      switch state.inFlight {
      case .failure, .linked: break
      case .change, .unchanged, nil:
        state.needsRefetch = false
        state.failure = nil
      }
      return (state.inFlight.take(), state.epoch)
    }
    switch preparation {
    case .change(let change, _):
      enqueue(change, in: epoch)
      if !change.changes.isEmpty { deliveryHub.submit(commitCycle()) }
    case .failure(let error): fail(error)
    case .unchanged, .linked, nil: break
    }
  }

  /// Delivers a failure, unless the same one was delivered last.
  private func fail(_ error: any Error) {
    let isNew = state.withLock { state in
      state.needsRefetch = true
      let text = String(describing: error)
      defer { state.failure = text }
      return state.failure != text
    }
    if isNew { deliveryHub.submit(.failed(error)) }
  }

  func discard() {
    let preparation = state.withLock { $0.inFlight.take() }
    switch preparation {
    case .change(_, let node), .linked(let node): node.disconnect()
    case .unchanged, .failure, nil: break
    }
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
