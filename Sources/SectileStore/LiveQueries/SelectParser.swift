import SectileCore

/// Parses the shapes of SELECT that are followed row by row, and refuses at the first token that it
/// does not understand.
///
/// SQLite has accepted the text before: what is wrong need not be found here. Names are looked up
/// as SQLite does, and views and the query's own WITH are put in place as queries in FROM.
struct SelectParser {
  /// What all parsers of one statement share.
  final class Context {
    let schema: SelectSchema
    private var aliasCount = 0
    private(set) var occurrenceCount = 0
    /// The columns that are read of each table, by its name in lower case.
    private(set) var columns: [String: Set<String>] = [:]
    private(set) var tables: [String: SelectSchema.Table] = [:]
    var traits: [SelectColumn: ColumnTrait] = [:]
    /// Whether a RIGHT JOIN stands anywhere.
    var hasRightJoin = false
    /// The tables behind the sources, by their aliases.
    var tablesByAlias: [String: SelectSchema.Table] = [:]

    init(_ schema: SelectSchema) { self.schema = schema }

    func nextAlias() -> String {
      aliasCount += 1
      return "x\(aliasCount)"
    }

    /// Takes note of another time that a table is named, and returns its number.
    func nextOccurrence(of table: SelectSchema.Table) -> Int {
      occurrenceCount += 1
      tables[table.name.inSQLLowerCase] = table
      return occurrenceCount
    }

    func read(_ column: SelectColumn) {
      guard let table = tablesByAlias[column.source] else { return }
      columns[table.name.inSQLLowerCase, default: []].insert(column.name)
    }
  }

  /// A query of WITH: where its body begins.
  struct Definition {
    let start: Int
    let columnNames: [String]?
    var isOpen = false
  }

  /// So many tables may be named, views taken apart.
  static let occurrenceLimit = 40
  /// So deep may queries and parentheses be nested.
  static let depthLimit = 60

  let context: Context
  let tokens: [SelectToken]
  /// The values of the marks, by the positions of these among the tokens.
  let values: [Int: StoredValue]
  var position = 0
  var scopes: [SelectScope] = []
  /// The queries of each WITH around, by their names in lower case, the innermost last.
  var definitions: [[String: Definition]] = []
  var depth = 0

  /// Prepares to parse a text.
  ///
  /// - Throws: ``SelectRefusal`` for a parameter with a name.
  init(_ sql: SQLFragment, _ context: Context, depth: Int = 0) throws(SelectRefusal) {
    self.context = context
    self.depth = depth
    tokens = try SelectToken.tokens(of: sql.sql)
    var rest = sql.values[...]
    var values: [Int: StoredValue] = [:]
    for (place, token) in tokens.enumerated() where token.kind == .mark {
      values[place] = rest.popFirst() ?? .null
    }
    self.values = values
  }

  // MARK: Tokens

  var token: SelectToken { position < tokens.count ? tokens[position] : .end }

  func token(after count: Int) -> SelectToken {
    position + count < tokens.count ? tokens[position + count] : .end
  }

  /// Moves past a keyword, given in upper case, if it is next.
  mutating func takeWord(_ word: String) -> Bool {
    guard token.isWord(word) else { return false }
    position += 1
    return true
  }

  mutating func takeSign(_ sign: String) -> Bool {
    guard token.isSign(sign) else { return false }
    position += 1
    return true
  }

  mutating func expectWord(_ word: String) throws(SelectRefusal) {
    guard takeWord(word) else { throw SelectRefusal(token) }
  }

  mutating func expectSign(_ sign: String) throws(SelectRefusal) {
    guard takeSign(sign) else { throw SelectRefusal(token) }
  }

  mutating func takeName() throws(SelectRefusal) -> String {
    guard let name = token.name else { throw SelectRefusal(token) }
    position += 1
    return name
  }

  mutating func descend() throws(SelectRefusal) {
    depth += 1
    guard depth <= Self.depthLimit, context.occurrenceCount <= Self.occurrenceLimit else {
      throw SelectRefusal(token, .size)
    }
  }

  var startsQuery: Bool { ["SELECT", "WITH", "VALUES"].contains { token.isWord($0) } }

  // MARK: Queries

  /// Parses a whole text.
  mutating func statement() throws(SelectRefusal) -> SelectQuery {
    let query = try query()
    while takeSign(";") {}
    guard token.kind == .end else { throw SelectRefusal(token) }
    return query
  }

