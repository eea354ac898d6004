public import SectileCore
internal import Synchronization

/// A delegate that writes down what it is told, and checks it.
///
/// It checks the lifecycle's grammar, that readers see the old contents in `willLoad` and the new
/// ones afterwards, that versions have no gaps, that no row appears twice in one changeset, and,
/// by applying every changeset to contents of its own, that changesets fit. What is wrong is
/// collected in ``violations``. A failure is one too, unless the test asks for the ``errors``.
///
/// ```swift
/// let recorder = ChangeRecorder<Int64, Package>()
/// results.delegate = recorder
/// try results.load()
/// try recorder.expect(["insert section net", "insert net/0"])
/// try store.write { tx in try tx.insert(package) }
/// try recorder.expect(["insert net/1"])              // throws what came instead
/// try recorder.check(against: results)               // throws what else is wrong
/// ```
///
/// Attach a recorder before the source's first load, or give it the contents to start from. It may
/// be used from any thread, and records one source.
public final class ChangeRecorder<ItemID: Hashable & Sendable, Item: Sendable>: DataSourceDelegate {
  /// What is recorded of one callback.
  public typealias Event = DataSourceEvent<ItemID, Item>

  private enum Phase: String {
    case idle = "before willLoad"
    case loading = "after willLoad"
  }

  private struct State {
    var phase = Phase.idle
    var events: [Event] = []
    /// The changes since the last expectation, in words.
    var lines: [String] = []
    var violations: [String] = []
    /// Failures that nobody asked for so far.
    var unseenFailures: [String] = []
    var allowsFailures = false
    /// Whether anything was heard, also before a reset.
    var hasHeard = false
    /// Whether the source had contents already when the recorder first heard of it.
    var isLate = false
    var contents: SectionedContents<ItemID, Item>
    var ends = 0
    var waiters: [Int: (ends: Int, continuation: CheckedContinuation<Bool, Never>)] = [:]
    var expired: Set<Int> = []
    var lastWaiter = 0
  }

  private let state: Mutex<State>

  /// Creates a recorder for a source with the given contents: by default one that was not loaded.
  public init(contents: SectionedContents<ItemID, Item> = SectionedContents()) {
    state = Mutex(State(contents: contents))
  }

  // MARK: - What was recorded

  /// The callbacks so far, in order.
  public var events: [Event] { state.withLock { $0.events } }

  /// The changesets so far, in order.
  public var changesets: [Changeset<ItemID, Item>] {
    events.compactMap { event in
      if case .didPartiallyLoad(let changes) = event { changes } else { nil }
    }
  }

  /// The errors of the failures so far, in order.
  ///
  /// Whoever asks for them expects them: they are no violations from then on.
  public var errors: [any Error] {
    state.withLock { $0.unseenFailures = [] }
    return events.compactMap { event in
      if case .didFail(let error) = event { error } else { nil }
    }
  }

  /// What the changesets so far add up to.
  public var contents: SectionedContents<ItemID, Item> { state.withLock { $0.contents } }

  /// What was wrong so far, one sentence each.
  public var violations: [String] {
    state.withLock { state in
      state.violations
        + state.unseenFailures.map {
          "a load failed: \($0) (a test that expects that asks for the recorder's errors)"
        }
    }
  }

  /// Whether a lifecycle has begun and not ended.
  public var isLoading: Bool { state.withLock { $0.phase == .loading } }

  /// Forgets events, failures among them; contents and lifecycle go on from where they are.
  ///
  /// What a source did wrong stays in ``violations``: nothing makes up for it later.
  public func reset() {
    state.withLock { state in
      state.events = []
      state.lines = []
      state.unseenFailures = []
      state.ends = 0
    }
  }

  /// Takes failures for what is meant to happen, those so far included: they are no violations.
  public func allowFailures() {
    state.withLock { state in
      state.allowsFailures = true
      state.unseenFailures = []
    }
  }

  /// Takes note that the source was cancelled: a lifecycle that was under way ends without a word.
  public func sourceWasCancelled() {
    state.withLock { $0.phase = .idle }
  }

  // MARK: - Expecting

  /// Throws unless the changes since the last expectation, or since the recorder was made or reset,
  /// are these.
  ///
  /// ```swift
  /// try recorder.expect(["delete section fiction", "move fiction/0 → war/1"])
  /// ```
  ///
  /// - Parameter lines: One line for each change, in the words of
  ///   ``SectileCore/Changeset/changeLines(from:to:)``, changeset after changeset.
  /// - Throws: ``ExpectationFailure``, which shows both and the difference; ``ContractViolations``
  ///   where something was wrong.
  public func expect(_ lines: [String]) throws {
    try check()
    let (came, contents) = state.withLock { state in
      (exchange(&state.lines, with: []), state.contents)
    }
    guard came != lines else { return }
    throw ExpectationFailure(
      "The changes are not the expected ones.", expected: lines, found: came,
      notes: ["contents now: \(contents)"])
  }

  // MARK: - Checking

  /// Throws what was wrong so far.
  public func check() throws(ContractViolations) {
    let violations = violations
    if !violations.isEmpty { throw ContractViolations(violations) }
  }

  /// Throws what was wrong so far, and where the replayed contents differ from the source's.
  public func check(
    against source: any DataSource<ItemID, Item>
  ) throws(ContractViolations) where Item: Equatable {
    let violations = violations + verify(against: source)
    if !violations.isEmpty { throw ContractViolations(violations) }
  }

  /// Returns where the replayed contents differ from the source's: nothing, if all is well.
  public func verify(against source: any DataSource<ItemID, Item>) -> [String]
  where Item: Equatable {
    verify(against: source, isEqual: ==)
  }

