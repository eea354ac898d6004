import SectileCore
import SectileTestSupport

/// Makes SELECTs over random tables.
///
/// The grammar is that of the program with which the rules were found: joins of all kinds, USING,
/// NATURAL, derived tables, views, common table expressions, self joins, EXISTS, IN, scalar
/// subqueries in the select list, WHERE, ON and HAVING, GROUP BY with ordinals and FILTER,
/// DISTINCT, compounds, windows, LIMIT, parameters. It adds:
/// - USING over three tables;
/// - `json_each`, which the engine is to refuse;
/// - row values, compared with each other, with literals and with a subquery;
/// - the expression that tables have an index of;
/// - `?` in the select list, ON, WHERE, HAVING, FILTER, IN lists, BETWEEN and LIMIT, so that the
///   order of values is that of the text, through common table expressions, too;
/// - windows without an order, and two windows in one SELECT.
///
/// SQLite 3.40.1 answers by plan where a LIKE with a prefix stands in ON of a LEFT JOIN, and where
/// automatic indexes are used: the grammar has no such LIKE, and connections have no such indexes.
final class SelectGenerator {
  /// What a SELECT can name: the sources of its FROM, and of those around it.
  typealias Scope = [VisibleSource]

  struct VisibleSource {
    struct Column {
      let name: String
      let comparison: String
    }

    let alias: String
    let columns: [Column]
  }

  /// Where a SELECT stands.
  struct Place {
    var isSubquery = false
    /// Whether it has one column.
    var isSingle = false
    /// Whether it yields a value.
    var isScalar = false
    /// How many columns it has, if that is not by chance.
    var arity: Int?
  }

  var random: SeededRandom
  /// Whether what SQLite computes follows from the rows alone, and not from the order in which
  /// they are read, either.
  let isDeterministic: Bool
  private let tables: [RandomTable]
  private var aliasCount = 0

  init(on tables: [RandomTable], random: SeededRandom, isDeterministic: Bool = false) {
    (self.tables, self.random, self.isDeterministic) = (tables, random, isDeterministic)
  }

  func pick<T>(_ values: [T]) -> T { values[Int.random(in: values.indices, using: &random)] }
  func chance(_ probability: Double) -> Bool { random.chance(probability) }
  func dice() -> Double { Double.random(in: 0..<1, using: &random) }

  func column(_ scope: Scope) -> RandomExpression {
    let source = pick(scope)
    let column = pick(source.columns)
    return RandomExpression(column: column.name, of: source.alias, comparison: column.comparison)
  }

  private func makeAlias() -> String {
    aliasCount += 1
    return "x\(aliasCount)"
  }

  // MARK: - Queries

  /// Makes a query for live results, or for FROM.
  func query(depth: Int = 0) -> RandomSelect {
    guard chance(0.18) else { return .core(core(depth: depth)) }
    let place = Place(arity: pick([2, 3]))
    let arms = [core(depth: depth + 1, place), core(depth: depth + 1, place)]
    for arm in arms { arm.limit = nil }
    let symbol = pick(["UNION ALL", "UNION", "EXCEPT", "INTERSECT"])
    return .compound(RandomCompound(symbol, .core(arms[0]), .core(arms[1])))
  }

  /// Makes a subquery of an expression.
  func subquery(
    _ outer: Scope, depth: Int, isSingle: Bool = true, isScalar: Bool = false, arity: Int? = nil
  ) -> RandomSelect {
    let place = Place(
      isSubquery: true, isSingle: isSingle, isScalar: isScalar, arity: arity)
    return .core(core(depth: depth + 1, outer: outer, place))
  }

  func core(depth: Int, outer: Scope = [], _ place: Place = Place()) -> RandomCore {
    let core = RandomCore()
    let scope = addSources(to: core, depth: depth, place)
    if place.isSubquery, !outer.isEmpty {
      core.conditions.append("\(column(scope)) = \(column(outer))")
    }
    for _ in 0..<pick([0, 0, 0, 1, 1, 2]) {
      core.conditions.append(condition(scope, outer: outer, depth: depth))
    }
    addItems(to: core, scope, outer: outer, depth: depth, place)
    return core
  }

  // MARK: - Sources

  private func makeSource(depth: Int) -> (source: RandomSource, visible: VisibleSource) {
    let alias = makeAlias()
    if depth < 2, chance(0.18) {
      let query = query(depth: depth + 1)
      let columns = query.items.map {
        VisibleSource.Column(name: $0.name, comparison: $0.expression.comparison)
      }
      return (
        RandomSource(alias: alias, query: query), VisibleSource(alias: alias, columns: columns)
      )
    }
    let table = pick(tables)
    let columns = table.columns.map {
      VisibleSource.Column(name: $0.name, comparison: $0.comparison)
    }
    return (
      RandomSource(alias: alias, table: table.name), VisibleSource(alias: alias, columns: columns)
    )
  }

  private func addSources(to core: RandomCore, depth: Int, _ place: Place) -> Scope {
    let count = pick(place.isSubquery ? [1, 1, 2] : depth == 0 ? [1, 2, 2, 3, 3] : [1, 1, 2])
    var scope: Scope = []
    for position in 0..<count {
      let (source, own) = makeSource(depth: depth)
      if position > 0 {
        let last = count == 2 ? "RIGHT JOIN" : "LEFT JOIN"
        source.join = pick([
          "JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "LEFT JOIN", ",", "CROSS JOIN", last,
        ])
        addJoin(of: source, own, to: core, scope, depth: depth)
      }
      core.sources.append(source)
      scope.append(own)
    }
    if depth == 0, !isDeterministic, chance(0.02) {
      let list = RandomSource(alias: makeAlias(), function: "json_each('[1, 2]')")
      list.join = ","
      core.sources.append(list)
    }
    return scope
  }

  private func addJoin(
    of source: RandomSource, _ visible: VisibleSource, to core: RandomCore, _ scope: Scope,
    depth: Int
  ) {
    let own = [visible]
    let names = visible.columns.map(\.name)
    let previous = core.sources[core.sources.count - 1]
    guard ["JOIN", "LEFT JOIN", "RIGHT JOIN"].contains(source.join) else {
      core.conditions.append("\(column(own)) = \(column(scope))")
      return
    }
    if !previous.using.isEmpty, Set(previous.using).isSubset(of: names), chance(0.5) {
      source.using = previous.using
      return
    }
    let common = names.filter { name in scope[0].columns.contains { $0.name == name } }
    if core.sources.count == 1, source.join != "RIGHT JOIN", !common.isEmpty, chance(0.12) {
      source.using = [pick(common)]
      if chance(0.3) {
        source.using = common
        source.join = "NATURAL \(source.join)"
      }
      return
    }
    let (left, right) = (column(own), column(scope))
    source.condition = [chance(0.5) ? "\(left) = \(right)" : "\(right) = \(left)"]
    if chance(0.3) {
      let visible = chance(0.5) ? own + scope : own
      source.condition.append(condition(visible, depth: depth + 1, isPlain: chance(0.7)))
    }
    if chance(0.08) { source.condition = [condition(own + scope, depth: depth + 1, isPlain: true)] }
  }
}
