import SectileCore

/// A question: a SELECT whose rows are those of a query that touched rows may have changed, by the
/// columns of its key.
package struct Question: Hashable, Sendable {
  /// Yields the values of the columns at ``keyPositions``, in their order.
  package var sql: SQLFragment
  /// Which columns of the key are answered, by their positions in it; where there are none, a row
  /// means that any row of the query may have changed.
  package var keyPositions: [Int]
}

/// A question before the key is known: FROM and WHERE, and each column of the query where it is
/// fixed by the touched rows.
struct QuestionDraft {
  var from: SQLFragment
  var conditions: [SQLFragment]
  /// By position; nil for what is not fixed.
  var columns: [SQLFragment?]
  /// The columns of nullable sides that stand once as they are and once as NULL, and the sides.
  var optional: [Int: (expression: SelectExpression, sources: Set<String>)] = [:]

  /// Returns it as a SELECT of all columns of a derived table.
  var derivedTable: SQLFragment {
    let list = columns.enumerated().map { position, column in
      (column ?? SQLFragment("NULL"))
        + SQLFragment(" AS \(SQLName.quote(SelectQuery.columnName(at: position)))")
    }
    return select(list)
  }

  /// Returns it as a question for a key, given by the positions of its columns.
  func question(for key: [Int]) -> Question {
    let answered = key.indices.filter { columns[key[$0]] != nil }
    let list = answered.compactMap { columns[key[$0]] }
    var sql = select(list.isEmpty ? [SQLFragment("1")] : list, isDistinct: !list.isEmpty)
    // Whether there is a row is all that is asked.
    if list.isEmpty { sql.sql += " LIMIT 1" }
    return Question(sql: sql, keyPositions: answered)
  }

  private func select(_ list: [SQLFragment], isDistinct: Bool = false) -> SQLFragment {
    var sql = SQLFragment(isDistinct ? "SELECT DISTINCT " : "SELECT ")
    sql = sql + SQLFragment(joining: list) + SQLFragment(" FROM ") + from
    guard !conditions.isEmpty else { return sql }
    return sql + SQLFragment(" WHERE ") + SQLFragment(joining: conditions, separator: " AND ")
  }

  /// So many nullable sides are told apart at most.
  private static let optionalLimit = 3

  /// Returns a draft for each set of the nullable sides that the key has columns of: these are NULL
  /// there.
  func variants(for key: [Int]) -> [QuestionDraft] {
    let wanted = optional.filter { key.contains($0.key) }
    let sides = wanted.values.reduce(into: Set<String>()) { $0.formUnion($1.sources) }.sorted()
    guard !wanted.isEmpty, sides.count <= Self.optionalLimit else { return [self] }
    return (0..<(1 << sides.count)).map { bits in
      let absent = Set(sides.indices.filter { bits >> $0 & 1 == 1 }.map { sides[$0] })
      var draft = self
      for (position, column) in wanted {
        draft.columns[position] =
          column.expression.fragment {
            absent.contains($0.source) ? "NULL" : $0.sql
          }.inParentheses
      }
      return draft
    }
  }
}
