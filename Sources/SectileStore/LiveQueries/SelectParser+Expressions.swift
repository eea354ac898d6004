import SectileCore

// Expressions: operands and operators in order. How strongly operators bind does not matter, but
// for AND and OR.
extension SelectParser {
  private static let infixSigns: Set<String> = [
    "=", "==", "<", ">", "<=", ">=", "<>", "!=", "+", "-", "*", "/", "%", "||", "<<", ">>", "&",
    "|", "->", "->>",
  ]
  private static let wordsOfEnd: Set<String> = [
    "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "WINDOW", "UNION", "EXCEPT",
    "INTERSECT", "AS", "ON", "USING", "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL",
    "WHEN", "THEN", "ELSE", "END", "ASC", "DESC", "NULLS", "FILTER", "OVER", "RANGE", "ROWS",
    "GROUPS",
  ]

  /// Parses an expression up to what does not belong to it.
  mutating func expression() throws(SelectRefusal) -> SelectExpression {
    try descend()
    defer { depth -= 1 }
    var result = SelectExpression()
    var betweenCount = 0
    try operand(&result)
    while try operation(&result, &betweenCount) {}
    return result
  }

  // MARK: Operators

  /// Parses an operator and what follows it; false where the expression ends.
  private mutating func operation(
    _ result: inout SelectExpression, _ betweenCount: inout Int
  ) throws(SelectRefusal) -> Bool {
    if token.kind == .sign, Self.infixSigns.contains(token.text) {
      // What a unary sign does to its operand's collation does not go beyond this.
      takeText(&result)
      try operand(&result)
      return true
    }
    guard token.kind == .word else { return false }
    switch token.text.uppercased() {
    case "AND":
      if betweenCount > 0 {
        betweenCount -= 1
      } else {
        result.conjunctions.append(result.parts.count)
      }
      takeText(&result)
      try operand(&result)
    case "OR":
      result.isDisjunction = true
      takeText(&result)
      try operand(&result)
    case "IS":
      takeText(&result)
      if token.isWord("NOT") { takeText(&result) }
      if token.isWord("DISTINCT"), token(after: 1).isWord("FROM") {
        takeText(&result)
        takeText(&result)
      }
      try operand(&result)
    case "LIKE", "GLOB", "REGEXP", "ESCAPE":
      takeText(&result)
      try operand(&result)
    case "BETWEEN":
      betweenCount += 1
      takeText(&result)
      try operand(&result)
    case "NOT": try negation(&result)
    case "ISNULL", "NOTNULL": takeText(&result)
    case "IN": try membership(&result)
    case "COLLATE":
      takeText(&result)
      result.parts.append(.text(SQLName.quote(try takeName())))
      result.bendsCollation = true
    default: return false
    }
    return true
  }

  /// `NOT NULL`, `NOT IN`, `NOT LIKE`, `NOT BETWEEN`.
  private mutating func negation(_ result: inout SelectExpression) throws(SelectRefusal) {
    let next = token(after: 1)
    guard
      ["NULL", "IN", "LIKE", "GLOB", "REGEXP", "BETWEEN"].contains(where: { next.isWord($0) })
    else { throw SelectRefusal(token) }
    takeText(&result)
    if next.isWord("NULL") { takeText(&result) }
  }

  private mutating func membership(_ result: inout SelectExpression) throws(SelectRefusal) {
    takeText(&result)
    guard token.isSign("(") else { throw SelectRefusal(token) }
    if token(after: 1).isSign(")") {
      takeText(&result)
      takeText(&result)
      return
    }
    try parentheses(&result)
  }

  // MARK: Operands

