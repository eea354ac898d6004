import SectileCore

// A SELECT as a tree, as far as its questions need it: who is read, how they are joined, and which
// columns each expression names. What an expression means is left to SQLite.

/// A SELECT, or several made one.
indirect enum SelectQuery: Sendable {
  case core(SelectCore)
  case compound(SelectCompound)

  /// What each column of a row is by itself: of a compound, as its first arm has it.
  var items: [SelectItem] {
    switch self {
    case .core(let core): core.items
    case .compound(let compound): compound.first.items
    }
  }
}

/// Two SELECTs made one.
struct SelectCompound: Sendable {
  enum Operator: String, Sendable {
    case unionAll = "UNION ALL"
    case union = "UNION"
    case except = "EXCEPT"
    case intersect = "INTERSECT"
  }

  let operation: Operator
  let first: SelectQuery
  let second: SelectQuery
}

/// A SELECT with one FROM.
struct SelectCore: Sendable {
  var items: [SelectItem] = []
  var sources: [SelectSource] = []
  /// The conditions of WHERE that must all hold.
  var conditions: [SelectExpression] = []
  /// What rows are grouped by; nil without GROUP BY.
  var groups: [SelectExpression]?
  /// The conditions of HAVING that must all hold.
  var groupConditions: [SelectExpression] = []
  var isDistinct = false
  var order: [SelectExpression] = []
  /// LIMIT and OFFSET, as they are written.
  var limit: SelectExpression?

  /// Whether a row stands for several.
  var isGrouped: Bool {
    groups != nil || !groupConditions.isEmpty || items.contains { $0.expression.hasAggregate }
  }

  /// All expressions but those of LIMIT.
  var expressions: [SelectExpression] {
    items.map(\.expression) + sources.flatMap(\.conditions) + conditions + (groups ?? [])
      + groupConditions + order
  }

  /// Whether an expression is one of those that rows are grouped by.
  func isGroup(_ expression: SelectExpression) -> Bool {
    groups?.contains { $0.isSame(as: expression) } ?? false
  }
}

/// A column of a row that a SELECT yields.
struct SelectItem: Sendable {
  let expression: SelectExpression
  let name: String
  let trait: ColumnTrait
  /// Whether the text names it, by AS or without.
  var isNamed = false
  /// Whether SQLite calls it otherwise, by its own rules.
  var isCalledOtherwise = false
}

/// A table, or a SELECT, in a FROM.
struct SelectSource: Sendable {
  enum Join: Sendable {
    case first, comma, inner, cross, left, right
  }

  enum Content: Sendable {
    /// A table, and which of all that are named in the statement.
    case table(String, occurrence: Int)
    case query(SelectQuery)
  }

  var join: Join
  var content: Content
  /// The name by which columns are read from it, which no other source of the statement has.
  let alias: String
  /// The conditions of ON that must all hold, or what USING means.
  var conditions: [SelectExpression] = []
  /// Whether it is a query that names columns of a query around; then it stands alone in its FROM.
  var isCorrelated = false
}

/// A column, by the source that it is read from.
struct SelectColumn: Hashable, Sendable {
  let source: String
  let name: String

  var sql: String { SQLName.quote(source, name) }
}

/// How the values of a column compare, and what is made of those that are put into it.
struct ColumnTrait: Hashable, Sendable {
  /// Nil where it is worked out, and keeps every value as it is.
  var affinity: ColumnAffinity?
  /// Nil where nobody knows.
  var collation: TextCollation?

  /// What is worked out of columns, and compares by bytes.
  static let expression = ColumnTrait(affinity: nil, collation: .binary)
  static let unknown = ColumnTrait(affinity: nil, collation: nil)

  /// Whether comparing with a value finds the same, whichever of two columns is compared.
  func comparesAs(_ other: ColumnTrait) -> Bool {
    collation != nil && collation == other.collation && conversion == other.conversion
  }

  /// What a value is made into before it is compared: a text, a number, or nothing.
  private var conversion: ColumnAffinity? {
    switch affinity {
    case .text?: .text
    case .integer?, .real?, .numeric?: .numeric
    case .blob?, .some(.none), nil: nil
    }
  }

