internal import GRDB

extension UpdateStrategy {
  /// Tells how results of a plan keep up with commits.
  ///
  /// - Parameters:
  ///   - queries: The plan, made ready to run.
  ///   - db: The database.
  /// - Throws: What reading the schema throws.
  init(of queries: PlanQueries, in db: Database) throws {
    let sql = PlanSQL(queries.plan)
    let table = queries.plan.table
    let columns = try queries.plan.tableColumns(in: db)
    var reading: SelectReading?
    if columns == nil {
      do {
        reading = try queries.plan.reading(in: db)
      } catch {
        let kind = try queries.plan.tableListing(in: db)?.kind
        let rows =
          queries.plan.query != nil
          ? "the query" : "the \(kind == .view ? "view" : "virtual table") \(table)"
        self.init(
          .refetching,
          "A commit does not tell which rows of \(rows) have changed. \(error)")
        return
      }
    }
    guard queries.ordering != nil else {
      self.init(
        .refetching,
        queries.plan.dependsOnRanks
          ? "Rows are ranked by how well they match, compared with all others: any row that comes or goes may change that."
          : "Rows are ordered by a rule that only SQLite knows: a collation that the store was not given, "
            + "or text in UTF-16.")
      return
    }
    if let reason = queries.plan.reasonForUnwrittenChanges {
      self.init(.refetching, reason)
      return
    }
    if let reason = queries.reasonToRefetchWindow {
      self.init(.windowed, reason)
      return
    }
    let end = Self.howWindowIsFollowed(queries)
    let order = "The order (\(sql.orderNames.joined(separator: ", ")))"
    if let reading {
      self.init(
        .binarySearch,
        "SQLite is asked which rows may have changed, given the touched rows of "
          + "\(reading.tables.joined(separator: ", ")). \(Self.howItSearches)\(end)")
      return
    }
    guard let columns, sql.selectPredecessors(in: columns) != nil else {
      self.init(
        .binarySearch,
        "\(order) is not one of columns of \(table) alone. \(Self.howItSearches)\(end)")
      return
    }
    guard let query = try PredecessorQuery.answered(for: sql, in: db) else {
      self.init(.binarySearch, "\(order) is that of no index. \(Self.howItSearches)\(end)")
      return
    }
    var indexes: [String] = []
    for index in try query.steps.compactMap({ try $0.searchedIndex(in: db) }) {
      let name = Self.readableName(ofIndex: index)
      if !indexes.contains(name) { indexes.append(name) }
    }
    guard !indexes.isEmpty else {
      self.init(
        .indexLookup,
        "The key tells sections apart: a section has one row, which has one place.\(end)")
      return
    }
    self.init(.indexLookup, "\(order) is that of \(indexes.joined(separator: " and ")).\(end)")
  }

  /// How rows are found that come into view without being touched; empty where all rows are shown.
  private static func howWindowIsFollowed(_ queries: PlanQueries) -> String {
    guard queries.isWindowed else { return "" }
    let edges = queries.plan.offset > 0 ? "either end" : "the end"
    return queries.seeksEdges
      ? " What enters at \(edges) of the window is sought from the last row that stays there."
      : " What enters at \(edges) of the window is read by its rank."
  }

  private static let howItSearches =
    "A row's place is searched by looking up the sort keys of about log2(n) others."

  private static func readableName(ofIndex words: String) -> String {
    switch words {
    case "INTEGER PRIMARY KEY": "the row id"
    case "PRIMARY KEY": "the primary key"
    case _ where words.hasPrefix("COVERING INDEX "): "index \(words.dropFirst(15))"
    default: "index \(words.dropFirst(6))"
    }
  }
}

extension PlanSQL {
  /// What rows are ordered by, for readers: names of columns, or SQL.
  var orderNames: [String] {
    var terms = sectionOrder
    if let section = plan.section { terms.append(section.identity) }
    terms += plan.sort + plan.keyColumns.map(plan.keyTerm)
    var names: [String] = []
    for term in terms {
      let isOwn = term.column.map {
        term.expression == SQLFragment(SQLName.quote(plan.table, $0.name))
      }
      let name = isOwn == true ? term.column?.name ?? "" : term.expression.sql
      let text = name + (term.isDescending ? " DESC" : "")
      if !names.contains(text) { names.append(text) }
    }
    return names
  }
}
