internal import SectileCore

/// How a request groups rows, before it is written as SQL.
package struct SectionTerm: Sendable {
  package var identity: SortTerm
  /// The form of the identity, which may say how it is written out.
  package var identityForm = ColumnEncoding.standard
  package var order: [SortTerm] = []
  package var title: SQLExpression?
  /// The form of the title.
  package var titleForm = ColumnEncoding.standard
  package var fixedSections: [SQLExpression]?

  /// Returns the grouping as the plan's.
  package func planSection(
    with renderer: inout SQLRenderer
  ) throws(StoreError) -> FetchPlan.Section {
    var section = FetchPlan.Section(identity: try identity.planTerm(with: &renderer))
    for term in order { section.order.append(try term.planTerm(with: &renderer)) }
    if let title { section.title = try renderer.render(title) }
    (section.identityForm, section.titleForm) = (identityForm, titleForm)
    if let fixedSections {
      var values: [StoredValue] = []
      for member in fixedSections {
        switch member {
        case .value(let value): values.append(value)
        case .invalid(let error): throw error
        default: throw .invalidRequest("A fixed section is a value, not an expression.")
        }
      }
      section.fixedSections = values
    }
    return section
  }
}
