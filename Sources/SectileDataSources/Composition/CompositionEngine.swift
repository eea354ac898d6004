internal import SectileCore
internal import Synchronization

/// Keeps what a ``ComposedDataSource`` shows up to date with its inputs.
///
/// ```text
/// inputs   will ─ changes ─ finished     the inputs' callbacks, on any thread
///                    │                   only queue, under the lock that gives the order: what one
///                    │                   commit changed in several inputs is one batch
/// hub              cycle ─→ follow ─→ will ─ flip ─ changes ─ finished
///                           one thread at a time, outside every lock; nobody is called where the
///                           inputs' changes mean nothing here
/// ```
///
/// The cycle of a batch has its turn when the commit has gone through all inputs that it reaches:
/// see ``SectileCore/Wave``.
///
/// A load that the composition was asked for is open until all inputs have ended theirs; cycles are
/// parts of it meanwhile. The rule runs, and with it the user's closures, when its turn comes in
/// the hub: there one change comes after another, and each starts from what the one before left.
final class CompositionEngine<Rule: Composition>: CompositionRunning {
  typealias ItemID = Rule.ItemID
  typealias Item = Rule.Item
  typealias Roster = InputRoster<Rule>
  typealias InputSource = any DataSource<Rule.InputID, Rule.InputItem>
  typealias InputSnapshot = any DataSourceSnapshot<Rule.InputID, Rule.InputItem>
  typealias Load = OpenLoad<ItemID, Item>
  typealias News = InputNews<Rule.InputID, Rule.InputItem>

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. `visible` is replaced only by the hub's cycles, one at a time;
  // the rest by whoever loads, cancels or tells of an input.
  struct State {
    /// What is composed from now on; readers see it when its turn has come.
    var roster: Roster
    /// The rosters that have yet to be seen, in order.
    var edits: [RosterEdit<Rule>] = []
    var visible = Visible()
    /// What inputs told, and the composition has not come to yet.
    var batches = InputBatches<News>()
    /// The load that is open, and what keeps it open.
    var load: Load?
    var loadingInputs: Set<Int> = []
    var callsOfLoad = 0
    /// What went wrong in the load that is open, and in which input.
    var failures: [(input: Int?, error: any Error)] = []
    /// The inputs whose last load failed.
    var failedInputs: Set<Int> = []
    /// Whether the last that listeners heard is an input's failure.
    var awaitsRecovery = false
    /// What keeps the inputs' callbacks coming; empty while the composition is cancelled.
    var observations: [Int: [DataSourceObservation]] = [:]
    /// The inputs that are observed, or that somebody is about to observe.
    var observedInputs: Set<Int> = []
    /// Those that have told nothing to its end so far.
    var unheardInputs: Set<Int> = []
    /// Grows with each cancellation: a cycle of an earlier life does nothing.
    var life = 0
    var isLive = false
    /// What is done alongside a load, while it is under way.
    var companion: Task<Void, Never>?

    init(roster: Roster) { self.roster = roster }
  }

  /// What a reader sees, and of which versions of the inputs it is made.
  struct Visible: Sendable {
    var version = 0
    var result: Rule.Result?
    var inputs: [InputSnapshot] = []
    /// What `result` was made of; nil before there is one.
    var roster: Roster?
    /// What is worked out from all rows, kept: of rules one above another each would ask the next.
    var aggregates = AggregateValues.empty

    /// The versions in which the rows that a reader sees are found.
    var shownInputs: [InputSnapshot] {
      guard let result, let roster else { return inputs }
      return roster.rule.inputs(shownBy: result, of: inputs)
    }
  }

  let events: DataSourceEvents<ItemID, Item>
  let conductor: Conductor<Rule>?
  private let companion: (@Sendable () async throws -> Void)?
  let pageFetcher: (any PageFetching)?
  /// Takes note of what readers see from now on, before listeners hear of it, and where they do
  /// not.
  let didShow: (@Sendable (Rule.Result) -> Void)?
  let state: Mutex<State>
  /// What tells that inputs have ended, as long as the engine lives; guarded by its mutex.
  let endings = Mutex<[DataSourceObservation]>([])

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - rule: What it runs.
  ///   - inputs: What it runs on.
  ///   - delivery: Where callbacks are made.
  ///   - height: How far the composition is above the sources at least, for one whose inputs come
  ///     later.
  ///   - conductor: What says which inputs there are, where that changes by itself.
  ///   - companion: What else is done for a load, which lasts until that has ended too.
  ///   - pageFetcher: What fetches pages into what the inputs show, where these do not.
  ///   - didShow: Takes note of what readers see.
  init(
    _ rule: Rule, of inputs: [InputSource], delivery: CallbackDelivery, height: Int = 1,
    conductor: Conductor<Rule>? = nil,
    alongside companion: (@Sendable () async throws -> Void)? = nil,
    pageFetcher: (any PageFetching)? = nil, didShow: (@Sendable (Rule.Result) -> Void)? = nil
  ) {
    self.didShow = didShow
    self.conductor = conductor
    self.companion = companion
    self.pageFetcher = pageFetcher
    state = Mutex(State(roster: Roster(rule, of: inputs)))
    let least = inputs.map { $0.events.height + 1 }.max() ?? 1
    events = DataSourceEvents(delivery: delivery, height: max(least, height))
    observeEnds(of: inputs)
  }

