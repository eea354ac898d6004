#if Service
  public import SectileStore
  internal import Synchronization

  /// Many stores of one schema, a file for each tenant, say, opened and closed as they are used.
  ///
  /// ```swift
  /// let pool = StorePool(folder: "/var/lib/parcels", migrations: Parcel.migrations)
  /// let count = try await pool.withStore(named: "tenant-7") { store in
  ///   try await store.read { try $0.fetchCount(FetchRequest<Parcel>()) }
  /// }
  /// ```
  ///
  /// A store is opened by whoever asks for it first, and shared by all who do as long as it is
  /// open. It stays open when nobody uses it, until its place is needed: then the one that was used
  /// longest ago is closed. One that is in use is never closed. So ten thousand files need no more
  /// than the few hundred stores that ``Limits`` allow.
  ///
  /// Where all are in use, whoever wants another waits, in order, and cancelling the task ends
  /// that. Take one store at a time: two tasks that each hold one and want a second may wait for
  /// ever where all places are taken.
  ///
  /// An error of opening reaches all who wait for that store, and is not remembered: who asks next
  /// tries again. A store whose file was replaced is retired as soon as a closure of
  /// ``withStore(named:isolation:_:)`` throws that, and the next one gets the file that is there;
  /// whoever has a lease and meets `fileReplaced` calls ``retire(_:)``. One that somebody else has
  /// closed is not handed out.
  ///
  /// All members may be used from any thread.
  public final class StorePool: Sendable {
    private typealias Machine = PoolMachine<Store>

    private struct State {
      var machine: Machine
      var waiters: [Int: CheckedContinuation<Lease, any Error>] = [:]
      /// Who was cancelled before they waited.
      var cancelled: Set<Int> = []
      var enders: [CheckedContinuation<Void, Never>] = []
      var lastTicket = 0
      var openedCount = 0
      var failedOpeningCount = 0
      var failedClosingCount = 0
    }

    /// What is done outside of the lock.
    private enum Effect {
      case resume(CheckedContinuation<Lease, any Error>, Result<Lease, any Error>)
      case open(Int, name: String)
      case close(Int, Store)
      case end([CheckedContinuation<Void, Never>])
    }

    // MARK: - Mutable state
    //
    // - `state`: guarded by its mutex. Stores are opened, closed and let go outside of it, and
    //   continuations are resumed there.
    private let state: Mutex<State>
    private let open: @Sendable (String) async throws -> Store
    /// How many stores may be open.
    public let openLimit: Int

    /// Creates a pool of stores that a closure opens.
    ///
    /// - Parameters:
    ///   - limits: How many stores may be open, and how many may wait; the closure sees to memory
    ///     and descriptors.
    ///   - open: Opens the store of a name. A name often comes from a client: look at it first. The
    ///     pool closes the store.
    public init(
      limits: Limits = Limits(), open: @escaping @Sendable (_ name: String) async throws -> Store
    ) {
      self.open = open
      openLimit = max(1, limits.openCount)
      state = Mutex(
        State(machine: Machine(limit: openLimit, waitingLimit: limits.waitingCount)))
    }

    // MARK: Using

    /// Runs a closure with a store, which stays open until it returns.
    ///
    /// - Parameters:
    ///   - name: The name of the store.
    ///   - isolation: Where the closure runs: where the caller does.
    ///   - body: Works with the store. It must not keep it: see ``lease(named:)``.
    /// - Returns: What `body` returns.
    /// - Throws: What opening the store throws; `storeClosed` where the pool is closed; `busy`
    ///   where too many wait; `CancellationError` where the task is cancelled while it waits; what
    ///   `body` throws.
    public func withStore<Result>(
      named name: String, isolation: isolated (any Actor)? = #isolation,
      _ body: (Store) async throws -> Result
    ) async throws -> Result {
      let use = try await lease(named: name)
      defer { use.end() }
      do {
        return try await body(use.store)
      } catch let error as StoreError where error.code == .fileReplaced {
        use.retire()
        throw error
      }
    }

    /// Takes a store for as long as a lease lives: for live results, and the feeds of clients.
    ///
    /// ```swift
    /// let lease = try await pool.lease(named: "tenant-7")
    /// let results = try lease.store.results(of: Parcel.list)
    /// ```
    ///
    /// - Parameter name: The name of the store.
    /// - Returns: The lease. Keep it as long as what was made from the store.
    /// - Throws: What opening the store throws; `storeClosed` where the pool is closed; `busy`
    ///   where too many wait; `CancellationError` where the task is cancelled while it waits.
    public func lease(named name: String) async throws -> Lease {
      let lease = try await take(name)
      guard lease.store.closeOutcome != nil else { return lease }
      // Somebody else has closed it.
      lease.retire()
      lease.end()
      return try await take(name)
    }

    private func take(_ name: String) async throws -> Lease {
      let ticket = state.withLock { state in
        state.lastTicket += 1
        return state.lastTicket
      }
      defer { state.withLock { state in _ = state.cancelled.remove(ticket) } }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          perform { state in
            state.waiters[ticket] = continuation
            if state.cancelled.contains(ticket) { return [.refuse(ticket, .cancelled)] }
            return state.machine.acquire(name, for: ticket)
          }
        }
      } onCancel: {
        perform { state in
          if state.waiters[ticket] == nil { state.cancelled.insert(ticket) }
          return state.machine.cancel(ticket, of: name)
        }
      }
    }

    /// Lets go of a store, so that whoever asks for it next gets a new one: after its file was
    /// restored from a backup, say.
    ///
    /// Who uses it goes on, and it is closed after them. Nothing happens where it is not open.
    ///
    /// - Parameter name: The name of the store.
    public func retire(_ name: String) { perform { $0.machine.retire(name) } }

    /// Closes stores that nobody uses, those that were used longest ago first: where memory is
    /// short, or at night.
    ///
    /// It returns before they are closed.
    ///
    /// - Parameter count: How many of them stay open.
    public func closeIdle(keeping count: Int = 0) {
      perform { $0.machine.closeIdle(keeping: count) }
    }

    /// Closes all stores, each when nobody uses it any more, and returns when that is done.
    ///
    /// From now on nobody gets a store: who waits, and who asks, is told `storeClosed`. It closes
    /// them also where the task is cancelled. End feeds first, since their leases are uses.
    ///
    /// - Returns: How many stores could not be closed in order since the pool was made; they are
    ///   let go of all the same. A log may be left beside their files, which loses nothing.
    @discardableResult
    public func close() async -> Int {
      await withCheckedContinuation { continuation in
        perform { state in
          state.enders.append(continuation)
          return state.machine.close()
        }
      }
      return state.withLock { $0.failedClosingCount }
    }

    /// What the pool has at the moment, and what it has done.
    public var statistics: Statistics {
      state.withLock { state in
        Statistics(
          openCount: state.machine.placeCount, inUseCount: state.machine.inUseCount,
          waitingCount: state.machine.waitingCount, openedCount: state.openedCount,
          failedOpeningCount: state.failedOpeningCount,
          failedClosingCount: state.failedClosingCount)
      }
    }

    // MARK: Doing what the machine says

    fileprivate func end(_ place: Int) { perform { $0.machine.release(place) } }

    fileprivate func retire(at place: Int) { perform { $0.machine.retire(at: place) } }

    private func perform(_ event: (inout State) -> [Machine.Action]) {
      let effects = state.withLock { state in
        event(&state).compactMap { effect(of: $0, &state) }
      }
      for effect in effects { run(effect) }
    }

    private func effect(of action: Machine.Action, _ state: inout State) -> Effect? {
      switch action {
      case .grant(let ticket, let place, let store):
        return state.waiters.removeValue(forKey: ticket).map {
          .resume($0, .success(Lease(of: store, at: place, in: self)))
        }
      case .refuse(let ticket, let refusal):
        return state.waiters.removeValue(forKey: ticket).map {
          .resume($0, .failure(Self.error(of: refusal, limit: openLimit)))
        }
      case .open(let place, let name): return .open(place, name: name)
      case .close(let place, let store): return .close(place, store)
      case .end:
        defer { state.enders = [] }
        return .end(state.enders)
      }
    }

    private func run(_ effect: Effect) {
      switch effect {
      case .resume(let continuation, let result): continuation.resume(with: result)
      case .end(let continuations): for continuation in continuations { continuation.resume() }
      case .open(let place, let name):
        Task.detached { [self] in
          let result: Result<Store, any Error>
          do { result = .success(try await open(name)) } catch { result = .failure(error) }
          perform { state in
            if case .success = result {
              state.openedCount += 1
            } else {
              state.failedOpeningCount += 1
            }
            return state.machine.didOpen(place, result)
          }
        }
      case .close(let place, let store):
        Task.detached { [self] in
          do {
            try await store.close()
          } catch {
            state.withLock { $0.failedClosingCount += 1 }
          }
          perform { $0.machine.didClose(place) }
        }
      }
    }

    private static func error(of refusal: Machine.Refusal, limit: Int) -> any Error {
      switch refusal {
      case .cancelled: CancellationError()
      case .failed(let error): error
      case .closed:
        StoreError(
          .storeClosed, message: "The pool of stores is closed",
          hint: "Make a new pool; a closed pool stays closed.")
      case .tooManyWait:
        StoreError(
          .busy, message: "All \(limit) stores of the pool are in use, and too many tasks wait",
          hint: "Try again later, or raise StorePool.Limits: openCount, waitingCount.")
      }
    }
  }

  extension StorePool {
    /// A store in use: it stays open as long as the lease lives and was not ended.
    public final class Lease: Sendable {
      /// The store, to be used no longer than the lease.
      public let store: Store
      private let place: Int
      private let pool: StorePool

      // MARK: - Mutable state
      //
      // - `isEnded`: whether the pool was told; set once.
      private let isEnded = Atomic(false)

      fileprivate init(of store: Store, at place: Int, in pool: StorePool) {
        (self.store, self.place, self.pool) = (store, place, pool)
      }

      deinit { end() }

      /// Ends the use; calling it again does nothing.
      public func end() {
        if !isEnded.exchange(true, ordering: .relaxed) { pool.end(place) }
      }

      fileprivate func retire() { pool.retire(at: place) }
    }
  }
#endif
