public import SectileCore

extension Query {
  /// Groups rows into sections by a column.
  ///
  /// Rows with one value form one section; rows without a value form one of their own. Sections are
  /// ordered by that value and titled with it, unless the last closure says otherwise.
  ///
  /// ```swift
  /// query.sectioned(by: "country", nulls: .last)
  /// query.sectioned(by: "team_id") { $0.ordered(by: "team_position").titled(with: "team_name") }
  /// ```
  ///
  /// - Parameters:
  ///   - column: A column of the query.
  ///   - direction: Which sections come first.
  ///   - collation: How text compares; nil for the collation that the column has.
  ///   - nulls: Where the section of rows without a value goes.
  ///   - describe: Says how sections are ordered and titled, where that is not by the column.
  /// - Returns: The refined query.
  public func sectioned(
    by column: String, _ direction: SortDirection = .ascending, collation: TextCollation? = nil,
    nulls: NullOrder? = nil, describe: (Sections) -> Sections = { $0 }
  ) -> Self {
    let term = Term(
      expression: .column(column), direction: direction, collation: collation, nulls: nulls)
    return with { $0.section = describe(Sections(identity: term)) }
  }

  /// Groups rows into sections by SQL over the query's columns.
  ///
  /// See ``sectioned(by:_:collation:nulls:describe:)-(String,_,_,_,_)`` for more information.
  public func sectioned(
    by fragment: SQLFragment, _ direction: SortDirection = .ascending,
    collation: TextCollation? = nil, nulls: NullOrder? = nil,
    describe: (Sections) -> Sections = { $0 }
  ) -> Self {
    let term = Term(
      expression: .sql(fragment), direction: direction, collation: collation, nulls: nulls)
    return with { $0.section = describe(Sections(identity: term)) }
  }

  /// Groups rows into sections by a column, into a list of sections that is known beforehand.
  ///
  /// The sections exist in the list's order whether they have rows or not; rows with other values
  /// are not wanted.
  ///
  /// - Parameters:
  ///   - column: A column of the query.
  ///   - collation: How text compares; nil for the collation that the column has.
  ///   - sections: The values of the column that have a section.
  ///   - describe: Says how sections are titled, where that is not by the column.
  /// - Returns: The refined query.
  public func sectioned(
    by column: String, collation: TextCollation? = nil, sections: [StoredValue],
    describe: (Sections) -> Sections = { $0 }
  ) -> Self {
    let term = Term(
      expression: .column(column), direction: .ascending, collation: collation, nulls: nil)
    return with {
      $0.section = describe(Sections(identity: term, fixedSections: sections))
    }
  }

  /// Puts all rows into one section again.
  public func unsectioned() -> Self {
    with { $0.section = nil }
  }

  /// How the sections of a query are ordered and titled: by another column than the one that rows
  /// are grouped by.
  ///
  /// See ``sectioned(by:_:collation:nulls:describe:)-(String,_,_,_,_)``.
  public struct Sections: Hashable, Sendable {
    let identity: Term
    var fixedSections: [StoredValue]?
    private(set) var order: [Term] = []
    private(set) var title: Expression?

    init(identity: Term, fixedSections: [StoredValue]? = nil) {
      self.identity = identity
      self.fixedSections = fixedSections
    }

    /// Orders sections by another column than the one they are grouped by.
    ///
    /// Rows of one section should agree in it. A second call gives the key for ties of the first.
    ///
    /// - Parameters:
    ///   - column: A column of the query.
    ///   - direction: Which sections come first.
    ///   - collation: How text compares; nil for the collation that the column has.
    ///   - nulls: Where sections without a value go.
    /// - Returns: The refined description.
    public func ordered(
      by column: String, _ direction: SortDirection = .ascending, collation: TextCollation? = nil,
      nulls: NullOrder? = nil
    ) -> Self {
      var sections = self
      sections.order.append(
        Term(expression: .column(column), direction: direction, collation: collation, nulls: nulls))
      return sections
    }

    /// Titles sections with another column than the one they are grouped by; the first row counts.
    ///
    /// - Parameter column: A column of the query.
    /// - Returns: The refined description.
    public func titled(with column: String) -> Self {
      var sections = self
      sections.title = .column(column)
      return sections
    }

    /// Titles sections with SQL over the query's columns; the first row counts.
    ///
    /// - Parameter fragment: The SQL.
    /// - Returns: The refined description.
    public func titled(with fragment: SQLFragment) -> Self {
      var sections = self
      sections.title = .sql(fragment)
      return sections
    }
  }
}
