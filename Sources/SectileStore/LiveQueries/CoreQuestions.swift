import SectileCore

/// The drafts of one SELECT with some occurrences shadowed: its joins and conditions, as far as
/// they hold for a changed row.
struct CoreQuestions {
  typealias Occurrences = QuestionDerivation.Occurrences

  /// A join of a draft.
  private struct Join {
    let verb: String
    let content: SQLFragment
    let conditions: [SelectExpression]
    let source: String
    /// Whether it may be left out where nothing names it: it only repeats rows then.
    let isSpare: Bool
  }

  /// What may stand in the place of a source, and its columns that are not fixed.
  private struct Choice {
    let content: SQLFragment
    let loose: Set<Int>
    /// Whether it may have rows that the source does not have.
    var isWider = false
    /// The conditions of a query that is taken apart.
    var conditions: [SQLFragment] = []
  }

  private let core: SelectCore
  private let sources: [SelectSource]
  private let derivation: QuestionDerivation
  private let set: Occurrences
  private let hasPresentRows: Bool
  private let outer: Taint
  /// Whether another query's tables are put before it, and all of its rows may matter.
  private let isBase: Bool

  init(
    _ core: SelectCore, in derivation: QuestionDerivation, shadowing set: Occurrences,
    _ hasPresentRows: Bool, under outer: Taint, isBase: Bool = false
  ) {
    self.core = core
    self.derivation = derivation
    self.set = set
    self.hasPresentRows = hasPresentRows
    self.outer = outer
    self.isBase = isBase
    sources = Self.withoutRightJoins(core.sources)
  }

  /// `a RIGHT JOIN b` is `b LEFT JOIN a`.
  private static func withoutRightJoins(_ sources: [SelectSource]) -> [SelectSource] {
    guard sources.count == 2, sources[1].join == .right else { return sources }
    var (first, second) = (sources[1], sources[0])
    (first.join, second.join, second.conditions) = (.first, .left, first.conditions)
    first.conditions = []
    return [first, second]
  }

  /// The drafts, each with what it does not fix.
  var drafts: [(draft: QuestionDraft, taint: Taint)] {
    // One row, whatever the tables hold.
    if core.isGrouped, core.groups == nil, set.isEmpty, !isBase {
      let draft = QuestionDraft(
        from: SQLFragment("(SELECT 1)"), conditions: [],
        columns: core.items.map { _ in nil })
      return [(draft, outer)]
    }
    return combinations(of: sources.map(choices)).map(draft)
  }

  // MARK: What stands for a source

  private func combinations(of choices: [[Choice]]) -> [[Choice]] {
    choices.reduce([[]]) { lists, next in lists.flatMap { list in next.map { list + [$0] } } }
  }

  private func choices(for source: SelectSource) -> [Choice] {
    let alias = SQLFragment(" AS \(SQLName.quote(source.alias))")
    switch source.content {
    case .table(let table, let occurrence):
      let name =
        set.contains(occurrence)
        ? derivation.shadowName(of: table, hasPresentRows) : SQLName.table(table)
      return [Choice(content: SQLFragment(name) + alias, loose: [])]
    case .query(let query) where source.isCorrelated:
      // Beside the sources around, whose columns it names; its LIMIT is left out.
      return derivation.drafts(
        query, shadowing: set.intersection(query.tables.keys), hasPresentRows, under: outer
      ).map { part in
        Choice(
          content: part.from, loose: Set(query.items.indices), isWider: true,
          conditions: part.conditions)
      }
    case .query(let query):
      let isOnPath = !set.isDisjoint(with: query.tables.keys)
      guard isOnPath || derivation.isTouched(query) || derivation.isHeavy(query) else {
        return [
          Choice(
            content: query.fragment.inParentheses + alias,
            loose: derivation.unlikeColumns(of: query)
              .union(derivation.spelledColumns(of: query)))
        ]
      }
      let spelled = derivation.spelledColumns(of: query)
      let parts = derivation.drafts(
        query, shadowing: set.intersection(query.tables.keys), hasPresentRows, under: outer)
      let loose = parts.map { draft in
        Set(draft.columns.indices.filter { draft.columns[$0] == nil }).union(spelled)
      }
      if isOnPath {
        return zip(parts, loose).map { part, loose in
          Choice(content: part.derivedTable.inParentheses + alias, loose: loose)
        }
      }
      let all = SQLFragment(joining: parts.map(\.derivedTable), separator: " UNION ALL ")
      return [
        Choice(
          content: all.inParentheses + alias, loose: loose.reduce([]) { $0.union($1) },
          isWider: true)
      ]
    }
  }

  // MARK: A draft

  private func draft(_ picked: [Choice]) -> (draft: QuestionDraft, taint: Taint) {
    let kinds = joinKinds
    var taint = outer
    var joins: [Join] = []
    var conditions: [SelectExpression] = []
    for (place, source) in sources.enumerated() {
      if derivation.applies(.having) {
        for column in picked[place].loose {
          taint.columns.insert(
            SelectColumn(source: source.alias, name: SelectQuery.columnName(at: column)))
        }
      }
      add(source, kinds[place], picked[place], &taint, &joins, &conditions)
    }
    conditions += core.conditions.filter { keeps($0, under: taint) }
    let (columns, optional) = columns(under: taint, kinds)
    let named = conditions + columns.compactMap { $0 } + optional.values.map(\.expression)
    let draft = QuestionDraft(
      from: Self.from(neededJoins(joins, named)),
      conditions: conditions.map(\.condition) + picked.flatMap(\.conditions),
      columns: columns.map { $0?.fragment }, optional: optional)
    return (draft, taint)
  }