  /// Parses a query up to what does not belong to it.
  mutating func query() throws(SelectRefusal) -> SelectQuery {
    try descend()
    definitions.append([:])
    defer {
      definitions.removeLast()
      depth -= 1
    }
    if takeWord("WITH") { try definitionList() }
    var query = SelectQuery.core(try core(isFirst: true))
    while let operation = takeOperator() {
      let second = SelectQuery.core(try core(isFirst: false))
      guard second.items.count == query.items.count else { throw SelectRefusal(token) }
      query = .compound(SelectCompound(operation: operation, first: query, second: second))
    }
    if case .compound = query { try skipOrderOfCompound() }
    return query
  }

  private mutating func takeOperator() -> SelectCompound.Operator? {
    if takeWord("UNION") { return takeWord("ALL") ? .unionAll : .union }
    if takeWord("EXCEPT") { return .except }
    if takeWord("INTERSECT") { return .intersect }
    return nil
  }

  /// The order of a compound decides nothing where it is the whole statement, and has no limit.
  private mutating func skipOrderOfCompound() throws(SelectRefusal) {
    guard token.isWord("ORDER"), depth == 1 else {
      if token.isWord("LIMIT") || token.isWord("ORDER") { throw SelectRefusal(token) }
      return
    }
    var open = 0
    while token.kind != .end {
      if open == 0, token.isSign(")") || token.isSign(";") { return }
      if open == 0, token.isWord("LIMIT") { throw SelectRefusal(token) }
      if token.isSign("(") { open += 1 }
      if token.isSign(")") { open -= 1 }
      position += 1
    }
  }

  private mutating func definitionList() throws(SelectRefusal) {
    if token.isWord("RECURSIVE") { throw SelectRefusal(token, .recursion) }
    repeat {
      let name = try takeName().inSQLLowerCase
      let columnNames = try columnNameList()
      try expectWord("AS")
      if takeWord("NOT") {
        try expectWord("MATERIALIZED")
      } else {
        _ = takeWord("MATERIALIZED")
      }
      try expectSign("(")
      definitions[definitions.count - 1][name] = Definition(
        start: position, columnNames: columnNames)
      try skipToEndOfParentheses()
    } while takeSign(",")
  }

  /// Parses `(a, b)`; nil where there are no parentheses.
  mutating func columnNameList() throws(SelectRefusal) -> [String]? {
    guard takeSign("(") else { return nil }
    var names: [String] = []
    repeat { names.append(try takeName()) } while takeSign(",")
    try expectSign(")")
    return names
  }

  private mutating func skipToEndOfParentheses() throws(SelectRefusal) {
    var open = 1
    while open > 0 {
      guard token.kind != .end else { throw SelectRefusal(token) }
      if token.isSign("(") { open += 1 }
      if token.isSign(")") { open -= 1 }
      position += 1
    }
  }

  // MARK: One SELECT

  private mutating func core(isFirst: Bool) throws(SelectRefusal) -> SelectCore {
    try expectWord("SELECT")
    var core = SelectCore()
    if takeWord("DISTINCT") {
      core.isDistinct = true
    } else {
      _ = takeWord("ALL")
    }
    let start = position
    try skipToFrom()
    let from = position
    position += 1
    scopes.append(SelectScope())
    defer { scopes.removeLast() }
    scopes[scopes.count - 1].isOpen = true
    core.sources = try sources()
    scopes[scopes.count - 1].isOpen = false
    let end = position
    position = start
    core.items = try items()
    guard position == from else { throw SelectRefusal(token) }
    position = end
    scopes[scopes.count - 1].items = core.items.filter(\.isNamed).map {
      ($0.name.inSQLLowerCase, $0.expression)
    }
    if takeWord("WHERE") { core.conditions = try expression().conjuncts }
    if takeWord("GROUP") {
      try expectWord("BY")
      core.groups = try groups(of: core)
    }
    if takeWord("HAVING") { core.groupConditions = try expression().conjuncts }
    if isFirst { try orderAndLimit(of: &core) }
    try checkBareColumns(of: core)
    return core
  }

  private mutating func skipToFrom() throws(SelectRefusal) {
    var open = 0
    while token.kind != .end {
      if token.isSign("(") { open += 1 }
      if token.isSign(")") { open -= 1 }
      if open < 0 { break }
      // `a IS DISTINCT FROM b`
      let isComparison = position > 0 && tokens[position - 1].isWord("DISTINCT")
      if open == 0, token.isWord("FROM"), !isComparison { return }
      if open == 0, token.isWord("UNION") || token.isWord("WHERE") { break }
      position += 1
    }
    throw SelectRefusal(token)
  }

