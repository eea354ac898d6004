/// Sends a process's mutations to the hub, one after the other.
///
/// Each process is a client of its own, with a name that nobody else has; where it is not known
/// what became of a mutation, the process goes on under another name.
actor MutationSender {
  private let sink: any MutationSink
  private let timeout: Duration
  private var client = MutationID.freshClient()
  private var number: Int64 = 0
  private var last: Task<Void, Never>?

  init(_ sink: any MutationSink, timeout: Duration) { (self.sink, self.timeout) = (sink, timeout) }

  /// Sends changes, after those that came before.
  ///
  /// - Returns: Which mutation they are, when the hub has committed it.
  /// - Throws: ``HubError``: `rejected`; `unavailable` where it is not known what became of it.
  func send(_ changes: [RowMutation]) async throws -> MutationID {
    let before = last
    let sending = Task {
      await before?.value
      try Task.checkCancellation()
      return try await perform(changes)
    }
    last = Task { _ = await sending.result }
    return try await withTaskCancellationHandler {
      try await sending.value
    } onCancel: {
      sending.cancel()
    }
  }

  private func perform(_ changes: [RowMutation]) async throws -> MutationID {
    let (id, outcome): (MutationID, MutationResult)
    do {
      (id, outcome) = try await sendNext(changes)
    } catch let error as HubError where error.isAboutNumber {
      // The hub has lost what this client sent before, and did not perform this: it is the first
      // one of another client.
      (id, outcome) = try await sendNext(changes)
    }
    switch outcome {
    case .applied: return id
    case .rejected(let rejection):
      throw HubError(
        .rejected, message: "The hub refused the change: \(rejection.message)",
        hint: rejection.kind == .conflict
          ? "Look at the row as it is now (HubError.rejection), and write again." : nil,
        rejection: rejection)
    }
  }

  /// Sends changes under the next number; where it is not known what became of them, the client has
  /// another name then.
  private func sendNext(
    _ changes: [RowMutation]
  ) async throws -> (MutationID, MutationResult) {
    number += 1
    let id = MutationID(client: client, number: number)
    do {
      return (id, try await persist(Mutation(id: id, changes: changes)))
    } catch {
      (client, number) = (MutationID.freshClient(), 0)
      throw error
    }
  }

  /// Sends a mutation until the hub answers, or the time is over.
  private func persist(_ mutation: Mutation) async throws -> MutationResult {
    let end = ContinuousClock.now + timeout
    var delay = Duration.milliseconds(20)
    while true {
      do {
        return try await attempt(mutation, until: end)
      } catch let error as HubError where error.code == .unavailable {
        guard ContinuousClock.now + delay < end else { throw error }
        try await Task.sleep(for: delay)
        delay = min(delay * 2, .seconds(1))
      }
    }
  }

  /// Sends a mutation once, and gives it up where the time is over: a network that is silent ends
  /// nothing by itself.
  private func attempt(
    _ mutation: Mutation, until end: ContinuousClock.Instant
  ) async throws -> MutationResult {
    let sink = sink
    return try await withThrowingTaskGroup(of: MutationResult.self) { group in
      group.addTask { try await sink.perform(mutation) }
      group.addTask {
        try await Task.sleep(until: end, clock: .continuous)
        throw HubError(
          .unavailable, message: "The hub did not answer in time",
          hint: "It is not known whether the change is there: read again when the hub is back.")
      }
      defer { group.cancelAll() }
      guard let outcome = try await group.next() else { throw CancellationError() }
      return outcome
    }
  }
}

extension HubError {
  /// Whether the hub did not take a mutation for its number.
  var isAboutNumber: Bool {
    code == .mutationOutOfOrder || code == .mutationReused
  }
}
