public import SectileCore

extension FetchPlan {
  /// How rows are grouped into sections: three expressions for who a section is, where it stands
  /// and what it is called.
  public struct Section: Hashable, Sendable {
    /// What makes a section this section.
    ///
    /// Rows with one identity form one section; NULL is an identity of its own. Its collation,
    /// direction and NULL order hold for the order of the sections, too.
    public var identity: SortTerm
    /// What sections are ordered by before their identity; empty to order by identity alone.
    public var order: [SortTerm]
    /// What a section is called; nil to write out its identity.
    ///
    /// Evaluated on the section's first row.
    public var title: SQLFragment?
    /// The sections that exist whatever rows there are, in this order; nil for the sections the
    /// rows themselves have.
    ///
    /// With a list, rows of other sections are not part of the contents.
    public var fixedSections: [StoredValue]?
    /// Whether every collation that a column declares is written out; see
    /// ``FetchPlan/resolvingCollations(_:)``.
    package var areCollationsResolved = false
    /// The form of the identity, where it is what a section is called.
    package var identityForm = ColumnEncoding.standard
    /// The form of the title.
    package var titleForm = ColumnEncoding.standard

    /// Creates a grouping.
    public init(
      identity: SortTerm, order: [SortTerm] = [], title: SQLFragment? = nil,
      fixedSections: [StoredValue]? = nil
    ) {
      self.identity = identity
      self.order = order
      self.title = title
      self.fixedSections = fixedSections
    }

    /// Returns what a section is called.
    ///
    /// - Parameters:
    ///   - title: The value of its title; nil where it has none.
    ///   - identity: What makes it this section.
    /// - Returns: The value to be written out.
    package func name(_ title: StoredValue?, of identity: StoredValue) -> StoredValue {
      title.map { titleForm.title(of: $0) } ?? identityForm.title(of: identity)
    }
  }
}
