import SectileCore

// What stands in FROM.
extension SelectParser {
  private static let wordsAfterSource: Set<String> = [
    "JOIN", "ON", "USING", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "LEFT", "RIGHT", "FULL",
    "INNER", "OUTER", "CROSS", "NATURAL", "UNION", "EXCEPT", "INTERSECT", "WINDOW", "INDEXED",
    "NOT",
  ]

  /// Parses the sources of a FROM into the innermost scope.
  mutating func sources() throws(SelectRefusal) -> [SelectSource] {
    var sources = [try source(.first)]
    while let (join, isNatural, token) = try takeJoin() {
      var source = try source(join)
      if isNatural {
        try rejectRight(join, token)
        source.conditions += try merge(commonColumns, behind: sources)
      } else if takeWord("USING") {
        try rejectRight(join, token)
        guard let names = try columnNameList() else { throw SelectRefusal(self.token) }
        source.conditions += try merge(names.map { $0.inSQLLowerCase }, behind: sources)
      } else if takeWord("ON") {
        source.conditions += try expression().conjuncts
      }
      if join == .left || join == .right { try rejectPatterns(of: source) }
      sources.append(source)
      if sources.count > 2, sources.contains(where: { $0.join == .right }) {
        throw SelectRefusal(token, .outerJoin)
      }
    }
    if sources.count > 1 {
      for case .query(let query) in sources.lazy.filter(\.isCorrelated).map(\.content) {
        try rejectOuterColumns(of: query)
      }
    }
    return sources
  }

  private func rejectRight(_ join: SelectSource.Join, _ token: SelectToken) throws(SelectRefusal) {
    if join == .right { throw SelectRefusal(token, .outerJoin) }
  }

  /// Refuses what SQLite 3.40.1 answers by plan: `LIKE` in the ON of a LEFT JOIN may lose rows
  /// where an index serves it.
  private func rejectPatterns(of source: SelectSource) throws(SelectRefusal) {
    var isByPattern = source.conditions.contains { $0.names(["LIKE", "GLOB"]) }
    if case .query(let query) = source.content, query.comparesByPattern { isByPattern = true }
    if isByPattern { throw SelectRefusal("LIKE", .dependsOnPlan) }
  }

  /// Takes the words of a join; nil where none follows.
  private mutating func takeJoin() throws(SelectRefusal) -> (
    join: SelectSource.Join, isNatural: Bool, token: SelectToken
  )? {
    let (first, start) = (token, position)
    if takeSign(",") { return (.comma, false, first) }
    let isNatural = takeWord("NATURAL")
    var join = SelectSource.Join.inner
    let kind = token
    if takeWord("LEFT") {
      join = .left
      _ = takeWord("OUTER")
    } else if takeWord("RIGHT") {
      join = .right
      context.hasRightJoin = true
      _ = takeWord("OUTER")
    } else if takeWord("FULL") {
      throw SelectRefusal(kind, .outerJoin)
    } else if takeWord("CROSS") {
      join = .cross
    } else {
      _ = takeWord("INNER")
    }
    guard takeWord("JOIN") else {
      guard position == start else { throw SelectRefusal(token) }
      return nil
    }
    return (join, isNatural, kind)
  }

  private mutating func source(_ join: SelectSource.Join) throws(SelectRefusal) -> SelectSource {
    if takeSign("(") {
      guard startsQuery else { throw SelectRefusal(token) }
      let query = try derived { (parser) throws(SelectRefusal) in try parser.query() }
      try expectSign(")")
      var source = add(query, named: takeAlias(), columnNames: nil, join)
      source.isCorrelated = query.firstOuterColumn != nil
      if source.isCorrelated, !query.isOneFrom { try rejectOuterColumns(of: query) }
      return source
    }
    let nameToken = token
    var name = try takeName()
    var isQualified = false
    if takeSign(".") {
      guard name.inSQLLowerCase == "main" else { throw SelectRefusal(nameToken, .table) }
      isQualified = true
      name = try takeName()
    }
    if token.isSign("(") { throw SelectRefusal(nameToken, .virtualTable) }
    if !isQualified, let (definition, level) = definition(named: name) {
      let query = try body(of: definition, named: name, at: level, nameToken)
      return add(query, named: takeAlias() ?? name, columnNames: definition.columnNames, join)
    }
    switch try context.schema.source(name, isQualified: isQualified) {
    case .view(let sql):
      let (query, columnNames) = try view(sql)
      return add(query, named: takeAlias() ?? name, columnNames: columnNames, join)
    case .table(let table):
      let alias = takeAlias() ?? name
      if token.isWord("INDEXED") { throw SelectRefusal(token, .indexHint) }
      if takeWord("NOT") { try expectWord("INDEXED") }
      return add(table, named: alias, join)
    }
  }

  private mutating func takeAlias() -> String? {
    let isNamed = takeWord("AS")
    guard let name = token.name,
      isNamed || token.kind == .quoted || !Self.wordsAfterSource.contains(name.uppercased())
    else { return nil }
    position += 1
    return name
  }

  /// Parses a query that does not see the sources of the FROM that it stands in.
  private mutating func derived(
    _ parse: (inout SelectParser) throws(SelectRefusal) -> SelectQuery
  ) throws(SelectRefusal) -> SelectQuery {
    let own = scopes.removeLast()
    defer { scopes.append(own) }
    return try parse(&self)
  }

  /// Refuses a query in FROM that names columns of a query around: a question has them elsewhere.
  private func rejectOuterColumns(of query: SelectQuery) throws(SelectRefusal) {
    guard let column = query.firstOuterColumn else { return }
    throw SelectRefusal(column.name, .column)
  }

