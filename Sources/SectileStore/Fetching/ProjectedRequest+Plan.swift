internal import SectileCore

extension ProjectedRequest {
  /// Returns what the request means to SQLite: a plan whose rows are those of a SELECT, which has a
  /// column for everything that the request names.
  ///
  /// - Throws: ``StoreError`` with the code `invalidRequest`, as for a ``FetchRequest``; where the
  ///   request is reorderable; where groups have aggregates of other things than groups.
  public func makePlan() throws(StoreError) -> FetchPlan { try makePlans().plan }

  /// Returns the plan, and the SELECT by which its items are read by their keys.
  ///
  /// That has no filter, order and sections, and stays the same where these change.
  func makePlans() throws(StoreError) -> (plan: FetchPlan, items: SQLFragment) {
    if let error = grouping?.error { throw error }
    guard !request.isReorderable else {
      throw .invalidRequest(
        "A request for selected columns of \(E.schema.table) is reorderable.",
        hint: "Rows are moved where the items are whole rows: sort(by:) is enough here.")
    }
    let (keys, shown) = (keyExpressions, request.expressions + fields.map(\.expression))
    try FetchRequest<E>.checkHaveNoAggregates(grouping.map { $0.conditions + keys } ?? shown)
    var select = ProjectedSelect(table: E.schema.table)
    if grouping != nil { try select.checkAreFixed(shown, by: keys, of: E.schema.primaryKey) }
    // An item's columns come first, one for each of its values.
    var itemColumns = try fields.map { field throws(StoreError) in
      try select.add(field.expression)
    }
    let keyColumns = try keys.map { key throws(StoreError) in try select.column(key) }
    if let grouping { try select.group(by: keyColumns, of: grouping.conditions) }
    var aggregates: [FetchPlan.Aggregate] = []
    for aggregate in request.aggregates {
      aggregates.append(try select.aggregate(aggregate, isGrouped: grouping != nil))
    }
    for column in keyColumns + select.aggregated where !itemColumns.contains(column) {
      itemColumns.append(column)
    }
    let items = select.sql
    try select.filter(by: request.conditions)
    let sort = try request.sortTerms.map { term throws(StoreError) in try select.term(term) }
    let section = try request.section.map { term throws(StoreError) in try select.section(term) }

    var plan = FetchPlan(
      query: select.sql, named: E.schema.table, keyColumns: keyColumns, itemColumns: itemColumns)
    (plan.sort, plan.section, plan.aggregates) = (sort, section, aggregates)
    plan.aggregateScope = request.aggregateScope
    (plan.limit, plan.offset) = (request.limitCount, request.offsetCount)
    plan.batchSize = request.batchCount
    try plan.validate()
    return (plan, items)
  }

  /// What tells rows apart.
  private var keyExpressions: [SQLExpression] {
    let base = SQLSource.base(E.schema.table)
    return grouping?.keys.map(\.expression)
      ?? E.schema.primaryKey.map { SQLExpression.column(base, $0) }
  }

  /// The forms of the key's columns; none where all are the standard one.
  var keyForms: [ColumnEncoding] {
    guard let keys = grouping?.keys else { return E.schema.layout.keyForms }
    let forms = keys.map(\.form)
    return forms.allSatisfy { $0 == .standard } ? [] : forms
  }
}

/// A SELECT that is being written for a projected request: each expression of the request is one of
/// its columns, once.
private struct ProjectedSelect {
  private let table: String
  private var renderer: SQLRenderer
  /// The columns; those of equal expressions have equal texts as they are written alone.
  private var list: [(name: String, expression: SQLFragment, alone: SQLFragment)] = []
  private var takenNames: Set<String> = []
  /// The columns that aggregates look at.
  private(set) var aggregated: [String] = []
  private var rowFilter: SQLFragment?
  private var groups: [String] = []
  private var groupFilter: SQLFragment?

  init(table: String) {
    self.table = table
    renderer = SQLRenderer(table: table)
  }

  // MARK: Columns

  /// Adds a column, and returns its name.
  mutating func add(_ expression: SQLExpression) throws(StoreError) -> String {
    add(
      try renderer.render(expression), alone: try alone(expression),
      named: expression.columnName ?? "column")
  }

  /// Returns the name of the column that is an expression, which may be there already.
  ///
  /// - Parameters:
  ///   - expression: The expression.
  ///   - name: The name of a new column; nil for that of the expression's own column.
  /// - Returns: The name.
  /// - Throws: What rendering throws.
  mutating func column(
    _ expression: SQLExpression, named name: String? = nil
  ) throws(StoreError) -> String {
    let alone = try alone(expression)
    if let known = list.first(where: { $0.alone == alone }) { return known.name }
    let wanted = name ?? expression.columnName ?? "column"
    return add(try renderer.render(expression), alone: alone, named: wanted)
  }

  /// Returns an expression as it is written in a SELECT without others, where no name is taken.
  private func alone(_ expression: SQLExpression) throws(StoreError) -> SQLFragment {
    var renderer = SQLRenderer(table: table)
    return try renderer.render(expression)
  }

  private mutating func add(
    _ expression: SQLFragment, alone: SQLFragment, named wanted: String
  ) -> String {
    let name = takenNames.insertName(wanted)
    list.append((name, expression, alone))
    return name
  }

  /// The column as the plan's own expressions name it.
  private func outer(_ name: String) -> SQLFragment { SQLFragment(SQLName.quote(table, name)) }

