import SectileCore

/// What columns come from that a query reads from queries in its FROM.
struct DerivedColumns: Sendable {
  /// The queries in FROM, by their aliases.
  private let queries: [String: SelectQuery]

  init(of query: SelectQuery) {
    var queries: [String: SelectQuery] = [:]
    Self.collect(query, into: &queries)
    self.queries = queries
  }

  private static func collect(_ query: SelectQuery, into queries: inout [String: SelectQuery]) {
    for source in query.cores.flatMap(\.sources) {
      guard case .query(let inner) = source.content else { continue }
      queries[source.alias] = inner
      collect(inner, into: &queries)
    }
  }

  /// Whether a source is a query.
  func contains(_ source: String) -> Bool { queries[source] != nil }

  private func place(of column: SelectColumn) -> (query: SelectQuery, position: Int)? {
    guard let query = queries[column.source],
      let position = query.items.indices.first(where: {
        SelectQuery.columnName(at: $0) == column.name
      })
    else { return nil }
    return (query, position)
  }

  /// Whether a column compares in one way, whichever arm of a query it comes from.
  func hasOneTrait(_ column: SelectColumn) -> Bool {
    guard contains(column.source) else { return true }
    guard let (query, position) = place(of: column) else { return false }
    return query.cores.allSatisfy { core in
      let item = core.items[position]
      return item.trait == query.items[position].trait
        && item.expression.columns.allSatisfy { hasOneTrait($0) }
    }
  }

  // MARK: Constants

  /// Whether a column of a query is a text or an integer of the query's text, or a bound one, in
  /// each of its arms.
  ///
  /// ```sql
  /// SELECT 'order' AS kind, id FROM "order" UNION ALL SELECT 'line', id FROM line
  /// ```
  ///
  /// It declares no type, so it could be 1 beside 1.0. Where there are texts and integers alone,
  /// those that compare as equal are the same.
  func isConstant(_ position: Int, of query: SelectQuery) -> Bool {
    query.cores.allSatisfy { isConstant($0.items[position].expression) }
  }

  /// Whether an expression is such a constant, or a column of a query in FROM that is one.
  func isConstant(_ expression: SelectExpression) -> Bool {
    if let column = expression.onlyColumn {
      return place(of: column).map { isConstant($0.position, of: $0.query) } ?? false
    }
    guard expression.isConstant else { return false }
    switch expression.unwrapped.parts[0] {
    case .literal(let text):
      return text.hasPrefix("'") || (text.utf8.allSatisfy(Self.isDigit) && Int64(text) != nil)
    case .value(let value):
      switch value {
      case .text, .integer: return true
      case .null, .real, .blob: return false
      }
    case .text, .column, .query, .nested: return false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
