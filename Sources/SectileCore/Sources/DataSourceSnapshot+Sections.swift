// Sections by what a reader knows of them: the index beside a list, a title, an identity.

extension DataSourceSnapshot {
  /// The index titles of the sections, in order; of neighbours with the same one, once.
  ///
  /// ```swift
  /// for title in snapshot.sectionIndexTitles { index.append(title) }  // A, B, D
  /// ```
  ///
  /// - Complexity: O(*s*) look-ups, where *s* is the number of sections.
  public var sectionIndexTitles: [String] {
    var titles: [String] = []
    for section in sections {
      if let title = section.indexTitle, title != titles.last { titles.append(title) }
    }
    return titles
  }

  /// Returns the ordinal of the first section with an index title, or nil if there is none.
  ///
  /// - Complexity: O(*s*) look-ups, where *s* is the number of sections.
  public func section(forIndexTitle title: String) -> Int? {
    sections.firstIndex { $0.indexTitle == title }
  }

  /// Returns the ordinal of the first section with a title, or nil if there is none.
  ///
  /// Titles are compared as Swift compares texts. Several sections may have the same one; what
  /// makes a section this section is its identity, see ``section(withIdentity:)``.
  ///
  /// - Complexity: O(*s*) look-ups, where *s* is the number of sections.
  public func section(withTitle title: String) -> Int? {
    sections.firstIndex { $0.title == title }
  }
}

extension DataSource {
  /// What is worked out from all items of the current version; ``AggregateValues/empty``, unless
  /// the source was asked for it.
  public var aggregates: AggregateValues { snapshot.aggregates }

  /// The index titles of the sections, in order; of neighbours with the same one, once.
  ///
  /// - Complexity: O(*s*) look-ups, where *s* is the number of sections.
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }

  /// Returns the ordinal of the first section with an index title, or nil if there is none.
  ///
  /// - Complexity: O(*s*) look-ups, where *s* is the number of sections.
  public func section(forIndexTitle title: String) -> Int? {
    snapshot.section(forIndexTitle: title)
  }

  /// Returns the ordinal of the section with an identity, or nil if there is none.
  ///
  /// ```swift
  /// if let inbox = mails.section(withIdentity: "inbox") { list.scroll(toSection: inbox) }
  /// ```
  ///
  /// - Complexity: That of the snapshot's; O(log *n*) for a source that can do it, else O(*s*) once
  ///   for each version.
  public func section(withIdentity identity: StoredValue) -> Int? {
    snapshot.section(withIdentity: identity)
  }

  /// Returns the ordinal of the first section with a title, or nil if there is none.
  ///
  /// See ``DataSourceSnapshot/section(withTitle:)`` for more information.
  ///
  /// - Complexity: O(*s*) look-ups, where *s* is the number of sections.
  public func section(withTitle title: String) -> Int? { snapshot.section(withTitle: title) }
}