  mutating func term(
    _ term: SortTerm, named name: String = "sort"
  ) throws(StoreError) -> FetchPlan.SortTerm {
    FetchPlan.SortTerm(
      expression: outer(try column(term.expression, named: name)),
      isDescending: term.direction == .descending, nullOrder: term.nulls,
      collation: term.collation)
  }

  mutating func section(_ term: SectionTerm) throws(StoreError) -> FetchPlan.Section {
    // It says what the values of a fixed list are; its expressions are columns here.
    var values = renderer
    let plain = try term.planSection(with: &values)
    var section = FetchPlan.Section(
      identity: try self.term(term.identity, named: "section"), fixedSections: plain.fixedSections)
    for order in term.order {
      section.order.append(try self.term(order, named: "section_order"))
    }
    (section.identityForm, section.titleForm) = (term.identityForm, term.titleForm)
    if let title = term.title { section.title = outer(try column(title, named: "section_title")) }
    return section
  }

  mutating func aggregate(
    _ term: AggregateTerm, isGrouped: Bool
  ) throws(StoreError) -> FetchPlan.Aggregate {
    var aggregate = try term.planAggregate(with: &renderer)
    if isGrouped, aggregate.function != .rowCount {
      throw .invalidRequest(
        "The aggregate \(aggregate.name) of a request for groups of \(table) is of their rows.",
        hint: "Select it as a column of the groups. Groups themselves are only counted.")
    }
    switch aggregate.function {
    case .conditionCount(let condition):
      let condition = condition.inParentheses
      let name = add(condition, alone: condition, named: "condition")
      aggregated.append(name)
      aggregate.function = .conditionCount(outer(name))
    case let function:
      guard let wanted = function.column else { break }
      let name = try column(.column(.base(table), wanted))
      aggregated.append(name)
      aggregate.function = function.naming(name)
    }
    return aggregate
  }

  // MARK: Groups

  /// Checks that the rows of a group agree in expressions: in what they are grouped by, what
  /// follows from that, and aggregates.
  ///
  /// - Parameters:
  ///   - expressions: The expressions.
  ///   - keys: What rows are grouped by.
  ///   - primaryKey: The columns of the table's key.
  /// - Throws: `invalidRequest`, which names a field that may differ.
  func checkAreFixed(
    _ expressions: [SQLExpression], by keys: [SQLExpression], of primaryKey: [String]
  ) throws(StoreError) {
    var fixed: Set<GroupedField> = []
    for case .column(let source, let name) in keys {
      fixed.insert(GroupedField(source: source, name: name))
    }
    let known = try keys.map { key throws(StoreError) in try alone(key) }
    for expression in expressions {
      try checkIsFixed(expression, by: known) { source, name in
        GroupedField(source: source, name: name).isFixed(by: fixed, of: primaryKey)
      }
    }
  }

  private func checkIsFixed(
    _ expression: SQLExpression, by keys: [SQLFragment], _ isFixed: (SQLSource, String) -> Bool
  ) throws(StoreError) {
    if case .aggregate = expression { return }
    if keys.contains(try alone(expression)) { return }
    if case .column(let source, let name) = expression, !isFixed(source, name) {
      throw .invalidRequest(
        "The field \(name) of a request for groups of \(table) may differ within a group.",
        hint: "Group by it, too, or take an aggregate of it, such as minimum() or count().")
    }
    for operand in expression.operands { try checkIsFixed(operand, by: keys, isFixed) }
  }

  // MARK: Clauses

  /// Makes groups of the rows that meet conditions.
  mutating func group(by names: [String], of conditions: [SQLExpression]) throws(StoreError) {
    if !conditions.isEmpty { rowFilter = try renderer.render(.all(conditions)) }
    groups = names
  }

  /// Wants only rows, or groups where there are any, that meet conditions.
  mutating func filter(by conditions: [SQLExpression]) throws(StoreError) {
    guard !conditions.isEmpty else { return }
    let filter = try renderer.render(.all(conditions))
    if groups.isEmpty { rowFilter = filter } else { groupFilter = filter }
  }

  var sql: SQLFragment {
    let columns = list.map { $0.expression + SQLFragment(" AS \(SQLName.quote($0.name))") }
    var sql = SQLFragment("SELECT ") + SQLFragment(joining: columns)
    sql.sql += " FROM \(PlanSQL.source(table, as: table, renderer.joins))"
    if let rowFilter { sql = sql + SQLFragment(" WHERE ") + rowFilter }
    if !groups.isEmpty {
      let positions = groups.compactMap { name in list.firstIndex { $0.name == name } }
      sql.sql += " GROUP BY \(positions.map { "\($0 + 1)" }.joined(separator: ", "))"
    }
    if let groupFilter { sql = sql + SQLFragment(" HAVING ") + groupFilter }
    return sql
  }
}

/// A field that rows may be grouped by.
private struct GroupedField: Hashable {
  let source: SQLSource
  let name: String

  /// Whether all rows of a group agree in the field: rows are grouped by it, or by the key of the
  /// row that has it.
  func isFixed(by fields: Set<GroupedField>, of primaryKey: [String]) -> Bool {
    if fields.contains(self) { return true }
    switch source {
    case .base: return Self.have(fields, primaryKey, of: source)
    case .toOne(let parent, let reference):
      return Self.have(fields, reference.targetColumns, of: source)
        || reference.sourceColumns.allSatisfy { name in
          GroupedField(source: parent, name: name).isFixed(by: fields, of: primaryKey)
        }
    case .toMany: return false
    }
  }

  private static func have(
    _ fields: Set<GroupedField>, _ names: [String], of source: SQLSource
  ) -> Bool {
    names.allSatisfy { fields.contains(GroupedField(source: source, name: $0)) }
  }
}
