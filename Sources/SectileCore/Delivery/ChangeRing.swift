internal import Synchronization

/// What a source told lately, for consumers that come for it in their own time.
///
/// The source appends, which takes the same time however many consumers there are and however far
/// they are behind. A consumer is a ``Place``; what it missed is merged when it asks, on its own
/// thread.
///
/// ```text
///  segment 7            segment 8            segment 9
///  ┌──────────────┐     ┌──────────────┐     ┌───────┐
///  │ e e e … e  ▣ │ ──▶ │ e e e … e  ▣ │ ──▶ │ e e   │ ◀── the source appends
///  └──────────────┘     └──────────────┘     └───────┘
///    ▲ a consumer
/// ```
///
/// Nobody holds a segment but the consumers that have not read past it, so what all have read is
/// gone. A consumer that is more than ``segmentLimit`` segments behind has the way from its segment
/// to the next cut: what it holds is that segment and the contents at its end (▣), which it
/// compares with those of now. That is the bound: a thousand consumers that sleep hold at most a
/// thousand segments.
///
/// A ring serves one epoch of its source: it ends when that is cancelled or released. It is held by
/// its consumers only.
package final class ChangeRing: Sendable {
  /// How many changes lie in one segment.
  package static let changeLimit = 64
  /// How many rows the changes of one segment hold, before the next is begun.
  static let rowLimit = 4096
  /// How many events of any kind: there may be nothing but failures.
  private static let eventLimit = 4 * changeLimit
  /// How many times that, where the source shows no snapshot of the version it has told of.
  private static let overfull = 4
  /// How many segments a consumer may be behind.
  package static let segmentLimit = 16

  /// Some of what was told, one after the other.
  final class Segment: Sendable {
    struct Content: Sendable {
      let events: [ErasedEvent]
      /// A snapshot of the contents at the end; nil where the source had none of that version.
      let snapshot: (any Sendable)?
      /// What was told next; nil where the way there was cut.
      var next: Segment?
    }

    // MARK: - Mutable state
    //
    // - `content`: guarded by its mutex. Set once, when the segment is full; `next` is cut at most
    //   once.
    fileprivate let content = Mutex<Content?>(nil)
  }

  /// How far a consumer has read.
  struct Place: Sendable {
    fileprivate var segment: Segment
    fileprivate var offset: Int
  }

  /// What a consumer has not read.
  struct Backlog: Sendable {
    var events: [ErasedEvent] = []
    /// Whether more was told after them that is not known any more.
    var isCut = false
    /// The contents after `events`, where that is so; nil where the source had none to show.
    var snapshot: (any Sendable)?
  }

  private struct WeakSegment {
    weak var segment: Segment?
  }

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. Consumers are woken outside of it.
  private struct State {
    var segment = Segment()
    var events: [ErasedEvent] = []
    var changeCount = 0
    var rowCount = 0
    /// The version that the last change led to; nil where there was none yet.
    var version: Int?
    /// The full segments that consumers may read on from, the oldest first.
    var full: [WeakSegment] = []
    /// Who waits for changes, and who waits for anything.
    var changeWaiters = Waiters<Void>()
    var eventWaiters = Waiters<Void>()
    var isEnded = false

    func isFull(_ times: Int = 1) -> Bool {
      changeCount >= times * ChangeRing.changeLimit || rowCount >= times * ChangeRing.rowLimit
        || events.count >= times * ChangeRing.eventLimit
    }

    mutating func takeWaiters(areThereChanges: Bool) -> [Waiters<Void>.Waiter] {
      let waiters = eventWaiters.removeAll()
      return areThereChanges ? waiters + changeWaiters.removeAll() : waiters
    }
  }

  private let state = Mutex(State())
  /// The epoch of the source that the ring belongs to.
  let epoch: Int
  private let rowCount: @Sendable (any ErasedChanges) -> Int
  private let snapshot: @Sendable () -> (version: Int, snapshot: any Sendable)?
  private let targetVersion: @Sendable (any ErasedChanges) -> Int

  /// Creates an empty ring.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the source.
  ///   - kind: What knows the items.
  init<ItemID, Item>(epoch: Int, of kind: Kind<ItemID, Item>) {
    self.epoch = epoch
    rowCount = { kind.changes($0).heldRowCount }
    targetVersion = { kind.changes($0).targetVersion }
    snapshot = { kind.snapshot().map { ($0.version, $0) } }
  }

  /// What a ring has to know of its source's items.
  struct Kind<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
    /// Returns the source's contents; nil where it is gone.
    let snapshot: @Sendable () -> (any DataSourceSnapshot<ItemID, Item>)?

    func changes(_ erased: any ErasedChanges) -> Changeset<ItemID, Item> {
      unsafeDowncast(erased, to: DeliveredChanges<ItemID, Item>.self).changes
    }
  }

  // MARK: - The source's side

  /// Appends what the source tells; called by one thread at a time, after the contents flipped.
  ///
  /// - Complexity: O(1), and O(*w*) for *w* consumers that wait for it.
  func append(_ event: ErasedEvent) {
    var changes: (any ErasedChanges)?
    if case .didPartiallyLoad(let told) = event { changes = told }
    let told = changes.map { (rowCount: rowCount($0), version: targetVersion($0)) }
    let (woken, version, isFull, isOverfull) = state.withLock { state in
      state.events.append(event)
      if let told {
        state.changeCount += 1
        state.rowCount += told.rowCount
        state.version = told.version
      }
      let woken = state.takeWaiters(areThereChanges: told != nil)
      return (woken, state.version, state.isFull(), state.isFull(Self.overfull))
    }
    if isFull {
      // Taken outside of the lock: it is the source's code. Nobody else flips the contents
      // meanwhile.
      let end = snapshot()
      if let end, version == nil || version == end.version {
        seal(end.snapshot)
      } else if isOverfull {
        seal(nil)
      }
    }
    Self.wake(woken)
  }

  /// Begins a new segment, and cuts the way to what is too old.
  private func seal(_ snapshot: (any Sendable)?) {
    // Released outside of the locks: what the release of an item runs is not ours.
    let former: (Segment?, Segment?) = state.withLock { state in
      let next = Segment()
      state.segment.content.withLock {
        $0 = Segment.Content(events: state.events, snapshot: snapshot, next: next)
      }
      state.full.append(WeakSegment(segment: state.segment))
      state.segment = next
      state.events = []
      (state.changeCount, state.rowCount) = (0, 0)
      guard state.full.count > Self.segmentLimit else { return (nil, nil) }
      let oldest = state.full.removeFirst().segment
      return (oldest, oldest?.content.withLock { $0?.next.take() })
    }
    withExtendedLifetime(former) {}
  }

  /// Ends the ring: what is in it can still be read.
  func end() {
    let woken = state.withLock { state in
      state.isEnded = true
      return state.takeWaiters(areThereChanges: true)
    }
    Self.wake(woken)
  }

  /// So many consumers are woken by the thread that delivers; more are woken beside it.
  private static let wakingLimit = 16

  private static func wake(_ waiters: [Waiters<Void>.Waiter]) {
    guard waiters.count > wakingLimit else {
      for waiter in waiters { waiter.resume() }
      return
    }
    Task.detached { for waiter in waiters { waiter.resume() } }
  }

  // MARK: - The consumers' side

  /// The place behind everything that was told.
  var head: Place { state.withLock { Place(segment: $0.segment, offset: $0.events.count) } }

  /// Returns what was told since a place, and moves the place behind it.
  ///
  /// - Complexity: O(*k*) for *k* events.
  func read(from place: inout Place) -> Backlog {
    var (segment, offset) = (place.segment, place.offset)
    var backlog = Backlog()
    let head = state.withLock { state in
      while segment !== state.segment, !backlog.isCut {
        guard let content = segment.content.withLock({ $0 }) else { break }
        backlog.events += content.events[offset...]
        backlog.snapshot = content.snapshot
        backlog.isCut = content.next == nil
        (segment, offset) = (content.next ?? segment, 0)
      }
      if !backlog.isCut { backlog.events += state.events[offset...] }
      return Place(segment: state.segment, offset: state.events.count)
    }
    place = head
    return backlog
  }

  /// Whether nothing more will be told after a place.
  func isEnded(at place: Place) -> Bool {
    state.withLock { state in
      state.isEnded && place.segment === state.segment && place.offset == state.events.count
    }
  }

  /// Returns when something was told after a place, when the ring has ended, or when the task is
  /// cancelled.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - wantsLifecycle: Whether beginnings and ends count as something.
  func wait(past place: Place, wantsLifecycle: Bool) async {
    await Waiters<Void>.wait(cancellation: ()) { waiter in
      state.withLock { state -> Void? in
        guard place.segment === state.segment, place.offset == state.events.count, !state.isEnded
        else { return () }
        if wantsLifecycle {
          state.eventWaiters.append(waiter)
        } else {
          state.changeWaiters.append(waiter)
        }
        return nil
      }
    } removing: { number in
      state.withLock { $0.changeWaiters.remove(number) ?? $0.eventWaiters.remove(number) }
    }
  }
}
