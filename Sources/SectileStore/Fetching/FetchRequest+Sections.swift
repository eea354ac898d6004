// One section method for what a section is, and one for each part that may be told apart from it:
// the title, the order, the fixed list. Each refines the grouping that `sectioned(by:)` began.

extension FetchRequest {
  /// Groups rows into sections by a field.
  ///
  /// Rows with one value form one section; rows without a value form one of their own. Sections are
  /// ordered by that value and titled with it, unless ``sectionOrder(_:_:collation:nulls:)`` and
  /// ``sectionTitle(_:)`` say otherwise.
  ///
  /// ```swift
  /// request.sectioned(by: \.section)
  /// request.sectioned(by: \.artist.name, .descending, nulls: .last)
  /// request.sectioned(by: \.name.firstLetter)
  /// request.sectioned(by: \.createdAt.calendarDay, .descending)
  /// request.sectioned { $0.installedSize.bucket(of: 1024) }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The field: a key path, also through to-one relationships, or a closure.
  ///   - direction: Which sections come first.
  ///   - collation: How text compares; nil for the collation the column declares. Under `NOCASE`,
  ///     texts that differ only in case form one section.
  ///   - nulls: Where the section of rows without a value goes.
  /// - Returns: The refined request.
  public func sectioned<Value>(
    by key: (EntityFields<E>) -> FieldExpression<Value>, _ direction: SortDirection = .ascending,
    collation: TextCollation? = nil, nulls: NullOrder? = nil
  ) -> Self {
    let expression = key(.base).expression
    return with {
      $0.section = SectionTerm(
        identity: SortTerm(expression, direction, collation: collation, nulls: nulls))
    }
  }

  /// Groups rows into sections by a field, into a list of sections that is known beforehand.
  ///
  /// The sections exist in the list's order whether they have rows or not; rows with other values
  /// are not wanted.
  ///
  /// ```swift
  /// request.sectioned(by: \.priority, sections: [.required, .important, .optional])
  /// ```
  public func sectioned<Value: StorableValue>(
    by key: (EntityFields<E>) -> FieldExpression<Value>, collation: TextCollation? = nil,
    sections: [Value]
  ) -> Self {
    let expression = key(.base).expression
    return with {
      $0.section = SectionTerm(
        identity: SortTerm(expression, collation: collation),
        fixedSections: sections.map { SQLExpression($0) })
    }
  }

  /// Puts all rows into one section again.
  public func unsectioned() -> Self {
    with { $0.section = nil }
  }

  /// Orders sections by another field than the one they are grouped by.
  ///
  /// Rows of one section should agree in it. A second call gives the key for ties of the first.
  /// Without ``sectioned(by:_:collation:nulls:)`` before it, this means nothing.
  ///
  /// ```swift
  /// request.sectioned(by: \.team.id).sectionOrder(\.team.position).sectionTitle(\.team.name)
  /// ```
  public func sectionOrder<Value>(
    _ key: (EntityFields<E>) -> FieldExpression<Value>, _ direction: SortDirection = .ascending,
    collation: TextCollation? = nil, nulls: NullOrder? = nil
  ) -> Self {
    let expression = key(.base).expression
    return with {
      $0.section?.order.append(
        SortTerm(expression, direction, collation: collation, nulls: nulls))
    }
  }

  /// Titles sections with another field than the one they are grouped by; the first row counts.
  ///
  /// Without ``sectioned(by:_:collation:nulls:)`` before it, this means nothing.
  public func sectionTitle<Value>(
    _ title: (EntityFields<E>) -> FieldExpression<Value>
  ) -> Self {
    let expression = title(.base).expression
    return with { $0.section?.title = expression }
  }
}