  var snapshot: ComposedSnapshot<ItemID, Item> {
    let visible = state.withLock { $0.visible }
    return ComposedSnapshot(
      version: visible.version, arrangement: visible.result ?? EmptyArrangement(),
      aggregates: visible.aggregates, inputs: InputSnapshotList(list: visible.shownInputs))
  }

  /// What is composed, also before a reader sees it.
  var roster: Roster { state.withLock { $0.roster } }

  /// The sources that are composed now.
  var inputs: [any DataSource] { roster.sources.map { $0 } }

  /// What a reader sees; nil before there is anything.
  var shown: Rule.Result? { state.withLock { $0.visible.result } }

  // MARK: - Loading

  func load() {
    // What the conductor shows already is there from the beginning.
    let failures = conductor?.catchUp(self) ?? []
    let life = state.withLock { state in
      if !state.isLive { events.resume() }
      state.isLive = true
      state.callsOfLoad += 1
      open(&state)
      state.failures += failures.map { (nil, $0) }
      return state.life
    }
    events.flush()
    observeConductor(life)
    observeInputs(life)
    queueCatchingUp(life)
    let roster = state.withLock { $0.roster }
    let numbers = roster.rule.loadsLastInputFirst ? roster.numbers.reversed() : roster.numbers
    for number in numbers {
      guard let source = roster.source(of: number) else { continue }
      guard load(number, life, source.load) else { return events.flush() }
    }
    if let conductor {
      guard load(Conductor<Rule>.number, life, conductor.load) else { return events.flush() }
    }
    startCompanion(life)
    endCall(life)
  }

  /// Loads an input, and keeps the load that is open going until it has ended, wherever and
  /// whenever it delivers that.
  ///
  /// - Returns: False where the composition was cancelled.
  func load(_ number: Int, _ life: Int, _ load: () throws -> Void) -> Bool {
    let (isMine, isWanted) = state.withLock { state in
      guard state.life == life else { return (false, false) }
      let isWanted = state.isInput(number)
      if isWanted, state.load != nil { state.loadingInputs.insert(number) }
      return (true, isWanted)
    }
    guard isMine, isWanted else { return isMine }
    do {
      try load()
    } catch {
      // One that the input has delivered as well counts once.
      let isToldOf = state.withLock { state in
        state.life == life && state.failures.contains { $0.input == number }
      }
      if !isToldOf { fail(number, error, life) }
    }
    return true
  }

  /// Takes note that one of the calls that keep a load open is done.
  func endCall(_ life: Int) {
    state.withLock { state in
      guard state.life == life else { return }
      state.callsOfLoad -= 1
      closeIfDone(&state)
    }
    events.flush()
  }

  private func startCompanion(_ life: Int) {
    guard let companion else { return }
    state.withLock { state in
      guard state.life == life, state.companion == nil else { return }
      state.callsOfLoad += 1
      state.companion = Task { [weak self] in
        let error: (any Error)?
        do {
          try await companion()
          error = nil
        } catch let caught {
          error = caught
        }
        self?.endCompanion(error, life)
      }
    }
  }

  private func endCompanion(_ error: (any Error)?, _ life: Int) {
    state.withLock { state in
      guard state.life == life else { return }
      state.companion = nil
      if let error { state.failures.append((nil, error)) }
    }
    endCall(life)
  }

  func cancel() {
    let (observations, companion, batches, finish) = state.withLock { state in
      state.isLive = false
      state.life += 1
      state.load = nil
      state.loadingInputs = []
      state.callsOfLoad = 0
      state.failures = []
      state.observedInputs = []
      state.unheardInputs = []
      state.failedInputs = []
      state.awaitsRecovery = false
      defer {
        state.observations = [:]
        state.companion = nil
        state.batches = InputBatches()
        state.edits = []
      }
      return (
        state.observations, state.companion, (state.batches, state.edits), events.stop()
      )
    }
    companion?.cancel()
    for observation in observations.values.joined() { observation.cancel() }
    finish()
    // What inputs told is released outside of the lock.
    withExtendedLifetime(batches) {}
  }

  private func open(_ state: inout State) {
    guard state.load == nil else { return }
    let load = Load(events)
    state.load = load
    load.begin()
  }

  func closeIfDone(_ state: inout State) {
    guard let load = state.load, state.loadingInputs.isEmpty, state.callsOfLoad == 0 else { return }
    let failures = state.failures.map(\.error)
    if failures.isEmpty { load.finish() } else { load.fail(DataSourceError.joining(failures)) }
    state.awaitsRecovery = state.failures.contains { $0.input != nil }
    state.load = nil
    state.failures = []
  }
}
