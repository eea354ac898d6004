import SectileCore
import SectileStore

/// What a plan yields, fetched by its SQL alone: the other opinion, that shares nothing with the
/// engine but the SELECT statement.
struct FreshFetch {
  private let sql: PlanSQL
  private let plan: FetchPlan
  private let foldedColumns: Set<String>

  /// `foldedColumns` are the columns of the plan's table that are declared NOCASE.
  ///
  /// Keys that are equal under it are told apart by their bytes.
  init(_ plan: FetchPlan, foldedColumns: Set<String> = []) {
    var plan = plan
    if plan.keyColumns.contains(where: foldedColumns.contains) {
      plan.sort += plan.keyColumns.map { plan.term($0) }
      plan.comparesKeyByBytes = true
    }
    self.plan = plan.resolvingCollations { foldedColumns.contains($0.name) ? .nocase : nil }
    self.foldedColumns = foldedColumns
    sql = PlanSQL(self.plan)
  }

  func contents(
    of store: Store, version: Int
  ) throws -> SectionedContents<UntypedRow.ID, UntypedRow> {
    let rows = try store.read {
      try $0.query(sql.selectRows.sql, values: sql.selectRows.values)
    }
    var contents = SectionedContents<UntypedRow.ID, UntypedRow>(
      version: version,
      sections: (plan.section?.fixedSections ?? []).map { .init(header: header($0, title: $0)) })
    for row in rows {
      let header = header(of: row)
      let position: Int
      if let known = contents.sections.firstIndex(where: {
        $0.header.identity == header.identity
      }) {
        position = known
        if contents.sections[known].rows.isEmpty { contents.sections[known].header = header }
      } else {
        position = contents.sections.count
        contents.sections.append(.init(header: header))
      }
      let id = UntypedRow.ID(keyValues: sql.layout.key.map { row.values[$0] })
      contents.sections[position].rows.append(
        .init(
          id: id,
          item: UntypedRow(
            id: id,
            row: StoredRow(columns: plan.itemColumns, values: Array(row.values[sql.layout.item])))))
    }
    try addAggregates(to: &contents)
    return contents
  }

  private func addAggregates(
    to contents: inout SectionedContents<UntypedRow.ID, UntypedRow>
  ) throws {
    guard !plan.aggregates.isEmpty else { return }
    func aggregates(_ rows: [SectionedContents<UntypedRow.ID, UntypedRow>.Row]) throws
      -> AggregateValues
    {
      try AggregateOracle.values(
        of: plan, rows.map(\.item.row.values), foldedColumns: foldedColumns)
    }
    contents.aggregates = try aggregates(contents.sections.flatMap(\.rows))
    for ordinal in contents.sections.indices {
      let section = contents.sections[ordinal]
      contents.sections[ordinal].header = section.header.with(try aggregates(section.rows))
    }
  }

  private func header(of row: StoredRow) -> SourceSection {
    guard let identity = sql.layout.identity else { return SourceSection(identity: nil, title: "") }
    return header(row.values[identity], title: row.values[sql.layout.title ?? identity])
  }

  private func header(_ identity: StoredValue, title: StoredValue) -> SourceSection {
    let text =
      switch title {
      case .null: ""
      case .text(let text): text
      default: title.description
      }
    return SourceSection(
      identity: identity, title: text, indexTitle: text.first.map { String($0).uppercased() })
  }
}
