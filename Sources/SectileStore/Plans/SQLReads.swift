/// What the expressions of a plan read besides the base table's own row.
package struct SQLReads {
  /// The sources that were met, in order.
  package private(set) var sources: [SQLSource] = []
  /// The columns read of each source.
  package private(set) var columns: [SQLSource: Set<String>] = [:]
  /// Tables of which nothing is known but that they matter.
  package private(set) var tables: [String] = []
  /// Full-text tables that are asked about the base table's own row, one for each time.
  package private(set) var fullTextTables: [String] = []

  /// Whether something depends on how well rows match a full-text query, compared with all others.
  package private(set) var includesRanks = false

  mutating func add(_ column: String, of source: SQLSource) {
    add([column], of: source)
  }

  mutating func add(_ names: [String], of source: SQLSource) {
    if columns[source] == nil { sources.append(source) }
    columns[source, default: []].formUnion(names)
  }

  mutating func add(everythingOf names: [String]) {
    for name in names where !tables.contains(name) { tables.append(name) }
  }

  /// Adds a full-text table that is asked about the row with a key.
  ///
  /// Writes to it reach SQLite's hooks only as writes to the tables in which FTS5 keeps what it
  /// holds.
  mutating func add(fullTextTable name: String, about key: SQLExpression) {
    if case .column(let source, _) = key, source.parent == nil {
      fullTextTables.append(name)
    } else {
      add(everythingOfFullTextTable: name)
    }
  }

  /// Adds a full-text table that ranks rows, by what is in all of them.
  mutating func add(ranksOfFullTextTable name: String) {
    includesRanks = true
    add(everythingOfFullTextTable: name)
  }

  private mutating func add(everythingOfFullTextTable name: String) {
    add(everythingOf: ["content", "data", "idx", "docsize"].map { "\(name)_\($0)" })
  }
}

// MARK: - Dependencies

extension SQLReads {
  /// Returns what a plan on a table depends on, besides the table itself.
  package func dependencies(keyColumns: [String]) -> [FetchPlan.Dependency] {
    var result: [FetchPlan.Dependency] = []
    for source in sources {
      guard let parent = source.parent else { continue }
      let dependency = dependency(on: source, parent: parent, keyColumns: keyColumns)
      let isSame = { (other: FetchPlan.Dependency) in
        other.table == dependency.table && other.keyColumns == dependency.keyColumns
          && other.affected == dependency.affected
      }
      if let position = result.firstIndex(where: isSame), let more = dependency.observedColumns {
        result[position].observedColumns?.formUnion(more)
      } else {
        result.append(dependency)
      }
    }
    for table in Set(fullTextTables).sorted() { result.append(.rows(ofFullTextTable: table)) }
    return result
      + tables.map { FetchPlan.Dependency(table: $0, keyColumns: [], affected: .everything) }
  }

  private func dependency(
    on source: SQLSource, parent: SQLSource, keyColumns: [String]
  ) -> FetchPlan.Dependency {
    let observed = columns[source]
    switch source {
    case .toOne(_, let reference) where isReachedByJoins(source):
      return FetchPlan.Dependency(
        table: source.table, keyColumns: reference.targetColumns, observedColumns: observed,
        affected: .query(query(for: reference.sourceColumns, of: parent, key: keyColumns)))
    case .toMany(_, let reference, _) where isReachedByJoins(parent):
      let isSameKey = parent.parent == nil && reference.sourceColumns == keyColumns
      return FetchPlan.Dependency(
        table: source.table, keyColumns: reference.targetColumns, observedColumns: observed,
        affected: isSameKey
          ? .sameKey
          : .query(query(for: reference.sourceColumns, of: parent, key: keyColumns)))
    default:
      return FetchPlan.Dependency(
        table: source.table, keyColumns: [], observedColumns: observed, affected: .everything)
    }
  }

  private func isReachedByJoins(_ source: SQLSource) -> Bool {
    source.root.parent == nil
  }

  /// Returns the query that yields the keys of the base rows for which `columns` of `source`, which
  /// is the base table or a chain of to-one relationships from it, have the values bound.
  private func query(
    for columns: [String], of source: SQLSource, key: [String]
  ) -> String {
    var condition = columns.map { "\(SQLName.quote(source.table, $0)) = ?" }
      .joined(separator: " AND ")
    var current = source
    while case .toOne(let parent, let reference) = current {
      let targets = reference.targetColumns.map { SQLName.quote(current.table, $0) }
      condition =
        SQLName.rowValue(parent.table, reference.sourceColumns)
        + " IN (SELECT \(targets.joined(separator: ", ")) FROM \(SQLName.table(current.table))"
        + " WHERE \(condition))"
      current = parent
    }
    let keys = key.map { SQLName.quote(current.table, $0) }.joined(separator: ", ")
    return "SELECT \(keys) FROM \(SQLName.table(current.table)) WHERE \(condition)"
  }
}