  /// Parses an operand with the signs before it.
  private mutating func operand(_ result: inout SelectExpression) throws(SelectRefusal) {
    while token.isWord("NOT") || ["-", "+", "~"].contains(where: { token.isSign($0) }) {
      if token.isSign("+") { result.bendsCollation = true }
      takeText(&result)
    }
    switch token.kind {
    case .literal:
      result.parts.append(.literal(token.text))
      position += 1
    case .mark:
      result.parts.append(.value(values[position] ?? .null))
      position += 1
    case .sign where token.isSign("("): try parentheses(&result)
    case .word:
      switch token.text.uppercased() {
      case "CASE": try choice(&result)
      case "CAST": try cast(&result)
      case "EXISTS":
        takeText(&result)
        guard token.isSign("("), ["SELECT", "WITH"].contains(where: { token(after: 1).isWord($0) })
        else { throw SelectRefusal(token) }
        try parentheses(&result)
      case "NULL", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP":
        result.parts.append(.literal(token.text))
        position += 1
      default:
        if Self.wordsOfEnd.contains(token.text.uppercased()) { throw SelectRefusal(token) }
        try name(&result)
      }
    case .quoted: try name(&result)
    case .sign, .end: throw SelectRefusal(token)
    }
  }

  /// A query, a list, or an expression in parentheses.
  private mutating func parentheses(_ result: inout SelectExpression) throws(SelectRefusal) {
    try expectSign("(")
    result.parts.append(.text("("))
    if startsQuery {
      result.parts.append(.query(try query()))
    } else {
      result.parts.append(.nested(try list()))
    }
    try expectSign(")")
    result.parts.append(.text(")"))
  }

  /// One expression, or several that stand between commas.
  private mutating func list() throws(SelectRefusal) -> SelectExpression {
    let first = try expression()
    guard token.isSign(",") else { return first }
    var all = SelectExpression([.nested(first)])
    while takeSign(",") { all.parts += [.text(","), .nested(try expression())] }
    return all
  }

  private mutating func choice(_ result: inout SelectExpression) throws(SelectRefusal) {
    takeText(&result)
    if !token.isWord("WHEN") { result.parts.append(.nested(try expression())) }
    while token.isWord("WHEN") {
      takeText(&result)
      result.parts.append(.nested(try expression()))
      guard token.isWord("THEN") else { throw SelectRefusal(token) }
      takeText(&result)
      result.parts.append(.nested(try expression()))
    }
    if token.isWord("ELSE") {
      takeText(&result)
      result.parts.append(.nested(try expression()))
    }
    guard token.isWord("END") else { throw SelectRefusal(token) }
    takeText(&result)
  }

  private mutating func cast(_ result: inout SelectExpression) throws(SelectRefusal) {
    takeText(&result)
    try expectSign("(")
    result.parts += [.text("("), .nested(try expression())]
    guard token.isWord("AS") else { throw SelectRefusal(token) }
    result.bendsCollation = true
    var open = 1
    while open > 0 {
      guard token.kind != .end else { throw SelectRefusal(token) }
      if token.isSign("(") { open += 1 }
      if token.isSign(")") { open -= 1 }
      takeText(&result)
    }
  }

  // MARK: Names

  /// A column, or a call of a function.
  private mutating func name(_ result: inout SelectExpression) throws(SelectRefusal) {
    let first = token
    if token(after: 1).isSign("(") { return try call(&result) }
    let name = try takeName().inSQLLowerCase
    guard takeSign(".") else {
      return try resolve(name, of: nil, first, &result)
    }
    let column = try takeName().inSQLLowerCase
    if token.isSign(".") { throw SelectRefusal(first, .column) }
    try resolve(column, of: name, first, &result)
  }

  private func resolve(
    _ name: String, of source: String?, _ token: SelectToken, _ result: inout SelectExpression
  ) throws(SelectRefusal) {
    for (level, scope) in scopes.enumerated().reversed() {
      switch scope.find(name, of: source) {
      case .column(let column, let trait):
        context.read(column)
        context.traits[column] = trait
        result.parts.append(.column(column))
        return
      case .item(let expression):
        let whole = expression.unwrapped
        // Inside of a query it would be worked out of that query's rows.
        let isOuter = level < scopes.count - 1
        if isOuter, expression.hasAggregate || !expression.allWindows.isEmpty {
          throw SelectRefusal(token, .column)
        }
        if whole.parts.count == 1 {
          result.parts += whole.parts
        } else {
          result.parts += [.text("("), .nested(whole), .text(")")]
        }
        return
      case .several: throw SelectRefusal(token, .column)
      case nil:
        if scope.mayHave(of: source) { throw SelectRefusal(token, .column) }
      }
    }
    guard source == nil, token.isWord("TRUE") || token.isWord("FALSE") else {
      throw SelectRefusal(token, .column)
    }
    result.parts.append(.literal(token.text))
  }

