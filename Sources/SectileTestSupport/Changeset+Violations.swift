internal import SectileCore

extension Changeset {
  /// What is wrong with the changeset on its own, whatever it is applied to.
  var violations: [String] {
    var found: [String] = []
    if isEmpty { found.append("the changeset \(sourceVersion)→\(targetVersion) is empty") }
    if targetVersion <= sourceVersion {
      found.append("the changeset leads from version \(sourceVersion) to \(targetVersion)")
    }
    var ids: Set<IdentityKey<ItemID>> = []
    let reported = [deletes.map(\.id), inserts.map(\.id), moves.map(\.id), updates.map(\.id)]
    for id in reported.joined() where !ids.insert(IdentityKey(id)).inserted {
      found.append("the row \(id) appears twice in the changeset")
    }
    let lists: [(String, Bool)] = [
      ("section deletes", Self.ascends(sectionDeletes.map(\.section))),
      ("section inserts", Self.ascends(sectionInserts.map(\.section))),
      ("section moves", Self.ascends(sectionMoves.map(\.source))),
      ("section updates", Self.ascends(sectionUpdates.map(\.source))),
      ("deletes", Self.ascends(deletes.map(\.path))),
      ("inserts", Self.ascends(inserts.map(\.path))),
      ("moves", Self.ascends(moves.map(\.source))),
      ("updates", Self.ascends(updates.map(\.source))),
    ]
    for (name, ascends) in lists where !ascends {
      found.append("the \(name) of the changeset do not ascend")
    }
    return found
  }

  private static func ascends<Position: Comparable>(_ positions: [Position]) -> Bool {
    zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }
  }
}
