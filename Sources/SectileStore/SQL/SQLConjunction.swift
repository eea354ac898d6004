internal import SectileCore

/// The parts of a condition that must all hold.
struct SQLConjunction {
  struct Part {
    var tokens: [SQLToken] = []
    var fragment = SQLFragment("")
  }

  private(set) var parts: [Part] = []

  /// Takes a condition apart; nil where AND may mean something else, or a mark does not mean the
  /// next value.
  init?(_ condition: SQLFragment) {
    guard let tokens = SQLToken.tokens(of: condition.sql) else { return nil }
    var values = condition.values[...]
    var part = Part()
    var depth = 0
    for (token, text) in tokens {
      switch token {
      case .symbol("("): depth += 1
      case .symbol(")"): depth -= 1
      case .word("AND") where depth == 0:
        parts.append(part)
        part = Part()
        continue
      case .word("OR"), .word("BETWEEN"), .word("CASE"):
        if depth == 0 { return nil }
      case .mark:
        guard let value = values.popFirst() else { return nil }
        part.fragment.values.append(value)
      default: break
      }
      part.tokens.append(token)
      part.fragment.sql += part.fragment.sql.isEmpty ? text : " \(text)"
    }
    guard depth == 0, values.isEmpty else { return nil }
    parts.append(part)
    for index in parts.indices { parts[index].unwrap() }
  }
}

extension SQLConjunction.Part {
  /// Takes away parentheses around all of it.
  fileprivate mutating func unwrap() {
    while tokens.first == .symbol("("), tokens.last == .symbol(")"),
      !tokens.dropFirst().dropLast().contains(where: { $0 == .symbol("(") || $0 == .symbol(")") })
    {
      tokens = Array(tokens.dropFirst().dropLast())
    }
  }
}
