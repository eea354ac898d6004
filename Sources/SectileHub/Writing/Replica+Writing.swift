internal import SectileCore
internal import SectileStore

/// When a write through a replica has done what is waited for.
public enum WriteAcknowledgement: Hashable, Sendable {
  /// The hub has it on its disk.
  case hub
  /// The replica's own rows have it as well, so that the next read sees it.
  case local
}

extension Replica {
  /// Has the hub change rows: all of them, or none.
  ///
  /// ```swift
  /// try await replica.write { changes in
  ///   try changes.insert(into: "parcel", values: ["id": 8, "depot": 7])
  ///   try changes.update("depot", key: 7, set: ["parcel_count": 12])
  /// }
  /// ```
  ///
  /// Writes of one process are performed in the order of their calls, each as a transaction of its
  /// own; those that are called while others are on their way are sent together. One that was sent
  /// and not answered is sent again, and performed once. Where its task is cancelled, it is not
  /// known what became of a write that was sent.
  ///
  /// A new row may leave out a key that the hub makes; ``newKey(of:as:)`` tells it beforehand.
  ///
  /// - Parameters:
  ///   - completion: What is waited for.
  ///   - body: Says what to change; it sees the replica's rows as they are now.
  /// - Returns: Which mutation it was; nil where `body` changes nothing.
  /// - Throws: What `body` throws. ``HubError``: `rejected` where the hub refused it, with the
  ///   reason; `unavailable` where the hub did not answer within
  ///   ``ReplicaConfiguration/writeTimeout``, so that it is not known what became of it, or where
  ///   it is committed and has not come back by then.
  @discardableResult
  public func write(
    until completion: WriteAcknowledgement = .local,
    _ body: @Sendable (inout MutationDraft) throws -> Void
  ) async throws -> MutationID? {
    let (changes, tables) = try await store.read { transaction in
      var draft = try MutationDraft(transaction)
      try body(&draft)
      return (draft.changes, draft.tables)
    }
    guard !changes.isEmpty else { return nil }
    let id: MutationID
    do {
      id = try await sender.send(changes)
    } catch let error as HubError where error.code == .rejected {
      board.noteRejection()
      throw error.localized(for: changes, of: tables)
    }
    if completion == .local { try await waitUntilVisible(id) }
    return id
  }

  /// Waits until the replica's rows have a mutation.
  private func waitUntilVisible(_ id: MutationID) async throws {
    let end = ContinuousClock.now + configuration.writeTimeout
    let store = store
    try await waitForCommits {
      let last = try await store.read { try ReplicaTables.lastNumber(of: id.client, in: $0) }
      if last >= id.number { return true }
      guard ContinuousClock.now < end else {
        throw HubError(
          .unavailable, message: "The hub has committed the change, and it has not come back yet",
          hint: "It will: Replica.status tells how far behind the replica is.")
      }
      return false
    }
  }

  /// Waits until something is so that commits of the file bring about.
  func waitForCommits(until isSo: () async throws -> Bool) async throws {
    let (commits, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let listening = store.listenForCommits { continuation.yield() }
    // The hint that somebody has committed may get lost.
    let timer = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .milliseconds(20))
        continuation.yield()
      }
    }
    defer {
      timer.cancel()
      continuation.finish()
    }
    while try await !isSo() {
      for await _ in commits { break }
      try Task.checkCancellation()
    }
    withExtendedLifetime(listening) {}
  }
}

extension HubError {
  /// The same, with the row of a refusal as the replica would have it.
  fileprivate func localized(
    for changes: [RowMutation], of tables: [String: SyncedTable]
  ) -> HubError {
    guard let rejection else { return self }
    return HubError(
      code, message: message, hint: hint, cause: cause,
      rejection: rejection.localized(for: changes, of: tables))
  }
}
