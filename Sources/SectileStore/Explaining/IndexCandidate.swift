internal import GRDB
internal import SectileCore

/// An index that may help, not yet tried.
struct IndexCandidate {
  let name: String
  let sql: String

  fileprivate init(_ columns: [IndexColumn], on table: String, in db: Database) throws {
    let words = columns.map(\.column.name).joined(separator: "_")
    name = try Self.freeName("\(table)_on_\(words)", in: db)
    sql =
      "CREATE INDEX \(SQLName.quote(name)) ON \(SQLName.quote(table))"
      + " (\(columns.map(\.sql).joined(separator: ", ")))"
  }

  /// An index on columns of a table, as these compare by themselves.
  ///
  /// Nil where one of them is the row id, by which rows are found anyway, and where an index of the
  /// table has the columns in front.
  ///
  /// - Parameters:
  ///   - names: The columns.
  ///   - table: The table's name, as the schema writes it.
  ///   - db: The database, in which nothing is created.
  /// - Throws: What reading the schema throws.
  init?(on names: [String], of table: String, in db: Database) throws {
    guard let columns = try TableColumns(of: table, in: db) else { return nil }
    let found = names.compactMap { columns.column(named: $0) }
    guard found.count == names.count, !found.contains(where: \.isRowID),
      try !Self.isInFront(found.map(\.name), of: table, in: db)
    else { return nil }
    try self.init(found.map { IndexColumn(column: $0) }, on: table, in: db)
  }

  /// Whether an index of all rows of a table has some columns in front, in any order.
  private static func isInFront(
    _ columns: [String], of table: String, in db: Database
  ) throws -> Bool {
    let rows = try db.schemaRows(
      """
      SELECT list.name, info.name FROM pragma_index_list(?1, 'main') AS list
        JOIN pragma_index_info(list.name, 'main') AS info
      WHERE list.partial = 0 ORDER BY list.seq, info.seqno
      """, [.text(table)])
    return Dictionary(grouping: rows) { $0[0] }.values.contains { index in
      Set(index.prefix(columns.count).map { $0[1].schemaText }) == Set(columns)
    }
  }

  /// Whether a step searches the index.
  func isSearched(in step: QueryPlanStep) -> Bool {
    step.searchedName != nil && step.uses(index: name)
  }

  /// Whether SQLite reads rows through the index and sorts nothing.
  func isRead(by query: SQLFragment, in db: Database) throws -> Bool {
    let steps = try QueryPlanStep.steps(of: query, in: db).flatMap(\.all)
    return steps.allSatisfy { $0.sortedClause == nil } && steps.contains { $0.uses(index: name) }
  }

  /// Whether places are sought in the index.
  func isSought(for sql: PlanSQL, in db: Database) throws -> Bool {
    let steps = try PredecessorQuery.answered(for: sql, in: db)?.steps ?? []
    return try steps.contains { try $0.searchedIndex(in: db)?.hasSuffix("INDEX \(name)") == true }
  }

  private static func freeName(_ wanted: String, in db: Database) throws -> String {
    let statement = try RawStatement.cached(
      "SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE", on: db)
    defer { statement.finish() }
    var name = wanted
    var number = 2
    while true {
      try statement.bind(.text(name), at: 1)
      guard try statement.step() else { return name }
      statement.reset()
      name = "\(wanted)_\(number)"
      number += 1
    }
  }
}

extension QueryPlanStep {
  fileprivate func uses(index name: String) -> Bool {
    detail.hasSuffix("INDEX \(name)") || detail.contains("INDEX \(name) (")
  }
}

/// A column as CREATE INDEX names it.
private struct IndexColumn: Hashable {
  let column: TableColumns.Column
  var collation: TextCollation?
  var isDescending = false

  var sql: String {
    let collation =
      (collation ?? column.collation) == column.collation
      ? "" : " COLLATE \(SQLName.quote((collation ?? column.collation).name))"
    return SQLName.quote(column.name) + collation + (isDescending ? " DESC" : "")
  }
}

extension PlanSQL {
  /// Indexes that may help the plan, the best first.
  func indexCandidates(
    in columns: TableColumns, of db: Database
  ) throws -> [IndexCandidate] {
    try indexedColumns(in: columns).map { try IndexCandidate($0, on: plan.table, in: db) }
  }

  /// An index that leads to the rows of a section, and has what the plan's aggregates look at; nil
  /// where that is no column.
  func aggregateIndexCandidate(
    in columns: TableColumns, of db: Database
  ) throws -> IndexCandidate? {
    guard let section = plan.section,
      let identity = indexColumns(of: [section.identity], in: columns)
    else { return nil }
    let pinned = plan.filterEqualities(in: columns).map { IndexColumn(column: $0.column) }
    let operands = plan.aggregates.compactMap(\.function.column).compactMap(columns.column(named:))
    return try IndexCandidate(
      distinct(pinned + identity + operands.map { IndexColumn(column: $0) }), on: plan.table, in: db
    )
  }

  /// The columns of indexes in the order of the plan.
  ///
  /// With the columns that the filter pins in front, and without them; and each without the key,
  /// which an index implies where it is the row id, and with it.
  private func indexedColumns(in columns: TableColumns) -> [[IndexColumn]] {
    var order = plan.section?.fixedSections == nil ? sectionOrder : []
    if let section = plan.section { order.append(section.identity) }
    guard let sorted = indexColumns(of: order + plan.sort, in: columns),
      let keys = indexColumns(of: plan.keyColumns.map(plan.keyTerm), in: columns)
    else { return [] }
    let pinned = plan.filterEqualities(in: columns).map { IndexColumn(column: $0.column) }
    var candidates: [[IndexColumn]] = []
    for prefix in pinned.isEmpty ? [[]] : [pinned, []] {
      for suffix in [[], keys] {
        let candidate = distinct(prefix + sorted + suffix)
        if !candidate.isEmpty, !candidates.contains(candidate) { candidates.append(candidate) }
      }
    }
    return candidates
  }

  private func indexColumns(
    of terms: [FetchPlan.SortTerm], in columns: TableColumns
  ) -> [IndexColumn]? {
    var result: [IndexColumn] = []
    for term in terms {
      guard let name = term.column?.name, let column = columns.column(named: name),
        term.expression == SQLFragment(SQLName.quote(plan.table, name))
      else { return nil }
      result.append(
        IndexColumn(column: column, collation: term.collation, isDescending: term.isDescending))
    }
    return result
  }

  /// The columns, each once: a second time it would decide nothing.
  private func distinct(_ columns: [IndexColumn]) -> [IndexColumn] {
    var result: [IndexColumn] = []
    for column in columns {
      let isKnown = result.contains { earlier in
        earlier.column == column.column
          && (earlier.collation ?? column.column.collation)
            == (column.collation ?? column.column.collation)
      }
      if !isKnown { result.append(column) }
    }
    return result
  }
}
