internal import GRDB

extension RequestExplanation.IndexSuggestion {
  /// Returns an index that spares SQLite the sorting, or results the searching; nil where no index
  /// is sure to do so.
  ///
  /// - Parameters:
  ///   - queries: The plan, made ready to run.
  ///   - hasToSort: Whether rows are sorted now.
  ///   - strategy: How results keep up now.
  ///   - db: The database, in which nothing is created.
  /// - Returns: The first of several indexes that was tried and helps.
  /// - Throws: What reading the schema throws.
  static func helping(
    _ queries: PlanQueries, hasToSort: Bool, strategy: UpdateStrategy, in db: Database
  ) throws -> RequestExplanation.IndexSuggestion? {
    guard hasToSort || strategy.kind == .binarySearch,
      let columns = try queries.plan.tableColumns(in: db)
    else { return nil }
    let sql = PlanSQL(queries.plan)
    let candidates = try sql.indexCandidates(in: columns, of: db)
    guard !candidates.isEmpty else { return nil }
    let copy = try SchemaCopy(of: db)
    try copy.takeStatistics(of: db)
    var seeking: IndexCandidate?
    for candidate in candidates {
      // A statement that the copy refuses was not tried.
      let benefits = try? copy.withIndex(candidate) { copy in
        (
          isRead: try candidate.isRead(by: sql.selectRows, in: copy),
          isSought: try candidate.isSought(for: sql, in: copy)
        )
      }
      guard let benefits else { continue }
      if hasToSort, benefits.isRead {
        return RequestExplanation.IndexSuggestion(
          name: candidate.name, sql: candidate.sql,
          reason: "SQLite reads the rows in their order instead of sorting them.")
      }
      if benefits.isSought, seeking == nil { seeking = candidate }
    }
    guard strategy.kind == .binarySearch, let seeking else { return nil }
    return RequestExplanation.IndexSuggestion(
      name: seeking.name, sql: seeking.sql,
      reason: "The place of a touched row is sought in the index.")
  }
}
