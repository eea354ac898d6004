/// A source whose snapshots can be made to stay readable while others overwrite their rows.
package protocol SnapshotHolding: DataSource {
  /// Returns the newest contents there are, whose items can be read for a while whatever others
  /// write.
  ///
  /// Its version may be ahead of the source's, and what leads there is delivered next.
  ///
  /// - Parameter duration: For how long, at most.
  /// - Returns: The contents.
  /// - Throws: What looking for what others have written throws; `CancellationError`.
  func heldSnapshot(for duration: Duration) async throws -> Snapshot
}

extension DataSource {
  /// Returns contents whose items can be read for a while, whatever others write; where the source
  /// has no such ones, or they cannot be had, its snapshot.
  ///
  /// - Parameter duration: For how long, at most.
  /// - Returns: The contents.
  package func steadySnapshot(for duration: Duration) async -> Snapshot {
    if let source = self as? any SnapshotHolding,
      let held = try? await source.heldSnapshot(for: duration) as? Snapshot
    {
      return held
    }
    return snapshot
  }
}
