internal import SectileCore
internal import Synchronization

/// Keeps what a ``ComposedDataSource`` shows up to date with its inputs.
///
/// ```text
/// input    will ─ changes ─ finished        the input's callbacks, on any thread
///            │       │         │            each only queues, under the lock that gives the order
/// queue    begin    part      finish        one open load of the composition's own hub
///            │       │         │
/// hub      will ─ follow, flip, deliver ─ finished     one thread at a time, outside every lock
/// ```
///
/// A load of the composition lasts while any of its inputs is loading. The rule runs, and with it
/// the user's closures, when its turn comes in the hub: there the parts come one after another, and
/// each starts from what the one before left.
final class CompositionEngine<Rule: Composition>: CompositionRunning {
  typealias ItemID = Rule.ItemID
  typealias Item = Rule.Item
  typealias InputSource = any DataSource<Rule.InputID, Rule.InputItem>
  typealias InputSnapshot = any DataSourceSnapshot<Rule.InputID, Rule.InputItem>
  typealias Load = OpenLoad<ItemID, Item>

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. `visible` is replaced only by the hub's parts, one at a time; the
  // rest by whoever loads, cancels or tells of an input.
  private struct State {
    var visible = Visible()
    /// The load that is open, and what keeps it open.
    var load: Load?
    var loadingInputs: Set<Int> = []
    var callsOfLoad = 0
    var failure: (any Error)?
    /// What keeps the inputs' callbacks coming; empty while the composition is cancelled.
    var observations: [DataSourceObservation] = []
    /// Grows with each cancellation: a part of an earlier life does nothing.
    var life = 0
    var isLive = false
    /// What is done alongside a load, while it is under way.
    var companion: Task<Void, Never>?
  }

  /// What a reader sees, and of which versions of the inputs it is made.
  private struct Visible: Sendable {
    var version = 0
    var result: Rule.Result?
    var inputs: [InputSnapshot] = []
  }

