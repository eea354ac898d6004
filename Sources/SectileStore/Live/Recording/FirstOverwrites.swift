/// Which commit since a version touched each row first.
///
/// A snapshot that is held over many commits finds a row's old values by one look-up. The values
/// themselves stay with the links, where they can be dropped for room.
///
/// An object, so that a version nobody reads is small; guarded by whoever has it.
final class FirstOverwrites {
  /// The version before the first commit that touched a row, by the row's key.
  private var nodes: [RowKey: VersionNode] = [:]
  /// The version before the first commit of which not all rows are known: it may have touched any.
  private var unknown: VersionNode?
  /// The version up to which commits were taken in.
  private var end: VersionNode

  /// Begins at a version.
  init(since node: VersionNode) { end = node }

  /// The version from which on links have to be asked about a row.
  func node(toAskAbout key: RowKey) -> VersionNode {
    takeInCommits()
    return nodes[key] ?? unknown ?? end
  }

  /// Takes in the commits that are certain: one that is under way may be rolled back, and its link
  /// removed, as long as no other follows it.
  private func takeInCommits() {
    while unknown == nil, let next = end.successor, next.successor != nil {
      guard let images = end.touched else { return }
      images.forEachKey { key in
        if nodes[key] == nil { nodes[key] = end }
      }
      if !images.isComplete { unknown = end }
      end = next
    }
  }
}
