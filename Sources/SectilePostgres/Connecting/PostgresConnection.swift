#if Postgres
  internal import Dispatch
  internal import SectileHub
  internal import SectileStore
  internal import Synchronization

  /// A session on a queue of its own, where it may wait: tasks wait for it without holding a thread
  /// of theirs.
  ///
  /// Calls run one after the other, in the order in which they came.
  final class PostgresConnection: Sendable {
    private let target: PostgresTarget
    /// Whether a session that ended is followed by another.
    private let reconnects: Bool
    private let queue: DispatchQueue
    private let waker: Waker
    private let closing = ConnectionCall()
    private let current = Mutex<ConnectionCall?>(nil)

    // MARK: - Mutable state
    //
    // - `current`: guarded by its mutex.
    // - `session`, `timer`: confined to the queue.
    private let session: Confined<PostgresSession?>
    private let timer: Confined<RepeatingTimer?>

    /// A timer that ends with its release.
    private final class RepeatingTimer {
      private let source: any DispatchSourceTimer

      init(
        every interval: Duration, on queue: DispatchQueue, _ call: @escaping @Sendable () -> Void
      ) {
        source = DispatchSource.makeTimerSource(queue: queue)
        let milliseconds = Int(interval / .milliseconds(1))
        source.schedule(
          deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds))
        source.setEventHandler(handler: call)
        source.resume()
      }

      deinit { source.cancel() }
    }

    /// Creates a connection, which connects when it is first used.
    init(_ target: PostgresTarget, reconnects: Bool) throws {
      guard let waker = Waker() else {
        throw HubError(.unavailable, message: "this process has no file descriptor left")
      }
      (self.target, self.reconnects, self.waker) = (target, reconnects, waker)
      queue = DispatchQueue(label: "sectile.postgres.\(target.applicationName)")
      session = Confined(nil, to: .queue(queue))
      timer = Confined(nil, to: .queue(queue))
    }

    /// Runs a closure with the session, on the connection's queue.
    ///
    /// - Throws: What the closure throws; `HubError` `unavailable` where there is no connection;
    ///   `CancellationError` where the task is cancelled, which ends the session.
    func run<Result: Sendable>(
      _ body: @escaping @Sendable (PostgresSession) throws -> Result
    ) async throws -> Result {
      let call = ConnectionCall()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          queue.async {
            continuation.resume(with: Swift.Result { try self.perform(call, body) })
          }
        }
      } onCancel: {
        call.cancel()
        waker.wake()
      }
    }

    private func perform<Result>(
      _ call: ConnectionCall, _ body: (PostgresSession) throws -> Result
    ) throws -> Result {
      if closing.isCancelled { throw HubError(.unavailable, message: "the connection is closed") }
      if call.isCancelled { throw CancellationError() }
      current.withLock { $0 = call }
      defer { current.withLock { $0 = nil } }
      do {
        let session = try usableSession(for: call)
        session.call = call
        defer { session.call = nil }
        return try body(session)
      } catch is CancellationError where closing.isCancelled {
        throw HubError(.unavailable, message: "the connection is closed")
      }
    }

    private func usableSession(for call: ConnectionCall) throws -> PostgresSession {
      if let session = session.value {
        if reconnects ? session.isAlive() && session.isIdle : !session.isBroken { return session }
        guard reconnects else {
          throw HubError(.unavailable, message: "the connection to PostgreSQL was lost")
        }
        self.session.value = nil
      }
      let session = try PostgresSession(target, waker: waker, call: call)
      self.session.value = session
      return session
    }

    /// The session as it is; nil where the connection has ended, or has not begun.
    private var openSession: PostgresSession? {
      guard let session = session.value, !session.isBroken, !closing.isCancelled else { return nil }
      return session
    }

    /// Runs a closure again and again while nothing else runs, until the connection is closed.
    func `repeat`(every interval: Duration, _ body: @escaping @Sendable (PostgresSession) -> Void) {
      queue.async { [weak self] in
        guard let self, !closing.isCancelled else { return }
        timer.value = RepeatingTimer(every: interval, on: queue) { [weak self] in
          if let session = self?.openSession { body(session) }
        }
      }
    }

    /// Runs a closure when nothing else runs, and wakes what waits so that it may do the same;
    /// nothing where the connection has ended.
    func interrupt(_ body: @escaping @Sendable (PostgresSession) -> Void) {
      queue.async {
        if let session = self.openSession { body(session) }
      }
      waker.wake()
    }

    /// Closes the connection: what waits ends with an error, and what comes later.
    func close() async {
      closing.cancel()
      current.withLock { $0?.cancel() }
      waker.wake()
      await withCheckedContinuation { continuation in
        queue.async {
          (self.timer.value, self.session.value) = (nil, nil)
          continuation.resume()
        }
      }
    }
  }
#endif
