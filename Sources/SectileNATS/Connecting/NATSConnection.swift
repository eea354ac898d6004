#if NATS
  internal import Dispatch
  internal import SectileHub
  internal import SectileStore
  internal import Synchronization

  /// A session on a queue of its own, where it may wait: tasks wait for it without holding a thread
  /// of theirs.
  ///
  /// Calls run one after the other, in the order in which they came. A session that was lost is
  /// followed by another one, which has no subscription.
  final class NATSConnection: Sendable {
    private let location: NATSLocation
    private let name: String
    private let queue: DispatchQueue
    private let closing = NATSFlag()
    private let call = Mutex<NATSFlag?>(nil)

    // MARK: - Mutable state
    //
    // - `call`: guarded by its mutex; what cancels the call that runs.
    // - `session`: confined to the queue.
    private let session: Confined<NATSSession?>

    /// Creates a connection, which connects when it is first used.
    ///
    /// - Parameters:
    ///   - location: Where to.
    ///   - name: By what the server knows it.
    init(_ location: NATSLocation, name: String) {
      (self.location, self.name) = (location, name)
      queue = DispatchQueue(label: "sectile.nats.\(name)")
      session = Confined(nil, to: .queue(queue))
    }

    /// Runs a closure with the session, on the connection's queue.
    ///
    /// - Throws: What the closure throws; `HubError` `unavailable` where there is no connection;
    ///   `CancellationError` where the task is cancelled.
    func run<Result: Sendable>(
      _ body: @escaping @Sendable (NATSSession) throws -> Result
    ) async throws -> Result {
      let flag = NATSFlag()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          queue.async {
            continuation.resume(with: Swift.Result { try self.perform(flag, body) })
          }
        }
      } onCancel: {
        flag.set()
      }
    }

    private func perform<Result>(
      _ flag: NATSFlag, _ body: (NATSSession) throws -> Result
    ) throws -> Result {
      if closing.isSet { throw Self.closed }
      if flag.isSet { throw CancellationError() }
      call.withLock { $0 = flag }
      defer { call.withLock { $0 = nil } }
      do {
        return try body(try usableSession())
      } catch is CancellationError where closing.isSet {
        throw Self.closed
      }
    }

    private static let closed = HubError(
      .unavailable, message: "the connection to NATS is closed")

    private func usableSession() throws -> NATSSession {
      if let session = session.value, !session.isClosed { return session }
      session.value = nil
      let made = try NATSSession(location, name: name) { [weak self] in self?.isEnded ?? true }
      session.value = made
      return made
    }

    /// Whether the call that runs is to end.
    private var isEnded: Bool { closing.isSet || call.withLock { $0?.isSet ?? false } }

    /// Closes the connection: what waits ends with an error, and what comes later.
    func close() async {
      closing.set()
      await withCheckedContinuation { continuation in
        queue.async {
          self.session.value = nil
          continuation.resume()
        }
      }
    }
  }

  /// What is set once.
  final class NATSFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
  }
#endif
