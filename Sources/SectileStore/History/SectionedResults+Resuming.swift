internal import GRDB
public import SectileCore
internal import Synchronization

extension SectionedResults {
  /// A place to go on from in another process; nil where the file has no change log.
  ///
  /// Everything up to it is in the contents that readers see; what is still on its way to them is
  /// behind it. Nil also before the first load, after ``cancel()``, while a changed request is not
  /// shown yet, and while the contents are known to be behind.
  public var token: ChangeToken? {
    let place = writer.commits.log.publishedPlace
    let request = tracker.requestNumber
    let shown = tracker.state.withLock { $0.shownPlace(upTo: place) }
    return shown.map { ChangeToken(place: $0, request: request) }
  }

  /// What became of the contents since a token.
  public enum Resumed: Sendable {
    /// These rows are others, elsewhere, new or gone; applied to what the token's contents were,
    /// they give the contents now. An identity may be named that those did not have.
    case changes(KeyedChanges<ItemID, Item>)
    /// Nobody can tell, for this reason: read everything.
    case reset(ResetReason)
  }

  /// Loads the contents, follows commits from then on, and tells what happened since a token.
  ///
  /// ```swift
  /// switch try await results.load(since: token) {
  /// case .changes(let changes): try kept.apply(changes)
  /// case .reset(let reason): kept = try await results.contents()
  /// }
  /// ```
  ///
  /// Keys suffice where a row's place follows from its own columns: a request with a limit, one
  /// that reads other tables, or one whose functions depend on the time is answered by a reset.
  ///
  /// - Parameter token: A ``token`` of results of the same request, from any process.
  /// - Returns: What happened.
  /// - Throws: What `loadAndWait()` and reading throw; never because of the token.
  public func load(since token: ChangeToken) async throws -> Resumed {
    try await loadAndWait()
    guard let request = token.request else { return .reset(.otherRequest) }
    let views = LoadViews(for: .contents, of: items.reader.table)
    defer { views.end() }
    return try await writer.blockingCalls.run {
      switch try ResumedContents(of: self).read(
        since: ResumePoint(place: token.place, request: request), holding: views)
      {
      case .reset(let reason): return .reset(reason)
      case .changes(let touched, let snapshot):
        return .changes(try KeyedChanges(to: snapshot, touching: touched))
      }
    }
  }
}

extension SectionedResults: ResumableSource {
  package var resumableVersion: ResumableVersion? {
    // Read first: the place may lag behind the contents, never be ahead of them.
    guard let place = writer.commits.log.publishedPlace else { return nil }
    let request = tracker.requestNumber
    // While a load reads, what is committed is in the place, and in no version yet.
    let latest = tracker.state.withLock { $0.latestVersionShowingRequest }
    return latest.map {
      ResumableVersion(
        version: $0.version, requestedSince: $0.requestedSince,
        point: ResumePoint(place: place, request: request))
    }
  }

  package func resume(
    from point: ResumePoint, holdingFor duration: Duration
  ) async throws -> Resumption<ResultsSnapshot<Item>> {
    try checkUsable()
    let views = LoadViews(for: .clients, of: items.reader.table)
    let answer = try await writer.blockingCalls.run {
      try ResumedContents(of: self).read(since: point, holding: views)
    }
    views.end(after: duration)
    return answer
  }
}

/// Finds out what became of the rows of results since a place in the change log.
private struct ResumedContents<Item: Identifiable & Sendable>: Sendable where Item.ID: EntityKey {
  /// So many rows are told, or a tenth of the contents; more, and reading everything is shorter.
  private static var leastLimit: Int { 10_000 }

  private let results: SectionedResults<Item>

  init(of results: SectionedResults<Item>) { self.results = results }

  func read(
    since point: ResumePoint, holding views: LoadViews
  ) throws -> Resumption<ResultsSnapshot<Item>> {
    var answer = Resumption<ResultsSnapshot<Item>>.reset(.noLog)
    try results.writer.catchUp(holding: views) { db, view in
      guard let latest = results.tracker.latestContents else { return }
      let plan = results.tracker.plan
      func touched(in db: Database) throws -> Touched {
        try self.touched(since: point, of: plan, count: latest.contents.count, in: db)
      }
      let found = try view.flatMap { try $0.read { try touched(in: $0) } } ?? touched(in: db)
      switch found {
      case .reason(let reason): answer = .reset(reason)
      case .rows(let ids):
        let snapshot =
          view.map { results.items.snapshot(of: latest, in: $0, heldBy: views) }
          ?? results.items.snapshot(of: results.tracker)
        answer = .changes(touching: ids, in: snapshot)
      }
    }
    return answer
  }

  private enum Touched {
    case rows([Item.ID])
    case reason(ResetReason)
  }

  private func touched(
    since point: ResumePoint, of plan: FetchPlan, count: Int, in db: Database
  ) throws -> Touched {
    guard point.request == plan.requestNumber else { return .reason(.otherRequest) }
    guard let state = try LogState(in: db, tables: results.writer.commits.loggedTables.read),
      let table = plan.storedTable.flatMap(state.table(named:))
    else { return .reason(.noLog) }
    if let reason = try state.reasonAgainst(point.place, in: db) { return .reason(reason) }
    if let reason = try plan.reasonAgainstKeys(in: db) { return .reason(.notByKey(reason)) }
    let start = Int64(bitPattern: point.place.sequence)
    guard let positions = LoggedTable.positions(of: plan.keyColumns, in: table.keys) else {
      return .reason(.noLog)
    }
    guard table.since <= start else { return .reason(.otherEpoch) }
    let limit = max(Self.leastLimit, count / 10)
    var (keys, isReset): (Set<RowKey>, Bool) = ([], false)
    try LogTail(of: db).forEach(after: start) { row in
      guard row.table == table.id else { return true }
      switch row.operation {
      case .insert, .update, .delete, .touched: keys.insert(try row.key(at: positions))
      case .commit, .note: break
      case .reset, nil: isReset = true
      }
      return !isReset && keys.count <= limit
    }
    if isReset { return .reason(.otherEpoch) }
    if keys.count > limit { return .reason(.tooMany) }
    let forms = results.items.format.keyForms
    // A key that is no identity is that of no item.
    return .rows(keys.compactMap { try? $0.id(as: Item.ID.self, forms: forms) })
  }
}
