import SectileCore

/// A piece of a SELECT that was made by chance: text, columns, values, and queries, in order.
///
/// It is written as a string: `"coalesce(\(column), \(value: 2))"`.
struct RandomExpression {
  enum Part {
    case text(String)
    case column(alias: String, name: String)
    case value(StoredValue)
    case expression(RandomExpression)
    case query(RandomSelect)
  }

  var parts: [Part]
  /// The collation by which it compares, and a colon with the affinity where it is a column.
  var comparison = "BINARY"
  var isAggregate = false
  var isWindow = false

  init(parts: [Part], comparison: String = "BINARY") {
    (self.parts, self.comparison) = (parts, comparison)
  }

  init(column name: String, of alias: String, comparison: String) {
    self.init(parts: [.column(alias: alias, name: name)], comparison: comparison)
  }

  /// The expressions it is made of, itself included.
  private var all: [RandomExpression] {
    [self]
      + parts.flatMap { part -> [RandomExpression] in
        if case .expression(let expression) = part { expression.all } else { [] }
      }
  }

  /// Whether one row of the result's tables does not say its value.
  var isOfSeveralRows: Bool {
    all.contains { $0.isAggregate || $0.isWindow } || !queries.isEmpty
  }

  /// The queries in it, but not those inside of them.
  var queries: [RandomSelect] {
    all.flatMap(\.parts).compactMap { if case .query(let query) = $0 { query } else { nil } }
  }
}

extension RandomExpression: ExpressibleByStringInterpolation {
  struct StringInterpolation: StringInterpolationProtocol {
    var parts: [Part] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }
    mutating func appendInterpolation(raw text: String) { parts.append(.text(text)) }
    mutating func appendInterpolation(value: StoredValue) { parts.append(.value(value)) }
    mutating func appendInterpolation(_ query: RandomSelect) { parts.append(.query(query)) }
    mutating func appendInterpolation(_ expression: RandomExpression) {
      parts.append(.expression(expression))
    }
  }

  init(stringLiteral: String) { self.init(parts: [.text(stringLiteral)]) }
  init(stringInterpolation: StringInterpolation) { self.init(parts: stringInterpolation.parts) }
}
