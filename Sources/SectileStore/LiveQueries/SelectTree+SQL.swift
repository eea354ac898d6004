import SectileCore

// A tree as SQL again, with names that are unique in the statement: columns of derived tables are
// called by their places.

extension SelectExpression {
  var fragment: SQLFragment { fragment { $0.sql } }

  /// The expression as a condition among others.
  var condition: SQLFragment { SQLFragment("(") + fragment + SQLFragment(")") }

  /// Returns the expression as SQL.
  ///
  /// - Parameter columnSQL: Returns a column as SQL.
  /// - Returns: The SQL.
  func fragment(naming columnSQL: (SelectColumn) -> String) -> SQLFragment {
    var sql = SQLFragment("")
    append(to: &sql, naming: columnSQL)
    return sql
  }

  private func append(to sql: inout SQLFragment, naming columnSQL: (SelectColumn) -> String) {
    for part in parts {
      if !sql.sql.isEmpty { sql.sql += " " }
      switch part {
      case .text(let text), .literal(let text): sql.sql += text
      case .column(let column): sql.sql += columnSQL(column)
      case .value(let value):
        sql.sql += "?"
        sql.values.append(value)
      case .query(let query):
        let inner = query.fragment
        sql.sql += inner.sql
        sql.values += inner.values
      case .nested(let expression):
        var inner = SQLFragment("")
        expression.append(to: &inner, naming: columnSQL)
        sql.sql += inner.sql
        sql.values += inner.values
      }
    }
  }
}

extension SelectQuery {
  /// What a column of a derived table is called.
  static func columnName(at position: Int) -> String { "c\(position)" }

  var fragment: SQLFragment { fragment(naming: Self.columnName(at:)) }

  /// Returns the query as SQL.
  ///
  /// - Parameter columnName: Returns what a column of its rows is to be called.
  /// - Returns: The SQL.
  func fragment(naming columnName: (Int) -> String) -> SQLFragment {
    switch self {
    case .core(let core): core.fragment(reading: [:], naming: columnName)
    case .compound(let compound):
      compound.first.fragment(naming: columnName)
        + SQLFragment(" \(compound.operation.rawValue) ")
        + compound.second.fragment(naming: columnName)
    }
  }
}

extension SelectCore {
  var fragment: SQLFragment { fragment(reading: [:]) }

  /// Returns the SELECT as SQL.
  ///
  /// - Parameters:
  ///   - shadows: What is read in the place of some tables of its FROM, by their occurrences.
  ///   - columnName: Returns what a column of its rows is to be called.
  /// - Returns: The SQL.
  func fragment(
    reading shadows: [Int: String], naming columnName: (Int) -> String = SelectQuery.columnName
  ) -> SQLFragment {
    let columns = items.enumerated().map { position, item in
      item.expression.fragment + SQLFragment(" AS \(SQLName.quote(columnName(position)))")
    }
    var sql = SQLFragment(isDistinct ? "SELECT DISTINCT " : "SELECT ")
    sql = sql + SQLFragment(joining: columns) + SQLFragment(" FROM ")
    for source in sources { sql = sql + source.fragment(reading: shadows) }
    sql = sql + Self.clause(" WHERE ", conditions.map(\.condition), " AND ")
    sql = sql + Self.clause(" GROUP BY ", (groups ?? []).map(\.fragment), ", ")
    sql = sql + Self.clause(" HAVING ", groupConditions.map(\.condition), " AND ")
    sql = sql + Self.clause(" ORDER BY ", order.map(\.fragment), ", ")
    if let limit { sql = sql + SQLFragment(" LIMIT ") + limit.fragment }
    return sql
  }

  private static func clause(
    _ verb: String, _ parts: [SQLFragment], _ separator: String
  ) -> SQLFragment {
    parts.isEmpty
      ? SQLFragment("") : SQLFragment(verb) + SQLFragment(joining: parts, separator: separator)
  }
}

extension SelectSource {
  fileprivate func fragment(reading shadows: [Int: String]) -> SQLFragment {
    let verb =
      switch join {
      case .first: ""
      case .comma: ", "
      case .inner: " JOIN "
      case .cross: " CROSS JOIN "
      case .left: " LEFT JOIN "
      case .right: " RIGHT JOIN "
      }
    var sql = SQLFragment(verb) + content.fragment(reading: shadows)
    sql.sql += " AS \(SQLName.quote(alias))"
    guard !conditions.isEmpty else { return sql }
    sql = sql + SQLFragment(" ON ")
    return sql + SQLFragment(joining: conditions.map(\.condition), separator: " AND ")
  }
}

extension SelectSource.Content {
  /// The table's name, or what is read in its place, or the query in parentheses.
  fileprivate func fragment(reading shadows: [Int: String]) -> SQLFragment {
    switch self {
    case .table(let table, let occurrence):
      SQLFragment(shadows[occurrence] ?? SQLName.table(table))
    case .query(let query): SQLFragment("(") + query.fragment + SQLFragment(")")
    }
  }
}
