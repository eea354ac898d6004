internal import Sectile

/// A changeset as lines: `S-`, `S+`, `S>`, `S~` for sections, `R-`, `R+`, `R>`, `R~` for rows.
enum ChangeLines {
  /// Returns how many changes of each kind there are, as in `S+ 1  R+ 3`.
  static func counts(of changes: Changeset<String, InstalledPackage>) -> String {
    let counts = [
      ("S-", changes.sectionDeletes.count), ("S+", changes.sectionInserts.count),
      ("S>", changes.sectionMoves.count), ("S~", changes.sectionUpdates.count),
      ("R-", changes.deletes.count), ("R+", changes.inserts.count),
      ("R>", changes.moves.count), ("R~", changes.updates.count),
    ]
    return counts.filter { $0.1 > 0 }.map { "\($0): \($1)" }.joined(separator: "  ")
  }

  /// Returns a line for each change; at most so many of a kind, then one that counts the rest.
  static func lines(
    of changes: Changeset<String, InstalledPackage>, limit: Int
  ) -> [String] {
    let name = SectionText.name
    return listed(changes.sectionDeletes, limit) { "S- \($0.section)  \(name($0.header))" }
      + listed(changes.sectionInserts, limit) { "S+ \($0.section)  \(name($0.header))" }
      + listed(changes.sectionMoves, limit) { "S> \($0.source)→\($0.target)  \(name($0.header))" }
      + listed(changes.sectionUpdates, limit) {
        "S~ \($0.source)→\($0.target)  \(name($0.before)) → \(name($0.header))"
      }
      + listed(changes.deletes, limit) { "R- \($0.path)  \(TerminalText.escaped($0.id))" }
      + listed(changes.inserts, limit) { insert in
        "R+ \(insert.path)  \(text { try insert.item })"
      }
      + listed(changes.moves, limit) { move in
        let mark = move.isContentChanged ? "*" : ""
        return "R> \(move.source)→\(move.target)\(mark)  \(text { try move.item })"
      }
      + listed(changes.updates, limit) { update in
        "R~ \(update.source)→\(update.target)  \(text { try update.item })"
      }
  }

  private static func listed<Changes: RandomAccessCollection>(
    _ changes: Changes, _ limit: Int, _ line: (Changes.Element) -> String
  ) -> [String] {
    var lines = changes.prefix(limit).map(line)
    if changes.count > limit { lines.append("   … \(changes.count - limit) more") }
    return lines
  }

  private static func text(_ item: () throws -> InstalledPackage) -> String {
    do {
      let package = try item()
      let size = SizeText.text(kibibytes: package.installedSize)
      return TerminalText.escaped("\(package.id) \(package.version), \(size)")
    } catch {
      return TerminalText.escaped("cannot be read: \(error)")
    }
  }
}
