import Foundation
import SectileCore

/// A changeset as JSON, from somebody who is not trusted.
///
/// What is decoded is encoded, and decoded to the same; applied to contents it is refused by a
/// typed error, or leads to contents that are exactly what its lists say, in all three renderings.
enum ChangesetProperties {
  typealias Changes = Changeset<StoredValue, StoredValue>
  typealias Contents = SectionedContents<StoredValue, StoredValue>

  /// The contents that the seeds lead from: `A: 1 2 3 | B: 4 5 | C: 6`.
  private static let base = Contents(
    version: 7,
    sections: [("A", 1...3), ("B", 4...5), ("C", 6...6)].map { name, ids in
      Contents.Section(
        header: SourceSection(identity: .text(name), title: name),
        rows: ids.map { Contents.Row(id: .integer($0), item: .text("x")) })
    })

  static func check(_ input: FuzzInput) throws {
    guard let changes = try decode(input.bytes) else { return }
    for value in values(of: changes) {
      if case .real(let number) = value { require(!number.isNaN, "a stored value is NaN") }
    }
    let text = try encode(changes)
    var repeated = text
    if input.isControl {
      repeated = Array(
        String(decoding: text, as: UTF8.self).replacing("true", with: "false").utf8)
    }
    guard let again = try decode(repeated) else { violated("what was encoded is not decoded") }
    require(try encode(again) == text, "a changeset changes on its way through JSON")
    require(again.description == changes.description, "a changeset reads differently after JSON")
    try apply(changes)
  }

  /// Applies a changeset to the contents, and compares all that can be said of the result.
  private static func apply(_ changes: Changes) throws {
    var before = base
    before.version = changes.sourceVersion
    // Whoever renders before applying must not crash either.
    let (steps, batches) = (changes.sequentialEdits, changes.batches)
    guard let after = try attempt(ChangesetError.self, { try before.applying(changes) }) else {
      return
    }
    try ContentsComparison.requireConsistent(before, changes, after)
    require(
      try ContentsComparison.replay(steps, on: before.sections) == after.sections,
      "the steps lead elsewhere than the changeset")
    var staged = before
    for batch in batches {
      guard let next = try attempt(ChangesetError.self, { try staged.applying(batch) }) else {
        violated("a batch of an applicable changeset is refused")
      }
      staged = next
    }
    require(staged.sections == after.sections, "the batches lead elsewhere than the changeset")
  }

  private static func values(of changes: Changes) -> [StoredValue] {
    var values = changes.sectionDeletes.map(\.header.identity)
    values += changes.sectionInserts.map(\.header.identity)
    values += changes.sectionMoves.map(\.header.identity)
    values += changes.sectionUpdates.flatMap { [$0.before.identity, $0.header.identity] }
    values += changes.deletes.map(\.id)
    values += changes.inserts.flatMap { [$0.id, (try? $0.item) ?? .null] }
    values += changes.moves.flatMap { [$0.id, (try? $0.item) ?? .null] }
    values += changes.updates.flatMap { [$0.id, (try? $0.item) ?? .null] }
    return values
  }

  private static func encode(_ changes: Changes) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return [UInt8](try encoder.encode(changes))
  }

  private static func decode(_ bytes: [UInt8]) throws -> Changes? {
    try attempt(ChangesetError.self) {
      try attempt(DecodingError.self) {
        try JSONDecoder().decode(Changes.self, from: Data(bytes))
      }
    } ?? nil
  }
}
