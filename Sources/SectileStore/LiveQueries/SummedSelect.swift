import GRDB
import SectileCore

/// A grouped SELECT whose rows follow from sums: of each group, what its rows agree in, and numbers
/// to which each row of FROM adds its part.
///
/// ```sql
/// SELECT country, count(*) AS people, round(avg(age), 1) AS age FROM person GROUP BY country
/// -- the parts of a group
/// SELECT country, count(*), count(age), sum(age), … FROM person GROUP BY country
/// -- its row, made of them
/// SELECT f0 AS country, a0 AS people, round(a1, 1) AS age FROM (SELECT ? AS f0, ? AS a0, ? AS a1)
/// ```
///
/// The aggregates are `count`, `sum`, `total` and `avg` of integers, without DISTINCT. A sum of
/// REAL depends on the order in which SQLite adds: such a group is read as a whole.
struct SummedSelect {
  /// What the rows of a group agree in.
  struct FixedValue {
    let expression: SelectExpression
    let affinity: ColumnAffinity?
    /// Whether rows are grouped by it.
    let isGroup: Bool

    /// Whether a value is told by its bytes from all that compare as equal.
    func isPlain(_ value: StoredValue) -> Bool {
      switch (affinity, value) {
      case (_, .null), (.text?, .text), (nil, .text): true
      case (.integer?, .integer), (.real?, .real), (.numeric?, .integer), (.numeric?, .real): true
      default: false
      }
    }

    /// A bound value as an expression that compares as this one.
    fileprivate func bound(_ mark: String) -> String {
      switch affinity {
      case .text?: "CAST(\(mark) AS TEXT)"
      case .integer?: "CAST(\(mark) AS INTEGER)"
      case .real?: "CAST(\(mark) AS REAL)"
      case .numeric?: "CAST(\(mark) AS NUMERIC)"
      case .blob?, .some(.none), nil: mark
      }
    }
  }

  /// An aggregate of a group.
  struct Aggregate {
    enum Function: String {
      case count, sum, total, avg

      /// Whether the result is a floating-point number.
      var isReal: Bool { self == .total || self == .avg }
    }

    let function: Function
    /// The expressions of its parts: a count, and of a sum besides: the sum, that of the absolute
    /// values, how many values are no integers.
    let parts: [SelectExpression]
    fileprivate let call: SelectExpression

    /// The result for a group; nil where it does not follow from the parts.
    func value(_ parts: ArraySlice<Int64>) -> StoredValue? {
      let count = parts[parts.startIndex]
      guard function != .count else { return .integer(count) }
      let (sum, magnitude, otherCount) = (
        parts[parts.startIndex + 1], parts[parts.startIndex + 2], parts[parts.startIndex + 3]
      )
      // Up to here floating-point numbers have each integer, and adding them loses nothing.
      guard otherCount == 0, !function.isReal || magnitude < 1 << 53 else { return nil }
      switch function {
      case .count: return .integer(count)
      case .sum: return count == 0 ? .null : .integer(sum)
      case .total: return .real(Double(sum))
      case .avg: return count == 0 ? .null : .real(Double(sum) / Double(count))
      }
    }
  }

  /// What the rows of a group agree in, in the order of ``parts(reading:)``.
  private(set) var fixed: [FixedValue] = []
  private(set) var aggregates: [Aggregate] = []
  /// Where among ``fixed`` the columns of the key stand.
  private(set) var key: [Int] = []
  private let core: SelectCore
  private let tables: [Int: String]
  private let sourceTables: [String: TableSchema]
  /// The columns of the row, and the conditions of HAVING, made of the parts.
  private var items: [SelectExpression] = []
  private var conditions: [SelectExpression] = []
  private let names: [String]

  /// The name of the row of parts.
  private static let partsName = "sectile parts"

  /// Takes a query apart; nil where its rows do not follow from sums.
  ///
  /// - Parameters:
  ///   - reading: The query.
  ///   - key: The positions of the columns that tell its rows apart.
  ///   - db: The connection, whose functions it calls.
  init?(_ reading: SelectReading, key: [Int], in db: Database) {
    guard let (core, items) = Self.grouped(reading.query), let groups = core.groups,
      !groups.isEmpty, core.limit == nil, !core.isDistinct,
      !core.sources.contains(where: { $0.join == .right || $0.isCorrelated }),
      Self.areFunctionsBuiltIn(in: db)
    else { return nil }
    self.core = core
    names = reading.columnNames
    tables = reading.query.tables
    var sourceTables: [String: TableSchema] = [:]
    for source in core.sources {
      if case .table(let name, _) = source.content {
        sourceTables[source.alias] =
          reading.readTables.first { $0.name == name.inSQLLowerCase }?.schema
      }
    }
    self.sourceTables = sourceTables
    for item in items {
      guard let expression = madeOfParts(item.expression) else { return nil }
      self.items.append(expression)
    }
    for condition in core.groupConditions {
      guard let expression = madeOfParts(condition) else { return nil }
      conditions.append(expression)
    }
    // Each group has one row, and each row one group.
    for position in key {
      // Values in it would be bound among those of a key.
      guard core.isGroup(items[position].expression),
        items[position].expression.fragment.values.isEmpty,
        let fixed = fixedValue(items[position].expression)
      else { return nil }
      self.key.append(fixed)
    }
    let isFixed = groups.allSatisfy { group in
      key.contains { items[$0].expression.isSame(as: group) }
    }
    guard isFixed else { return nil }
  }

