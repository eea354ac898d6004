extension Changeset: CustomStringConvertible {
  /// The changes, one a line: the contents as a whole, section events, then rows.
  ///
  /// ```text
  /// C~ count 3→2          contents updated: their aggregates
  /// S- 1 (C)              section deleted (ordinal before)
  /// S+ 1 (B)              section inserted (ordinal after)
  /// S> 0→2 (1)            section moved
  /// S~ 0→0 (1)            section updated: its title or another part of the header
  /// S~ 0→0 (1) count 3→2  section updated: its aggregates
  /// R- [0,0] #1           row deleted (path before)
  /// R+ [0,1] #3           row inserted (path after)
  /// R> [0,0]→[0,2] #1*    row moved; * where its content changed too
  /// R~ [0,1]→[0,1] #2     row updated
  /// ```
  public var description: String { lines.joined(separator: "\n") }

  /// The lines of ``description``.
  package var lines: [String] {
    var lines = [contentsUpdate].compactMap { $0?.line }
    lines += sectionDeletes.map { "S- \($0.section) (\($0.header.identity.label))" }
    lines += sectionInserts.map { "S+ \($0.section) (\($0.header.identity.label))" }
    lines += sectionMoves.map { "S> \($0.source)→\($0.target) (\($0.header.identity.label))" }
    lines += sectionUpdates.map(\.line)
    lines += deletes.map { "R- \($0.path) #\(IdentityText.text(of: $0.id))" }
    lines += inserts.map { "R+ \($0.path) #\(IdentityText.text(of: $0.id))" }
    lines += moves.map {
      "R> \($0.source)→\($0.target) #\(IdentityText.text(of: $0.id))\($0.isContentChanged ? "*" : "")"
    }
    lines += updates.map { "R~ \($0.source)→\($0.target) #\(IdentityText.text(of: $0.id))" }
    return lines
  }
}

extension ContentsUpdate {
  fileprivate var line: String { "C~" + AggregateValues.changes(from: before, to: after) }
}

extension SectionUpdate {
  fileprivate var line: String {
    "S~ \(source)→\(target) (\(header.identity.label))"
      + AggregateValues.changes(from: before.aggregates, to: header.aggregates)
  }
}

extension AggregateValues {
  /// The values that changed: ` count 3→2, sum(size) 30→20`.
  package static func changes(from before: AggregateValues, to after: AggregateValues) -> String {
    let names = after.names + before.names.filter { after[$0] == nil }
    let changes = names.compactMap { name -> String? in
      let (old, new) = (before[name], after[name])
      guard ContentsUpdate(from: Self(name, old), to: Self(name, new)) != nil else { return nil }
      return " \(name) \(old?.description ?? "–")→\(new?.description ?? "–")"
    }
    return changes.joined(separator: ",")
  }

  private init(_ name: String, _ value: StoredValue?) {
    self.init(names: value.map { _ in [name] } ?? [], values: value.map { [$0] } ?? [])
  }
}
