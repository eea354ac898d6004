internal import Sectile
internal import SectilePresenting

/// A changeset as lines: `S-`, `S+`, `S>`, `S~` for sections, `R-`, `R+`, `R>`, `R~` for rows.
///
/// ```swift
/// let lines = ChangeLines<Int64, Package>(section: \.title, id: { "\($0)" }, item: \.name)
/// lines.lines(of: changes, limit: 12)  // R+ [3,0]  sed
/// ```
struct ChangeLines<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// What a section is called, safe to show.
  let section: @Sendable (SourceSection) -> String
  /// What a row that is gone is called, safe to show.
  let id: @Sendable (ItemID) -> String
  /// What a row is called, safe to show.
  let item: @Sendable (Item) -> String

  /// Returns how many changes of each kind there are, as in `S+: 1  R+: 3`.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - withSections: Whether changes of sections are told.
  /// - Returns: The counts of what there is, for one line.
  static func counts(
    of changes: Changeset<ItemID, Item>, withSections: Bool = true
  ) -> String {
    let sections: [(String, TextStyle, Int)] = [
      ("S-", .red, changes.sectionDeletes.count), ("S+", .green, changes.sectionInserts.count),
      ("S>", .blue, changes.sectionMoves.count), ("S~", .yellow, changes.sectionUpdates.count),
    ]
    let rows: [(String, TextStyle, Int)] = [
      ("R-", .red, changes.deletes.count), ("R+", .green, changes.inserts.count),
      ("R>", .blue, changes.moves.count), ("R~", .yellow, changes.updates.count),
    ]
    let counts = (withSections ? sections : []) + rows
    return counts.filter { $0.2 > 0 }.map { $1.text("\($0): \($2)") }.joined(separator: "  ")
  }

  /// Returns a line for each change; at most so many of a kind, then one that counts the rest.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - limit: At most how many of a kind are written out.
  ///   - withSections: Whether changes of sections are told.
  /// - Returns: The lines.
  func lines(
    of changes: Changeset<ItemID, Item>, limit: Int, withSections: Bool = true
  ) -> [String] {
    contentsLines(of: changes) + (withSections ? sectionLines(of: changes, limit) : [])
      + rowLines(of: changes, limit)
  }

  private func contentsLines(of changes: Changeset<ItemID, Item>) -> [String] {
    guard let update = changes.contentsUpdate else { return [] }
    return [TextStyle.yellow.text("C~ \(aggregates(update.before, update.after))")]
  }

  private func aggregates(_ before: AggregateValues, _ after: AggregateValues) -> String {
    TerminalText.escaped(AggregateValues.changes(from: before, to: after))
  }

  private func sectionLines(of changes: Changeset<ItemID, Item>, _ limit: Int) -> [String] {
    listed(changes.sectionDeletes, .red, limit) { "S- \($0.section)  \(section($0.header))" }
      + listed(changes.sectionInserts, .green, limit) { "S+ \($0.section)  \(section($0.header))" }
      + listed(changes.sectionMoves, .blue, limit) {
        "S> \($0.source)→\($0.target)  \(section($0.header))"
      }
      + listed(changes.sectionUpdates, .yellow, limit) {
        let (old, new) = (section($0.before), section($0.header))
        return "S~ \($0.source)→\($0.target)  \(old == new ? new : "\(old) → \(new)")"
          + aggregates($0.before.aggregates, $0.header.aggregates)
      }
  }

  private func rowLines(of changes: Changeset<ItemID, Item>, _ limit: Int) -> [String] {
    listed(changes.deletes, .red, limit) { "R- \($0.path)  \(id($0.id))" }
      + listed(changes.inserts, .green, limit) { insert in
        "R+ \(insert.path)  \(text { try insert.item })"
      }
      + listed(changes.moves, .blue, limit) { move in
        let mark = move.isContentChanged ? "*" : ""
        return "R> \(move.source)→\(move.target)\(mark)  \(text { try move.item })"
      }
      + listed(changes.updates, .yellow, limit) { update in
        "R~ \(update.source)→\(update.target)  \(text { try update.item })"
      }
  }

  private func listed<Changes: RandomAccessCollection>(
    _ changes: Changes, _ style: TextStyle, _ limit: Int, _ line: (Changes.Element) -> String
  ) -> [String] {
    var lines = changes.prefix(limit).map { style.text(line($0)) }
    if changes.count > limit { lines.append("   … \(changes.count - limit) more") }
    return lines
  }

  private func text(_ item: () throws -> Item) -> String {
    do {
      return self.item(try item())
    } catch {
      return TerminalText.escaped("cannot be read: \(error)")
    }
  }
}