  /// Whether values that compare as equal are the same.
  var isExact: Bool {
    switch affinity {
    case .text?, .integer?, .real?: collation == .binary
    case .numeric?, .blob?, .some(.none), nil: false
    }
  }
}

/// An expression, taken apart as far as needed: text, columns, values and queries, in order.
struct SelectExpression: Sendable {
  indirect enum Part: Sendable {
    case text(String)
    case literal(String)
    case value(StoredValue)
    case column(SelectColumn)
    case query(SelectQuery)
    case nested(SelectExpression)
  }

  var parts: [Part] = []
  /// Where AND stands between conditions that must all hold.
  var conjunctions: [Int] = []
  /// Whether OR stands between conditions.
  var isDisjunction = false
  /// Whether it is the call of an aggregate of several rows.
  var isAggregate = false
  /// What the window is partitioned by where it is the call of a window function.
  var windows: [[SelectExpression]] = []
  /// Whether it says itself how it compares, or hands on how a column does.
  var bendsCollation = false

  init(_ parts: [Part] = []) { self.parts = parts }
}

extension SelectExpression {
  var hasAggregate: Bool { isAggregate || nested.contains(where: \.hasAggregate) }

  var allWindows: [[SelectExpression]] { windows + nested.flatMap(\.allWindows) }

  /// Whether it is a constant alone.
  var isConstant: Bool {
    let whole = unwrapped
    guard whole.parts.count == 1 else { return false }
    switch whole.parts[0] {
    case .literal, .value: return true
    case .text, .column, .query, .nested: return false
    }
  }

  /// Whether what it yields may compare as one of its parts does, by that or by what it says.
  var handsOnTraits: Bool {
    bendsCollation || !queries.isEmpty || nested.contains(where: \.handsOnTraits)
  }

  /// Whether one of some keywords or functions is named in it, but for its queries.
  func names(_ words: Set<String>) -> Bool {
    let isNamed = parts.contains {
      if case .text(let text) = $0 { words.contains(text.uppercased()) } else { false }
    }
    return isNamed || nested.contains { $0.names(words) }
  }

  private var nested: [SelectExpression] {
    parts.compactMap { if case .nested(let expression) = $0 { expression } else { nil } }
  }

  /// The expression without parentheses around all of it.
  var unwrapped: SelectExpression {
    guard parts.count == 3, case .text("(") = parts[0], case .nested(let inner) = parts[1],
      case .text(")") = parts[2]
    else { return self }
    return inner.unwrapped
  }

  /// Whether two expressions are written alike, but for parentheses around all of them.
  func isSame(as other: SelectExpression) -> Bool {
    unwrapped.fragment == other.unwrapped.fragment
  }

  /// The conditions that must all hold for this one to hold.
  var conjuncts: [SelectExpression] {
    let whole = unwrapped
    guard !whole.conjunctions.isEmpty, !whole.isDisjunction else { return [whole] }
    var result: [SelectExpression] = []
    var start = 0
    for end in whole.conjunctions + [whole.parts.count] {
      result += SelectExpression(Array(whole.parts[start..<end])).conjuncts
      start = end + 1
    }
    return result
  }

  /// The column that the expression is, and nothing else.
  var onlyColumn: SelectColumn? {
    let whole = unwrapped
    guard whole.parts.count == 1, case .column(let column) = whole.parts[0] else { return nil }
    return column
  }

  /// The operands of a comparison of columns and constants, which does not hold where one is NULL.
  var comparison: (left: Part, sign: String, right: Part)? {
    guard parts.count == 3, case .text(let sign) = parts[1],
      ["=", "==", "<", ">", "<=", ">=", "<>", "!="].contains(sign)
    else { return nil }
    for operand in [parts[0], parts[2]] {
      switch operand {
      case .column, .literal, .value: continue
      case .text, .query, .nested: return nil
      }
    }
    return (parts[0], sign, parts[2])
  }

  /// Whether it cannot hold where the columns of a source are NULL.
  func rejectsNulls(of source: String) -> Bool {
    guard let comparison else { return false }
    return [comparison.left, comparison.right].contains { operand in
      if case .column(let column) = operand { column.source == source } else { false }
    }
  }

