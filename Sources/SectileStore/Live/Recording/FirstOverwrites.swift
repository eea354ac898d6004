/// Which commit since a version touched each row first.
///
/// A snapshot that is held over many commits finds a row's old values by one look-up. The values
/// themselves stay with the links, where they can be dropped for room.
///
/// The version that it begins at owns it: it refers to later ones only, or neither would ever be
/// released, nor any version that comes.
///
/// An object, so that a version nobody reads is small; guarded by whoever has it.
final class FirstOverwrites {
  /// A version.
  private enum Place {
    /// The one that it begins at.
    case start
    case later(VersionNode)
  }

  /// The version before the first commit that touched a row, by the row's key.
  private var places: [RowKey: Place] = [:]
  /// The version before the first commit of which not all rows are known: it may have touched any.
  private var unknown: Place?
  /// The version up to which commits were taken in.
  private var end = Place.start

  /// The version from which on links have to be asked about a row.
  ///
  /// - Parameters:
  ///   - key: The row's key.
  ///   - start: The version that it begins at.
  /// - Returns: The version.
  func node(toAskAbout key: RowKey, since start: VersionNode) -> VersionNode {
    takeInCommits(since: start)
    return Self.node(at: places[key] ?? unknown ?? end, since: start)
  }

  private static func node(at place: Place, since start: VersionNode) -> VersionNode {
    switch place {
    case .start: start
    case .later(let node): node
    }
  }

  /// Takes in the commits that are certain: one that is under way may be rolled back, and its link
  /// removed, as long as no other follows it.
  private func takeInCommits(since start: VersionNode) {
    while unknown == nil {
      let node = Self.node(at: end, since: start)
      guard let next = node.successor, next.successor != nil, let preImages = node.touched
      else { return }
      preImages.forEachKey { key in
        if places[key] == nil { places[key] = end }
      }
      if !preImages.isComplete { unknown = end }
      end = .later(next)
    }
  }
}
