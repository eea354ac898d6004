import SectileCore

/// The aggregates of the sections that a change of single rows touches, as they become.
///
/// Each row is followed: what it was is taken away from its section, and what it is is added. Where that cannot
/// be told, the section is counted anew at the end. The aggregates of the contents follow from those of the
/// sections before and after.
struct AggregateTallies {
  /// A section whose aggregates, or their states, are others.
  struct Header {
    /// Its ordinal before; nil for a new one.
    let source: Int?
    let target: Int
    let before: SourceSection?
    let after: SourceSection

    var change: SectionChanges.HeaderChange {
      SectionChanges.HeaderChange(source: source, target: target, before: before, after: after)
    }
  }

  /// What there is to say of headers and contents.
  struct Outcome {
    let headers: [Header]
    let contents: AggregateValues
  }

  private struct Tally {
    let source: Int?
    let header: SourceSection
    var states: [AggregateState]
    /// Which aggregates have to be counted anew.
    var unknown: Set<Int> = []
  }

  private let base: PlanContents
  private let edits: ContentsEdits
  private let reading: AggregateReading
  private let sections: SectionCorrespondence
  /// By ordinal after.
  private var tallies: [Int: Tally] = [:]

  private var rules: [AggregateRule] { reading.rules.rules }

  /// Begins with the contents before.
  ///
  /// - Parameters:
  ///   - base: The contents before.
  ///   - edits: What becomes of rows and sections.
  ///   - reading: Reads rows.
  init(base: PlanContents, edits: ContentsEdits, by reading: AggregateReading) {
    self.base = base
    self.edits = edits
    self.reading = reading
    let (deleted, inserted) = (edits.index.removedSections, edits.index.insertedSections)
    sections =
      deleted.isEmpty && inserted.isEmpty
      ? .unchanged
      : SectionCorrespondence(deleted: deleted, inserted: inserted.map(\.ordinal))
  }

  // MARK: Rows

  /// Follows a row.
  ///
  /// - Parameters:
  ///   - row: What became of it.
  ///   - before: What the aggregates looked at in it before; nil where that is not known.
  /// - Throws: What reading throws.
  mutating func follow(_ row: PlanTransition, before: @autoclosure () -> [RawColumn]?) throws {
    let home = row.source.flatMap { sections.target(of: $0.section) }
    guard row.source == nil || row.isContentChanged || home != row.target?.section else { return }
    let before = row.source == nil ? nil : before()
    if let home { leave(home, before) }
    guard let target = row.target?.section else { return }
    var isRead = false
    try reading.withOperands(of: row.key) { statement in
      isRead = true
      arrive(target, statement)
    }
    if !isRead { throw StaleContents() }
  }

  private mutating func leave(_ section: Int, _ operands: [RawColumn]?) {
    edit(section) { tally, rules in
      for (position, rule) in rules.enumerated() where !tally.unknown.contains(position) {
        let isKnown =
          if case .rowCount = rule.function {
            rule.remove(.null, from: &tally.states[position])
          } else {
            operands.map { rule.remove($0[position], from: &tally.states[position]) } ?? false
          }
        if !isKnown { tally.unknown.insert(position) }
      }
    }
  }

  private mutating func arrive(_ section: Int, _ statement: RawStatement) {
    let reading = reading
    edit(section) { tally, rules in
      for (position, rule) in rules.enumerated() where !tally.unknown.contains(position) {
        if rule.isDistinct {
          tally.unknown.insert(position)
        } else {
          reading.add(statement, at: position, to: &tally.states[position], by: rule)
        }
      }
    }
  }

  private mutating func edit(
    _ section: Int, _ body: (inout Tally, [AggregateRule]) -> Void
  ) {
    var tally = tallies.removeValue(forKey: section) ?? self.tally(of: section)
    body(&tally, rules)
    tallies[section] = tally
  }

  /// A section of which no row was followed yet.
  private func tally(of section: Int) -> Tally {
    if let new = edits.index.insertedSections.first(where: { $0.ordinal == section }) {
      return Tally(source: nil, header: new.header, states: reading.rules.empty)
    }
    let source = sections.source(of: section) ?? section
    let header = base.index.header(ofSection: source)
    return Tally(
      source: source, header: header, states: header.aggregates.states ?? reading.rules.empty)
  }

