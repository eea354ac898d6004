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

  init(
    keyCount: Int, hasIdentity: Bool, sectionOrderCount: Int, hasTitle: Bool, sortCount: Int,
    itemCount: Int
  ) {
    key = 0..<keyCount
    var next = keyCount
    identity = hasIdentity ? next : nil
    if hasIdentity { next += 1 }
    sectionOrder = next..<(next + sectionOrderCount)
    next += sectionOrderCount
    title = hasTitle ? next : nil
    if hasTitle { next += 1 }
    sort = next..<(next + sortCount)
    next += sortCount
    item = next..<(next + itemCount)
  }
}
