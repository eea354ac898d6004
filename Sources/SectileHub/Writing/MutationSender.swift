/// Sends a process's mutations to the hub, in the order in which they came: those that came while
/// others were on their way go together.
///
/// ```
/// waiting   e f                            on their way   a b c d
///                                          clients        0 1 2 3, each with its own next number
/// ```
///
/// The clients' names are the process's own, and nobody else has them. Of each client one mutation
/// is on its way at most, so that the hub can be asked about every one that is; where it is not
/// known what became of one, its client goes on under another name.
actor MutationSender {
  /// How many mutations are sent at once at most.
  static let batchLimit = 16

  /// A mutation that somebody waits for.
  private struct Request {
    let ticket: Int
    let changes: [RowMutation]
    /// Nil where nobody waits any more.
    var continuation: CheckedContinuation<MutationID, any Error>?
    /// Whose it is, by its place among the clients, and which one; when it is sent.
    var client = 0
    var id: MutationID?
    var hasNewName = false

    var mutation: Mutation? { id.map { Mutation(id: $0, changes: changes) } }

    /// Tells who waits what became of the mutation.
    func answer(with result: MutationResult) {
      switch result {
      case .applied:
        if let id { continuation?.resume(returning: id) }
      case .rejected(let rejection):
        continuation?.resume(
          throwing: HubError(
            .rejected, message: "The hub refused the change: \(rejection.message)",
            hint: rejection.kind == .conflict
              ? "Look at the row as it is now (HubError.rejection), and write again." : nil,
            rejection: rejection))
      }
    }
  }

  private let sink: any MutationSink
  private let timeout: Duration

  // MARK: - Mutable state
  //
  // - `clients`: the last mutation of each client, with the number 0 where there is none.
  // - `waiting`: what is not sent yet; `batch`: what is on its way, from the first that is not
  //   decided on.
  // - `sending`: the task of the batch; ended where nobody waits for one of it any more.
  private var clients: [MutationID] = []
  private var waiting: [Request] = []
  private var batch: [Request] = []
  private var sending: Task<[MutationResult], any Error>?
  private var isRunning = false
  private var lastTicket = 0

  /// How many are not sent yet.
  var waitingCount: Int { waiting.count }

  init(_ sink: any MutationSink, timeout: Duration) { (self.sink, self.timeout) = (sink, timeout) }

  /// Sends changes, after those that came before.
  ///
  /// - Returns: Which mutation they are, when the hub has committed it.
  /// - Throws: ``HubError``: `rejected`; `unavailable` where it is not known what became of it.
  func send(_ changes: [RowMutation]) async throws -> MutationID {
    lastTicket += 1
    let ticket = lastTicket
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        take(Request(ticket: ticket, changes: changes, continuation: continuation))
      }
    } onCancel: {
      Task { await self.cancel(ticket) }
    }
  }

  private func take(_ request: Request) {
    // Who is cancelled later is found by the ticket.
    if Task.isCancelled {
      request.continuation?.resume(throwing: CancellationError())
      return
    }
    waiting.append(request)
    guard !isRunning else { return }
    isRunning = true
    Task { await run() }
  }

  private func cancel(_ ticket: Int) {
    if let place = waiting.firstIndex(where: { $0.ticket == ticket }) {
      waiting.remove(at: place).continuation?.resume(throwing: CancellationError())
    } else if let place = batch.firstIndex(where: { $0.ticket == ticket }) {
      batch[place].continuation?.resume(throwing: CancellationError())
      batch[place].continuation = nil
      if batch.allSatisfy({ $0.continuation == nil }) { sending?.cancel() }
    }
  }

  // MARK: - Sending

  private func run() async {
    while !waiting.isEmpty {
      var size = MutationBatchSize()
      batch = Array(waiting.prefix(Self.batchLimit).prefix { size.takes($0.changes) })
      waiting.removeFirst(batch.count)
      for place in batch.indices { number(place, client: place) }
      while !batch.isEmpty { await sendBatch() }
    }
    isRunning = false
  }

  /// Gives a mutation of the batch the next number of a client.
  private func number(_ place: Int, client: Int) {
    if client == clients.count { clients.append(Self.newClient()) }
    clients[client].number += 1
    (batch[place].client, batch[place].id) = (client, clients[client])
  }

  private static func newClient() -> MutationID {
    MutationID(client: MutationID.freshClient(), number: 0)
  }

  /// Sends what is in the batch, and takes out what is decided then.
  private func sendBatch() async {
    guard batch.contains(where: { $0.continuation != nil }) else {
      giveUp(batch.count, CancellationError())
      return
    }
    let mutations = batch.compactMap(\.mutation)
    let sending = Task { try await persist(mutations) }
    self.sending = sending
    let outcome = await sending.result
    self.sending = nil
    switch outcome {
    case .success(let results):
      for (request, result) in zip(batch, results) { request.answer(with: result) }
      batch.removeFirst(results.count)
    case .failure(let error as HubError)
    where error.isAboutNumber && batch.first?.hasNewName == false:
      // The hub has lost what this client sent before, and did not perform this: it is the first
      // one of another client.
      let client = batch[0].client
      clients[client] = Self.newClient()
      number(0, client: client)
      batch[0].hasNewName = true
    case .failure(let error as HubError) where error.code != .unavailable:
      // It is about the first; the others are sent again.
      giveUp(1, error)
    case .failure(let error): giveUp(batch.count, error)
    }
  }

  /// Takes the first ones out of the batch, of which it is not known what became of them.
  private func giveUp(_ count: Int, _ error: any Error) {
    for request in batch.prefix(count) {
      clients[request.client] = Self.newClient()
      request.continuation?.resume(throwing: error)
    }
    batch.removeFirst(count)
  }

  /// Sends mutations until the hub answers, or the time is over.
  private func persist(_ mutations: [Mutation]) async throws -> [MutationResult] {
    let end = ContinuousClock.now + timeout
    var delay = Duration.milliseconds(20)
    while true {
      do {
        let results = try await attempt(mutations, until: end)
        guard (1...mutations.count).contains(results.count) else {
          throw HubError(
            .malformedMessage, message: "The hub did not say what became of the change")
        }
        return results
      } catch let error as HubError where error.code == .unavailable {
        guard ContinuousClock.now + delay < end else { throw error }
        try await Task.sleep(for: delay)
        delay = min(delay * 2, .seconds(1))
      }
    }
  }

  /// Sends mutations once, and gives them up where the time is over: a network that is silent ends
  /// nothing by itself.
  private func attempt(
    _ mutations: [Mutation], until end: ContinuousClock.Instant
  ) async throws -> [MutationResult] {
    let sink = sink
    return try await withThrowingTaskGroup(of: [MutationResult].self) { group in
      group.addTask { try await sink.perform(mutations) }
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
