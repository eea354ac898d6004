internal import SectileStore

extension Replica {
  /// Waits until the file has all that the hub had committed when this was called.
  ///
  /// ```swift
  /// let replica = try await Replica.open(at: "report.sqlite", following: hub, tables: ["parcel"])
  /// try await replica.catchUp()  // what was committed while nobody had the file open
  /// ```
  ///
  /// A replica that was filled before is open at once, with the rows that it had; its commits come
  /// after that. The hub is asked where its log ends, and has a sign of life committed where that
  /// is permitted, so that a hub without other commits is not waited for longer.
  ///
  /// - Returns: Where the file stands.
  /// - Throws: ``HubError``: `unavailable` where the hub cannot be asked how far it is;
  ///   `schemaAhead` where nothing is applied any more; `replicaClosed`. `StoreError`.
  ///   `CancellationError`. A hub that is lost meanwhile is waited for.
  @discardableResult
  public func catchUp() async throws -> HubPosition {
    if case .closed = status.phase { throw Self.closed }
    let (tables, first) = try await store.read { transaction in
      (
        try ReplicaTables.syncedTables(in: transaction), try ReplicaTables.token(in: transaction)
      )
    }
    let goal = try await feed.state(of: tables)
    do {
      try await feed.heartbeat()
    } catch let error as HubError where [.notPermitted, .noSuchTable].contains(error.code) {
      // The hub's own word of where it stands comes later.
    }
    var position = HubPosition.zero
    try await waitForCommits {
      switch status.phase {
      case .stopped(let error): throw error
      case .closed: throw Self.closed
      case .following: break
      case .connecting, .copying, .comparing, .waiting: return false
      }
      guard let token = try await store.read({ try ReplicaTables.token(in: $0) }),
        token.position >= goal.position
      else { return false }
      position = token.position
      // Rows that were compared since have what the hub had, whatever definition it has by now.
      return goal.definition == nil || token.definition == goal.definition
        || token.slot != first?.slot
    }
    return position
  }

  private static let closed = HubError(.replicaClosed, message: "The replica is closed")
}
