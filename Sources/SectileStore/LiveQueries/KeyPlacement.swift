import GRDB
import SectileCore

/// Puts a condition on columns of a query's rows where the columns come from: into the arms of a
/// compound, before rows are grouped, and across joins into the queries of FROM.
///
/// ```sql
/// SELECT id, n FROM customer
///   LEFT JOIN (SELECT customer, count(*) AS n FROM sale GROUP BY customer) ON customer = id
/// -- of the row whose id is 7
/// SELECT id, n FROM customer
///   LEFT JOIN (SELECT customer, count(*) AS n FROM sale WHERE customer IS 7 GROUP BY customer)
///   ON customer = id WHERE id IS 7
/// ```
///
/// SQLite 3.40.1 does the first of them only for UNION ALL, and the last not at all: it would group
/// all sales for one customer. The condition leaves out no row that is equal to what is asked for,
/// as the columns compare it: of such a group, or of such a pair of arms, it leaves all or none.
/// Where one of several equal spellings is chosen for a row (`a` or `A`), or values are joined one
/// after another, nothing is put: that may depend on the order in which SQLite reads.
struct KeyPlacement {
  /// A value that a column is to be.
  private struct Wanted {
    /// The mark that it is bound to.
    let mark: String
    /// How the column of the query's rows compares.
    let trait: ColumnTrait
    /// Whether the column is one that the row's own is joined to.
    var isJoined = false

    var joined: Wanted { Wanted(mark: mark, trait: trait, isJoined: true) }
  }

  private typealias Place = (position: Int, wanted: Wanted)

  private let reading: SelectReading
  /// Whether the condition went anywhere.
  private var isPlaced = false
  /// Whether it went where SQLite does not put it by itself.
  private var isWorthwhile = false

  /// More values are not written down several times.
  private static let valueLimit = 1_000

  private init(_ reading: SelectReading) { self.reading = reading }

  /// Returns a query of those of its rows that have some values.
  ///
  /// - Parameters:
  ///   - reading: The query.
  ///   - positions: The columns whose values are given, bound to `?1`, `?2` and so on. All rows
  ///     that have them are among the rows of the query that is returned; others may be, too.
  ///   - always: Whether it is also written where SQLite does as well without.
  ///   - db: The connection.
  /// - Returns: The query, which calls its columns as the other one does; nil where it is not worth
  ///   it, or cannot be written.
  static func query(
    of reading: SelectReading, wanting positions: [Int], always: Bool, in db: Database
  ) -> SQLFragment? {
    let names = reading.columnNames.map { SQLName.quote($0) }
    guard Set(reading.columnNames.map(\.inSQLLowerCase)).count == names.count else { return nil }
    var placement = KeyPlacement(reading)
    let places = positions.enumerated().map { number, position in
      (position, Wanted(mark: "?\(number + 1)", trait: reading.query.items[position].trait))
    }
    let query = placement.placing(places, in: reading.query)
    guard placement.isPlaced, placement.isWorthwhile || always else { return nil }
    let sql = query.fragment { reading.columnNames[$0] }
    guard sql.values.count <= valueLimit else { return nil }
    // What is deeper than the query may be too deep for SQLite.
    let conditions = positions.enumerated().map { "\(names[$1]) IS ?\($0 + 1)" }
    let statement = PlanStatement(
      SQLFragment("SELECT \(names.joined(separator: ", ")) FROM ") + sql.inParentheses
        + SQLFragment(" AS \(SQLName.quote("sectile rows"))")
        + SQLFragment(" WHERE \(conditions.joined(separator: " AND "))"),
      numberingKey: positions.count)
    return (try? RawStatement.prepare(statement.sql, on: db)) == nil ? nil : sql
  }

  // MARK: Going inside

  private mutating func placing(_ places: [Place], in query: SelectQuery) -> SelectQuery {
    switch query {
    case .core(let core): return .core(placing(places, in: core))
    case .compound(let compound):
      // Which of two arms a column compares as is for SQLite to choose, where they differ.
      let places = places.filter { place in
        let traits = query.cores.map { $0.items[place.position].trait }
        return traits.allSatisfy { $0 == traits[0] } && traits[0].comparesAs(place.wanted.trait)
      }
      let keepsSpelling =
        compound.operation == .unionAll
        || query.cores.allSatisfy { $0.items.allSatisfy { isExact($0.expression) } }
      guard !places.isEmpty, keepsSpelling else { return query }
      if compound.operation != .unionAll { isWorthwhile = true }
      return .compound(
        SelectCompound(
          operation: compound.operation, first: placing(places, in: compound.first),
          second: placing(places, in: compound.second)))
    }
  }

