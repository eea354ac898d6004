internal import SectileCore

/// Which columns a statement selects of a plan's rows, and where they are.
///
/// Each is selected once: what a row is found, grouped and sorted by is mostly part of its item,
/// too, and SQLite takes a column out of the row anew for each time it is selected.
///
/// ```
/// item …, then what is not among them: key … | identity | section order … | title | sort …
/// ```
package final class PlanRowLayout: Sendable {
  /// What is selected.
  package let columns: SQLFragment
  /// How many columns are selected.
  package let columnCount: Int
  /// What an item is made of.
  package let item: Range<Int>
  /// The primary key.
  package let key: [Int]
  /// The identity of the section; nil without sections.
  package let identity: Int?
  /// What sections are ordered by before their identity.
  package let sectionOrder: [Int]
  /// The section's title; nil when it is the identity.
  package let title: Int?
  /// The form of what a section is called, which may say how it is written out.
  package let titleForm: ColumnEncoding
  /// What rows are ordered by inside a section.
  package let sort: [Int]
  /// The values of the complete order.
  package let ordering: [Int]

  /// Lays out the columns of a plan's rows, all of them or without those nobody looks at.
  package init(_ plan: FetchPlan, withSort: Bool = true, withItems: Bool = true) {
    var columns = withItems ? plan.itemColumns.map(plan.qualified) : []
    item = columns.indices
    func position(of column: SQLFragment) -> Int {
      if let known = columns.firstIndex(of: column) { return known }
      columns.append(column)
      return columns.count - 1
    }
    key = plan.keyColumns.map { position(of: plan.qualified($0)) }
    identity = (plan.section?.foldedIdentity).map(position)
    sectionOrder = plan.section?.effectiveOrder.map { position(of: $0.expression) } ?? []
    title = (plan.section?.title).map(position)
    titleForm =
      (plan.section?.title == nil ? plan.section?.identityForm : plan.section?.titleForm)
      ?? .standard
    sort = withSort ? plan.sort.map { position(of: $0.expression) } : []
    ordering = sectionOrder + [identity].compactMap(\.self) + sort + key
    self.columns = SQLFragment(joining: columns)
    columnCount = columns.count
  }
}

extension FetchPlan {
  /// A column of the base table.
  func qualified(_ column: String) -> SQLFragment { SQLFragment(SQLName.quote(table, column)) }
}
