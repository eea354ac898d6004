extension SelectReading {
  /// A naming of a table, and what its rows may be found by.
  struct Naming: Sendable {
    /// What the naming is called in questions.
    let alias: String
    /// The table's name, as the schema writes it.
    let table: String
    /// Its columns that the query's key is made of.
    let keyColumns: [String]
    /// Its columns that have to be equal to those of another naming, for each of these.
    let joins: [[String]]
  }

  /// Returns the namings of all tables.
  ///
  /// Columns of queries in FROM, and of views, are those that they pass on. Only comparisons of
  /// columns by `=` are joins here.
  ///
  /// - Parameter key: The positions of the key's columns.
  /// - Returns: The namings, in the order in which the query names the tables.
  func namings(key: [Int]) -> [Naming] {
    let search = NamingSearch(query, key: key)
    let names = Dictionary(
      readTables.map { ($0.name, $0.schema.name) }, uniquingKeysWith: { first, _ in first })
    return search.tables.map { alias, table in
      Naming(
        alias: alias, table: names[table] ?? table, keyColumns: search.keys[alias] ?? [],
        joins: (search.joins[alias] ?? []).map { $0.columns })
    }
  }
}

/// Goes through a query for all that its tables are joined by.
private struct NamingSearch {
  private(set) var tables: [(alias: String, table: String)] = []
  private(set) var keys: [String: [String]] = [:]
  private(set) var joins: [String: [(partner: String, columns: [String])]] = [:]
  private var derived: [String: SelectQuery] = [:]
  private var conditions: [SelectExpression] = []

  init(_ query: SelectQuery, key: [Int]) {
    visit(query)
    for condition in conditions { join(by: condition) }
    for core in query.cores {
      for column in key.compactMap({ core.items[$0].expression.onlyColumn }) {
        for origin in origins(of: column) {
          if !keys[origin.source, default: []].contains(origin.name) {
            keys[origin.source, default: []].append(origin.name)
          }
        }
      }
    }
  }

  private mutating func visit(_ query: SelectQuery) {
    for core in query.cores {
      for source in core.sources {
        switch source.content {
        case .table(let name, _):
          // GROUP BY and ORDER BY repeat expressions, with the queries in them.
          guard !tables.contains(where: { $0.alias == source.alias }) else { continue }
          tables.append((source.alias, name))
        case .query(let inner):
          derived[source.alias] = inner
          visit(inner)
        }
      }
      for inner in core.expressions.flatMap(\.queries) { visit(inner) }
      conditions += core.sources.flatMap(\.conditions) + core.conditions + core.groupConditions
    }
  }

  private mutating func join(by condition: SelectExpression) {
    guard let comparison = condition.unwrapped.comparison, ["=", "=="].contains(comparison.sign),
      case .column(let left) = comparison.left, case .column(let right) = comparison.right
    else { return }
    for one in origins(of: left) {
      for other in origins(of: right) where one.source != other.source {
        add(one, joinedTo: other.source)
        add(other, joinedTo: one.source)
      }
    }
  }

  private mutating func add(_ column: SelectColumn, joinedTo partner: String) {
    var known = joins[column.source] ?? []
    if let place = known.firstIndex(where: { $0.partner == partner }) {
      if !known[place].columns.contains(column.name) { known[place].columns.append(column.name) }
    } else {
      known.append((partner, [column.name]))
    }
    joins[column.source] = known
  }

  /// Returns the columns of tables that a column is, through the queries that pass it on; of a
  /// compound, one for each arm.
  private func origins(of column: SelectColumn) -> [SelectColumn] {
    guard let query = derived[column.source] else { return [column] }
    return query.cores.flatMap { core -> [SelectColumn] in
      guard
        let place = core.items.indices.first(where: {
          SelectQuery.columnName(at: $0) == column.name
        }), let inner = core.items[place].expression.onlyColumn
      else { return [] }
      return origins(of: inner)
    }
  }
}
