internal import SectileCore

/// The SQL statements a plan means.
///
/// ``ordering`` says how the values of the ordering columns compare, so that they can be compared
/// without SQLite as SQLite does.
///
/// ```
/// selectRows:   the columns of ``layout`` in complete order
/// selectRow:    the same columns of one row, if it meets the filter
/// selectRows(count:)  the same columns of several rows, as far as they meet the filter
/// selectOrdering:  section order … | identity | sort … | key …  of one row, filter or not
/// selectItems:  key … | item …   of several rows
/// ```
///
/// A plan whose section identity compares under a collation that its column declares must be
/// resolved first: see ``FetchPlan/resolvingCollations(_:)``.
package struct PlanSQL: Sendable {
  /// The plan.
  package let plan: FetchPlan
  /// Where the columns of a row are.
  package let layout: PlanRowLayout
  /// How rows compare.
  package let ordering: PlanOrdering

  /// What sections are ordered by before their identity: the position in the fixed list, or the
  /// plan's own terms.
  let sectionOrder: [FetchPlan.SortTerm]
  /// A query of the rows that have the key `?1`, `?2` …, and perhaps of others; nil where SQLite
  /// finds the row in all of them.
  private let rowsOfKey: SQLFragment?

  /// Prepares the statements of a plan.
  package init(_ plan: FetchPlan) { self.init(plan, rowsOfKey: nil) }

  /// Prepares the statements of a plan of a query or a view.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - rowsOfKey: A query of the rows that have the key `?1`, `?2` …, and perhaps of others; nil
  ///     where SQLite finds the row in all of them.
  init(_ plan: FetchPlan, rowsOfKey: SQLFragment?) {
    self.plan = plan
    self.rowsOfKey = rowsOfKey
    sectionOrder = plan.section?.effectiveOrder ?? []
    layout = PlanRowLayout(plan)
    let keys = plan.keyColumns.map { PlanOrdering.Term(plan.keyTerm($0)) }
    ordering = PlanOrdering(
      sectionOrder: sectionOrder.map(PlanOrdering.Term.init),
      identity: (plan.section?.identity).map(PlanOrdering.Term.init),
      sort: plan.sort.map(PlanOrdering.Term.init), key: keys)
  }
}

// MARK: - Statements

extension PlanSQL {
  /// Selects all wanted rows in their complete order, within limit and offset.
  package var selectRows: SQLFragment { selectRows(layout) }

  /// Selects all wanted rows, laid out otherwise.
  ///
  /// Without the columns that nobody looks at, an index may hold all that is read.
  package func selectRows(_ layout: PlanRowLayout) -> SQLFragment {
    selectUnsortedRows(layout) + orderClause + limitClause
  }

  /// Selects all wanted rows in any order, whatever limit and offset are.
  package func selectUnsortedRows(_ layout: PlanRowLayout) -> SQLFragment {
    SQLBuilder("SELECT ", layout.columns, from, whereClause()).fragment
  }

  /// Selects the columns of ``selectRows`` of the row with a key, if it meets the filter.
  package var selectRow: PlanStatement {
    selectOfRow(layout.columns, whereClause(ofRows: conditionOfRow))
  }

  /// Selects the columns of ``selectRows`` of those of several rows that meet the filter, in any
  /// order.
  ///
  /// For a table without joins whose row id is the key. No index is looked at: SQLite would rather
  /// search one that serves the filter, and then the table for each row that it found. The keys are
  /// joined, because a list after `IN` is sorted into a table of its own first, for a fifth of the
  /// time. They have names that no filter uses.
  ///
  /// - Parameter count: How many keys are bound. A key that is NULL finds nothing.
  /// - Returns: The statement.
  package func selectRows(count: Int) -> PlanStatement {
    let (list, key) = (SQLName.quote("sectile wanted"), SQLName.quote("sectile key"))
    let marks = Array(repeating: "(?)", count: count).joined(separator: ", ")
    return PlanStatement(
      SQLBuilder(
        "WITH \(list)(\(key)) AS (VALUES \(marks)) SELECT ", layout.columns,
        SQLFragment(" FROM \(list) CROSS JOIN \(SQLName.table(plan.table)) NOT INDEXED"),
        whereClause(ofRows: "\(comparedKey(0)) = \(key)")
      ).fragment, behindKeys: count)
  }

