public import SectileCore

extension FetchRequest {
  /// Groups rows into sections by a field.
  ///
  /// Rows with one value form one section; rows without a value form one of their own. Sections are
  /// ordered by that value and titled with it, unless the last closure says otherwise.
  ///
  /// ```swift
  /// request.sectioned(by: \.section)
  /// request.sectioned(by: \.artist.name, .descending, nulls: .last)
  /// request.sectioned(by: \.name.firstLetter)
  /// request.sectioned(by: \.createdAt.calendarDay, .descending)
  /// request.sectioned { $0.installedSize.bucket(of: 1024) }
  /// request.sectioned(by: \.team.id) { $0.ordered(by: \.team.position).titled(with: \.team.name) }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The field: a key path, also through to-one relationships, or a closure.
  ///   - direction: Which sections come first.
  ///   - collation: How text compares; nil for the collation the column declares. Under `NOCASE`,
  ///     texts that differ only in case form one section.
  ///   - nulls: Where the section of rows without a value goes.
  ///   - describe: Says how sections are ordered and titled, where that is not by the field.
  /// - Returns: The refined request.
  public func sectioned<Value>(
    by key: (EntityFields<E>) -> FieldExpression<Value>, _ direction: SortDirection = .ascending,
    collation: TextCollation? = nil, nulls: NullOrder? = nil,
    describe: (Sections) -> Sections = { $0 }
  ) -> Self {
    let field = key(.base)
    let term = SectionTerm(
      identity: SortTerm(field.expression, direction, collation: collation, nulls: nulls),
      identityForm: field.form)
    return with { $0.section = describe(Sections(term: term)).term }
  }

  /// Groups rows into sections by a field, into a list of sections that is known beforehand.
  ///
  /// The sections exist in the list's order whether they have rows or not; rows with other values
  /// are not wanted.
  ///
  /// ```swift
  /// request.sectioned(by: \.priority, sections: [.required, .important, .optional])
  /// request.sectioned(by: \.columnId, sections: [1, 2, 3]) { $0.titled(with: \.column.name) }
  /// ```
  ///
  /// A section without rows is titled with its value; with a field of a related item, as in the
  /// second line, as the item is called that the value refers to.
  public func sectioned<Value: StorableValue>(
    by key: (EntityFields<E>) -> FieldExpression<Value>, collation: TextCollation? = nil,
    sections: [Value], describe: (Sections) -> Sections = { $0 }
  ) -> Self {
    let field = key(.base)
    let term = SectionTerm(
      identity: SortTerm(field.expression, collation: collation), identityForm: field.form,
      fixedSections: sections.map { SQLExpression($0, in: field.form) })
    return with { $0.section = describe(Sections(term: term)).term }
  }

  /// Puts all rows into one section again.
  public func unsectioned() -> Self {
    with { $0.section = nil }
  }

  /// How the sections of a request are ordered and titled: by another field than the one that rows
  /// are grouped by.
  ///
  /// See ``sectioned(by:_:collation:nulls:describe:)``.
  public struct Sections: Sendable {
    fileprivate var term: SectionTerm

    /// Orders sections by another field than the one they are grouped by.
    ///
    /// Rows of one section should agree in it. A second call gives the key for ties of the first.
    ///
    /// - Parameters:
    ///   - key: The field: a key path, also through to-one relationships, or a closure.
    ///   - direction: Which sections come first.
    ///   - collation: How text compares; nil for the collation the column declares.
    ///   - nulls: Where sections without a value go.
    /// - Returns: The refined description.
    public func ordered<Value>(
      by key: (EntityFields<E>) -> FieldExpression<Value>, _ direction: SortDirection = .ascending,
      collation: TextCollation? = nil, nulls: NullOrder? = nil
    ) -> Self {
      var sections = self
      let expression = key(.base).orderedExpression
      sections.term.order.append(
        SortTerm(expression, direction, collation: collation, nulls: nulls))
      return sections
    }

    /// Titles sections with another field than the one they are grouped by; the first row counts.
    ///
    /// A section of a list that has no rows is titled with the field of the related item that its
    /// value refers to.
    ///
    /// - Parameter title: The field: a key path, also through to-one relationships, or a closure.
    /// - Returns: The refined description.
    public func titled<Value>(
      with title: (EntityFields<E>) -> FieldExpression<Value>
    ) -> Self {
      var sections = self
      let field = title(.base)
      (sections.term.title, sections.term.titleForm) = (field.expression, field.form)
      return sections
    }
  }
}
