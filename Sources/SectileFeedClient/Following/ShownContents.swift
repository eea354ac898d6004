internal import SectileCore
internal import Synchronization

/// What readers of a ``FeedClient`` see, and what they see next.
///
/// Changesets that lead on from what is seen are delivered as the service told them; what does not,
/// since callbacks were stopped meanwhile or contents were told anew, is found by comparing.
final class ShownContents<
  ItemID: Hashable & Sendable & Decodable, Item: Sendable & Decodable
>: Sendable {
  private typealias Cycle = LoadCycle<ItemID, Item>

  // MARK: - Mutable state
  //
  // Guarded by `state`; replaced only by cycles, one at a time. What is replaced is released
  // outside.
  private struct State {
    /// Which of the client's contents they are.
    var serial = 0
    var snapshot = ContentsSnapshot<ItemID, Item>()
  }

  let events: DataSourceEvents<ItemID, Item>
  private let isEqual: @Sendable (Item, Item) -> Bool
  private let state = Mutex(State())

  init(delivery: CallbackDelivery, isEqual: @escaping @Sendable (Item, Item) -> Bool) {
    events = DataSourceEvents(delivery: delivery)
    self.isEqual = isEqual
  }

  var snapshot: ContentsSnapshot<ItemID, Item> { state.withLock { $0.snapshot } }

  /// Queues that contents are shown, where they are not yet; calls nobody.
  ///
  /// - Parameters:
  ///   - next: The contents.
  ///   - changes: How they differ from those of the serial before; nil where that is to be found by
  ///     comparing.
  func submit(_ next: FoldedContents<ItemID, Item>, _ changes: Changeset<ItemID, Item>?) {
    events.submit(
      Cycle(deriving: { [weak self] in
        guard let step = self?.step(to: next, changes) else { return nil }
        return [step]
      }))
  }

  /// Returns what makes contents visible; nil where a reader sees them already.
  ///
  /// Called when the change's turn comes, outside every lock: comparing is the user's code.
  private func step(
    to next: FoldedContents<ItemID, Item>, _ told: Changeset<ItemID, Item>?
  ) -> Cycle.Step? {
    let (serial, former) = state.withLock { ($0.serial, $0.snapshot) }
    guard next.serial > serial else { return nil }
    let version = former.version
    var contents = next.contents
    contents.version = version + 1
    let changes: Changeset<ItemID, Item>
    if let told, next.serial == serial + 1 {
      changes = told.leading(from: version, to: version + 1)
    } else {
      changes = Changeset(from: former.contents, to: contents, isEqual: isEqual)
    }
    let isSame = changes.isEmpty
    let snapshot = isSame ? former : ContentsSnapshot(contents)
    guard !isSame else {
      state.withLock { $0.serial = next.serial }
      return nil
    }
    return Cycle.Step(flip: { [weak self] in
      guard let self else { return nil }
      let former = state.withLock { state in
        defer { state = State(serial: next.serial, snapshot: snapshot) }
        return state
      }
      return withExtendedLifetime(former) { changes }
    })
  }
}