  /// The grouped SELECT whose rows are those of a query, and the columns that are taken from it:
  /// where a view is read as it is, that of the view.
  private static func grouped(_ query: SelectQuery) -> (SelectCore, [SelectItem])? {
    guard case .core(let core) = query else { return nil }
    guard core.groups == nil else { return (core, core.items) }
    guard core.sources.count == 1, core.conditions.isEmpty, !core.isGrouped, !core.isDistinct,
      core.limit == nil, case .query(let inner) = core.sources[0].content,
      let (grouped, columns) = self.grouped(inner)
    else { return nil }
    var items: [SelectItem] = []
    for item in core.items {
      guard let column = item.expression.onlyColumn, column.source == core.sources[0].alias,
        let place = columns.indices.first(where: { SelectQuery.columnName(at: $0) == column.name })
      else { return nil }
      items.append(columns[place])
    }
    return (grouped, items)
  }

  /// Whether an application has no function of its own by one of the names.
  private static func areFunctionsBuiltIn(in db: Database) -> Bool {
    let rows = try? db.schemaRows(
      "SELECT 1 FROM pragma_function_list WHERE NOT builtin "
        + "AND lower(name) IN ('count', 'sum', 'total', 'avg', 'abs', 'typeof')", [])
    return rows?.isEmpty == true
  }

  // MARK: Taking apart

  /// Returns an expression in which aggregates, and what the rows of a group agree in, are columns
  /// of the parts; nil where something else is left.
  private mutating func madeOfParts(_ expression: SelectExpression) -> SelectExpression? {
    guard expression.windows.isEmpty else { return nil }
    if core.isGroup(expression) { return fixedValue(expression).map(Self.fixedColumn) }
    if expression.isAggregate { return aggregate(expression).map(Self.aggregateColumn) }
    var result = SelectExpression()
    for part in expression.parts {
      switch part {
      case .text, .literal, .value: result.parts.append(part)
      case .column:
        guard let fixed = fixedValue(SelectExpression([part])) else { return nil }
        result.parts += Self.fixedColumn(fixed).parts
      case .nested(let inner):
        guard let inner = madeOfParts(inner) else { return nil }
        result.parts.append(.nested(inner))
      case .query: return nil
      }
    }
    return result
  }

  private static func fixedColumn(_ position: Int) -> SelectExpression {
    SelectExpression([.column(SelectColumn(source: partsName, name: "f\(position)"))])
  }

  private static func aggregateColumn(_ position: Int) -> SelectExpression {
    SelectExpression([.column(SelectColumn(source: partsName, name: "a\(position)"))])
  }

  private mutating func fixedValue(_ expression: SelectExpression) -> Int? {
    if let known = fixed.firstIndex(where: { $0.expression.isSame(as: expression) }) {
      return known
    }
    var affinity: ColumnAffinity?
    if let column = expression.onlyColumn {
      guard let table = sourceTables[column.source],
        let found = table.columns.first(where: {
          $0.name.inSQLLowerCase == column.name.inSQLLowerCase
        }), found.collation == .binary, core.isGroup(expression) || isKeyGrouped(of: column.source)
      else { return nil }
      affinity = table.affinity(of: found)
      if affinity == .blob || affinity == .some(.none) { return nil }
    } else if expression.handsOnTraits || expression.isConstant || expression.mayBeJSON {
      return nil
    }
    fixed.append(
      FixedValue(
        expression: expression, affinity: affinity, isGroup: core.isGroup(expression)))
    return fixed.count - 1
  }

  /// Whether rows are grouped by the key of a table: by what else follows from the groups, it would
  /// follow from other tables' rows as well.
  private func isKeyGrouped(of source: String) -> Bool {
    guard let table = sourceTables[source] else { return false }
    let columns = (core.groups ?? []).compactMap(\.onlyColumn).filter { $0.source == source }
    return SelectSchema.Table(schema: table).isKey(Set(columns.map(\.name.inSQLLowerCase)))
  }

