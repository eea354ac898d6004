import SectileCore

/// The aggregates of the sections that a change of single rows touches, as they become.
///
/// Each row is followed: what it was is taken away from its section, and what it is is added. Where
/// that cannot be told, the section is counted anew at the end. The aggregates of the contents
/// follow from those of the sections before and after.
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

  /// What aggregates looked at in a row before.
  struct Before {
    let operands: [RawColumn]
    /// The compared columns; nil where they are not known.
    let compared: [RawColumn]?
  }

  /// The aggregates of some rows, as far as the rows that were followed tell them.
  private struct Tally {
    var states: [AggregateState]
    /// Which aggregates have to be counted anew.
    var unknown: Set<Int> = []

    mutating func remove(
      _ operands: [RawColumn]?, by rules: [AggregateRule], except kept: Set<Int>
    ) {
      for position in rules.indices where isKnown(position, except: kept) {
        let rule = rules[position]
        let isKnown =
          if rule.kind == .rowCount {
            rule.remove(.null, from: &states[position])
          } else if let operands {
            rule.remove(operands[position], from: &states[position])
          } else {
            false
          }
        if !isKnown { unknown.insert(position) }
      }
    }

    mutating func add(
      _ operands: [RawColumn], by rules: [AggregateRule], except kept: Set<Int>
    ) {
      for position in rules.indices where isKnown(position, except: kept) {
        if !rules[position].add(operands[position], to: &states[position]) {
          unknown.insert(position)
        }
      }
    }

    private func isKnown(_ position: Int, except kept: Set<Int>) -> Bool {
      (unknown.isEmpty || !unknown.contains(position))
        && (kept.isEmpty || !kept.contains(position))
    }
  }

  private struct SectionTally {
    let source: Int?
    let target: Int
    let header: SourceSection
    var rows: Tally
  }

  private let base: PlanContents
  private let edits: ContentsEdits
  private let reading: AggregateReading
  private let rules: [AggregateRule]
  private let hasSections: Bool
  private let sections: SectionCorrespondence
  private var tallies: [SectionTally] = []
  /// Where the tally of a section is, by ordinal after.
  private var positions: [Int: Int] = [:]
  /// All rows, but for those of sections that are gone.
  private var all: Tally

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
    rules = reading.rules.rules
    hasSections = reading.reader.queries.plan.section != nil
    all = Tally(states: base.aggregates.states ?? reading.rules.empty)
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
  mutating func follow(
    _ row: PlanTransition, before: @autoclosure () throws -> Before?
  ) throws {
    let home = row.source.flatMap { sections.target(of: $0.section) }
    guard row.source == nil || row.isContentChanged || home != row.target?.section else { return }
    let former = try home == nil ? nil : before()
    guard let target = row.target?.section else {
      if let home { remove(former, from: home, except: []) }
      return
    }
    var isRead = false
    try reading.withOperands(of: row.key) { operands, compared in
      isRead = true
      var kept: Set<Int> = []
      if home == target, let before = former?.compared, !before.isEmpty {
        kept = reading.rules.unaffected(from: before, to: compared)
      }
      if let home { remove(former, from: home, except: kept) }
      let position = position(of: target)
      tallies[position].rows.add(operands, by: rules, except: kept)
      if hasSections { all.add(operands, by: rules, except: kept) }
    }
    if !isRead { throw StaleContents() }
  }

  private mutating func remove(_ before: Before?, from section: Int, except kept: Set<Int>) {
    let position = position(of: section)
    tallies[position].rows.remove(before?.operands, by: rules, except: kept)
    if hasSections { all.remove(before?.operands, by: rules, except: kept) }
  }

  /// Where the tally of a section is, which is there from then on.
  private mutating func position(of section: Int) -> Int {
    // Rows of one section mostly follow one another.
    if let last = tallies.last, last.target == section { return tallies.count - 1 }
    if let position = positions[section] { return position }
    positions[section] = tallies.count
    tallies.append(tally(of: section))
    return tallies.count - 1
  }

  /// A section of which no row was followed yet.
  private func tally(of section: Int) -> SectionTally {
    if let new = edits.index.insertedSections.first(where: { $0.ordinal == section }) {
      return SectionTally(
        source: nil, target: section, header: new.header, rows: Tally(states: reading.rules.empty))
    }
    let source = sections.source(of: section) ?? section
    let header = base.index.header(ofSection: source)
    return SectionTally(
      source: source, target: section, header: header,
      rows: Tally(states: header.aggregates.states ?? reading.rules.empty))
  }

  // MARK: Ends

  /// Counts anew what cannot be told.
  ///
  /// - Parameter rows: What became of all rows.
  /// - Returns: The headers and the aggregates of the contents; nil where nothing was followed.
  /// - Throws: What reading throws; `aggregateTooLarge`.
  mutating func finish(_ rows: [PlanTransition]) throws -> Outcome? {
    var renamed: [Int: SourceSection] = [:]
    for section in edits.index.updatedSections where renamed[section.ordinal] == nil {
      renamed[section.ordinal] = section.header
      _ = position(of: section.ordinal)
    }
    guard !tallies.isEmpty || !edits.index.removedSections.isEmpty else { return nil }
    if tallies.count > 1 { tallies.sort { $0.target < $1.target } }
    var headers: [Header] = []
    headers.reserveCapacity(tallies.count)
    for var tally in tallies {
      if !tally.rows.unknown.isEmpty { try recount(&tally, rows) }
      let values = try reading.rules.values(of: tally.rows.states)
      let header = renamed.isEmpty ? tally.header : renamed[tally.target] ?? tally.header
      headers.append(
        Header(
          source: tally.source, target: tally.target,
          before: tally.source.map { base.index.header(ofSection: $0) },
          after: header.with(values)))
    }
    return Outcome(
      headers: headers, contents: try reading.rules.values(of: contents(headers)))
  }

  private func recount(_ tally: inout SectionTally, _ rows: [PlanTransition]) throws {
    let unknown = tally.rows.unknown.sorted()
    let count = tally.source.map { base.index.count(inSection: $0) } ?? 0
    // The statement reads all rows of a section, of which a window shows some.
    let keepsStatement =
      !reading.reader.queries.isWindowed
      && (reading.rules.seeksSections || count > base.count / 4
        || unknown.contains { rules[$0].isDistinct })
    if keepsStatement {
      try reading.recount(unknown, in: tally.header.identity, &tally.rows.states)
    } else {
      try reading.recount(unknown, ofRows: keys(in: tally.target, rows), &tally.rows.states)
    }
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
    guard hasSections else { return headers.first?.states ?? reading.rules.empty }
    let gone = edits.index.removedSections.compactMap {
      base.index.header(ofSection: $0).aggregates.states
    }
    var states = all.states
    var unknown = all.unknown
    for other in gone {
      for (position, rule) in rules.enumerated() where !unknown.contains(position) {
        if !rule.combine(&states[position], with: other[position], isAdded: false) {
          unknown.insert(position)
        }
      }
    }
    guard !unknown.isEmpty else { return states }
    for position in unknown where !rules[position].isDistinct {
      states[position] = total(position, headers, gone)
    }
    let distinct = unknown.filter { rules[$0].isDistinct }.sorted()
    if !distinct.isEmpty { try reading.countDistinct(distinct, in: nil, &states) }
    return states
  }

  /// The state of all rows from what it was, and what those of the sections were and are.
  private func total(
    _ position: Int, _ headers: [Header], _ gone: [[AggregateState]]
  ) -> AggregateState {
    let rule = rules[position]
    var state = base.aggregates.states?[position] ?? AggregateState()
    for former in gone + headers.compactMap({ $0.before?.aggregates.states }) {
      guard rule.combine(&state, with: former[position], isAdded: false) else {
        return folded(position, headers)
      }
    }
    for header in headers {
      guard let other = header.states else { continue }
      _ = rule.combine(&state, with: other[position], isAdded: true)
    }
    return state
  }

  /// The state of all rows from those of all sections.
  private func folded(_ position: Int, _ headers: [Header]) -> AggregateState {
    let rule = rules[position]
    let touched = Set(headers.compactMap(\.source) + edits.index.removedSections)
    var state = AggregateState()
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
