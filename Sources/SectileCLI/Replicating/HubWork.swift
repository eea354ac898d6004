#if Postgres
  internal import Dispatch
  internal import SectileHub
  internal import Synchronization

  /// Work that waits for a hub, while the command's thread waits for it.
  enum HubWork {
    /// Runs work to its end; a signal cancels it.
    ///
    /// - Parameters:
    ///   - stop: What hears of signals.
    ///   - body: The work.
    /// - Returns: What the work returns.
    /// - Throws: ``CommandFailure`` in place of `HubError`, and where a signal came and the work
    ///   ended with an error; otherwise what the work throws.
    static func run<Value: Sendable>(
      _ stop: StopSignal = StopSignal(), _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
      let outcome = HubOutcome<Value>()
      let task = Task.detached {
        do {
          outcome.come(.success(try await body()))
        } catch {
          outcome.come(.failure(error))
        }
      }
      stop.whenStopped { task.cancel() }
      defer { stop.end() }
      do {
        return try outcome.wait().get()
      } catch let failure as CommandFailure {
        throw failure
      } catch is CancellationError where stop.hasStopped {
        throw CommandFailure(.interrupted, "stopped")
      } catch let error as HubError {
        throw CommandFailure(of: error)
      }
    }
  }

  /// What came of some work, which the command's thread waits for.
  private final class HubOutcome<Value: Sendable>: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    // MARK: - Mutable state
    //
    // - `result`: set once, before the semaphore is signalled; guarded by its mutex.
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func come(_ result: Result<Value, any Error>) {
      self.result.withLock { $0 = result }
      semaphore.signal()
    }

    func wait() -> Result<Value, any Error> {
      semaphore.wait()
      return result.withLock { $0 } ?? .failure(CancellationError())
    }
  }

  extension CommandFailure {
    /// Creates the failure that an error of a hub amounts to.
    init(of error: HubError) {
      let code: Code =
        switch error.code {
        case .unavailable, .nameInUse, .notPermitted, .notReplicator: .inputOutput
        case .notReplica, .outboxNotEmpty: .failed
        case .replicaClosed, .mutationOutOfOrder, .mutationReused: .internal
        default: .data
        }
      // SQL for somebody else to run has lines of its own; the library's hints name functions.
      let hint = error.hint ?? ""
      if hint.contains("\n"), let colon = hint.firstRange(of: ": ") {
        self.init(
          code, error.message, hint: String(hint[..<colon.lowerBound]) + ":",
          listing: String(hint[colon.upperBound...]))
      } else if hint.contains("install(_:role:)") {
        self.init(code, error.message, hint: "Set it up with: sectile hub init --table …")
      } else if error.code == .outboxNotEmpty {
        self.init(code, error.message, hint: "Send them first: sectile hub attach FILE … --follow")
      } else if error.code == .notReplicator {
        self.init(code, error.message, hint: "End that process first, or have it do this.")
      } else {
        self.init(code, error.message, hint: error.hint)
      }
    }
  }
#endif
