import SectileCore

extension SelectGenerator {
  private func literal() -> RandomExpression {
    switch Int.random(in: 0..<11, using: &random) {
    case 9: "\(value: 2)"
    case 10: "\(value: "a")"
    case let position:
      "\(raw: ["1", "2", "3", "'1'", "'a'", "'A'", "1.0", "2.5", "NULL"][position])"
    }
  }

  /// Makes a condition; a plain one has no subqueries.
  func condition(
    _ scope: Scope, outer: Scope = [], depth: Int, isPlain: Bool = false
  ) -> RandomExpression {
    let wide = chance(0.3) ? scope + outer : scope
    func inner() -> RandomExpression {
      condition(scope, outer: outer, depth: depth + 1, isPlain: isPlain)
    }
    if chance(0.06) { return addedCondition(scope, outer: outer, depth: depth, isPlain: isPlain) }
    switch dice() {
    case ..<0.30:
      return "\(column(scope)) \(raw: pick(["=", "=", "<", ">", "<>", ">="])) \(literal())"
    case ..<0.38: return "\(column(wide)) IS \(raw: pick(["", "NOT "]))NULL"
    case ..<0.46: return "\(column(scope)) = \(column(wide))"
    case ..<0.50: return "\(column(wide)) LIKE '%a%'"
    case ..<0.55: return "\(column(wide)) \(raw: pick(["", "NOT "]))IN (1, 'a', 2)"
    case ..<0.60:
      return
        "CASE WHEN \(column(wide)) = 1 THEN \(column(wide)) IS NULL ELSE \(column(scope)) = 2 END"
    case ..<0.64: return "coalesce(\(column(wide)), 1) = \(literal())"
    case ..<0.70: return "NOT (\(inner()))"
    case ..<0.78: return "(\(inner())) OR (\(inner()))"
    default: break
    }
    if isPlain || depth > 2 { return "\(column(scope)) IS NOT 2" }
    let visible = scope + outer
    switch dice() {
    case ..<0.45:
      let query = subquery(visible, depth: depth, isSingle: false)
      return "\(raw: pick(["NOT ", ""]))EXISTS (\(query))"
    case ..<0.75:
      let query = subquery(visible, depth: depth)
      return "\(column(scope)) \(raw: pick(["", "NOT "]))IN (\(query))"
    default:
      let query = subquery(visible, depth: depth, isScalar: true)
      return "(\(query)) \(raw: pick(["=", ">", "<", "IS NOT"])) \(literal())"
    }
  }

  /// Makes a condition that the program with which the rules were found does not have.
  private func addedCondition(
    _ scope: Scope, outer: Scope, depth: Int, isPlain: Bool
  ) -> RandomExpression {
    let pair: RandomExpression = "(\(column(scope)), \(column(scope)))"
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "\(pair) = (\(column(scope)), \(literal()))"
    case 1: return "\(pair) < (\(literal()), \(literal()))"
    case 2: return "\(column(scope)) IN (\(value: 1), 2, \(value: "a"))"
    case 3: return "\(column(scope)) BETWEEN \(value: 1) AND \(literal())"
    case 4 where !isPlain && depth < 2:
      let query = subquery(scope + outer, depth: depth, isSingle: false, arity: 2)
      return "\(pair) IN (\(query))"
    default:
      // Tables may have an index of this expression.
      let source = pick(scope)
      let columns = source.columns.filter { $0.name == "c0" || $0.name == "c1" }
      guard columns.count == 2 else { return "\(column(scope)) IS \(literal())" }
      return "coalesce(\(raw: source.alias).c0, \(raw: source.alias).c1) = \(literal())"
    }
  }
}
