import SectileCore

/// What must be true of contents that a changeset led to.
enum ContentsComparison {
  /// Requires that all a changeset says is true of the contents after, and nothing else happened.
  static func requireConsistent<ItemID: Hashable & Sendable, Item: Equatable & Sendable>(
    _ before: SectionedContents<ItemID, Item>, _ changes: Changeset<ItemID, Item>,
    _ after: SectionedContents<ItemID, Item>
  ) throws {
    require(after.version == changes.targetVersion, "the contents are at another version")
    require(
      after.sections.count == before.sections.count - changes.sectionDeletes.count
        + changes.sectionInserts.count, "a section was lost or doubled: \(before) → \(after)")
    var counts: [ItemID: Int] = [:]
    for row in before.sections.flatMap(\.rows) { counts[row.id, default: 0] += 1 }
    for change in changes.deletes { counts[change.id, default: 0] -= 1 }
    for change in changes.inserts { counts[change.id, default: 0] += 1 }
    for row in after.sections.flatMap(\.rows) { counts[row.id, default: 0] -= 1 }
    require(
      counts.values.allSatisfy { $0 == 0 }, "a row was lost or doubled: \(before) → \(after)")
    requireHeaders(changes, after)
    for change in changes.inserts {
      require(
        after[change.path] == .init(id: change.id, item: try change.item),
        "a row is not where it was inserted")
    }
    for change in changes.moves {
      require(
        after[change.target] == .init(id: change.id, item: try change.item),
        "a row is not where it was moved")
    }
    for change in changes.updates {
      require(
        after[change.target] == .init(id: change.id, item: try change.item),
        "a row is not what it was updated to")
    }
  }

  private static func requireHeaders<ItemID: Hashable & Sendable, Item: Sendable>(
    _ changes: Changeset<ItemID, Item>, _ after: SectionedContents<ItemID, Item>
  ) {
    func requireHeader(_ header: SourceSection, at ordinal: Int) {
      require(
        after.sections.indices.contains(ordinal) && after.sections[ordinal].header == header,
        "the section \(ordinal) has another header than the changeset says")
    }
    for change in changes.sectionInserts { requireHeader(change.header, at: change.section) }
    for change in changes.sectionUpdates { requireHeader(change.header, at: change.target) }
    let updated = Set(changes.sectionUpdates.map(\.target))
    for change in changes.sectionMoves where !updated.contains(change.target) {
      requireHeader(change.header, at: change.target)
    }
  }

  /// Takes steps one after another, as a list view would.
  static func replay<ItemID: Hashable & Sendable, Item: Sendable>(
    _ steps: [SequentialEdit<ItemID, Item>], on before: [SectionedContents<ItemID, Item>.Section]
  ) throws -> [SectionedContents<ItemID, Item>.Section] {
    var sections = before
    for step in steps {
      switch step {
      case .insertSection(let position, let change):
        sections.insert(.init(header: change.header), at: position)
      case .moveSection(let from, let to, let change):
        var section = sections.remove(at: from)
        section.header = change.header
        sections.insert(section, at: to)
      case .deleteRow(let path, _):
        sections[path.section].rows.remove(at: path.item)
      case .moveRow(let from, let to, let change):
        sections[from.section].rows.remove(at: from.item)
        sections[to.section].rows.insert(
          .init(id: change.id, item: try change.item), at: to.item)
      case .insertRow(let path, let change):
        sections[path.section].rows.insert(
          .init(id: change.id, item: try change.item), at: path.item)
      case .deleteSection(let position, _):
        require(sections[position].rows.isEmpty, "a section that goes has rows")
        sections.remove(at: position)
      case .updateRow(let path, let change):
        sections[path.section].rows[path.item].item = try change.item
      case .updateSection(let position, let change):
        sections[position].header = change.header
      }
    }
    return sections
  }
}
