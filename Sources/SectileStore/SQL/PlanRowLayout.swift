/// Where the columns are in a row that ``PlanSQL/selectRows`` or ``PlanSQL/selectRow`` yields.
package struct PlanRowLayout: Hashable, Sendable {
  /// The primary key.
  package let key: Range<Int>
  /// The identity of the section; nil without sections.
  package let identity: Int?
  /// What sections are ordered by before their identity.
  package let sectionOrder: Range<Int>
  /// The section's title; nil when it is the identity.
  package let title: Int?
  /// What rows are ordered by inside a section.
  package let sort: Range<Int>
  /// What an item is made of.
  package let item: Range<Int>

  /// Lays out the columns of a plan's rows, all of them or without those nobody looks at.
  package init(_ plan: FetchPlan, withSort: Bool = true, withItems: Bool = true) {
    var next = 0
    func take(_ count: Int) -> Range<Int> {
      defer { next += count }
      return next..<next + count
    }
    key = take(plan.keyColumns.count)
    identity = take(plan.section == nil ? 0 : 1).first
    sectionOrder = take(plan.section?.effectiveOrder.count ?? 0)
    title = take(plan.section?.title == nil ? 0 : 1).first
    sort = take(withSort ? plan.sort.count : 0)
    item = take(withItems ? plan.itemColumns.count : 0)
  }
}
