extension Replica {
  /// Compares all rows with the hub's, and writes those that differ.
  ///
  /// A replica does so by itself where it has reason to doubt its rows; this is for where somebody
  /// else has one. Live results tell what differed as one changeset. The hub's commits are followed
  /// on afterwards.
  ///
  /// ```swift
  /// let resync = try await replica.resync()
  /// print(resync.deletedCount, resync.writtenCount)  // 0 0 where nothing differed
  /// ```
  ///
  /// - Returns: What differed. Who cancels the task does not wait for it any longer; the comparison
  ///   may go on.
  /// - Throws: ``HubError``: `notReplicator` where another process follows the hub for the file;
  ///   `replicaClosed`; what the hub answers otherwise, `unavailable` where it cannot be reached.
  ///   `StoreError`. `CancellationError`.
  @discardableResult
  public func resync() async throws -> ReplicaResync {
    try await requests.request()
  }
}