  private mutating func items() throws(SelectRefusal) -> [SelectItem] {
    var items: [SelectItem] = []
    repeat {
      if takeSign("*") {
        items += scopes[scopes.count - 1].sources.flatMap { everything(of: $0, isAlone: false) }
        continue
      }
      if let name = token.name, token(after: 1).isSign("."), token(after: 2).isSign("*") {
        guard
          let source = scopes[scopes.count - 1].sources.first(where: {
            $0.name == name.inSQLLowerCase
          })
        else { throw SelectRefusal(token, .column) }
        position += 3
        items += everything(of: source, isAlone: true)
        continue
      }
      let expression = try expression()
      let name = try itemName()
      items.append(
        SelectItem(
          expression: expression,
          name: name ?? impliedName(of: expression) ?? "column \(items.count + 1)",
          trait: trait(of: expression), isNamed: name != nil,
          isCalledOtherwise: name == nil && impliedName(of: expression) == nil))
    } while takeSign(",")
    return items
  }

  private func everything(of source: SelectScope.Source, isAlone: Bool) -> [SelectItem] {
    source.columns.filter { isAlone || !source.merged.contains($0.name) }.map { column in
      context.read(column.column)
      return SelectItem(
        expression: SelectExpression([.column(column.column)]), name: column.shown,
        trait: column.trait)
    }
  }

  /// Takes the name that a column is given; nil where it is given none.
  private mutating func itemName() throws(SelectRefusal) -> String? {
    if takeWord("AS") {
      if token.kind == .literal, token.text.hasPrefix("'") {
        defer { position += 1 }
        return SQLPiece(kind: .text, text: token.text).name ?? token.text
      }
      return try takeName()
    }
    return token.name != nil && !token.isWord("FROM") ? try takeName() : nil
  }

  /// What SQLite calls a column that is given no name; nil where that depends on more than the
  /// column.
  private func impliedName(of expression: SelectExpression) -> String? {
    expression.onlyColumn.flatMap { shownNames[$0] }
  }

  private var shownNames: [SelectColumn: String] {
    let columns = scopes.last?.sources.flatMap(\.columns) ?? []
    return Dictionary(columns.map { ($0.column, $0.shown) }) { first, _ in first }
  }

  /// Tells how what an expression yields compares.
  func trait(of expression: SelectExpression) -> ColumnTrait {
    if let column = expression.onlyColumn { return context.traits[column] ?? .unknown }
    return expression.handsOnTraits ? .unknown : .expression
  }

  private mutating func groups(of core: SelectCore) throws(SelectRefusal) -> [SelectExpression] {
    var groups: [SelectExpression] = []
    repeat {
      let first = token
      var term = try expression().unwrapped
      if first.kind == .literal, term.isConstant, let place = Int(first.text) {
        guard core.items.indices.contains(place - 1) else { throw SelectRefusal(first) }
        term = core.items[place - 1].expression.unwrapped
      }
      // Written again, a number would be the place of a column.
      guard !term.isConstant else { throw SelectRefusal(first) }
      groups.append(term)
    } while takeSign(",")
    return groups
  }

  private mutating func orderAndLimit(of core: inout SelectCore) throws(SelectRefusal) {
    if takeWord("ORDER") {
      try expectWord("BY")
      repeat { core.order.append(try orderTerm(of: core)) } while takeSign(",")
    }
    guard takeWord("LIMIT") else { return }
    var limit = SelectExpression()
    while token.kind == .literal || token.kind == .mark || token.isSign(",")
      || token.isWord("OFFSET") || token.isSign("-")
    {
      limit.parts.append(values[position].map { .value($0) } ?? .text(token.text))
      position += 1
    }
    core.limit = limit
  }

  private mutating func orderTerm(of core: SelectCore) throws(SelectRefusal) -> SelectExpression {
    var term = SelectExpression()
    let isAlone =
      ["ASC", "DESC", "NULLS", "LIMIT", ",", ")"].contains(token(after: 1).text.uppercased())
      || token(after: 1).kind == .end
    // Here what a SELECT calls its columns comes first, and is written as the place of the column.
    let names = core.items.map { $0.name.inSQLLowerCase }
    if let name = token.name?.inSQLLowerCase, isAlone, let place = names.firstIndex(of: name) {
      position += 1
      term.parts = [.literal("\(place + 1)")]
    } else {
      let start = position
      term = try expression()
      // Inside of more than its name, SQLite finds one or the other.
      let isNamed = tokens[start..<position].contains { token in
        token.name.map { names.contains($0.inSQLLowerCase) } ?? false
      }
      if isNamed, core.items.contains(where: \.isNamed) { throw SelectRefusal(tokens[start]) }
    }
    appendDirection(to: &term)
    return term
  }

  /// Takes what may follow a term of an order: its direction, and where NULL goes.
  mutating func appendDirection(to term: inout SelectExpression) {
    for word in ["ASC", "DESC"] where takeWord(word) { term.parts.append(.text(word)) }
    guard takeWord("NULLS") else { return }
    term.parts.append(.text("NULLS"))
    for word in ["FIRST", "LAST"] where takeWord(word) { term.parts.append(.text(word)) }
  }
}
