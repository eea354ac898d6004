package import SectileCore

extension Store {
  /// Looks whether another process has written, as ``checkForExternalChanges()`` does, and reads
  /// what plans yield in the same transaction.
  ///
  /// When the call returns, live results of the plans have delivered what leads to the very version
  /// that was read, however busy others are: as long as nothing else makes this store look.
  ///
  /// - Parameter plans: The plans to fetch.
  /// - Returns: For each plan its rows, or why they cannot be read.
  /// - Throws: ``StoreError``: `storeClosed`, `reentrantAccess`; `busy` where the transaction
  ///   cannot begin.
  package func checkForExternalChanges(
    fetching plans: [FetchPlan]
  ) throws -> [Result<SectionedContents<UntypedRow.ID, UntypedRow>, any Error>] {
    var fetched: [Result<SectionedContents<UntypedRow.ID, UntypedRow>, any Error>] = []
    var hasNews = false
    defer { if hasNews { commits.deliver() } }
    try useWriter { db in
      try commits.catchUp(in: db, publishing: .inside, hasNews: &hasNews) { _ in
        let transaction = StoreReadTransaction(db: db, file: self.path)
        defer { transaction.invalidate() }
        fetched = plans.map { plan in Result { try transaction.fetchContents(of: plan) } }
      }
    }
    return fetched
  }
}

extension StoreReadTransaction {
  /// Returns all rows of a plan in their sections, at version zero.
  ///
  /// They come from the plan's SELECT statement alone: nothing that keeps live results up to date
  /// has a part in it.
  ///
  /// - Parameter plan: The plan; one without a fixed list of sections.
  /// - Returns: The rows.
  /// - Throws: ``StoreError``.
  package func fetchContents(
    of plan: FetchPlan
  ) throws -> SectionedContents<UntypedRow.ID, UntypedRow> {
    try checkActive()
    let queries = try PlanQueries(plan.readyForItems().followingWhatItReads(in: db), in: db)
    let layout = queries.rows.layout
    let statement = try RawStatement.prepare(queries.rows.sql.sql, on: db)
    try statement.bindAll(queries.rows.sql.values)
    var contents = SectionedContents<UntypedRow.ID, UntypedRow>()
    while try statement.step() {
      let identity = try layout.identity.map { try statement.columnValue(at: $0) } ?? .null
      if contents.sections.last?.header.identity != identity {
        let title = try layout.title.map { try statement.columnValue(at: $0) } ?? identity
        contents.sections.append(
          .init(
            header: SourceSection(
              identity: identity, title: layout.titleForm.title(of: title).label)))
      }
      let id = UntypedRow.ID(keyValues: try layout.key.map { try statement.columnValue(at: $0) })
      let item = statement.untypedRow(
        id: id, columns: queries.plan.itemColumns, at: layout.item.lowerBound)
      contents.sections[contents.sections.count - 1].rows.append(.init(id: id, item: item))
    }
    return contents
  }
}
