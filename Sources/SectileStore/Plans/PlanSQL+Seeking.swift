extension PlanSQL {
  /// Returns the question for the rows before a row; nil where no index could answer it.
  ///
  /// It is asked of the base table alone: joins, filter, limit and offset are left out. Therefore
  /// all that decides about a row's place must be plain columns of the base table, apart from a
  /// fixed list of sections. Whether there is such an index, ``PredecessorQuery/answered(for:in:)``
  /// tells.
  ///
  /// - Parameters:
  ///   - columns: What the schema says about the columns of the base table.
  ///   - pins: What the filter demands, where the rows before are wanted among such rows only.
  /// - Returns: The question, or nil.
  func selectPredecessors(
    in columns: TableColumns, among pins: [FilterEquality] = []
  ) -> PredecessorQuery? {
    guard let conditions = sectionConditions(in: columns),
      let terms = seekTerms(in: columns)
    else { return nil }
    let decided = Set(terms.map(\.column.name) + conditions.map(\.column.name))
    let pins = pins.filter { !decided.contains($0.column.name) }
    func allSteps(_ groups: [[SeekTerm]]) -> [PredecessorQuery.Step] {
      groups.indices.reversed().flatMap { position in
        steps(
          StepDraft(
            pins: pins, conditions: conditions, equal: groups[..<position].flatMap { $0 },
            first: terms.first),
          comparing: groups[position], before: groups[(position + 1)...].flatMap { $0 })
      }
    }
    let nullable = terms.filter(\.isNullable)
    let separateSteps = allSteps(terms.map { [$0] })
    return PredecessorQuery(
      steps: allSteps(Self.groups(of: terms)), separateSteps: separateSteps,
      passing: separateSteps, nullablePositions: Set(nullable.map(\.position)),
      refusedNulls: Set(nullable.filter { !$0.isNullFirst }.map(\.position)),
      firstPosition: terms.first?.position)
  }
}

/// A column that decides about a row's place inside its section.
private struct SeekTerm {
  /// The position in ``PlanOrdering/terms``.
  let position: Int
  let column: TableColumns.Column
  /// The column's full name.
  let name: String
  let collation: TextCollation
  let isDescending: Bool
  let isNullFirst: Bool

  var isNullable: Bool { column.isNullable }
  var isBare: Bool { collation == column.collation }
  var compared: String { isBare ? name : "\(name) COLLATE \(SQLName.quote(collation.name))" }

  /// The term in the opposite direction.
  var reversed: String {
    let isDefault = !isNullable || isNullFirst == !isDescending
    let nulls = isDefault ? "" : isNullFirst ? " NULLS LAST" : " NULLS FIRST"
    return compared + (isDescending ? "" : " DESC") + nulls
  }

  /// The mark for a value that is compared with the column as part of a row value.
  ///
  /// There SQLite searches an index by columns only that are not written with a collation; the one
  /// of the other side counts then. And it takes the row id for a column without any.
  var markInRow: String {
    isBare && !column.isRowID ? "?" : "? COLLATE \(SQLName.quote(collation.name))"
  }
}

extension TableColumns.Column {
  /// How a search of an index may show that the column is compared by `=`.
  fileprivate var equality: [String] { searchNames.map { "\($0)=?" } }
}

/// The part of a WHERE clause that several steps share.
private struct StepDraft {
  let pins: [FilterEquality]
  let conditions: [SectionCondition]
  let equal: [SeekTerm]
  /// What decides first.
  let first: SeekTerm?
}

/// A comparison that holds for the rows of one section only.
private struct SectionCondition {
  let sql: String
  let column: TableColumns.Column
  let position: Int
  /// Whether an index must be searched by it.
  let isSearched: Bool
}

extension SectionCondition {
  init(_ term: SeekTerm, isSearched: Bool) {
    self.init(
      sql: "\(term.compared) IS ?", column: term.column, position: term.position,
      isSearched: isSearched)
  }
}

// MARK: - What decides

extension PlanSQL {
  /// The comparisons that pick out a row's section; nil where columns cannot say it.
  private func sectionConditions(in columns: TableColumns) -> [SectionCondition]? {
    guard let section = plan.section else { return [] }
    guard let identity = seekTerm(section.identity, at: sectionOrder.count, in: columns) else {
      return nil
    }
    let isFixed = section.fixedSections != nil
    var conditions: [SectionCondition] = []
    // Sections may stand in the order of their own identity under another collation. Of two
    // comparisons of one column an index answers the one that comes first in the order.
    for (position, term) in sectionOrder.enumerated() where !isFixed {
      guard let term = seekTerm(term, at: position, in: columns), term.name == identity.name,
        identity.collation == .binary || identity.collation == term.collation
      else { return nil }
      conditions.append(SectionCondition(term, isSearched: conditions.isEmpty))
    }
    conditions.append(SectionCondition(identity, isSearched: conditions.isEmpty))
    return conditions
  }

