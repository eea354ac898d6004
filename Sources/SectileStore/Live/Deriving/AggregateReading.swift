import GRDBSQLite
import SectileCore

/// Reads what aggregates are worked out from: rows of all sections, of one, or one row.
struct AggregateReading {
  let reader: PlanReader
  let rules: AggregateRules

  /// The aggregates of a plan's rows; nil where it asks for none.
  init?(_ reader: PlanReader) {
    guard let rules = reader.queries.aggregates else { return nil }
    self.reader = reader
    self.rules = rules
  }

  // MARK: All rows

  /// The states of all sections, and of all rows together.
  struct Everything {
    var sections: [[AggregateState]]
    var contents: [AggregateState]
  }

  /// Reads all rows.
  ///
  /// - Parameter index: The sections; rows of others count in the contents alone.
  /// - Returns: The states.
  /// - Throws: What reading throws.
  /// - Complexity: O(*n*) for *n* rows.
  func everything(_ index: SectionedIndex) throws -> Everything {
    var all = Everything(
      sections: Array(repeating: rules.empty, count: index.sectionCount), contents: rules.empty)
    let statement = try RawStatement.cached(rules.operands.sql, on: reader.db)
    defer { statement.reset() }
    try statement.bindAll(rules.operands.values)
    // Rows of one section mostly follow one another.
    var last: (identity: StoredValue, section: Int?)?
    while try statement.step() {
      if last.map({ statement.column(0).holds($0.identity) }) != true {
        let identity = try statement.columnValue(at: 0)
        last = (identity, index.sectionOrdinal(of: identity))
      }
      add(statement, from: 1, to: &all.contents)
      if let section = last?.section { add(statement, from: 1, to: &all.sections[section]) }
    }
    try countDistinct(index, &all)
    return all
  }

  private func countDistinct(_ index: SectionedIndex, _ all: inout Everything) throws {
    let positions = rules.rules.indices.filter { rules.rules[$0].isDistinct }
    guard !positions.isEmpty else { return }
    try forEachRow(of: rules.distinctCounts(positions)) { statement in
      guard let section = index.sectionOrdinal(of: try statement.columnValue(at: 0)) else { return }
      for (offset, position) in positions.enumerated() {
        all.sections[section][position].count = Int(statement.castInteger(at: offset + 1))
      }
    }
    try countDistinct(positions, in: nil, &all.contents)
  }

  // MARK: The rows of one section

  /// Reads some aggregates of one section anew.
  ///
  /// - Parameters:
  ///   - positions: Which.
  ///   - identity: The section's identity.
  ///   - states: Takes them.
  /// - Throws: What reading throws.
  func recount(
    _ positions: [Int], in identity: StoredValue, _ states: inout [AggregateState]
  ) throws {
    let distinct = positions.filter { rules.rules[$0].isDistinct }
    if !distinct.isEmpty { try countDistinct(distinct, in: identity, &states) }
    let others = positions.filter { !rules.rules[$0].isDistinct }
    guard !others.isEmpty else { return }
    for position in others { states[position] = AggregateState() }
    try forEachRow(of: bound(rules.operandsInSection(others), identity)) { statement in
      for (offset, position) in others.enumerated() {
        add(statement, at: offset, to: &states[position], by: rules.rules[position])
      }
    }
  }

  /// Reads some aggregates of rows anew, one row after the other.
  func recount(
    _ positions: [Int], ofRows keys: some Sequence<RowKey>, _ states: inout [AggregateState]
  ) throws {
    for position in positions { states[position] = AggregateState() }
    for key in keys {
      try withOperands(of: key) { operands, _ in
        for position in positions {
          _ = rules.rules[position].add(operands[position], to: &states[position])
        }
      }
    }
  }

  /// Counts different values in one section, or in all rows.
  func countDistinct(
    _ positions: [Int], in identity: StoredValue?, _ states: inout [AggregateState]
  ) throws {
    let counts = rules.distinctCounts(positions, inSection: identity != nil)
    try forEachRow(of: identity.map { bound(counts, $0) } ?? counts) { statement in
      for (offset, position) in positions.enumerated() {
        states[position].count = Int(statement.castInteger(at: offset))
      }
    }
  }

  private func bound(_ query: SQLFragment, _ identity: StoredValue) -> SQLFragment {
    guard reader.queries.plan.section != nil else { return query }
    return SQLFragment(query.sql, query.values + [identity])
  }

  // MARK: One row

  /// Calls `body` with what the aggregates look at in a row, and the columns to compare, valid
  /// inside it; not where there is no such row.
  func withOperands(
    of key: RowKey, _ body: (_ operands: [RawColumn], _ compared: [RawColumn]) throws -> Void
  ) throws {
    let statement = try RawStatement.cached(rules.operandsOfRow.sql, on: reader.db)
    defer { statement.reset() }
    try statement.bind(rules.operandsOfRow.values, from: rules.operandsOfRow.valueParameter)
    try statement.bind(key, from: rules.operandsOfRow.keyParameter)
    guard try statement.step() else { return }
    let count = rules.rules.count
    try body(
      rules.rules.indices.map { operand(statement, at: $0, for: rules.rules[$0]) },
      rules.comparedColumns.indices.map { statement.column(count + $0) })
  }

  // MARK: Adding

  private func forEachRow(
    of query: SQLFragment, _ body: (RawStatement) throws -> Void
  ) throws {
    let statement = try RawStatement.cached(query.sql, on: reader.db)
    defer { statement.reset() }
    try statement.bindAll(query.values)
    while try statement.step() { try body(statement) }
  }

  private func add(
    _ statement: RawStatement, from first: Int, to states: inout [AggregateState]
  ) {
    for position in states.indices {
      add(statement, at: first + position, to: &states[position], by: rules.rules[position])
    }
  }

  /// Adds the row a statement stands on; what SQLite has to count is left alone.
  private func add(
    _ statement: RawStatement, at column: Int, to state: inout AggregateState,
    by rule: AggregateRule
  ) {
    _ = rule.add(operand(statement, at: column, for: rule), to: &state)
  }

  private func operand(
    _ statement: RawStatement, at column: Int, for rule: AggregateRule
  ) -> RawColumn {
    switch rule.kind {
    case .sum, .average, .conditionCount: RawColumn.number(statement.handle, Int32(column))
    default: statement.column(column)
    }
  }
}