  /// Selects the ordering columns of the row with a key, whether it meets the filter or not.
  package var selectOrdering: PlanStatement {
    var columns = sectionOrder.map(\.expression)
    if let section = plan.section { columns.append(section.foldedIdentity) }
    columns += plan.sort.map(\.expression) + keyColumns
    return selectOfRow(
      SQLFragment(joining: columns), SQLFragment(" WHERE \(conditionOfRow)"))
  }

  /// Selects something if any row of the table, wanted or not, hands a function of time a word by
  /// which it asks the clock; nil where rows hand them nothing.
  var selectRowAskingClock: SQLFragment? {
    guard !plan.timesOfRows.isEmpty else { return nil }
    let condition = StatementFunctions.condition(asking: plan.timesOfRows)
    return SQLBuilder("SELECT 1", from, SQLFragment(" WHERE \(condition) LIMIT 1")).fragment
  }

  /// Selects something if the row with a key does so.
  var selectIfAskingClock: PlanStatement? {
    guard !plan.timesOfRows.isEmpty else { return nil }
    let condition = StatementFunctions.condition(asking: plan.timesOfRows)
    return selectOfRow(
      SQLFragment("1"), SQLFragment(" WHERE \(conditionOfRow) AND (\(condition))"))
  }

  /// Selects key and item columns of the row with a key, whether it meets the filter or not.
  var selectItem: PlanStatement {
    selectOfRow(
      SQLFragment(joining: keyColumns + itemColumns), SQLFragment(" WHERE \(conditionOfRow)"))
  }

  /// Selects columns of the row with a key.
  private func selectOfRow(_ columns: SQLFragment, _ whereClause: SQLFragment) -> PlanStatement {
    guard let rowsOfKey else {
      return PlanStatement(SQLBuilder("SELECT ", columns, from, whereClause).fragment)
    }
    let name = SQLFragment(" AS \(SQLName.quote(plan.table))")
    let select = SQLBuilder(
      "SELECT ", columns, SQLFragment(" FROM "), rowsOfKey.inParentheses, name, whereClause)
    return PlanStatement(select.fragment, numberingKey: plan.keyColumns.count)
  }

  /// Selects key and item columns of so many rows by their keys, in any order.
  ///
  /// The keys' values are bound behind the statement's own. With a composite key the values of one
  /// key stand together.
  ///
  /// - Parameters:
  ///   - count: How many keys are bound.
  ///   - findsNulls: Whether one of them is NULL, which `IN` does not find.
  /// - Returns: The statement.
  package func selectItems(count: Int, findsNulls: Bool = false) -> SQLFragment {
    let columns = SQLFragment(joining: keyColumns + itemColumns)
    let marks = plan.keyColumns.map { _ in "?" }.joined(separator: ", ")
    guard plan.keyColumns.count > 1 || findsNulls else {
      let list = Array(repeating: marks, count: count).joined(separator: ", ")
      return SQLBuilder(
        "SELECT ", columns, SQLFragment(" FROM "), plan.source,
        SQLFragment(" WHERE \(comparedKey(0)) IN (\(list))")
      ).fragment
    }
    guard plan.query == nil else {
      // SQLite looks up inside of a query what is compared with its columns, not what is joined to
      // it; and a name in WITH would be one inside of it, too.
      let keys = Array(repeating: "(\(keyCondition))", count: count).joined(separator: " OR ")
      return SQLBuilder(
        "SELECT ", columns, SQLFragment(" FROM "), plan.source, SQLFragment(" WHERE \(keys)")
      ).fragment
    }
    // SQLite scans the table for a row value IN (VALUES …), and searches it for each row of a join.
    let wanted = plan.table.lowercased() == "wanted" ? "wanted_2" : "wanted"
    let names = plan.keyColumns.indices.map { "k\($0)" }
    let keys = Array(repeating: "(\(marks))", count: count).joined(separator: ", ")
    let links = names.enumerated().map { position, name in
      "\(comparedKey(position)) = \(SQLName.quote(wanted, name))"
    }
    return SQLBuilder(
      "WITH \(wanted)(\(names.joined(separator: ", "))) AS (VALUES \(keys)) SELECT ", columns,
      SQLFragment(" FROM \(wanted) CROSS JOIN "), plan.source,
      SQLFragment(" ON \(links.joined(separator: " AND "))")
    ).fragment
  }

