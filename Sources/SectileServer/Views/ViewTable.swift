#if Server
  internal import Sectile
  internal import SectileInspecting
  internal import Synchronization

  /// The views that are open, each shared by all who ask for the same.
  ///
  /// ```text
  ///   use ──▶ opening ──▶ open, n users ──▶ open, nobody ── grace time ──▶ closed
  ///               └ failed: all who wait are told, and the next one tries again
  /// ```
  final class ViewTable: Sendable {
    /// Opens a view.
    typealias Opening = @Sendable (ViewRequest) async throws -> LiveView

    private struct Entry {
      let opening: Task<LiveView, any Error>
      /// The view, once it is open.
      let opened: OpenedView
      let watch: Task<Void, Never>
      var users = 0
      var idleSince: ContinuousClock.Instant?
      /// Tells the entry from a later one of the same request.
      let number: Int
    }

    private struct State {
      var entries: [ViewRequest: Entry] = [:]
      var lastNumber = 0
      var isEnded = false
    }

    private let limits: ViewLimits
    private let open: Opening
    /// How many are opened at a time: others wait, and what is open is served.
    private let slots = Slots(count: 4)

    // MARK: - Mutable state
    //
    // - `state`: guarded by its mutex; views are opened and closed outside of it.
    private let state = Mutex(State())

    init(limits: ViewLimits, opening: @escaping Opening) {
      self.limits = limits
      open = opening
    }

    /// Returns a view, which stays open as long as what is returned is kept.
    ///
    /// - Throws: ``Refusal`` where there are too many; what opening throws.
    func hold(_ request: ViewRequest) async throws -> ViewHold {
      let (opening, number) = try enter(request)
      do {
        let view = try await opening.value
        return ViewHold(view) { [weak self] in self?.leave(request, number) }
      } catch {
        leave(request, number)
        forget(request, number)
        throw error is CancellationError ? Refusal(.busy, "the server ends") : error
      }
    }

    private func enter(
      _ request: ViewRequest
    ) throws -> (opening: Task<LiveView, any Error>, number: Int) {
      let (entry, evicted) = try state.withLock { state in
        if state.isEnded { throw Refusal(.busy, "the server ends") }
        var evicted: Entry?
        if state.entries[request] == nil, state.entries.count >= limits.views {
          evicted = try Self.takeIdle(from: &state, limits)
        }
        var entry = state.entries[request] ?? makeEntry(request, &state)
        entry.users += 1
        entry.idleSince = nil
        state.entries[request] = entry
        return (entry, evicted)
      }
      if let evicted { close(evicted) }
      return (entry.opening, entry.number)
    }

    private func makeEntry(_ request: ViewRequest, _ state: inout State) -> Entry {
      state.lastNumber += 1
      let number = state.lastNumber
      let opening = Task.detached { [open, slots] in
        try await slots.take { try await open(request) }
      }
      let opened = OpenedView()
      let watch = Task.detached { [weak self] in
        guard let view = try? await opening.value else { return }
        opened.view.withLock { $0 = view }
        await ViewWatch(view: view).run()
        // The file is another one now: whoever follows opens it anew.
        if !Task.isCancelled { self?.drop(request, number) }
      }
      return Entry(opening: opening, opened: opened, watch: watch, number: number)
    }

    /// Takes the view out that nobody has used for longest.
    private static func takeIdle(
      from state: inout State, _ limits: ViewLimits
    ) throws(Refusal) -> Entry? {
      let idle = state.entries.filter { $0.value.users == 0 }
        .min { ($0.value.idleSince ?? .now) < ($1.value.idleSince ?? .now) }
      guard let idle else {
        throw Refusal(
          .tooManyRequests, "there are \(limits.views) views already",
          hint: "Close some, or start the server with --view-limit.")
      }
      return state.entries.removeValue(forKey: idle.key)
    }

    private func leave(_ request: ViewRequest, _ number: Int) {
      state.withLock { state in
        guard state.entries[request]?.number == number else { return }
        state.entries[request]?.users -= 1
        if state.entries[request]?.users == 0 { state.entries[request]?.idleSince = .now }
      }
    }

    private func forget(_ request: ViewRequest, _ number: Int) {
      state.withLock { state in
        if state.entries[request]?.number == number { state.entries[request] = nil }
      }
    }

    private func drop(_ request: ViewRequest, _ number: Int) {
      let entry = state.withLock { state -> Entry? in
        guard state.entries[request]?.number == number else { return nil }
        return state.entries.removeValue(forKey: request)
      }
      if let entry { close(entry) }
    }

    private func close(_ entry: Entry) {
      entry.watch.cancel()
      Task.detached {
        guard let view = try? await entry.opening.value else { return }
        await view.end()
      }
    }

    // MARK: All of them

    /// Closes views that nobody has used for a while, until the task is cancelled.
    func sweep() async {
      while !Task.isCancelled {
        try? await Task.sleep(for: min(limits.graceTime, .seconds(1)))
        let idle = state.withLock { state in
          let idle = state.entries.filter { entry in
            entry.value.idleSince.map { .now - $0 > limits.graceTime } ?? false
          }
          for request in idle.keys { state.entries[request] = nil }
          return Array(idle.values)
        }
        for entry in idle { close(entry) }
      }
    }

    /// Opens no view any more; what is being read for one is of no use to anybody.
    func endOpening() {
      let entries = state.withLock { state in
        state.isEnded = true
        return Array(state.entries.values)
      }
      for entry in entries { entry.opening.cancel() }
    }

    /// Closes all views, and opens none any more.
    func end() async {
      endOpening()
      let entries = state.withLock { state in
        state.isEnded = true
        defer { state.entries = [:] }
        return Array(state.entries.values)
      }
      for entry in entries {
        entry.watch.cancel()
        if let view = try? await entry.opening.value { await view.end() }
      }
    }

    /// Returns the plan of an open view of the same rows, whatever columns and aggregates it has.
    ///
    /// - Parameter request: What rows are wanted.
    /// - Returns: The plan; nil where there is no such view.
    func plan(ofRowsOf request: TableRequest) -> FetchPlan? {
      var wanted = request
      (wanted.columns, wanted.aggregates) = ([], [])
      for (view, _) in all {
        guard case .table(var shown) = view.request else { continue }
        (shown.columns, shown.aggregates) = ([], [])
        if shown == wanted { return view.edition.plan }
      }
      return nil
    }

    /// The views that are open, with the number of those who use each.
    var all: [(view: LiveView, users: Int)] {
      state.withLock { state in
        state.entries.values.compactMap { entry in
          entry.opened.view.withLock { $0 }.map { ($0, entry.users) }
        }
      }
    }
  }

  /// A view, once it is open.
  private final class OpenedView: Sendable {
    // MARK: - Mutable state
    //
    // - `view`: guarded by its mutex.
    let view = Mutex<LiveView?>(nil)
  }

  /// A view that somebody uses, until this is released.
  final class ViewHold: Sendable {
    let view: LiveView
    private let leave: @Sendable () -> Void

    init(_ view: LiveView, leaving leave: @escaping @Sendable () -> Void) {
      self.view = view
      self.leave = leave
    }

    deinit { leave() }
  }
#endif