  /// The terms that decide inside a section, each once; nil where one is not a column.
  private func seekTerms(in columns: TableColumns) -> [SeekTerm]? {
    let start = sectionOrder.count + (plan.section == nil ? 0 : 1)
    let identity = plan.section.flatMap {
      seekTerm($0.identity, at: sectionOrder.count, in: columns)
    }
    var terms: [SeekTerm] = []
    for (offset, term) in (plan.sort + plan.keyColumns.map(plan.keyTerm)).enumerated() {
      // Behind the row id nothing decides any more.
      if terms.last?.column.isRowID == true { break }
      guard let term = seekTerm(term, at: start + offset, in: columns) else { return nil }
      let isDecided = ([identity].compactMap { $0 } + terms).contains { earlier in
        earlier.name == term.name
          && (earlier.collation == .binary || earlier.collation == term.collation)
      }
      if !isDecided { terms.append(term) }
    }
    return terms
  }

  private func seekTerm(
    _ term: FetchPlan.SortTerm, at position: Int, in columns: TableColumns
  ) -> SeekTerm? {
    // The expression tells a column of the base table from the same column of a join to itself.
    guard let name = term.column?.name, let column = columns.column(named: name),
      term.expression == SQLFragment(SQLName.quote(plan.table, name))
    else { return nil }
    return SeekTerm(
      position: position, column: column, name: term.expression.sql,
      collation: term.collation ?? column.collation, isDescending: term.isDescending,
      isNullFirst: PlanOrdering.Term(term).isNullFirst)
  }

  /// The terms, with those together that can be compared as one row value.
  ///
  /// Where the first column of a row value is NULL, the rows are found by themselves; where another
  /// one is, they would be missed.
  private static func groups(of terms: [SeekTerm]) -> [[SeekTerm]] {
    var groups: [[SeekTerm]] = []
    for term in terms {
      if let last = groups.last?.last, last.isDescending == term.isDescending, !term.isNullable {
        groups[groups.count - 1].append(term)
      } else {
        groups.append([term])
      }
    }
    return groups
  }
}

// MARK: - Statements

extension PlanSQL {
  /// The steps for the rows that are equal in `draft` and come before in `group`.
  private func steps(
    _ draft: StepDraft, comparing group: [SeekTerm], before rest: [SeekTerm]
  ) -> [PredecessorQuery.Step] {
    let first = group[0]
    let sign = first.isDescending ? ">" : "<"
    let isRow = group.count > 1
    let columns = Self.row(group.map(isRow ? \.name : \.compared))
    let marks = Self.row(group.map { isRow ? $0.markInRow : "?" })
    let comparing = step(
      draft, last: "\(columns) \(sign) \(marks)", positions: group.map(\.position),
      orderedBy: group + rest,
      range: Self.searches(for: group)
        .map { $0 + sign + Self.row(group.map { _ in "?" }, separator: ",") })
    guard first.isNullable, first.isNullFirst else { return [comparing] }
    let withNull = step(
      draft, last: "\(first.name) IS NULL", positions: [],
      orderedBy: group.dropFirst() + rest, range: nil, null: first)
    return [comparing, withNull]
  }

  private func step(
    _ draft: StepDraft, last condition: String, positions: [Int], orderedBy terms: [SeekTerm],
    range: [String]?, null: SeekTerm? = nil
  ) -> PredecessorQuery.Step {
    let conditions =
      draft.pins.map(\.condition.sql) + draft.conditions.map(\.sql)
      + draft.equal.map { "\($0.compared) IS ?" } + [condition]
    let searched =
      draft.pins.map(\.column) + draft.conditions.filter(\.isSearched).map(\.column)
      + (draft.equal + [null].compactMap { $0 }).map(\.column)
    let keys = plan.keyColumns.map { SQLName.quote(plan.table, $0) }
    let selected = (keys + [draft.first?.name].compactMap(\.self)).joined(separator: ", ")
    let order = terms.map(\.reversed).joined(separator: ", ")
    return PredecessorQuery.Step(
      sql: "SELECT \(selected) FROM \(SQLName.table(plan.table))"
        + " WHERE \(conditions.joined(separator: " AND "))"
        + (order.isEmpty ? "" : " ORDER BY \(order)"),
      values: draft.pins.flatMap(\.condition.values),
      positions: draft.conditions.map(\.position) + draft.equal.map(\.position) + positions,
      nullPosition: null?.position,
      equalities: searched.map(\.equality), range: range)
  }

  /// How a search of an index may show what a group is compared by; only its last column can be the
  /// row id.
  private static func searches(for group: [SeekTerm]) -> [String] {
    let names = group.dropLast().map(\.column.name)
    return (group.last?.column.searchNames ?? []).map { row(names + [$0], separator: ",") }
  }

  private static func row(_ parts: [String], separator: String = ", ") -> String {
    parts.count == 1 ? parts[0] : "(\(parts.joined(separator: separator)))"
  }
}