  private mutating func aggregate(_ call: SelectExpression) -> Int? {
    if let known = aggregates.firstIndex(where: { $0.call.isSame(as: call) }) { return known }
    var parts = call.parts[...]
    guard case .text(let name)? = parts.popFirst(),
      let function = Aggregate.Function(rawValue: name.lowercased()),
      case .text("(")? = parts.popFirst(), let argument = parts.popFirst(),
      case .text(")")? = parts.popFirst()
    else { return nil }
    func part(_ function: String, _ argument: [SelectExpression.Part]) -> SelectExpression {
      SelectExpression([.text("\(function)(")] + argument + [.text(")")] + parts)
    }
    let made: [SelectExpression]
    switch argument {
    case .text("*") where function == .count: made = [part("count", [argument])]
    case .nested where function == .count: made = [part("count", [argument])]
    case .nested:
      let typed = SelectExpression([.text("typeof("), argument, .text(") <> 'integer'")])
      made = [
        part("count", [argument]), part("sum", [argument]),
        part("sum", [.text("abs("), argument, .text(")")]),
        part(
          "count", [.text("CASE WHEN"), .nested(typed), .text("THEN"), argument, .text("END")]),
      ]
    default: return nil
    }
    aggregates.append(Aggregate(function: function, parts: made, call: call))
    return aggregates.count - 1
  }

  // MARK: Statements

  /// Returns the occurrence of a table whose rows add to the groups one by one; nil where they do
  /// not.
  ///
  /// - Parameter table: The table, in lower case.
  /// - Returns: The occurrence.
  func occurrence(of table: String) -> Int? {
    let occurrences = tables.filter { $0.value == table }.keys
    guard occurrences.count == 1, let occurrence = occurrences.first else { return nil }
    let source = core.sources.first { source in
      if case .table(_, occurrence) = source.content { true } else { false }
    }
    // Of the side that an outer join adds, a row may take the place of none.
    guard let source, source.join != .left else { return nil }
    let isInGroups = fixed.allSatisfy { value in
      value.isGroup || !value.expression.columns.contains { $0.source == source.alias }
    }
    return isInGroups ? occurrence : nil
  }

  /// Selects the parts of groups: ``fixed``, how many rows there are, the parts of ``aggregates``.
  ///
  /// - Parameter shadows: What is read in the place of some tables, by their occurrences.
  /// - Returns: The statement.
  func parts(reading shadows: [Int: String]) -> SQLFragment {
    partsCore.fragment(reading: shadows)
  }

  /// Selects the parts of one group, whose values of ``key`` are bound behind the others.
  var partsOfGroup: PlanStatement {
    var core = partsCore
    core.groups = nil
    var sql = core.fragment(reading: [:])
    let conditions = key.map { "(\(fixed[$0].expression.fragment.sql)) IS ?" }
    sql.sql += core.conditions.isEmpty ? " WHERE " : " AND "
    sql.sql += conditions.joined(separator: " AND ")
    return PlanStatement(sql)
  }

  private var partsCore: SelectCore {
    var result = core
    let one = SelectExpression([.text("count(*)")])
    result.items =
      (fixed.map(\.expression) + [one] + aggregates.flatMap(\.parts)).map {
        SelectItem(expression: $0, name: "", trait: .expression)
      }
    (result.groupConditions, result.order) = ([], [])
    return result
  }

  /// Selects the row of a group, if it meets the conditions of HAVING.
  ///
  /// Its parts are bound by the names of ``marks``.
  var row: SQLFragment {
    let list = zip(items, names).map { item, name in
      item.fragment + SQLFragment(" AS \(SQLName.quote(name))")
    }
    let parts =
      fixed.enumerated().map { "\($1.bound(Self.fixedMark($0))) AS f\($0)" }
      + aggregates.indices.map { "\(Self.aggregateMark($0)) AS a\($0)" }
    var sql = SQLFragment("SELECT ") + SQLFragment(joining: list)
    sql.sql += " FROM (SELECT \(parts.joined(separator: ", "))) AS \(SQLName.quote(Self.partsName))"
    sql.values += parts.map { _ in .null }
    guard !conditions.isEmpty else { return sql }
    return sql + SQLFragment(" WHERE ")
      + SQLFragment(joining: conditions.map(\.condition), separator: " AND ")
  }

  /// The names by which the parts of ``row`` are bound: those of ``fixed``, then the results of
  /// ``aggregates``.
  var marks: [String] {
    fixed.indices.map(Self.fixedMark) + aggregates.indices.map(Self.aggregateMark)
  }

  private static func fixedMark(_ position: Int) -> String { "@f\(position)" }

  private static func aggregateMark(_ position: Int) -> String { "@a\(position)" }
}

extension SelectExpression {
  /// Whether SQLite may take what it yields for JSON, which a value that is bound never is.
  fileprivate var mayBeJSON: Bool {
    parts.contains { part in
      switch part {
      case .text(let text): text.hasPrefix("->") || text.lowercased().contains("json")
      case .nested(let inner): inner.mayBeJSON
      case .literal, .value, .column, .query: false
      }
    }
  }
}