  /// Selects the item columns of all wanted rows in their complete order.
  package var selectItemsInOrder: SQLFragment {
    var sql = SQLBuilder("SELECT ", SQLFragment(joining: itemColumns), from, whereClause())
    sql.append(orderClause)
    sql.append(limitClause)
    return sql.fragment
  }

  /// Counts the wanted rows, within limit and offset.
  package var selectCount: SQLFragment {
    guard plan.limit != nil || plan.offset > 0 else {
      return SQLBuilder("SELECT ", SQLFragment("count(*)"), from, whereClause()).fragment
    }
    var rows = SQLBuilder("SELECT ", SQLFragment("1"), from, whereClause())
    rows.append(limitClause)
    return SQLFragment("SELECT count(*) FROM (\(rows.fragment.sql))", rows.fragment.values)
  }

  /// Selects the sections of the wanted rows in order: identity, count of rows, title.
  ///
  /// The title is NULL when the plan has none; it is the first row's. Of a fixed list only the
  /// sections that have rows are selected. Without sections there is one row, of identity NULL.
  package var selectSections: SQLFragment {
    guard let section = plan.section else {
      let count = selectCount
      return SQLFragment("SELECT NULL, (\(count.sql)), NULL", count.values)
    }
    let isPlain = section.title == nil && plan.limit == nil && plan.offset == 0
    guard isPlain && sectionOrder.isEmpty else { return selectSectionsByRows(section) }
    var sql = SQLBuilder(
      "SELECT ", section.foldedIdentity, SQLFragment(", count(*), NULL"), from, whereClause())
    sql.append(SQLFragment(" GROUP BY "))
    sql.append(section.identity.compared)
    sql.append(SQLFragment(" ORDER BY "))
    sql.append(section.identity.ordered)
    return sql.fragment
  }

  /// Numbers the rows in their order and takes each section's title from its first: SQLite reads
  /// bare columns beside a single `min()` from the row that has the minimum.
  private func selectSectionsByRows(_ section: FetchPlan.Section) -> SQLFragment {
    var rows = SQLBuilder("SELECT ", section.foldedIdentity, SQLFragment(" AS \"identity\", "))
    rows.append(section.title ?? SQLFragment("NULL"))
    rows.append(SQLFragment(" AS \"title\", row_number() OVER (ORDER BY "))
    rows.append(completeOrder)
    rows.append(SQLFragment(") AS \"rank\""))
    rows.append(from)
    rows.append(whereClause())
    rows.append(SQLFragment(" ORDER BY \"rank\""))
    rows.append(limitClause)
    let collation = section.identity.collation.map { " COLLATE \(SQLName.quote($0.name))" } ?? ""
    return SQLFragment(
      "SELECT \"identity\", count(*), \"title\" FROM (SELECT \"identity\", \"title\", \"rank\""
        + " FROM (\(rows.fragment.sql))) GROUP BY \"identity\"\(collation)"
        + " ORDER BY min(\"rank\")",
      rows.fragment.values)
  }
}

// MARK: - Clauses

extension PlanSQL {
  /// Returns a table in a FROM clause.
  package static func source(_ table: String, as alias: String) -> String {
    let name = SQLName.table(table)
    return alias == table ? name : "\(name) AS \(SQLName.quote(alias))"
  }

  /// Returns a table and its joins as they stand in a FROM clause.
  static func source(_ table: String, as alias: String, _ joins: [FetchPlan.Join]) -> String {
    ([source(table, as: alias)] + joins.map(join)).joined(separator: " ")
  }

