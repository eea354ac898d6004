package import SectileCore

/// An SQL expression as a tree, before names and values are written out.
///
/// ``FieldExpression`` builds it, ``SQLRenderer`` writes it.
package indirect enum SQLExpression: Sendable {
  /// A column of a table.
  case column(SQLSource, String)
  /// A value, which is bound.
  case value(StoredValue)
  /// A constant of Sectile's own, written into the text so that indexes on expressions match.
  case constant(String)
  /// SQL the caller wrote, and the tables it reads besides its own.
  case fragment(SQLFragment, dependsOn: [String])
  /// Conditions that must all hold.
  case all([SQLExpression])
  /// Conditions of which one must hold.
  case any([SQLExpression])
  /// A prefix operator.
  case prefix(String, SQLExpression)
  /// A suffix operator, such as `IS NULL`.
  case suffix(SQLExpression, String)
  /// An operator between two operands.
  case infix(SQLExpression, String, SQLExpression)
  /// Two operators between three operands: `BETWEEN … AND …`, `LIKE … ESCAPE …`.
  case mixfix(SQLExpression, String, SQLExpression, String, SQLExpression)
  /// Membership of a list.
  case list(SQLExpression, [SQLExpression])
  /// A function call.
  case call(String, [SQLExpression])
  /// What an aggregate function makes of the rows of a group.
  case aggregate(String, SQLExpression)
  /// A CAST to a type.
  case cast(SQLExpression, String)
  /// Rows that refer to a row, counted or only looked for.
  case related(SQLRelated)
  /// Whether a full-text table has a row, with this row's integer key, that matches a query.
  case match(SQLExpression, table: String, query: String)
  /// How well a full-text table's row with this integer key matches a query; NULL where it does
  /// not.
  case rank(SQLExpression, table: String, query: String)
  /// Something SQL cannot say. Rendering throws it.
  case invalid(StoreError)
}

/// A subquery over the rows that refer to one row.
package struct SQLRelated: Sendable {
  /// What is asked about the rows.
  package enum Question: Sendable {
    /// Whether there is one.
    case exists
    /// How many there are.
    case count
    /// What an aggregate function makes of an expression of theirs.
    case aggregate(String, SQLExpression)
    /// The rows themselves: see ``Children``.
    case list(SQLRelatedList)
  }

  /// What is asked.
  package var question: Question
  /// The rows; always ``SQLSource/toMany(_:_:_:)``.
  package var source: SQLSource
  /// Which of the rows; nil for all.
  package var condition: SQLExpression?

  /// Creates a subquery.
  package init(_ question: Question, source: SQLSource, condition: SQLExpression? = nil) {
    self.question = question
    self.source = source
    self.condition = condition
  }
}

/// Which columns of related rows are listed, and in which order.
package struct SQLRelatedList: Sendable {
  /// The columns.
  package var columns: [SQLExpression]
  /// What they are ordered by: expressions, each with what follows it in ORDER BY.
  package var order: [(expression: SQLExpression, ending: String)]
  /// How many rows are listed at most; nil for all.
  package var limit: Int?
}

extension SQLExpression {
  /// Whether the expression needs no parentheses as an operand.
  package var isAtomic: Bool {
    switch self {
    case .column, .value, .constant, .call, .aggregate, .cast, .invalid: true
    case .related, .rank: true
    case .all(let parts), .any(let parts): parts.count == 1 && parts[0].isAtomic
    case .fragment, .prefix, .suffix, .infix, .mixfix, .list, .match: false
    }
  }

  /// Returns both conditions joined by AND, without nesting what is an AND already.
  package static func and(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    switch (left, right) {
    case (.invalid, _): left
    case (.all(let first), .all(let second)): .all(first + second)
    case (.all(let first), _): .all(first + [right])
    default: .all([left, right])
    }
  }

  /// Returns both conditions joined by OR, without nesting what is an OR already.
  package static func or(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    switch (left, right) {
    case (.invalid, _): left
    case (.any(let first), .any(let second)): .any(first + second)
    case (.any(let first), _): .any(first + [right])
    default: .any([left, right])
    }
  }
}

extension SQLRelated.Question {
  /// The expressions of the rows that are asked for.
  fileprivate var operands: [SQLExpression] {
    switch self {
    case .exists, .count: []
    case .aggregate(_, let operand): [operand]
    case .list(let list): list.columns + list.order.map(\.expression)
    }
  }
}

// MARK: - Height

extension SQLExpression {
  /// How deep expressions may be nested.
  ///
  /// SQLite takes 1,000 (`SQLITE_MAX_EXPR_DEPTH`), and a filter stands beside the conditions that
  /// pick out a row. A chain of `AND` or `OR` is as deep as it has terms.
  package static let heightLimit = 984

  /// How deep the expression is nested, as SQLite counts it.
  ///
  /// - Complexity: O(*n*) in the expressions inside it, but for the values of a list.
  package var height: Int {
    switch self {
    case .column, .value, .constant, .fragment, .match, .rank, .invalid: 1
    case .all(let parts), .any(let parts):
      parts.dropFirst().reduce(parts.first?.height ?? 1) { max($0, $1.height) + 1 }
    case .prefix(_, let operand), .suffix(let operand, _), .cast(let operand, _),
      .list(let operand, _), .aggregate(_, let operand):
      operand.height + 1
    case .infix(let left, _, let right): max(left.height, right.height) + 1
    case .mixfix(let first, _, let second, _, let third):
      max(first.height, second.height, third.height) + 1
    case .call(_, let arguments): (arguments.map(\.height).max() ?? 0) + 1
    case .related(let subquery):
      max(
        subquery.condition?.height ?? 0, subquery.question.operands.map(\.height).max() ?? 0) + 1
    }
  }

  /// The expression; what is nested too deep is ``invalid(_:)``.
  ///
  /// Asked for with each step of building one, so that none grows without bounds.
  package var bounded: SQLExpression {
    height <= Self.heightLimit
      ? self
      : .invalid(
        .invalidRequest(
          "A condition has more than \(Self.heightLimit) terms, or is nested as deep.",
          hint: "Compare with many values by [values].contains(…), or put them into a table."))
  }
}

// MARK: - Aggregates

extension SQLExpression {
  /// The expressions that this one is made of, but for those of its subqueries.
  package var operands: [SQLExpression] {
    switch self {
    case .column, .value, .constant, .fragment, .related, .match, .rank, .invalid: []
    case .all(let parts), .any(let parts): parts
    case .prefix(_, let operand), .suffix(let operand, _), .cast(let operand, _),
      .aggregate(_, let operand):
      [operand]
    case .infix(let left, _, let right): [left, right]
    case .mixfix(let first, _, let second, _, let third): [first, second, third]
    case .list(let operand, let members): [operand] + members
    case .call(_, let arguments): arguments
    }
  }

  /// Whether it is worked out of the rows of a group.
  package var hasAggregate: Bool {
    if case .aggregate = self { true } else { operands.contains(where: \.hasAggregate) }
  }

  /// Whether it looks at a field of the rows of a FROM clause, or may do so.
  ///
  /// - Parameter root: What stands first in the FROM clause.
  /// - Returns: Whether it does; true where that is not known.
  func looks(at root: SQLSource) -> Bool {
    switch self {
    case .column(let source, _): source.root == root
    case .related(let subquery): subquery.source.parent?.root == root
    case .fragment, .match, .rank, .invalid: true
    default: operands.contains { $0.looks(at: root) }
    }
  }
}
