internal import SectileCore
internal import Synchronization

/// What a source in memory holds, apart from the source itself, so that a cycle that waits does not
/// keep the source alive.
///
/// There are three states of the contents: *current*, as their owner last left them; what was
/// *submitted* to the hub; and what is *visible*, which follows the submitted contents one cycle at
/// a time. While the source is live, current and submitted are the same.
final class ItemStore<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Items = SectionedItems<ItemID, Item>
  typealias Snapshot = ListSnapshot<ItemID, Item>
  typealias Edit = ItemsEdit<ItemID, Item>

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. Hashing and comparing items is the user's code: it runs outside,
  // on a copy, and what comes of it is taken only if the copy is still up to date. So does what
  // ends with the last reference to an item: contents that are replaced outlive the lock. Cycles
  // are submitted inside, so that they stand in the order of the changes, and flushed outside.
  private struct State {
    var current: Items
    /// Why there are no contents, until they are replaced.
    var problem: DataSourceError?
    var submitted = Snapshot()
    var visible = Snapshot()
    /// The current contents may differ from the submitted ones.
    var isBehind = true
    /// Changes are shown: the source was loaded and not cancelled since.
    var isLive = false
    /// Grows with each cancellation: what belongs to an earlier life changes nothing.
    var life = 0
    /// Grows whenever anything above changes.
    var revision = 0
  }

  let events: DataSourceEvents<ItemID, Item>
  private let state: Mutex<State>
  private let isEqual: @Sendable (Item, Item) -> Bool
  private let fingerprint: (@Sendable (Item) -> RowFingerprint)?

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - delivery: Where callbacks are made.
  ///   - isEqual: Returns whether two items of one identity are the same in every respect.
  ///   - fingerprint: Returns a digest of an item; nil where items have none.
  ///   - makeItems: Makes the contents; what it throws is what loading fails with.
  init(
    delivery: CallbackDelivery, isEqual: @escaping @Sendable (Item, Item) -> Bool,
    fingerprint: (@Sendable (Item) -> RowFingerprint)?,
    makeItems: () throws(DataSourceError) -> Items = { () throws(DataSourceError) in Items() }
  ) {
    events = DataSourceEvents(delivery: delivery)
    self.isEqual = isEqual
    self.fingerprint = fingerprint
    do throws(DataSourceError) {
      state = Mutex(State(current: try makeItems()))
    } catch {
      state = Mutex(State(current: Items(), problem: error))
    }
  }

  var visible: Snapshot { state.withLock { $0.visible } }

  /// The contents as their owner last left them.
  var current: Items { state.withLock { $0.current } }

  // MARK: - Lifecycle

  /// Shows the contents, in a cycle of its own, and from now on every change.
  func load() {
    var isDone = false
    while !isDone {
      let (copy, problem) = state.withLock { ($0, $0.problem) }
      let changes = problem == nil && copy.isBehind ? catchUp(copy) : nil
      isDone = state.withLock { state in
        guard state.revision == copy.revision else { return false }
        start(&state)
        if let problem {
          events.submit(.failed(problem))
        } else if let changes {
          submit(state.current, changes, in: &state)
        } else {
          events.submit(LoadCycle([]))
        }
        return true
      }
      // What was replaced is released here, outside of the lock.
      withExtendedLifetime(copy) {}
    }
    events.flush()
  }

  private func catchUp(_ state: State) -> DeliveredChanges<ItemID, Item>? {
    var edit = Edit(state.submitted.items)
    edit.replaceAll(with: state.current)
    return changes(of: edit, from: state.submitted.version).boxed
  }

  /// Stops showing changes; the next ``load()`` catches up.
  func cancel() {
    stop(isReset: false)()
  }

  /// Does the part of ``cancel()`` that calls nobody, whatever the caller holds.
  ///
  /// - Parameter isReset: Whether the contents fall back to what is visible, so that what was
  ///   changed and not shown is forgotten.
  /// - Returns: The rest, to be called once the caller holds nothing any more.
  func stop(isReset: Bool) -> @Sendable () -> Void {
    let (former, finish) = state.withLock { state in
      let former = state
      state.isLive = false
      state.life += 1
      state.revision += 1
      state.submitted = state.visible
      if isReset { state.current = state.visible.items }
      state.isBehind = !isReset
      return (former, events.stop())
    }
    // The caller may hold a lock: what was replaced is released with the closure.
    return { withExtendedLifetime(former) { finish() } }
  }

  private func start(_ state: inout State) {
    events.resume()
    state.isLive = true
    state.isBehind = false
    state.revision += 1
  }

  // MARK: - Open loads

  /// Shows changes from now on, as parts of a load that begins here.
  ///
  /// Calls nobody, whatever the caller holds, who flushes the hub afterwards. It is for sources
  /// that change their contents only while they are live, and fall back to what is visible when
  /// they stop.
  ///
  /// - Parameter load: The load; the caller ends it.
  /// - Returns: The life that the load is a part of.
  func begin(_ load: OpenLoad<ItemID, Item>) -> Int {
    state.withLock { state in
      start(&state)
      load.begin()
      return state.life
    }
  }

  // MARK: - Changing

  /// Changes the contents and shows the difference, if the source is live.
  ///
  /// - Parameters:
  ///   - life: The life the change belongs to; nil belongs to all.
  ///   - body: Makes the change on a copy. It is called again where another thread was faster.
  /// - Returns: False where the source was cancelled since that life.
  /// - Throws: What `body` throws, and why there are no contents, if there are none; the contents
  ///   are then as they were.
  @discardableResult
  func change(
    in life: Int? = nil, _ body: (inout Edit) throws(DataSourceError) -> Void
  ) throws(DataSourceError) -> Bool {
    var result: Bool?
    while result == nil {
      let copy = state.withLock { $0 }
      if let problem = copy.problem { throw problem }
      if let life, life != copy.life { return false }
      var edit = Edit(copy.current)
      try body(&edit)
      if edit.isUntouched || commit(edit, to: copy) { result = true }
    }
    events.flush()
    return true
  }

  /// Makes changes that may fail in any way.
  ///
  /// - Throws: What `body` throws, and why there are no contents, if there are none; the contents
  ///   are then as they were.
  func changeThrowing(_ body: (inout Edit) throws -> Void) throws {
    var failure: (any Error)?
    try change { edit throws(DataSourceError) in
      failure = nil
      let before = edit
      do {
        try body(&edit)
      } catch {
        edit = before
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Replaces all contents, also where there are none, and shows the difference, if the source is
  /// live.
  func replace(with items: Items) {
    var isDone = false
    while !isDone {
      let copy = state.withLock { $0 }
      var edit = Edit(copy.current)
      edit.replaceAll(with: items)
      isDone = commit(edit, to: copy)
    }
    events.flush()
  }

  /// Takes over an edit, unless what it was made of is not up to date any more.
  private func commit(_ edit: Edit, to copy: State) -> Bool {
    let changes = copy.isLive ? changes(of: edit, from: copy.submitted.version).boxed : nil
    defer { withExtendedLifetime(copy) {} }
    return state.withLock { state in
      guard state.revision == copy.revision else { return false }
      state.current = edit.items
      state.problem = nil
      state.revision += 1
      if let changes {
        submit(edit.items, changes, in: &state)
      } else if state.isLive {
        // Equal in every respect that is shown, and yet it may be another value.
        state.submitted = Snapshot(items: edit.items, version: state.submitted.version)
      } else {
        state.isBehind = true
      }
      return true
    }
  }

  private func changes(of edit: Edit, from version: Int) -> Changeset<ItemID, Item> {
    edit.changes(from: version, isEqual: isEqual, fingerprint: fingerprint)
  }

  private func submit(
    _ items: Items, _ changes: DeliveredChanges<ItemID, Item>, in state: inout State
  ) {
    let snapshot = Snapshot(items: items, version: changes.changes.targetVersion)
    state.submitted = snapshot
    let life = state.life
    events.submit(LoadCycle(flip: { [self] in flip(to: snapshot, life) ? changes : nil }))
  }

  /// Returns false where the source was cancelled since the change was submitted.
  private func flip(to snapshot: Snapshot, _ life: Int) -> Bool {
    let former: Snapshot? = state.withLock { state in
      guard state.life == life else { return nil }
      defer { state.visible = snapshot }
      return state.visible
    }
    return former != nil
  }
}
