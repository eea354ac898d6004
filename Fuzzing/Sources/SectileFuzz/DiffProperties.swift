import Foundation
import SectileCore

/// Two contents, drawn by the bytes: a row each, its section and its identity.
///
/// The changeset between them, and what comes back of it through JSON, leads from one to the other,
/// as a whole, in steps and in batches.
enum DiffProperties {
  typealias Contents = SectionedContents<Int, Int>

  static func check(_ input: FuzzInput) throws {
    guard let mode = input.bytes.first else { return }
    var (old, new) = (Contents(version: 1), Contents(version: 2))
    for byte in input.bytes.dropFirst() {
      if byte & 0x80 == 0 { add(byte, to: &old) } else { add(byte, to: &new) }
    }
    // A mistake that loses updates.
    let isEqual: (Int, Int) -> Bool = input.isControl ? { _, _ in true } : { $0 == $1 }
    let changes = Changeset(
      from: old, to: new, isEqual: isEqual, isOrderKeyChanged: { _ in mode & 1 == 1 },
      isSectionOrderChanged: { _ in mode & 2 == 2 })
    let decoded = try JSONDecoder().decode(
      Changeset<Int, Int>.self, from: try JSONEncoder().encode(changes))
    require(decoded.description == changes.description, "a changeset changes through JSON")
    for changeset in [changes, decoded] {
      require(try old.applying(changeset) == new, "the changeset leads elsewhere")
      require(
        try ContentsComparison.replay(changeset.sequentialEdits, on: old.sections) == new.sections,
        "the steps lead elsewhere")
      var staged = old
      for batch in changeset.batches { staged = try staged.applying(batch) }
      require(staged.sections == new.sections, "the batches lead elsewhere")
      try ContentsComparison.requireConsistent(old, changeset, new)
    }
  }

  /// Adds a row at the end of one of four sections; the same row again has other contents.
  private static func add(_ byte: UInt8, to contents: inout Contents) {
    let (name, id) = (Int64(byte >> 4 & 3), Int(byte & 15))
    let place = contents.sections.firstIndex { $0.rows.contains { $0.id == id } }
    if let place, let row = contents.sections[place].rows.firstIndex(where: { $0.id == id }) {
      contents.sections[place].rows[row].item += 1
      return
    }
    let header = SourceSection(identity: .integer(name), title: "\(name)")
    if !contents.sections.contains(where: { $0.header == header }) {
      contents.sections.append(Contents.Section(header: header))
    }
    for ordinal in contents.sections.indices where contents.sections[ordinal].header == header {
      contents.sections[ordinal].rows.append(Contents.Row(id: id, item: 0))
    }
  }
}
