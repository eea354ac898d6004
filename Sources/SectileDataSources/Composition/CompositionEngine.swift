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
/// The cycle of a batch has its turn when the commit has gone through all inputs that it reaches: see
/// ``SectileCore/Wave``.
///
/// A load that the composition was asked for is open until all inputs have ended theirs; cycles are
/// parts of it meanwhile. The rule runs, and with it the user's closures, when its turn comes in the
/// hub: there one change comes after another, and each starts from what the one before left.
final class CompositionEngine<Rule: Composition>: CompositionRunning {
  typealias ItemID = Rule.ItemID
  typealias Item = Rule.Item
  typealias InputSource = any DataSource<Rule.InputID, Rule.InputItem>
  typealias InputSnapshot = any DataSourceSnapshot<Rule.InputID, Rule.InputItem>
  typealias Load = OpenLoad<ItemID, Item>
  typealias News = InputNews<Rule.InputID, Rule.InputItem>

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. `visible` is replaced only by the hub's cycles, one at a time; the
  // rest by whoever loads, cancels or tells of an input.
  struct State {
    var visible = Visible()
    /// What inputs told, and the composition has not come to yet.
    var batches = InputBatches<News>()
    /// The load that is open, and what keeps it open.
    var load: Load?
    var loadingInputs: Set<Int> = []
    var callsOfLoad = 0
    var failure: (any Error)?
    /// What keeps the inputs' callbacks coming; empty while the composition is cancelled.
    var observations: [DataSourceObservation] = []
    /// Whether the inputs are observed, or somebody is about to.
    var isObserving = false
    /// Grows with each cancellation: a cycle of an earlier life does nothing.
    var life = 0
    var isLive = false
    /// What is done alongside a load, while it is under way.
    var companion: Task<Void, Never>?
  }

  /// What a reader sees, and of which versions of the inputs it is made.
  struct Visible: Sendable {
    var version = 0
    var result: Rule.Result?
    var inputs: [InputSnapshot] = []
  }

  let events: DataSourceEvents<ItemID, Item>
  let rule: Rule
  let inputs: [InputSource]
  private let companion: (@Sendable () async throws -> Void)?
  let state = Mutex(State())

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - rule: What it runs.
  ///   - inputs: What it runs on.
  ///   - delivery: Where callbacks are made.
  ///   - companion: What else is done for a load, which lasts until that has ended too.
  init(
    _ rule: Rule, of inputs: [InputSource], delivery: Delivery,
    alongside companion: (@Sendable () async throws -> Void)? = nil
  ) {
    self.rule = rule
    self.inputs = inputs
    self.companion = companion
    let height = inputs.map { $0.events.height }.max() ?? 0
    events = DataSourceEvents(delivery: delivery, height: height + 1)
  }

  var snapshot: ComposedSnapshot<ItemID, Item> {
    let visible = state.withLock { $0.visible }
    return ComposedSnapshot(
      version: visible.version, arrangement: visible.result ?? EmptyArrangement())
  }

  func origin(at path: ItemPath) -> ItemOrigin? {
    let visible = state.withLock { $0.visible }
    guard let result = visible.result, path.section >= 0, path.section < result.numberOfSections,
      path.item >= 0, path.item < result.numberOfItems(in: path.section)
    else { return nil }
    let (number, path) = result.origin(at: path)
    // The input may have moved on: the item is looked up there by what it is.
    let id = visible.inputs[number].id(at: path)
    return inputs[number].path(of: id).map { inputs[number].origin(at: $0) }
  }

  func root(of id: ItemID) -> RowRoot? {
    guard let (number, id) = rule.origin(of: id), inputs.indices.contains(number) else {
      return nil
    }
    return RowRoot(of: id, in: inputs[number])
  }

  // MARK: - Loading

  func load() {
    let life = state.withLock { state in
      if !state.isLive { events.resume() }
      state.isLive = true
      state.callsOfLoad += 1
      open(&state)
      return state.life
    }
    events.flush()
    observeInputs(life)
    queueCatchingUp(life)
    let numbers = rule.loadsLastInputFirst ? inputs.indices.reversed() : Array(inputs.indices)
    for number in numbers {
      // Until the input has ended its load, wherever and whenever it delivers that.
      let isWanted = state.withLock { state in
        guard state.life == life else { return false }
        state.loadingInputs.insert(number)
        return true
      }
      guard isWanted else { return events.flush() }
      do {
        try inputs[number].load()
      } catch {
        fail(number, error, life)
      }
    }
    startCompanion(life)
    endCall(life)
  }

  /// Takes note that one of the calls that keep a load open is done.
  private func endCall(_ life: Int) {
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
      if state.failure == nil { state.failure = error }
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
      state.failure = nil
      state.isObserving = false
      defer {
        state.observations = []
        state.companion = nil
        state.batches = InputBatches()
      }
      return (state.observations, state.companion, state.batches, events.stop())
    }
    companion?.cancel()
    for observation in observations { observation.cancel() }
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
    if let failure = state.failure { load.fail(failure) } else { load.finish() }
    state.load = nil
    state.failure = nil
  }
}