  /// A function with its arguments, FILTER and OVER: an expression of its own.
  private mutating func call(_ result: inout SelectExpression) throws(SelectRefusal) {
    let name = token
    position += 1
    var call = SelectExpression([
      .text(name.kind == .quoted ? SQLName.quote(name.name ?? "") : name.text)
    ])
    try expectSign("(")
    call.parts.append(.text("("))
    var argumentCount = 0
    if takeSign("*") {
      call.parts.append(.text("*"))
    } else if !token.isSign(")") {
      if token.isWord("DISTINCT") { takeText(&call) }
      repeat {
        if argumentCount > 0 { call.parts.append(.text(",")) }
        call.parts.append(.nested(try expression()))
        argumentCount += 1
      } while takeSign(",")
    }
    try expectSign(")")
    call.parts.append(.text(")"))
    guard
      let isAggregate = context.schema.isAggregate(name.name ?? "", argumentCount: argumentCount)
    else { throw SelectRefusal(name, .function) }
    if isAggregate { try aggregate(&call, name) }
    result.parts.append(.nested(call))
  }

  /// What follows the arguments of an aggregate.
  private mutating func aggregate(
    _ call: inout SelectExpression, _ name: SelectToken
  ) throws(SelectRefusal) {
    if takeWord("FILTER") {
      try expectSign("(")
      try expectWord("WHERE")
      call.parts += [.text("FILTER ( WHERE"), .nested(try expression()), .text(")")]
      try expectSign(")")
    }
    if token.isWord("OVER") { return try window(&call) }
    // Of columns of an outer query alone, it is an aggregate of that.
    let own = Set((scopes.last?.sources ?? []).map(\.alias))
    let columns = call.columns
    guard columns.isEmpty || columns.contains(where: { own.contains($0.source) }) else {
      throw SelectRefusal(name)
    }
    call.isAggregate = true
  }

  private mutating func window(_ call: inout SelectExpression) throws(SelectRefusal) {
    takeText(&call)
    try expectSign("(")
    call.parts.append(.text("("))
    var partition: [SelectExpression] = []
    if token.isWord("PARTITION") {
      takeText(&call)
      guard token.isWord("BY") else { throw SelectRefusal(token) }
      takeText(&call)
      repeat {
        if !partition.isEmpty { call.parts.append(.text(",")) }
        partition.append(try expression())
        call.parts.append(.nested(partition[partition.count - 1]))
      } while takeSign(",")
    }
    if token.isWord("ORDER") {
      takeText(&call)
      guard token.isWord("BY") else { throw SelectRefusal(token) }
      takeText(&call)
      var isFirst = true
      repeat {
        if !isFirst { call.parts.append(.text(",")) }
        isFirst = false
        var term = try expression()
        appendDirection(to: &term)
        call.parts.append(.nested(term))
      } while takeSign(",")
    }
    if ["RANGE", "ROWS", "GROUPS"].contains(where: { token.isWord($0) }) {
      while token.kind == .word || token.kind == .literal { takeText(&call) }
    }
    guard token.isSign(")") else { throw SelectRefusal(token) }
    takeText(&call)
    call.windows.append(partition)
  }

  private mutating func takeText(_ result: inout SelectExpression) {
    // Keywords in one form: others look for them.
    let text = token.kind == .word ? token.text.uppercased() : token.text
    result.parts.append(.text(text))
    position += 1
  }
}
