extension Changeset: CustomStringConvertible {
  /// The changes, one a line: section events, then rows.
  ///
  /// ```text
  /// S- 1 (C)              section deleted (ordinal before)
  /// S+ 1 (B)              section inserted (ordinal after)
  /// S> 0→2 (1)            section moved
  /// S~ 0→0 (1)            section updated: its title or another part of the header
  /// R- [0,0] #1           row deleted (path before)
  /// R+ [0,1] #3           row inserted (path after)
  /// R> [0,0]→[0,2] #1*    row moved; * where its content changed too
  /// R~ [0,1]→[0,1] #2     row updated
  /// ```
  public var description: String { lines.joined(separator: "\n") }

  /// The lines of ``description``.
  package var lines: [String] {
    var lines = sectionDeletes.map { "S- \($0.section) (\($0.header.identity.label))" }
    lines += sectionInserts.map { "S+ \($0.section) (\($0.header.identity.label))" }
    lines += sectionMoves.map { "S> \($0.source)→\($0.target) (\($0.header.identity.label))" }
    lines += sectionUpdates.map { "S~ \($0.source)→\($0.target) (\($0.header.identity.label))" }
    lines += deletes.map { "R- \($0.path) #\(IdentityText.text(of: $0.id))" }
    lines += inserts.map { "R+ \($0.path) #\(IdentityText.text(of: $0.id))" }
    lines += moves.map {
      "R> \($0.source)→\($0.target) #\(IdentityText.text(of: $0.id))\($0.isContentChanged ? "*" : "")"
    }
    lines += updates.map { "R~ \($0.source)→\($0.target) #\(IdentityText.text(of: $0.id))" }
    return lines
  }
}
