package import Sectile

/// A term of an order as SQL writes it: `size DESC NULLS LAST`.
package struct SortArgument: Hashable, Sendable {
  /// The expression, without what is said about its order.
  package let expression: String
  /// Whether larger values come first.
  package let isDescending: Bool
  /// Where NULL goes; nil for SQLite's own rule.
  package let nullOrder: NullOrder?
  /// The collation, where one is named.
  package let collation: String?

  /// Reads a term; nil for a text that says nothing to order by.
  package init?(argument: String) {
    var rest = argument[...]
    nullOrder =
      rest.takeOff(words: "NULLS", "FIRST")
      ? .first : rest.takeOff(words: "NULLS", "LAST") ? .last : nil
    isDescending = rest.takeOff(words: "DESC")
    if !isDescending { rest.takeOff(words: "ASC") }
    collation = rest.takeOffCollation()
    expression = String(rest.trimmed)
    if expression.isEmpty { return nil }
  }

  /// Reads a term.
  ///
  /// - Throws: ``RequestError`` for a text that says nothing to order by.
  package init(reading text: String) throws(RequestError) {
    guard let term = Self(argument: text) else {
      throw RequestError(
        .badSort, "'\(text)' names nothing to order by", hint: "Name a column, as in 'size DESC'.")
    }
    self = term
    try refuseSeveralTerms()
  }

  /// - Throws: ``RequestError`` where a text has more than one term.
  func refuseSeveralTerms() throws(RequestError) {
    guard !hasOneTerm else { return }
    throw RequestError(
      .badSort, "'\(expression)' has more than one sort term",
      hint: "Give each term by itself, in order.")
  }

  /// Whether no comma parts it, but for those inside of parentheses.
  private var hasOneTerm: Bool {
    var depth = 0
    for piece in SQLPiece.pieces(of: expression) where piece.kind == .sign {
      if piece.text == "(" { depth += 1 }
      if piece.text == ")" { depth -= 1 }
      if piece.text == "," && depth == 0 { return false }
    }
    return true
  }

  /// The term as SQL.
  package var sql: String {
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

extension Substring {
  /// The text without the space around it.
  var trimmed: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// Takes the last word off, where something stands before it.
  private mutating func popWord() -> Substring? {
    let text = trimmed
    guard let space = text.lastIndex(where: \.isWhitespace) else { return nil }
    self = text[..<space]
    return text[text.index(after: space)...]
  }

  /// Takes keywords off the end; returns false, and changes nothing, where they do not stand there.
  @discardableResult
  fileprivate mutating func takeOff(words: String...) -> Bool {
    var rest = self
    for word in words.reversed() {
      guard rest.popWord()?.uppercased() == word else { return false }
    }
    self = rest
    return true
  }

  /// Takes `COLLATE name` off the end, and returns the name.
  fileprivate mutating func takeOffCollation() -> String? {
    var rest = self
    guard let name = rest.popWord(), rest.takeOff(words: "COLLATE") else { return nil }
    self = rest
    return String(name)
  }
}
