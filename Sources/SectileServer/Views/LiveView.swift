#if Server
  internal import Sectile
  internal import Synchronization

  /// A request that somebody follows: its store, and what is known of its rows.
  ///
  /// All clients of equal requests share one. It has a store of its own where it is of a file: what
  /// takes long, or is stopped because it does, is then no other view's matter.
  final class LiveView: Sendable {
    let request: ViewRequest
    let store: Store
    let limits: ViewLimits
    /// Whether the store belongs to the view alone.
    let ownsStore: Bool
    private let makePlan: @Sendable (Store) throws -> FetchPlan
    private let stillness: FileStillness?

    // MARK: - Mutable state
    //
    // - `state`: guarded by its mutex; nothing is read or loaded under it.
    private let state: Mutex<State>

    private struct State {
      var edition: ViewEdition
      var schemaVersion: Int64
      var isEnded = false
      /// Resumed when there is another edition, or none any more.
      var waiters = Waiters<Void>()
    }

    /// Opens a view, and reads its rows.
    ///
    /// - Parameters:
    ///   - request: What is wanted.
    ///   - store: The store.
    ///   - ownsStore: Whether the store is for this view alone, and closed with it.
    ///   - limits: What it may cost.
    ///   - makePlan: Returns the plan in the schema as it is.
    /// - Throws: ``Refusal``, `RequestError`, and `StoreError`.
    init(
      _ request: ViewRequest, in store: Store, owning ownsStore: Bool, limits: ViewLimits,
      makePlan: @escaping @Sendable (Store) throws -> FetchPlan
    ) async throws {
      self.request = request
      self.store = store
      self.ownsStore = ownsStore
      self.limits = limits
      self.makePlan = makePlan
      stillness = store.makeStillness()
      let (schemaVersion, plan) = try await BlockingCalls.shared.run {
        (try SchemaVersion.now(in: store), try makePlan(store))
      }
      let edition = try await Self.edition(of: plan, in: store, ownsStore, limits)
      state = Mutex(State(edition: edition, schemaVersion: schemaVersion))
    }

    private static func edition(
      of plan: FetchPlan, in store: Store, _ ownsStore: Bool, _ limits: ViewLimits
    ) async throws -> ViewEdition {
      let results = try store.results(of: plan)
      try await Deadline.run(ownsStore ? limits.queryTime : nil, interrupting: store) {
        try await results.loadAndWait()
      }
      return ViewEdition(of: results, plan, limits)
    }

    /// What there is now.
    var edition: ViewEdition { state.withLock { $0.edition } }

    /// Whether the view has ended.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Waits until there is another edition than one; returns nil where there will be none.
    func edition(after former: ViewEdition) async -> ViewEdition? {
      await Waiters<Void>.wait(cancellation: ()) { waiter in
        state.withLock { state -> Void? in
          if state.isEnded || state.edition !== former { return () }
          state.waiters.append(waiter)
          return nil
        }
      } removing: { number in
        state.withLock { $0.waiters.remove(number) }
      }
      return state.withLock { state in
        state.isEnded || state.edition === former ? nil : state.edition
      }
    }

    // MARK: Looking

    /// Whether a look would find nothing, as the file system tells.
    var isStill: Bool { !store.needsLook && stillness?.isStill() == true }

    /// Looks for what others have written, and whether the schema is another one.
    ///
    /// - Throws: `StoreError`.
    func look() async throws {
      let mark = stillness?.mark()
      do {
        try await followFile()
      } catch {
        stillness?.didFail()
        throw error
      }
      if let mark { stillness?.didLook(at: mark) }
      edition.prune()
    }

    private func followFile() async throws {
      let known = state.withLock { $0.schemaVersion }
      let version = try await BlockingCalls.shared.run { [store] in try SchemaVersion.now(in: store)
      }
      if version != known { try await followSchema(to: version) }
      try await Deadline.run(ownsStore ? limits.queryTime : nil, interrupting: store) {
        [store] in try await store.checkForExternalChanges()
      }
    }

    /// Makes another edition where the request means other columns now.
    private func followSchema(to version: Int64) async throws {
      let former = edition
      guard
        let plan = try? await BlockingCalls.shared.run({ [store, makePlan] in
          try makePlan(store)
        })
      else {
        // The table is gone, or its key: the results say what is missing, and again when it is
        // there.
        return state.withLock { $0.schemaVersion = version }
      }
      if plan == former.plan { return state.withLock { $0.schemaVersion = version } }
      let edition = try await Self.edition(of: plan, in: store, ownsStore, limits)
      let woken = state.withLock { state -> [Waiters<Void>.Waiter]? in
        if state.isEnded { return nil }
        state.schemaVersion = version
        state.edition = edition
        return state.waiters.removeAll()
      }
      guard let woken else { return edition.finish() }
      former.finish()
      for waiter in woken { waiter.resume() }
    }

    /// Ends the view.
    func end() async {
      let woken = state.withLock { state in
        state.isEnded = true
        return state.waiters.removeAll()
      }
      edition.finish()
      for waiter in woken { waiter.resume() }
      if ownsStore { await Deadline.close(store) }
    }
  }
#endif