  /// Returns a join in a FROM clause.
  package static func join(_ join: FetchPlan.Join) -> String {
    let links = zip(join.targetColumns, join.sourceColumns).map { target, source in
      "\(SQLName.quote(join.alias, target)) = \(SQLName.quote(join.source, source))"
    }
    let on = links.joined(separator: " AND ")
    return "LEFT JOIN \(source(join.table, as: join.alias)) ON \(on)"
  }

  private var keyColumns: [SQLFragment] {
    plan.keyColumns.map(plan.qualified)
  }

  private var itemColumns: [SQLFragment] {
    plan.itemColumns.map(plan.qualified)
  }

  var from: SQLFragment {
    let joins = plan.joins.map { " " + Self.join($0) }.joined()
    return SQLFragment(" FROM ") + plan.source + SQLFragment(joins)
  }

  /// `IS` rather than `=`, so that a row whose key is NULL, which SQLite allows, is found, too.
  var keyCondition: String { keyCondition { _ in "?" } }

  /// The same where ``selectOfRow(_:_:)`` binds the key.
  private var conditionOfRow: String {
    rowsOfKey == nil ? keyCondition : keyCondition { "?\($0 + 1)" }
  }

  private func keyCondition(_ mark: (Int) -> String) -> String {
    plan.keyColumns.indices.map { "\(comparedKey($0)) IS \(mark($0))" }
      .joined(separator: " AND ")
  }

  /// A column of the key as it is compared where a row is asked for.
  private func comparedKey(_ position: Int) -> String {
    plan.keyCollations.compared(
      SQLName.quote(plan.table, plan.keyColumns[position]), at: position)
  }

  /// Wants what the plan wants, of the rows with some keys.
  private func whereClause(ofRows condition: String) -> SQLFragment {
    whereClause(plan.filterOfRow ?? plan.filter, and: SQLFragment(condition))
  }

  func whereClause(and condition: SQLFragment? = nil) -> SQLFragment {
    whereClause(plan.filter, and: condition)
  }

  private func whereClause(_ filter: SQLFragment?, and condition: SQLFragment?) -> SQLFragment {
    var parts: [SQLFragment] = []
    if let filter { parts.append(filter) }
    if let list = plan.section?.fixedFilter { parts.append(list) }
    if let condition { parts.append(condition) }
    guard parts.count != 1 else { return SQLFragment(" WHERE ") + parts[0] }
    guard !parts.isEmpty else { return SQLFragment("") }
    return SQLFragment(" WHERE ")
      + SQLFragment(joining: parts.map(\.inParentheses), separator: " AND ")
  }

  /// Empty for a plan without key, sort terms and sections, which only a tool makes.
  var orderClause: SQLFragment {
    let order = completeOrder
    return order.sql.isEmpty ? order : SQLFragment(" ORDER BY ") + order
  }

  private var completeOrder: SQLFragment {
    var terms = sectionOrder
    if let section = plan.section { terms.append(section.identity) }
    terms += plan.sort
    // A key column that is a sort term already decides nothing a second time.
    for key in plan.keyColumns.map(plan.keyTerm) {
      let isPresent = terms.contains { term in
        term.expression == key.expression && (term.collation ?? .binary) == .binary
      }
      if !isPresent { terms.append(key) }
    }
    return SQLFragment(joining: terms.map(\.ordered))
  }

  var limitClause: SQLFragment {
    guard plan.limit != nil || plan.offset > 0 else { return SQLFragment("") }
    let limit = StoredValue.integer(plan.limit.map(Int64.init) ?? -1)
    guard plan.offset > 0 else { return SQLFragment(" LIMIT ?", [limit]) }
    return SQLFragment(" LIMIT ? OFFSET ?", [limit, .integer(Int64(plan.offset))])
  }
}

extension FetchPlan {
  /// For how many keys ``PlanSQL/selectItems(count:)`` asks at most.
  ///
  /// SQLite takes no expression that is a thousand deep, and each `OR` is one deeper.
  var selectedItemsMaximum: Int {
    let room = Self.boundValueMaximum - (query?.values.count ?? 0)
    let count = max(1, room / keyColumns.count)
    return query == nil || keyColumns.count == 1 ? count : min(count, 500)
  }
}
