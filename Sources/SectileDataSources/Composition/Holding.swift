internal import SectileCore
internal import Synchronization

/// Shows what its input showed when it was held, and keeps what has changed since.
struct Holding<ItemID: Hashable & Sendable, Item: Sendable>: Composition {
  /// Whether a version is held, and how much is waiting behind it.
  final class Gate: Sendable {
    typealias Handler = @Sendable (HeldChanges) -> Void

    // MARK: - Mutable state
    //
    // All of it guarded by `state`. A handler that is replaced is released outside.
    private struct State {
      var isHeld = false
      /// Whether what is waiting is to be shown, whatever is held by then.
      var isReleaseDue = false
      var waiting = WaitingRows<ItemID>()
      var handler: Handler?
    }

    private let state = Mutex(State())

    var isHeld: Bool { state.withLock { $0.isHeld } }
    var pending: HeldChanges { state.withLock { $0.waiting.counts } }

    func hold() { state.withLock { $0.isHeld = true } }

    func release() { state.withLock { ($0.isHeld, $0.isReleaseDue) = (false, true) } }

    /// Takes note that what is waiting is shown, and returns whether that was to be done.
    func takeRelease() -> Bool { state.withLock { exchange(&$0.isReleaseDue, with: false) } }

    func observe(_ handler: Handler?) {
      let former = state.withLock { exchange(&$0.handler, with: handler) }
      withExtendedLifetime(former) {}
    }

    /// Takes note that changes are waiting, and tells of it.
    func note(_ changes: Changeset<ItemID, Item>) { tell { $0.waiting.add(changes) } }

    /// Takes note that nothing is waiting, and tells of it.
    func noteNothing() { tell { ($0.waiting, $0.isReleaseDue) = (WaitingRows(), false) } }

    private func tell(_ change: (inout State) -> Void) {
      let (pending, handler) = state.withLock { state -> (HeldChanges, Handler?) in
        let former = state.waiting.counts
        change(&state)
        let pending = state.waiting.counts
        return (pending, pending == former ? nil : state.handler)
      }
      handler?(pending)
    }
  }

  struct Result: Arrangement {
    /// What a reader sees.
    let shown: any DataSourceSnapshot<ItemID, Item>
    /// What the input shows.
    private(set) var latest: any DataSourceSnapshot<ItemID, Item>
    /// What leads from the one to the other.
    private(set) var waiting = WaitingChanges<ItemID, Item>()
    /// Whether there is, or was, something to hold: what no rows come to is nothing yet.
    let isBegun: Bool

    /// Creates what shows a version, and nothing waits behind it.
    ///
    /// - Parameters:
    ///   - snapshot: The version.
    ///   - former: What was shown before; nil where that is of no meaning.
    init(showing snapshot: any DataSourceSnapshot<ItemID, Item>, after former: Result? = nil) {
      (shown, latest) = (snapshot, snapshot)
      let hasContents = snapshot.numberOfSections > 0 || snapshot.aggregates.isEmpty
      isBegun = former?.isBegun == true || snapshot.version > 0 && hasContents
    }

    /// The same, with one more change waiting.
    func holding(
      _ changes: Changeset<ItemID, Item>, to latest: any DataSourceSnapshot<ItemID, Item>
    ) -> Result {
      var result = self
      result.waiting.append(changes)
      result.latest = latest
      return result
    }

    /// All that is waiting.
    ///
    /// - Throws: What reading an item throws, of a source that tells of changes it did not make:
    ///   what it shows counts.
    func allChanges() throws -> Changeset<ItemID, Item> {
      try waiting.merged()
        ?? WholeComparison(old: Result(showing: shown), new: Result(showing: latest)).changes()
    }

    var sections: SectionList { shown.sections }
    var aggregates: AggregateValues { shown.aggregates }
    var numberOfSections: Int { shown.numberOfSections }
    var numberOfItems: Int { shown.numberOfItems }
    func numberOfItems(in section: Int) -> Int { shown.numberOfItems(in: section) }
    func header(ofSection section: Int) -> SourceSection { shown.sections[section] }
    func section(withIdentity identity: StoredValue) -> Int? {
      shown.section(withIdentity: identity)
    }
    func item(at path: ItemPath) throws -> Item { try shown.item(at: path) }
    func id(at path: ItemPath) -> ItemID { shown.id(at: path) }
    func path(of id: ItemID) -> ItemPath? { shown.path(of: id) }
    func rank(of path: ItemPath) -> Int { shown.rank(of: path) }
    func path(atRank rank: Int) -> ItemPath { shown.path(atRank: rank) }
    func scan(_ body: (ItemID, Item, Int) throws -> Void) throws { try shown.scan(body) }
    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) { (0, path) }
    func origin(ofAbsentSection identity: StoredValue) -> (input: Int, identity: StoredValue)? {
      (0, identity)
    }
  }

  let gate: Gate

  func origin(of id: ItemID) -> (input: Int, id: ItemID)? { (0, id) }

  /// What is shown is found in the version that is held.
  func inputs(
    shownBy result: Result, of inputs: [any DataSourceSnapshot<ItemID, Item>]
  ) -> [any DataSourceSnapshot<ItemID, Item>] { [result.shown] }

  func arrange(_ inputs: [any DataSourceSnapshot<ItemID, Item>]) -> Result {
    gate.noteNothing()
    return Result(showing: inputs[0])
  }

  /// What the input told is not known here: it is found by comparing.
  func rearrange(
    _ inputs: [any DataSourceSnapshot<ItemID, Item>], after old: Result
  ) throws -> Followed<Result>? {
    guard isHeld(old) else { return nil }
    let changes = try WholeComparison(
      old: Result(showing: old.latest), new: Result(showing: inputs[0])
    ).changes()
    return held(changes, to: inputs[0], after: old)
  }

  func follow(
    _ change: InputChange<ItemID, Item>, from old: Result
  ) throws -> Followed<Result> {
    let changes = change.changes
    if isHeld(old) { return held(changes, to: change.new, after: old) }
    guard !old.waiting.isEmpty else {
      return Followed(result: Result(showing: change.new, after: old), changes: changes)
    }
    // It was released, and that has not been followed yet.
    return try showing(old.holding(changes, to: change.new))
  }

  /// Whether what comes is to wait: there is nothing to hold before there was something to show.
  private func isHeld(_ old: Result) -> Bool { gate.isHeld && old.isBegun }

  private func held(
    _ changes: Changeset<ItemID, Item>, to latest: any DataSourceSnapshot<ItemID, Item>,
    after old: Result
  ) -> Followed<Result> {
    gate.note(changes)
    return Followed(
      result: old.holding(changes, to: latest),
      changes: Changeset(sourceVersion: 0, targetVersion: 0))
  }

  private func showing(_ result: Result) throws -> Followed<Result> {
    let changes = try result.allChanges()
    gate.noteNothing()
    return Followed(result: Result(showing: result.latest, after: result), changes: changes)
  }

  /// Shows what is waiting; nil where nothing is, or it was not released.
  func released(_ old: Result) throws -> Followed<Result>? {
    guard gate.takeRelease(), !old.waiting.isEmpty else { return nil }
    return try showing(old)
  }
}
