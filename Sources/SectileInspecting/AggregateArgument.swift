package import Sectile

/// An aggregate as SQL writes it, of those that are kept up to date: `sum(size)`,
/// `count(where size > 9)`.
package struct AggregateArgument: Hashable, Sendable {
  fileprivate enum Operand: Hashable, Sendable {
    case rows
    case condition(String)
    case column(String, isDistinct: Bool)
  }

  /// What was written, which is what the value is called.
  package let text: String
  private let function: String
  fileprivate let operand: Operand

  /// Reads an aggregate; nil for a text that is none.
  package init?(argument: String) {
    text = argument
    let parts = argument.split(separator: "(", maxSplits: 1)
    guard let name = parts.first.map({ $0.trimmed.lowercased() }),
      ["count", "sum", "avg", "min", "max"].contains(name)
    else { return nil }
    function = name
    guard parts.count == 2 else {
      guard name == "count", !argument.contains("(") else { return nil }
      operand = .rows
      return
    }
    let rest = parts[1].trimmed
    guard rest.last == ")" else { return nil }
    let inside = rest.dropLast().trimmed
    if inside.isEmpty { return nil }
    let word = inside.prefix { !$0.isWhitespace }
    let tail = inside[word.endIndex...].trimmed
    switch (word.lowercased(), tail.isEmpty) {
    case ("*", true) where name == "count": operand = .rows
    case ("where", false) where name == "count": operand = .condition(String(tail))
    case ("distinct", false) where name == "count":
      operand = .column(tail.unquoted, isDistinct: true)
    default: operand = .column(inside.unquoted, isDistinct: false)
    }
  }

  /// Reads an aggregate.
  ///
  /// - Throws: ``RequestError`` for a text that is none.
  package init(reading text: String) throws(RequestError) {
    guard let aggregate = Self(argument: text) else {
      throw RequestError(
        .badAggregate, "'\(text)' is not an aggregate that can be kept up to date",
        hint: "Write count, count(column), count(distinct column), count(where condition), "
          + "or sum, avg, min or max of a column.")
    }
    self = aggregate
  }

  /// Returns the aggregate of a table.
  ///
  /// - Throws: ``RequestError`` for a column that is not there.
  package func aggregate(of shape: TableShape) throws(RequestError) -> FetchPlan.Aggregate {
    switch operand {
    case .rows: return FetchPlan.Aggregate(.rowCount, name: text)
    case .condition(let sql):
      return FetchPlan.Aggregate(.conditionCount(SQLFragment(sql)), name: text)
    case .column(let name, let isDistinct):
      guard let column = shape.column(named: name) else {
        throw RequestError(
          .noSuchColumn, "\(shape.name) has no column '\(name)' for \(text)",
          hint:
            "Such an aggregate takes one column, or counts the rows that meet a condition: "
            + "count(where size > 9).", of: shape)
      }
      let found: FetchPlan.Aggregate.Function =
        switch function {
        case "count": isDistinct ? .distinctCount(column) : .valueCount(column)
        case "sum": .sum(column)
        case "avg": .average(column)
        case "min": .minimum(column)
        default: .maximum(column)
        }
      return FetchPlan.Aggregate(found, name: text)
    }
  }
}

extension Substring {
  /// The name without the double quotes around it.
  fileprivate var unquoted: String {
    guard count > 1, first == "\"", last == "\"" else { return String(self) }
    return String(dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }
}

extension AggregateArgument {
  /// Returns an aggregate as SQL: what SQL has no word for in its words, all else as it is.
  static func sql(of text: String) -> String {
    switch AggregateArgument(argument: text)?.operand {
    case .rows: "count(*)"
    case .condition(let condition): "count(*) FILTER (WHERE \(condition))"
    default: text
    }
  }

  /// The SQL condition that it has; nil where it has none.
  package var condition: String? {
    if case .condition(let sql) = operand { sql } else { nil }
  }
}