  /// How each source is joined: a LEFT JOIN whose columns a plain comparison needs is a JOIN.
  private var joinKinds: [SelectSource.Join] {
    let needed =
      core.conditions + sources.filter { $0.join != .left }.flatMap(\.conditions)
    return sources.map { source in
      source.join == .left && needed.contains { $0.rejectsNulls(of: source.alias) }
        ? .inner : source.join
    }
  }

  private func add(
    _ source: SelectSource, _ kind: SelectSource.Join, _ choice: Choice, _ taint: inout Taint,
    _ joins: inout [Join], _ conditions: inout [SelectExpression]
  ) {
    let isOnPath = !set.isDisjoint(with: source.tables.keys)
    let isLeft = kind == .left
    guard isLeft, !isOnPath || !derivation.applies(.inner) else {
      if isLeft, derivation.applies(.nullable) { taint.sources.insert(source.alias) }
      joins.append(
        Join(
          verb: kind == .cross ? " CROSS JOIN " : " JOIN ", content: choice.content,
          conditions: [], source: source.alias, isSpare: false))
      conditions += source.conditions.filter { condition in
        isLeft
          ? !taint.hitsColumn(of: condition) && isUntouched(condition)
          : keeps(condition, under: taint)
      }
      return
    }
    // Where it has more rows than it should, it is not NULL where it should be.
    let canChange =
      choice.isWider || source.tables.values.contains { derivation.touched.contains($0) }
      || source.conditions.contains { taint.hits($0) || derivation.isTouched($0) }
    if canChange, derivation.applies(.nullable) { taint.sources.insert(source.alias) }
    joins.append(
      Join(
        verb: " LEFT JOIN ", content: choice.content,
        conditions: source.conditions.filter {
          !taint.hitsColumn(of: $0) && !derivation.isTouched($0)
        }, source: source.alias, isSpare: !isOnPath))
  }

  private func keeps(_ condition: SelectExpression, under taint: Taint) -> Bool {
    !taint.hits(condition) && isUntouched(condition)
  }

  /// Whether no query of a condition reads a touched table.
  private func isUntouched(_ condition: SelectExpression) -> Bool {
    !derivation.isTouched(condition) || !derivation.applies(.negative)
  }

  // MARK: Columns

  private func columns(
    under taint: Taint, _ kinds: [SelectSource.Join]
  ) -> (
    fixed: [SelectExpression?],
    optional: [Int: (expression: SelectExpression, sources: Set<String>)]
  ) {
    let windows = core.items.flatMap(\.expression.allWindows)
    // Nullable sides can be told apart where a side is NULL as a whole or not at all.
    let isPlain = zip(sources, kinds).allSatisfy { source, kind in
      kind != .left
        || source.conditions.allSatisfy { $0.comparison != nil && !taint.hitsColumn(of: $0) }
    }
    let own = Set(sources.map(\.alias)).intersection(taint.sources)
    var fixed: [SelectExpression?] = []
    var optional: [Int: (expression: SelectExpression, sources: Set<String>)] = [:]
    for (place, item) in core.items.enumerated() {
      let expression = item.expression
      let isWorkedOut =
        derivation.isTouched(expression) || expression.hasAggregate
        || !expression.allWindows.isEmpty
        || (core.isGrouped && !core.isGroup(expression))
        || (core.limit != nil && derivation.applies(.limit))
        || (derivation.applies(.partition) && !isPartition(expression, of: windows))
      let isTainted =
        derivation.applies(.nullKey) ? taint.hits(expression) : taint.hitsColumn(of: expression)
      fixed.append(isWorkedOut || isTainted ? nil : expression)
      guard isTainted, !isWorkedOut, isPlain, windows.isEmpty, !taint.hitsColumn(of: expression)
      else { continue }
      let sides = Set(expression.columns.map(\.source)).intersection(taint.sources)
      if sides.isSubset(of: own) { optional[place] = (expression, sides) }
    }
    return (fixed, optional)
  }

  /// Whether all windows are partitioned by an expression.
  private func isPartition(
    _ expression: SelectExpression, of windows: [[SelectExpression]]
  ) -> Bool {
    windows.allSatisfy { partition in partition.contains { $0.isSame(as: expression) } }
  }

  // MARK: Joins

  /// Leaves out each LEFT JOIN that nothing names.
  private func neededJoins(_ joins: [Join], _ named: [SelectExpression]) -> [Join] {
    var kept: [Join] = []
    var columns = Set(named.flatMap(\.columns).map(\.source))
    for join in joins.reversed() where isBase || !join.isSpare || columns.contains(join.source) {
      kept.append(join)
      columns.formUnion(join.conditions.flatMap(\.columns).map(\.source))
    }
    return kept.reversed()
  }

  private static func from(_ joins: [Join]) -> SQLFragment {
    var sql = SQLFragment("")
    for (place, join) in joins.enumerated() {
      if place > 0 { sql.sql += join.verb }
      sql = sql + join.content
      guard join.verb == " LEFT JOIN ", place > 0 else { continue }
      let conditions = join.conditions.map(\.condition)
      sql = sql + SQLFragment(" ON ")
      sql =
        sql
        + (conditions.isEmpty
          ? SQLFragment("1") : SQLFragment(joining: conditions, separator: " AND "))
    }
    return sql
  }
}