  // MARK: Ends

  /// Counts anew what cannot be told.
  ///
  /// - Parameter rows: What became of all rows.
  /// - Returns: The headers and the aggregates of the contents; nil where nothing was followed.
  /// - Throws: What reading throws; `aggregateTooLarge`.
  mutating func finish(_ rows: [PlanTransition]) throws -> Outcome? {
    let renamed = Dictionary(
      edits.index.updatedSections.map { ($0.ordinal, $0.header) }
    ) { first, _ in first }
    for section in renamed.keys where tallies[section] == nil {
      tallies[section] = tally(of: section)
    }
    guard !tallies.isEmpty || !edits.index.removedSections.isEmpty else { return nil }
    for section in tallies.keys.sorted() { try recount(section, rows) }
    var headers: [Header] = []
    for (section, tally) in tallies.sorted(by: { $0.key < $1.key }) {
      let before = tally.source.map { base.index.header(ofSection: $0) }
      let values = try reading.rules.values(of: tally.states)
      headers.append(
        Header(
          source: tally.source, target: section, before: before,
          after: (renamed[section] ?? tally.header).with(values)))
    }
    return Outcome(
      headers: headers, contents: try reading.rules.values(of: contents(headers)))
  }

  private mutating func recount(_ section: Int, _ rows: [PlanTransition]) throws {
    guard var tally = tallies[section], !tally.unknown.isEmpty else { return }
    let unknown = tally.unknown.sorted()
    let count = tally.source.map { base.index.count(inSection: $0) } ?? 0
    let keepsStatement =
      reading.rules.seeksSections || count > base.count / 4
      || unknown.contains { rules[$0].isDistinct }
    if keepsStatement {
      try reading.recount(unknown, in: tally.header.identity, &tally.states)
    } else {
      try reading.recount(unknown, ofRows: keys(in: section, rows), &tally.states)
    }
    tallies[section] = tally
  }

  /// The rows of a section after the change.
  private func keys(in section: Int, _ rows: [PlanTransition]) -> Set<RowKey> {
    let source = sections.source(of: section)
    var keys = Set(
      (source.map { base.index.handles(inSection: $0) } ?? []).map { base.keys.key(of: $0) })
    for row in rows where row.source?.section == source { keys.remove(row.key) }
    for row in rows where row.target?.section == section { keys.insert(row.key) }
    return keys
  }

  /// The states of all rows, from those of the sections.
  private func contents(_ headers: [Header]) throws -> [AggregateState] {
    // One section is all there is.
    if reading.reader.queries.plan.section == nil {
      return headers.first?.states ?? reading.rules.empty
    }
    var states = base.aggregates.states ?? reading.rules.empty
    let gone = edits.index.removedSections.compactMap {
      base.index.header(ofSection: $0).aggregates.states
    }
    let former = gone + headers.compactMap { $0.before?.aggregates.states }
    let new = headers.compactMap(\.states)
    var distinct: [Int] = []
    for (position, rule) in rules.enumerated() {
      if rule.isDistinct {
        distinct.append(position)
        continue
      }
      var isKnown = true
      for other in former where isKnown {
        isKnown = rule.combine(&states[position], with: other[position], isAdded: false)
      }
      if isKnown {
        for other in new {
          _ = rule.combine(&states[position], with: other[position], isAdded: true)
        }
      } else {
        states[position] = folded(position, headers)
      }
    }
    if !distinct.isEmpty { try reading.countDistinct(distinct, in: nil, &states) }
    return states
  }

  /// The state of all rows from those of all sections.
  private func folded(_ position: Int, _ headers: [Header]) -> AggregateState {
    let rule = rules[position]
    let touched = Set(headers.compactMap(\.source) + edits.index.removedSections)
    var state = rule.empty
    for section in 0..<base.index.sectionCount where !touched.contains(section) {
      guard let other = base.index.header(ofSection: section).aggregates.states else { continue }
      _ = rule.combine(&state, with: other[position], isAdded: true)
    }
    for header in headers {
      guard let other = header.states else { continue }
      _ = rule.combine(&state, with: other[position], isAdded: true)
    }
    return state
  }
}

extension AggregateTallies.Header {
  fileprivate var states: [AggregateState]? { after.aggregates.states }
}
