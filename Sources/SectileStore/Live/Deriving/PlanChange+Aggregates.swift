import SectileCore

// Aggregates belong to headers. Where everything is read, they are worked out from everything;
// where single rows were touched, from what these were and are:
//
//   transitions ─→ what left and what came, section by section ─→ sections to be counted anew
//                                      └─→ headers, and the aggregates of the contents
extension PlanContents {
  /// Returns contents that were read as a whole with their aggregates.
  ///
  /// - Parameter reader: Reads in the access in which they were read.
  /// - Returns: The contents.
  /// - Throws: What reading throws; `aggregateTooLarge`.
  func aggregated(by reader: PlanReader) throws -> PlanContents {
    var contents = self
    guard let reading = AggregateReading(reader) else { return contents }
    let all = try reading.everything(contents.index)
    for (section, states) in all.sections.enumerated() {
      let header = contents.index.header(ofSection: section)
      contents.index.setHeader(
        header.with(try reading.rules.values(of: states)), ofSection: section)
    }
    contents.index.aggregates = try reading.rules.values(of: all.contents)
    return contents
  }
}

extension PlanChange {
  /// Returns a change of single rows with the aggregates that it leads to.
  ///
  /// - Parameter context: Knows the contents before, and reads rows.
  /// - Returns: The change.
  /// - Throws: What reading throws; `aggregateTooLarge`.
  /// - Complexity: O(*c* log *n*) for *c* rows, where what they were is known; a section that has
  ///   to be counted anew is read.
  func aggregated(in context: borrowing DerivationContext) throws -> PlanChange {
    guard let reading = AggregateReading(context.reader) else { return self }
    switch contents {
    case .oneRow(let row):
      return try reading.change(row.contentsEdits, Rows(row), in: context) ?? self
    case .edited(let edits, let rows):
      return try reading.change(edits, rows, in: context) ?? self
    case .replaced, .grown: return self
    }
  }
}

extension AggregateReading {
  fileprivate func change(
    _ edits: ContentsEdits, _ rows: PlanChange.Rows, in context: borrowing DerivationContext
  ) throws -> PlanChange? {
    let base = context.base
    var tallies = AggregateTallies(base: base, edits: edits, by: self)
    for row in rows.rows {
      try tallies.follow(row, before: operandsBefore(row, in: context))
    }
    guard let outcome = try tallies.finish(rows.rows) else { return nil }
    var edits = edits
    edits.aggregates = outcome.contents
    edits.index.setHeaders(outcome.headers) { base.index.order(ofSection: $0) }
    let changes = PlanChange.Rows(
      sectionChanges: rows.sectionChanges.settingHeaders(outcome.headers.map(\.change)),
      rows: rows.rows, kinds: rows.kinds,
      contentsUpdate: ContentsUpdate(from: base.aggregates, to: outcome.contents))
    return PlanChange(.edited(edits, changes), items: context.items)
  }

  /// What the aggregates looked at in a row before, valid as long as the rows before are; nil where
  /// that is not known.
  private func operandsBefore(
    _ row: PlanTransition, in context: borrowing DerivationContext
  ) throws -> AggregateTallies.Before? {
    guard row.source != nil else { return nil }
    guard let (entry, preImages) = context.rowsBefore.entry(of: row.key) else {
      return try operandsOfUntouched(row, in: context)
    }
    guard case .image(let offset) = entry else { return nil }
    let (columns, positions) = (preImages.columns(at: offset), context.rowsBefore.positions)
    return AggregateTallies.Before(
      operands: rules.rules.map { rule in
        rule.itemColumn.map { columns[positions[$0]] } ?? .null
      }, compared: rules.comparedColumns.map { columns[positions[$0]] })
  }

  /// What the aggregates look at in a row that nobody touched, and that leaves a window.
  ///
  /// Numbers alone: the bytes of text are gone with the statement.
  private func operandsOfUntouched(
    _ row: PlanTransition, in context: borrowing DerivationContext
  ) throws -> AggregateTallies.Before? {
    let plan = reader.queries.plan
    guard reader.queries.isWindowed, plan.joins.isEmpty, plan.dependencies.isEmpty,
      !context.rowsBefore.mayLackRows
    else { return nil }
    var result: AggregateTallies.Before?
    try withOperands(of: row.key) { operands, _ in
      let areNumbers = operands.allSatisfy { $0.isNull || $0.storageRank == 1 }
      if areNumbers { result = AggregateTallies.Before(operands: operands, compared: nil) }
    }
    return result
  }
}

extension PlanTransition {
  /// What the row's change is to the contents, while all sections stay.
  fileprivate var contentsEdits: ContentsEdits {
    var edits = ContentsEdits()
    let isMoved = source != target
    if isMoved, let source { edits.index.removedRows = [source] }
    guard let target else {
      edits.removedKeys = [key]
      return edits
    }
    edits.rows = [
      ContentsEdits.Row(
        key: key, path: isMoved ? target : nil, content: after?.content ?? RowDigest.unknown,
        order: after?.order ?? RowDigest.unknown)
    ]
    return edits
  }
}

extension IndexEdits {
  /// Gives sections other headers.
  fileprivate mutating func setHeaders(
    _ headers: [AggregateTallies.Header], order: (_ source: Int) -> UInt64
  ) {
    for header in headers {
      if let position = insertedSections.firstIndex(where: { $0.ordinal == header.target }) {
        insertedSections[position].header = header.after
      } else if let position = updatedSections.firstIndex(where: { $0.ordinal == header.target }) {
        updatedSections[position].header = header.after
      } else if let source = header.source {
        updatedSections.append(
          Section(ordinal: header.target, header: header.after, order: order(source)))
      }
    }
  }
}
