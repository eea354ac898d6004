extension Store {
  /// Tells what a request costs: its SQL, SQLite's plan for it, and how live results keep up.
  ///
  /// Reads the schema, and no rows. Of a request for all songs by genre and title, on a table
  /// without an index:
  ///
  /// ```swift
  /// print(try store.explain(FetchRequest<Song>().sectioned(by: \.genre).sort(by: \.title)))
  /// ```
  /// ```
  /// SELECT "song"."id", "song"."genre" FROM "song"
  ///   ORDER BY "song"."genre", "song"."title", "song"."id"
  ///
  /// QUERY PLAN
  /// |--SCAN song
  /// `--USE TEMP B-TREE FOR ORDER BY
  ///
  /// Sorted without an index: ORDER BY
  /// Maintained by searching: The order (genre, title, id) is that of no index. A row's place is
  ///   searched by looking up the sort keys of about log2(n) others.
  /// Followed: song
  /// Outside commits: everything is read again. The file has no change log.
  /// Tokens: a reset. The file has no change log.
  /// An index would help: CREATE INDEX "song_on_genre_title" ON "song" ("genre", "title")
  /// ```
  ///
  /// With that index SQLite sorts nothing, and the results are
  /// `seeking: The order (genre, title, id) is that of index song_on_genre_title.`
  ///
  /// - Parameter request: The request.
  /// - Returns: What was found out.
  /// - Throws: A ``StoreError``: `invalidRequest` for a request that makes no sense,
  ///   `schemaMismatch` if the entity does not fit its table, `statementFailed` for a raw condition
  ///   SQLite refuses.
  public func explain<E: Entity>(_ request: FetchRequest<E>) throws -> RequestExplanation {
    try read { try $0.explain(request) }
  }

  /// Tells what a plan costs, on a table that no Swift type describes.
  ///
  /// See ``explain(_:)-(FetchRequest<E>)`` for more information.
  public func explain(_ plan: FetchPlan) throws -> RequestExplanation {
    try read { try $0.explain(plan) }
  }
}

extension StoreReadTransaction {
  /// Tells what a request costs: its SQL, SQLite's plan for it, and how live results keep up.
  ///
  /// Reads the schema as this transaction sees it, and no rows.
  ///
  /// - Parameter request: The request.
  /// - Returns: What was found out.
  /// - Throws: See ``Store/explain(_:)-(FetchRequest<E>)``.
  public func explain<E: Entity>(_ request: FetchRequest<E>) throws -> RequestExplanation {
    let plan = try request.makePlan()
    do {
      return try explanation(of: plan)
    } catch {
      // A missing table or column fails here: say which, before SQLite's own words.
      try E.schema.check(against: db)
      throw error
    }
  }

  /// Tells what a plan costs, on a table that no Swift type describes.
  ///
  /// See ``explain(_:)-(FetchRequest<E>)`` for more information.
  public func explain(_ plan: FetchPlan) throws -> RequestExplanation {
    try explanation(of: try plan.readyForItems())
  }

  private func explanation(of plan: FetchPlan) throws -> RequestExplanation {
    try checkActive()
    let plan = try plan.followingWhatItReads(in: db)
    let queries = try PlanQueries(plan, in: db)
    let steps = try QueryPlanStep.steps(of: queries.keys.sql, in: db)
    let sortedClauses = steps.flatMap(\.all).compactMap(\.sortedClause)
    let strategy = try UpdateStrategy(of: queries, in: db)
    let isView = try plan.isSelected(in: db)
    let asked = isView ? plan : plan.askedAsQuery
    let reading = strategy.kind.isIncremental ? try? asked?.reading(in: db) : nil
    // Of a table, a question is asked only where a touched row leads to its rows in no simpler way.
    let touchedRowCost =
      try isView
      ? reading.flatMap { try RequestExplanation.TouchedRowCost.found(queries, $0, in: db) } : nil
    return RequestExplanation(
      sql: queries.keys.sql.sql, values: queries.keys.sql.values, queryPlan: steps,
      sortedClauses: sortedClauses,
      followedTables: plan.followedTables(isView: isView, reading),
      maintenance: strategy,
      outsideCommits: try .init(
        of: plan, maintainedBy: strategy, asking: reading != nil, isView: isView,
        holdingStates: try holdsFormerStates && db.hasWriteAheadLog, in: db),
      sectionRecount: try .found(queries, in: db),
      touchedRowCost: touchedRowCost,
      suggestedIndex: try .helping(
        queries, hasToSort: !sortedClauses.isEmpty, strategy: strategy, in: db))
  }
}
