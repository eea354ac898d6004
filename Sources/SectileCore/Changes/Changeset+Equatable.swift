extension Changeset: Equatable where Item: Equatable {
  /// Returns whether two changesets lead from the same version to the same one and say the same of
  /// every section and row.
  ///
  /// Items are compared as they are after the change. One that cannot be read any more equals none.
  ///
  /// - Complexity: O(*c*) for *c* changes.
  public static func == (left: Changeset, right: Changeset) -> Bool {
    left.sourceVersion == right.sourceVersion && left.targetVersion == right.targetVersion
      && left.contentsUpdate == right.contentsUpdate
      && left.sectionLines == right.sectionLines && left.rowLines == right.rowLines
      && left.hasSameItems(as: right)
  }

  private var sectionLines: [[SectionLine]] {
    [
      sectionDeletes.map { SectionLine(source: $0.section, after: $0.header) },
      sectionInserts.map { SectionLine(target: $0.section, after: $0.header) },
      sectionMoves.map { SectionLine(source: $0.source, target: $0.target, after: $0.header) },
      sectionUpdates.map {
        SectionLine(source: $0.source, target: $0.target, before: $0.before, after: $0.header)
      },
    ]
  }

  private var rowLines: [[RowLine<ItemID>]] {
    [
      deletes.map { RowLine(source: $0.path, id: IdentityKey($0.id)) },
      inserts.map { RowLine(target: $0.path, id: IdentityKey($0.id)) },
      moves.map {
        RowLine(
          source: $0.source, target: $0.target, id: IdentityKey($0.id),
          isContentChanged: $0.isContentChanged)
      },
      updates.map { RowLine(source: $0.source, target: $0.target, id: IdentityKey($0.id)) },
    ]
  }

  /// - Precondition: The rows are the same.
  private func hasSameItems(as other: Changeset) -> Bool {
    func areEqual(_ left: ItemPayload<Item>, _ right: ItemPayload<Item>) -> Bool {
      guard let left = try? left.item, let right = try? right.item else { return false }
      return left == right
    }
    return zip(inserts, other.inserts).allSatisfy { areEqual($0.payload, $1.payload) }
      && zip(moves, other.moves).allSatisfy { areEqual($0.payload, $1.payload) }
      && zip(updates, other.updates).allSatisfy { areEqual($0.payload, $1.payload) }
  }
}

/// What a changeset says of a section.
private struct SectionLine: Equatable {
  var source: Int?
  var target: Int?
  var before: SourceSection?
  let after: SourceSection
}

/// What a changeset says of a row.
private struct RowLine<ItemID: Hashable & Sendable>: Equatable {
  var source: ItemPath?
  var target: ItemPath?
  let id: IdentityKey<ItemID>
  var isContentChanged = false
}
