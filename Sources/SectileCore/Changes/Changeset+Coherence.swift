extension Changeset {
  /// Refuses what no source delivers: lists that contradict each other, whatever the contents are.
  ///
  /// A position is named by one change, and an update is where the other changes leave its row or
  /// section. So all renderings of what is decoded lead to the same contents, and none traps.
  ///
  /// - Throws: ``ChangesetError`` with `inconsistentChanges`.
  /// - Complexity: O(*c* log *c*) for *c* changes.
  func requireCoherence() throws(ChangesetError) {
    try Self.requirePlaces(
      of: "section before", sectionDeletes.map(\.section) + sectionMoves.map(\.source))
    try Self.requirePlaces(
      of: "section after", sectionInserts.map(\.section) + sectionMoves.map(\.target))
    try Self.requirePlaces(of: "section update", sectionUpdates.map(\.source))
    try Self.requirePlaces(
      of: "row before", deletes.map(\.path) + moves.map(\.source) + updates.map(\.source))
    try Self.requirePlaces(
      of: "row after", inserts.map(\.path) + moves.map(\.target) + updates.map(\.target))
    let positions = ChangesetPositions(self)
    for update in sectionUpdates {
      guard positions.target(ofSection: update.source) == update.target else {
        throw Self.incoherent("the section \(update.source) does not become \(update.target)")
      }
    }
    for update in updates {
      guard positions.target(of: update.source) == update.target else {
        throw Self.incoherent("the row at \(update.source) does not come to \(update.target)")
      }
    }
  }

  private static func requirePlaces(
    of kind: String, _ ordinals: [Int]
  ) throws(ChangesetError) {
    try requirePlaces(of: kind, ordinals.map { ItemPath(section: $0, item: 0) })
  }

  private static func requirePlaces(
    of kind: String, _ paths: [ItemPath]
  ) throws(ChangesetError) {
    // JSON keeps whole numbers up to here; sums of two positions do not overflow.
    let limits = 0..<(1 << 53)
    if let path = paths.first(where: { !limits.contains($0.section) || !limits.contains($0.item) })
    {
      throw incoherent("there is no position \(path) (\(kind))")
    }
    guard Set(paths).count == paths.count else {
      throw incoherent("two changes name the same position (\(kind))")
    }
  }

  private static func incoherent(_ what: String) -> ChangesetError {
    ChangesetError(
      code: .inconsistentChanges, message: "The changes contradict each other: \(what).",
      hint: "Start again from a snapshot of the source.")
  }
}