  private mutating func placing(_ places: [Place], in core: SelectCore) -> SelectCore {
    // What a LIMIT or a window leaves depends on the other rows.
    guard core.limit == nil, core.items.allSatisfy({ $0.expression.allWindows.isEmpty }),
      (core.groups ?? []).allSatisfy({ isExact($0) }),
      !core.isDistinct || core.items.allSatisfy({ isExact($0.expression) }),
      !core.isGrouped || !core.expressions.contains(where: dependsOnOrder)
    else { return core }
    var result = core
    var known: [SelectColumn: Wanted] = [:]
    for (position, wanted) in places {
      let item = core.items[position]
      guard item.trait.comparesAs(wanted.trait), item.expression.queries.isEmpty,
        !core.isGrouped || core.isGroup(item.expression),
        item.expression.columns.allSatisfy({ mayCompare($0, wanted) })
      else { continue }
      isPlaced = true
      result.conditions.append(
        SelectExpression([
          .text("("), .nested(item.expression), .text(")"), .text("IS"), .text(wanted.mark),
        ]))
      if let column = item.expression.onlyColumn { known[column] = wanted }
    }
    // Of a RIGHT JOIN, either side may be filled up with NULL.
    guard !known.isEmpty, !core.sources.contains(where: { $0.join == .right }) else {
      return result
    }
    let own = Set(known.keys)
    spread(&known, over: core)
    for position in core.sources.indices {
      guard case .query(let query) = core.sources[position].content,
        !core.sources[position].isCorrelated
      else { continue }
      let places = self.places(known, in: core.sources[position], query)
      guard !places.isEmpty else { continue }
      let isJoined = places.contains { place in
        !own.contains(Self.column(place.position, of: core.sources[position]))
      }
      if isJoined { isWorthwhile = true }
      result.sources[position].content = .query(placing(places, in: query))
    }
    return result
  }

  /// Whether a condition on a column compares as one on what it comes from.
  ///
  /// SQLite carries the condition on, into a query that chooses a spelling as well.
  private func mayCompare(_ column: SelectColumn, _ wanted: Wanted) -> Bool {
    guard reading.derivedColumns.contains(column.source) else { return true }
    return reading.derivedColumns.hasOneTrait(column)
      && (!wanted.isJoined || reading.traits[column]?.isExact == true)
  }

  /// Whether what an expression comes to may depend on the order of the rows.
  private func dependsOnOrder(_ expression: SelectExpression) -> Bool {
    if expression.isAggregate {
      guard case .text(let name)? = expression.parts.first, expression.parts.count > 2 else {
        return true
      }
      let isDistinct = expression.parts.contains { part in
        if case .text("DISTINCT") = part { true } else { false }
      }
      switch (name.lowercased(), expression.parts[2]) {
      case ("count", _): return false
      case ("sum", _), ("total", _), ("avg", _): return isDistinct
      case ("min", .nested(let value)), ("max", .nested(let value)): return !isExact(value)
      default: return true
      }
    }
    return expression.parts.contains { part in
      if case .nested(let inner) = part { dependsOnOrder(inner) } else { false }
    }
  }

  /// Whether values of an expression that compare as equal are the same.
  private func isExact(_ expression: SelectExpression) -> Bool {
    if reading.derivedColumns.isConstant(expression) { return true }
    guard let column = expression.onlyColumn else { return false }
    return reading.isExact(column)
  }

  private static func column(_ position: Int, of source: SelectSource) -> SelectColumn {
    SelectColumn(source: source.alias, name: SelectQuery.columnName(at: position))
  }

  // MARK: Across joins

  /// Goes from columns that are known to those that each row has to have equal to them.
  private func spread(_ known: inout [SelectColumn: Wanted], over core: SelectCore) {
    let inner = core.sources.filter { $0.join != .left }.flatMap(\.conditions) + core.conditions
    let pairs = inner.compactMap(Self.equalColumns)
    var count = 0
    while count != known.count {
      count = known.count
      for (one, other) in pairs {
        for (from, to) in [(one, other), (other, one)] where known[to] == nil {
          if let wanted = known[from], comparesAlike(to, wanted) { known[to] = wanted.joined }
        }
      }
    }
  }

  /// The columns of a query of FROM whose values are known: of the other side of a LEFT JOIN, those
  /// that its ON compares with such columns.
  private func places(
    _ known: [SelectColumn: Wanted], in source: SelectSource, _ query: SelectQuery
  ) -> [Place] {
    var columns = known
    if source.join == .left {
      columns = [:]
      for (one, other) in source.conditions.compactMap(Self.equalColumns) {
        for (from, to) in [(one, other), (other, one)]
        where to.source == source.alias && from.source != source.alias {
          if let wanted = known[from], comparesAlike(to, wanted) { columns[to] = wanted.joined }
        }
      }
    }
    return query.items.indices.compactMap { position in
      columns[Self.column(position, of: source)].map { (position, $0) }
    }
  }

  private func comparesAlike(_ column: SelectColumn, _ wanted: Wanted) -> Bool {
    reading.traits[column]?.comparesAs(wanted.trait) == true && mayCompare(column, wanted.joined)
  }

  private static func equalColumns(
    _ condition: SelectExpression
  ) -> (SelectColumn, SelectColumn)? {
    guard let comparison = condition.unwrapped.comparison, ["=", "=="].contains(comparison.sign),
      case .column(let one) = comparison.left, case .column(let other) = comparison.right
    else { return nil }
    return (one, other)
  }
}
