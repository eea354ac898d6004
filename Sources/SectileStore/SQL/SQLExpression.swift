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
  /// A CAST to a type.
  case cast(SQLExpression, String)
  /// Rows that refer to a row, counted or only looked for.
  case related(SQLRelated)
  /// Whether a full-text table has a row, with this row's integer key, that matches a query.
  case match(SQLExpression, table: String, query: String)
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

extension SQLExpression {
  /// Whether the expression needs no parentheses as an operand.
  package var isAtomic: Bool {
    switch self {
    case .column, .value, .constant, .call, .cast, .invalid: true
    case .related: true
    case .all(let parts), .any(let parts): parts.count == 1 && parts[0].isAtomic
    case .fragment, .prefix, .suffix, .infix, .mixfix, .list, .match: false
    }
  }

  /// Returns both conditions joined by AND, without nesting what is an AND already.
  package static func and(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    switch (left, right) {
    case (.all(let first), .all(let second)): .all(first + second)
    case (.all(let first), _): .all(first + [right])
    default: .all([left, right])
    }
  }

  /// Returns both conditions joined by OR, without nesting what is an OR already.
  package static func or(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    switch (left, right) {
    case (.any(let first), .any(let second)): .any(first + second)
    case (.any(let first), _): .any(first + [right])
    default: .any([left, right])
    }
  }
}
