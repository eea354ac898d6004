extension KeyedChanges: CustomStringConvertible {
  /// The changes, one a line: rows that are gone, rows that are there, sections.
  ///
  /// ```text
  /// K- #5                 row that is not there
  /// K+ [0,1] #3           row that is there (path now)
  /// S= 0 (A) 3            section (ordinal now) with the number of its rows
  /// ```
  public var description: String { lines.joined(separator: "\n") }

  /// The lines of ``description``.
  package var lines: [String] {
    deletes.map { "K- #\(IdentityText.text(of: $0))" }
      + upserts.map { "K+ \($0.path) #\(IdentityText.text(of: $0.id))" }
      + sections.enumerated().map { "S= \($0) (\($1.header.identity.label)) \($1.count)" }
  }
}
