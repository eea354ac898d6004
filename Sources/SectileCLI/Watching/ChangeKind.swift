internal import ArgumentParser
internal import Sectile

/// A kind of changes of rows, of which a watch may tell some alone.
enum ChangeKind: String, CaseIterable, ExpressibleByArgument {
  case insert
  case delete
  case move
  case update
}

extension Set<ChangeKind> {
  /// Returns what a changeset has of these kinds; all of it for no kinds.
  ///
  /// A row that moved and has other values is an update, too. Sections, and aggregates of all rows,
  /// are of no kind.
  ///
  /// - Parameter changes: The changeset.
  /// - Returns: The part, between the same versions; nil where there is nothing in it.
  func part(of changes: WatchedChanges) -> WatchedChanges? {
    if isEmpty { return changes }
    let moves =
      contains(.move)
      ? Array(changes.moves)
      : contains(.update) ? changes.moves.filter(\.isContentChanged) : []
    let part = WatchedChanges(
      sourceVersion: changes.sourceVersion, targetVersion: changes.targetVersion,
      deletes: contains(.delete) ? Array(changes.deletes) : [],
      inserts: contains(.insert) ? changes.inserts : [], moves: moves,
      updates: contains(.update) ? Array(changes.updates) : [])
    return part.isEmpty ? nil : part
  }
}