  let hub: SourceHub<ItemID, Item>
  private let rule: Rule
  private let inputs: [InputSource]
  private let companion: (@Sendable () async throws -> Void)?
  private let state = Mutex(State())

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
    hub = SourceHub(delivery: delivery)
  }

  var snapshot: ComposedSnapshot<ItemID, Item> {
    let visible = state.withLock { $0.visible }
    return ComposedSnapshot(
      version: visible.version, arrangement: visible.result ?? EmptyArrangement())
  }

  func origin(at path: ItemPath) -> ItemOrigin? {
    guard let result = state.withLock({ $0.visible.result }) else { return nil }
    let origin = result.origin(at: path)
    return inputs[origin.input].origin(at: origin.path)
  }

  // MARK: - Loading

  func load() {
    let life = state.withLock { state in
      if !state.isLive { hub.resume() }
      state.isLive = true
      state.callsOfLoad += 1
      open(&state)
      return state.life
    }
    hub.flush()
    observeInputs(life)
    queuePart(life) { try $0.catchUp(life) }
    for (number, input) in inputs.enumerated() {
      do {
        try input.load()
      } catch {
        note(error, ofInput: number, life)
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
    hub.flush()
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
    let (observations, companion, finish) = state.withLock { state in
      state.isLive = false
      state.life += 1
      state.load = nil
      state.loadingInputs = []
      state.callsOfLoad = 0
      state.failure = nil
      defer {
        state.observations = []
        state.companion = nil
      }
      return (state.observations, state.companion, hub.stop())
    }
    companion?.cancel()
    for observation in observations { observation.cancel() }
    finish()
  }

  private func open(_ state: inout State) {
    guard state.load == nil else { return }
    let load = Load(hub: hub)
    state.load = load
    load.begin()
  }

  private func closeIfDone(_ state: inout State) {
    guard let load = state.load, state.loadingInputs.isEmpty, state.callsOfLoad == 0 else { return }
    if let failure = state.failure { load.fail(failure) } else { load.finish() }
    state.load = nil
    state.failure = nil
  }

  // MARK: - Listening to the inputs

  private func observeInputs(_ life: Int) {
    let isNeeded = state.withLock { $0.life == life && $0.observations.isEmpty }
    guard isNeeded else { return }
    var observations: [DataSourceObservation] = []
    for (number, input) in inputs.enumerated() {
      observations.append(
        input.observe { [weak self] event in self?.receive(event, fromInput: number, life) })
      if let input = input as? any CancellationTelling {
        observations.append(
          input.observeCancellation { [weak self] in self?.noteCancellation(ofInput: number, life) }
        )
      }
    }
    let made = observations
    let isTaken = state.withLock { state in
      guard state.life == life, state.observations.isEmpty else { return false }
      state.observations = made
      return true
    }
    if !isTaken { for observation in observations { observation.cancel() } }
  }

  private func receive(
    _ event: DataSourceEvent<Rule.InputID, Rule.InputItem>, fromInput number: Int, _ life: Int
  ) {
    switch event {
    case .willLoad:
      state.withLock { state in
        guard state.life == life else { return }
        state.loadingInputs.insert(number)
        open(&state)
      }
    case .didPartiallyLoad(let changes):
      // The input is in the middle of its own callback: what it shows is what the changes led to.
      let snapshot: InputSnapshot = inputs[number].snapshot
      queuePart(life) { try $0.follow(changes, to: snapshot, ofInput: number, life) }
    case .didFinishLoading:
      end(number, life)
    case .didFail(let error):
      note(error, ofInput: number, life)
      end(number, life)
    }
    hub.flush()
  }

  /// Does not wait any longer for an input whose load was cancelled.
  private func noteCancellation(ofInput number: Int, _ life: Int) {
    state.withLock { state in
      guard state.life == life, state.loadingInputs.remove(number) != nil else { return }
      if state.failure == nil {
        state.failure = DataSourceError.inputCancelled(inputs[number].name)
      }
      closeIfDone(&state)
    }
    hub.flush()
  }

  private func end(_ number: Int, _ life: Int) {
    state.withLock { state in
      guard state.life == life else { return }
      state.loadingInputs.remove(number)
      closeIfDone(&state)
    }
  }

  private func note(_ error: any Error, ofInput number: Int, _ life: Int) {
    let failure = DataSourceError.inputFailed(name: inputs[number].name, cause: error)
    state.withLock { state in
      guard state.life == life, state.failure == nil else { return }
      state.failure = inputs.count == 1 ? error : failure
    }
  }

  /// Queues a part of the open load; an input that was heard of in the middle of its own load opens
  /// one that ends at once.
  private func queuePart(
    _ life: Int,
    _ part: @escaping @Sendable (CompositionEngine) throws -> Changeset<ItemID, Item>?
  ) {
    state.withLock { state in
      guard state.life == life else { return }
      open(&state)
      state.load?.append { [self] in try part(self) }
      closeIfDone(&state)
    }
  }

  // MARK: - Following

  /// Brings what is visible to what all inputs show now.
  private func catchUp(_ life: Int) throws -> Changeset<ItemID, Item>? {
    guard let visible = current(life) else { return nil }
    let now: [InputSnapshot] = inputs.map { $0.snapshot }
    let isCurrent =
      visible.inputs.count == now.count
      && zip(visible.inputs, now).allSatisfy { $0.version == $1.version }
    return isCurrent ? nil : try arrangeAnew(now, visible, life)
  }

  private func follow(
    _ changes: Changeset<Rule.InputID, Rule.InputItem>, to snapshot: InputSnapshot,
    ofInput number: Int, _ life: Int
  ) throws -> Changeset<ItemID, Item>? {
    guard let visible = current(life) else { return nil }
    guard let result = visible.result, visible.inputs.count == inputs.count else {
      return try catchUp(life)
    }
    let known = visible.inputs[number].version
    // What catching up has seen already comes once more as a change.
    guard changes.targetVersion > known else { return nil }
    var after = visible.inputs
    after[number] = snapshot
    guard changes.sourceVersion == known, changes.targetVersion == snapshot.version,
      result.numberOfSections > 0
    else { return try arrangeAnew(after, visible, life) }
    let followed = try rule.follow(
      InputChange(input: number, changes: changes, before: visible.inputs, after: after),
      from: result)
    return flip(to: followed.result, after, followed.changes, visible, life)
  }

  /// Arranges the inputs from nothing, and compares with what is visible.
  private func arrangeAnew(
    _ inputs: [InputSnapshot], _ visible: Visible, _ life: Int
  ) throws -> Changeset<ItemID, Item>? {
    let result = try rule.arrange(inputs)
    let changes: Changeset<ItemID, Item>
    if let old = visible.result, old.numberOfSections > 0 {
      changes = try WholeComparison(old: old, new: result).changes()
    } else {
      changes = .inserting(result)
    }
    return flip(to: result, inputs, changes, visible, life)
  }

  private func current(_ life: Int) -> Visible? {
    state.withLock { $0.life == life ? $0.visible : nil }
  }

  private func flip(
    to result: Rule.Result, _ inputs: [InputSnapshot], _ changes: Changeset<ItemID, Item>,
    _ visible: Visible, _ life: Int
  ) -> Changeset<ItemID, Item>? {
    let version = changes.isEmpty ? visible.version : visible.version + 1
    let next = Visible(version: version, result: result, inputs: inputs)
    let former: Visible? = state.withLock { state in
      guard state.life == life else { return nil }
      defer { state.visible = next }
      return state.visible
    }
    guard former != nil, !changes.isEmpty else { return nil }
    return changes.leading(from: visible.version, to: version)
  }
}
