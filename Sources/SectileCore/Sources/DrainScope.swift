internal import Synchronization

/// One thread at work delivering.
///
/// While a callback runs, everything it causes, for its own source or for another, is put off: it
/// lands in the drain's list and is delivered by the outermost drain of the thread once the current
/// cycle ended.
///
/// ```
/// write ─ flush ─ drain ─┬─ A, ticket 1: willLoad, didPartiallyLoad ─ the callback writes
///                        │                  └─ submits A 2, B 3; flush puts them off
///                        │    didFinishLoading
///                        ├─ A, ticket 2 …
///                        └─ B, ticket 3 …
/// ```
///
/// Tickets are drawn when a cycle is submitted, from one counter for all sources. The list is
/// sorted by ticket, so that what was put off is delivered in commit order across sources.
final class DrainScope: Sendable {
  private struct Entry {
    let ticket: UInt64
    let hub: HubCore
  }

  private struct State {
    var isOpen = true
    /// What is to be delivered, by ticket, from `head` on.
    var entries: [Entry] = []
    var head = 0
    var awaitedGate: CallbackGate?
  }

  // A task that a callback starts inherits the task-local value, although it runs elsewhere and
  // later. So a drain counts only while it is open, and only for the task that opened it.
  @TaskLocal private static var inherited: DrainScope?

  private static let lastTicket = Atomic<UInt64>(0)

  private let state = Mutex(State())
  private let task = DrainScope.currentTask

  private static var currentTask: Int? {
    withUnsafeCurrentTask { $0?.hashValue }
  }

  /// The drain inside which the calling code runs, if any.
  static var current: DrainScope? {
    guard let scope = inherited, scope.task == currentTask else { return nil }
    return scope.state.withLock { $0.isOpen } ? scope : nil
  }

  /// Returns the next ticket: larger than every ticket before.
  static func drawTicket() -> UInt64 {
    lastTicket.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Delivers what waits in the hubs, or puts it off if the calling code runs inside a drain.
  static func flush(_ hubs: [HubCore]) {
    var entries: [Entry] = []
    entries.reserveCapacity(hubs.count)
    for hub in hubs { append(hub, to: &entries) }
    guard !entries.isEmpty else { return }
    if let scope = current {
      scope.add(entries)
    } else {
      DrainScope().drain { $0.add(entries) }
    }
  }

  /// Delivers what waits in one hub, or puts it off if the calling code runs inside a drain.
  static func flush(_ hub: HubCore) {
    let waiting = hub.waiting
    guard waiting.count > 0 else { return }
    if let scope = current {
      var entries: [Entry] = []
      append(hub, to: &entries)
      scope.add(entries)
      return
    }
    // What a single cycle causes comes after it: no list is needed for it, and no drain where it
    // has nobody to call.
    let isSingle = waiting.count == 1
    let others = isSingle && waiting.isUnheard ? hub.flipUnheard(waiting.first) : nil
    if others?.isEmpty == true { return }
    DrainScope().drain { scope in
      if let others {
        scope.add(others, of: hub)
      } else if isSingle {
        scope.add(hub.deliver(through: waiting.first, in: scope), of: hub)
      } else {
        var entries: [Entry] = []
        append(hub, to: &entries)
        scope.add(entries)
      }
    }
  }

  /// Adds what waits in a hub to a list.
  private static func append(_ hub: HubCore, to entries: inout [Entry]) {
    let waiting = hub.waiting
    if waiting.count == 1 {
      entries.append(Entry(ticket: waiting.first, hub: hub))
    } else if waiting.count > 1 {
      entries += hub.waitingTickets().map { Entry(ticket: $0, hub: hub) }
    }
  }

  /// Runs a job inside a drain, then delivers what it caused.
  static func perform(_ job: (DrainScope) -> Void) {
    if let scope = current {
      job(scope)
    } else {
      DrainScope().drain(job)
    }
  }

  var awaitedGate: CallbackGate? {
    state.withLock { $0.awaitedGate }
  }

  func setAwaitedGate(_ gate: CallbackGate?) {
    state.withLock { $0.awaitedGate = gate }
  }

  private func add(_ entries: [Entry]) {
    state.withLock { state in
      var last = state.entries.last?.ticket ?? 0
      let isInOrder = entries.allSatisfy { entry in
        defer { last = entry.ticket }
        return last < entry.ticket
      }
      if state.entries.isEmpty {
        state.entries = entries
      } else {
        state.entries += entries
      }
      // Tickets rise, so the list is in order unless something older was put off.
      if !isInOrder { state.entries[state.head...].sort { $0.ticket < $1.ticket } }
    }
  }

  @inline(__always)
  private func drain(_ job: (DrainScope) -> Void) {
    Self.$inherited.withValue(self) {
      job(self)
      while let entry = next() { deliver(entry) }
    }
  }

  @inline(__always)
  private func deliver(_ entry: Entry) {
    let others =
      entry.hub.flipUnheard(entry.ticket) ?? entry.hub.deliver(through: entry.ticket, in: self)
    add(others, of: entry.hub)
  }

  @inline(__always)
  private func add(_ tickets: [UInt64], of hub: HubCore) {
    if !tickets.isEmpty { add(tickets.map { Entry(ticket: $0, hub: hub) }) }
  }

  private func next() -> Entry? {
    state.withLock { state in
      guard state.head < state.entries.count else {
        state.isOpen = false
        return nil
      }
      let entry = state.entries[state.head]
      state.head += 1
      if state.head == state.entries.count || state.head > 64 {
        state.entries.removeFirst(state.head)
        state.head = 0
      }
      return entry
    }
  }
}