  /// Returns where the replayed contents differ from the source's: nothing, if all is well.
  ///
  /// - Parameters:
  ///   - source: The source; nothing may change it meanwhile.
  ///   - isEqual: Returns whether two items are the same in every respect.
  /// - Returns: The differences, one sentence each, at most twenty.
  public func verify(
    against source: any DataSource<ItemID, Item>, isEqual: (Item, Item) -> Bool
  ) -> [String] {
    contents.differences(to: source, isEqual: isEqual)
  }

  /// Waits until so many lifecycles ended, finished or failed, since the recorder was made or
  /// reset.
  ///
  /// - Returns: False where the limit passed first.
  public func waitForEnds(_ ends: Int, limit: Duration = .seconds(180)) async -> Bool {
    let waiter = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let timer = Task {
      try? await Task.sleep(for: limit.waitable)
      expire(waiter)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      let answer: Bool? = state.withLock { state in
        if state.ends >= ends { return true }
        if state.expired.remove(waiter) != nil { return false }
        state.waiters[waiter] = (ends, continuation)
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  private func expire(_ waiter: Int) {
    let continuation = state.withLock { state in
      let entry = state.waiters.removeValue(forKey: waiter)
      if entry == nil { state.expired.insert(waiter) }
      return entry?.continuation
    }
    continuation?.resume(returning: false)
  }

  // MARK: - Receiving

  /// Records one event, for a recorder that observes a source instead of being its delegate.
  public func receive(_ event: Event) {
    receive(event, from: nil)
  }

  /// Records that changes follow.
  public func dataSourceWillLoad(_ source: any DataSource<ItemID, Item>) {
    receive(.willLoad, from: source)
  }

  /// Records changes.
  public func dataSource(
    _ source: any DataSource<ItemID, Item>, didPartiallyLoad changes: Changeset<ItemID, Item>
  ) {
    receive(.didPartiallyLoad(changes), from: source)
  }

  /// Records an end.
  public func dataSourceDidFinishLoading(_ source: any DataSource<ItemID, Item>) {
    receive(.didFinishLoading, from: source)
  }

  /// Records a failure.
  public func dataSource(_ source: any DataSource<ItemID, Item>, didFailWith error: any Error) {
    receive(.didFail(error), from: source)
  }

  private func receive(_ event: Event, from source: (any DataSource<ItemID, Item>)?) {
    // Hashing and reading items is the user's code: it runs outside the lock, on a copy. A source
    // makes one callback at a time.
    var (phase, contents) = state.withLock { ($0.phase, $0.contents) }
    var found: [String] = []
    var lines: [String] = []
    let name = event.name
    if let late = lateness(event, contents, source) {
      state.withLock { $0.isLate = true }
      found.append(late)
    }
    switch event {
    case .willLoad:
      if phase != .idle { found.append("\(name) came \(phase.rawValue), before an end") }
      phase = .loading
    case .didPartiallyLoad(let changes):
      if phase != .loading { found.append("\(name) came \(phase.rawValue)") }
      found += changes.violations
      let before = SectionList(contents.sections.map(\.header))
      do {
        try contents.apply(changes)
      } catch {
        found.append("the changeset cannot be applied: \(error)")
      }
      lines = changes.changeLines(
        from: before, to: SectionList(contents.sections.map(\.header)))
    case .didFinishLoading, .didFail:
      if phase != .loading { found.append("\(name) came \(phase.rawValue)") }
      phase = .idle
    }
    if let source, source.version != contents.version {
      found.append(
        "in \(name) a reader sees version \(source.version) instead of \(contents.version)")
    }
    note(event, phase, contents, found, lines)
  }

  /// Returns what to say where the source was at a later version already when the recorder first
  /// heard of it.
  private func lateness(
    _ event: Event, _ contents: SectionedContents<ItemID, Item>,
    _ source: (any DataSource<ItemID, Item>)?
  ) -> String? {
    guard state.withLock({ !$0.hasHeard && !$0.isLate }) else { return nil }
    var version = source?.version
    if case .didPartiallyLoad(let changes) = event { version = changes.sourceVersion }
    guard let version, version > contents.version else { return nil }
    return
      "the recorder was attached late: the source was at version \(version) already; attach it "
      + "before the first load, or make it with the contents of that version"
  }

  private func note(
    _ event: Event, _ phase: Phase, _ contents: SectionedContents<ItemID, Item>,
    _ found: [String], _ lines: [String]
  ) {
    let ready = state.withLock { state in
      state.events.append(event)
      state.hasHeard = true
      state.lines += lines
      // What follows from being late is not worth saying.
      state.violations +=
        state.isLate ? Array(found.prefix(state.violations.isEmpty ? 1 : 0)) : found
      if case .didFail(let error) = event, !state.allowsFailures {
        state.unseenFailures.append("\(error)")
      }
      state.phase = phase
      state.contents = contents
      if phase == .idle { state.ends += 1 }
      let ends = state.ends
      let ready = state.waiters.filter { $0.value.ends <= ends }
      for waiter in ready.keys { state.waiters[waiter] = nil }
      return ready.values.map(\.continuation)
    }
    for continuation in ready { continuation.resume(returning: true) }
  }
}

extension DataSourceEvent {
  /// The callback's name.
  var name: String {
    switch self {
    case .willLoad: "willLoad"
    case .didPartiallyLoad: "didPartiallyLoad"
    case .didFinishLoading: "didFinishLoading"
    case .didFail: "didFail"
    }
  }
}