  /// Finds a query of WITH, and at which level of queries inside one another it is declared.
  private func definition(named name: String) -> (Definition, level: Int)? {
    for level in definitions.indices.reversed() {
      if let found = definitions[level][name.inSQLLowerCase] { return (found, level) }
    }
    return nil
  }

  /// Parses the body of a query of WITH once more: each time that it is named is another one.
  private func body(
    of definition: Definition, named name: String, at level: Int, _ token: SelectToken
  ) throws(SelectRefusal) -> SelectQuery {
    guard !definition.isOpen else { throw SelectRefusal(token, .recursion) }
    var parser = self
    parser.position = definition.start
    parser.definitions.removeLast(definitions.count - 1 - level)
    parser.definitions[level][name.inSQLLowerCase]?.isOpen = true
    parser.scopes.removeLast()
    let query = try parser.query()
    try rejectOuterColumns(of: query)
    return query
  }

  /// Parses what a view stands for, and the names that it gives to its columns.
  private func view(_ sql: String) throws(SelectRefusal) -> (SelectQuery, [String]?) {
    var parser = try SelectParser(SQLFragment(sql), context, depth: depth + 1)
    try parser.descend()
    try parser.expectWord("CREATE")
    try parser.expectWord("VIEW")
    _ = try parser.takeName()
    if parser.takeSign(".") { _ = try parser.takeName() }
    let columnNames = try parser.columnNameList()
    try parser.expectWord("AS")
    let query = try parser.statement()
    // With names of its own, SQLite 3.40.1 has the columns of a view compare as the last arm does.
    if let columnNames, query.hasUnlikeArms {
      throw SelectRefusal(columnNames.first ?? "", .dependsOnPlan)
    }
    return (query, columnNames)
  }

  // MARK: The scope

  private mutating func add(
    _ table: SelectSchema.Table, named name: String, _ join: SelectSource.Join
  ) -> SelectSource {
    let alias = context.nextAlias()
    context.tablesByAlias[alias] = table
    let columns = table.columns.map { column in
      SelectScope.Column(
        name: column.name.inSQLLowerCase, shown: column.name,
        column: SelectColumn(source: alias, name: column.name), trait: column.trait)
    }
    for column in columns { context.traits[column.column] = column.trait }
    scopes[scopes.count - 1].sources.append(
      SelectScope.Source(
        name: name.inSQLLowerCase, alias: alias, columns: columns,
        rowIDNames: table.schema.rowIDNames))
    let occurrence = context.nextOccurrence(of: table)
    return SelectSource(
      join: join, content: .table(table.name.inSQLLowerCase, occurrence: occurrence), alias: alias)
  }

  private mutating func add(
    _ query: SelectQuery, named name: String?, columnNames: [String]?, _ join: SelectSource.Join
  ) -> SelectSource {
    let alias = context.nextAlias()
    var columns: [SelectScope.Column] = []
    for (place, item) in query.items.enumerated() {
      let shown = columnNames.flatMap { $0.indices.contains(place) ? $0[place] : nil } ?? item.name
      let column = SelectColumn(source: alias, name: SelectQuery.columnName(at: place))
      context.traits[column] = item.trait
      // A second column of a name cannot be asked for by it.
      let isFirst = !columns.contains { $0.name == shown.inSQLLowerCase }
      columns.append(
        SelectScope.Column(
          name: isFirst ? shown.inSQLLowerCase : "\(shown.inSQLLowerCase):\(place)", shown: shown,
          column: column, trait: item.trait))
    }
    scopes[scopes.count - 1].sources.append(
      SelectScope.Source(
        name: name?.inSQLLowerCase ?? "", alias: alias, columns: columns, rowIDNames: [],
        hasUnknownNames: columnNames == nil && query.items.contains(where: \.isCalledOtherwise)))
    return SelectSource(join: join, content: .query(query), alias: alias)
  }

  /// The names that the last source has in common with those before.
  private var commonColumns: [String] {
    let sources = scopes[scopes.count - 1].sources
    guard let last = sources.last else { return [] }
    return last.columns.map(\.name).filter { name in
      sources.dropLast().contains { $0.column(named: name) != nil }
    }
  }

  /// Whether SQLite may take a column for NOT NULL: it is declared so, is the row id, or comes from
  /// a query.
  private func isDeclaredFilled(_ column: SelectColumn) -> Bool {
    guard let table = context.tablesByAlias[column.source]?.schema else { return true }
    if column.name == table.rowIDColumn { return true }
    return table.columns.contains {
      $0.name == column.name && ($0.isNotNull || table.listing.isWithoutRowID && $0.keyPosition > 0)
    }
  }

  /// Makes columns of the last source one with those of a source before, and returns the conditions
  /// that this means.
  private mutating func merge(
    _ names: [String], behind sources: [SelectSource]
  ) throws(SelectRefusal) -> [SelectExpression] {
    let scope = scopes[scopes.count - 1]
    var conditions: [SelectExpression] = []
    for name in names {
      guard let last = scope.sources.last?.column(named: name),
        let first = scope.sources.dropLast().compactMap({ $0.column(named: name) }).first
      else { throw SelectRefusal(name, .column) }
      let isNullable = sources.contains { $0.alias == first.column.source && $0.join == .left }
      // Of a table that a LEFT JOIN fills up with NULL, SQLite 3.40.1 takes it for NOT NULL here,
      // as it is declared, and finds the NULLs of an index by it.
      if isNullable, isDeclaredFilled(first.column) {
        throw SelectRefusal(first.shown, .dependsOnPlan)
      }
      context.read(last.column)
      context.read(first.column)
      conditions.append(
        SelectExpression([.column(first.column), .text("="), .column(last.column)]))
      scopes[scopes.count - 1].sources[scope.sources.count - 1].merged.insert(name)
    }
    return conditions
  }
}
