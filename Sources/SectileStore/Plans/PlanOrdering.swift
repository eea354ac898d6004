/// How rows of a plan compare: section order, identity, sort terms, key, each in turn.
///
/// The columns stand in this order in ``PlanSQL/selectOrdering``; in a row of
/// ``PlanSQL/selectRows`` they are where ``PlanRowLayout`` says.
package struct PlanOrdering: Hashable, Sendable {
  /// How the values of one column compare.
  package struct Term: Hashable, Sendable {
    /// Whether larger values come first.
    package let isDescending: Bool
    /// Whether NULL comes before all other values.
    package let isNullFirst: Bool
    /// How text compares; nil for the collation that ``column`` declares, bytes where there is
    /// none.
    package let collation: TextCollation?
    /// The column, where the term is a column and nothing else.
    package let column: FetchPlan.Column?

    init(_ term: FetchPlan.SortTerm) {
      isDescending = term.isDescending
      isNullFirst =
        switch term.nullOrder {
        case .first: true
        case .last: false
        // NULL is smaller than everything to SQLite.
        case nil: !term.isDescending
        }
      collation = term.collation
      column = term.column
    }
  }

  /// What sections are ordered by before their identity.
  package let sectionOrder: [Term]
  /// The identity of the section; nil without sections.
  package let identity: Term?
  /// What rows are ordered by inside a section.
  package let sort: [Term]
  /// The primary key.
  package let key: [Term]

  /// All terms in the order in which they decide.
  package var terms: [Term] { sectionOrder + (identity.map { [$0] } ?? []) + sort + key }
}