  /// The operand of an IN that is the whole condition, as SQL is written before IN.
  var memberOfQuery: SelectExpression? {
    var parts = parts[...]
    guard case .text(")")? = parts.popLast(), case .query? = parts.popLast(),
      case .text("(")? = parts.popLast(), case .text("IN")? = parts.popLast()
    else { return nil }
    if case .text("NOT")? = parts.last { parts.removeLast() }
    switch parts.first {
    case .column? where parts.count == 1, .literal? where parts.count == 1,
      .value? where parts.count == 1:
      return SelectExpression(Array(parts))
    case .text("(")? where parts.count == 3:
      return SelectExpression(Array(parts))
    default: return nil
    }
  }

  /// The queries in it, in order; not those inside of them.
  var queries: [SelectQuery] {
    parts.flatMap { part -> [SelectQuery] in
      switch part {
      case .query(let query): [query]
      case .nested(let expression): expression.queries
      case .text, .literal, .value, .column: []
      }
    }
  }

  /// The columns that it names, also inside of its queries.
  var columns: [SelectColumn] {
    parts.flatMap { part -> [SelectColumn] in
      switch part {
      case .column(let column): [column]
      case .query(let query): query.columns
      case .nested(let expression): expression.columns
      case .text, .literal, .value: []
      }
    }
  }
}

extension SelectQuery {
  /// Whether it has arms of which a column compares in another way than in the first.
  var hasUnlikeArms: Bool {
    let all = cores
    return items.indices.contains { position in
      all.contains { $0.items[position].trait != all[0].items[position].trait }
    }
  }

  /// The columns that it names anywhere.
  var columns: [SelectColumn] {
    switch self {
    case .compound(let compound): compound.first.columns + compound.second.columns
    case .core(let core):
      core.expressions.flatMap(\.columns)
        + core.sources.flatMap { source -> [SelectColumn] in
          if case .query(let query) = source.content { query.columns } else { [] }
        }
    }
  }

  /// The names of all sources, also of those inside of its queries.
  var aliases: Set<String> {
    cores.reduce(into: []) { all, core in
      for source in core.sources {
        all.insert(source.alias)
        if case .query(let query) = source.content { all.formUnion(query.aliases) }
      }
      for query in core.expressions.flatMap(\.queries) { all.formUnion(query.aliases) }
    }
  }

  /// The first column that it names of a query around.
  var firstOuterColumn: SelectColumn? {
    let own = aliases
    return columns.first { !own.contains($0.source) }
  }

  /// Whether its rows are those of one FROM, one by one.
  var isOneFrom: Bool {
    guard case .core(let core) = self else { return false }
    return !core.isGrouped && !core.isDistinct
      && core.items.allSatisfy { $0.expression.allWindows.isEmpty }
  }

  /// Whether one of its conditions compares by a pattern, or one of a query that it reads.
  var comparesByPattern: Bool {
    cores.contains { core in
      (core.conditions + core.sources.flatMap(\.conditions)).contains {
        $0.names(["LIKE", "GLOB"])
      }
        || core.sources.contains { source in
          if case .query(let query) = source.content { query.comparesByPattern } else { false }
        }
    }
  }

  /// The SELECTs with one FROM that it is made of.
  var cores: [SelectCore] {
    switch self {
    case .core(let core): [core]
    case .compound(let compound): compound.first.cores + compound.second.cores
    }
  }

  /// The tables that it names anywhere, by their occurrences.
  var tables: [Int: String] {
    var tables: [Int: String] = [:]
    for core in cores {
      for source in core.sources { tables.merge(source.tables) { first, _ in first } }
      for query in core.expressions.flatMap(\.queries) {
        tables.merge(query.tables) { first, _ in first }
      }
    }
    return tables
  }
}

extension SelectSource {
  /// The tables that are read for its rows, by their occurrences.
  var tables: [Int: String] {
    switch content {
    case .table(let table, let occurrence): [occurrence: table]
    case .query(let query): query.tables
    }
  }
}
