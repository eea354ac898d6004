internal import ArgumentParser
internal import Sectile

/// A term of an order as SQL writes it: `size DESC NULLS LAST`.
struct SortTerm: ExpressibleByArgument, Hashable {
  /// The expression, without what is said about its order.
  let expression: String
  /// Whether larger values come first.
  let isDescending: Bool
  /// Where NULL goes; nil for SQLite's own rule.
  let nullOrder: NullOrder?
  /// The collation, where one is named.
  let collation: String?

  /// Reads a term; nil for a text that says nothing to order by.
  init?(argument: String) {
    var words = argument.split(separator: " ")
    func drop(_ last: String...) -> Bool {
      guard words.count > last.count,
        words.suffix(last.count).map({ $0.uppercased() }) == last
      else { return false }
      words.removeLast(last.count)
      return true
    }
    nullOrder = drop("NULLS", "FIRST") ? .first : drop("NULLS", "LAST") ? .last : nil
    isDescending = drop("DESC")
    if !isDescending { _ = drop("ASC") }
    if words.count > 2, words[words.count - 2].uppercased() == "COLLATE" {
      collation = String(words.removeLast())
      words.removeLast()
    } else {
      collation = nil
    }
    expression = words.joined(separator: " ")
    if expression.isEmpty { return nil }
  }

  /// The term as SQL.
  var sql: String {
    var sql = "(\(expression))"
    if let collation { sql += " COLLATE \(collation)" }
    if isDescending { sql += " DESC" }
    switch nullOrder {
    case .first: sql += " NULLS FIRST"
    case .last: sql += " NULLS LAST"
    case nil: break
    }
    return sql
  }
}
