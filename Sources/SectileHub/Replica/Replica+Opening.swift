internal import SectileStore

extension Replica {
  /// Opens a replica, and fills it where it is new.
  ///
  /// A file that was filled before is opened at once, also where the hub cannot be reached. A new
  /// one is filled beside its place, and is there when it is whole.
  ///
  /// - Parameters:
  ///   - path: Where the file is or shall be. A file of the program's own may become a replica: the
  ///     hub's tables are added.
  ///   - hub: What is followed, and written to.
  ///   - tables: Which of its tables. Where they are others than those of the file, rows are
  ///     compared.
  ///   - configuration: How.
  /// - Returns: The replica, which follows the hub until it is closed.
  /// - Throws: ``HubError``; `StoreError`, with the codes of `Store.open`; `CancellationError`.
  public static func open(
    at path: String, following hub: some Hub, tables: [TableSubscription],
    configuration: ReplicaConfiguration = ReplicaConfiguration()
  ) async throws -> Replica {
    let board = StatusBoard(configuration.onEvent)
    let election = try ReplicatorElection(at: path)
    let filling = ReplicaFilling(
      path: path, feed: hub, subscriptions: tables, configuration: configuration, board: board)
    let store = try await filling.openFilled(election)
    do {
      if configuration.keepsChangeLog { try await filling.keepLog(of: store) }
    } catch {
      try? await store.close()
      throw error
    }
    let replica = Replica(store, hub, configuration, board)
    replica.start(
      ReplicaWorker(
        store: store, feed: hub, sink: hub, subscriptions: tables, configuration: configuration,
        board: board, requests: replica.requests),
      election)
    return replica
  }
}
