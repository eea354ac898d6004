internal import CThread
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

  private static let lastTicket = Atomic<UInt64>(0)

  // MARK: - Mutable state
  //
  // - `entries` and `head`: confined to the thread that drains.
  // - `awaitedGate`: guarded by `CallbackGate.waits`, since gates follow it from thread to thread.
  /// What is to be delivered, by ticket, from `head` on.
  nonisolated(unsafe) private var entries: [Entry] = []
  nonisolated(unsafe) private var head = 0
  nonisolated(unsafe) var awaitedGate: CallbackGate?

  /// The drain inside which the calling code runs, if any.
  ///
  /// It belongs to the thread: whatever that does before a callback returns, the callback causes. A
  /// task-local value would be inherited by tasks that the callback starts, which run elsewhere and later.
  static var current: DrainScope? {
    sectile_thread_value().map { Unmanaged<DrainScope>.fromOpaque($0).takeUnretainedValue() }
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

  private func add(_ added: [Entry]) {
    var last = entries.last?.ticket ?? 0
    let isInOrder = added.allSatisfy { entry in
      defer { last = entry.ticket }
      return last < entry.ticket
    }
    if entries.isEmpty {
      entries = added
    } else {
      entries += added
    }
    // Tickets rise, so the list is in order unless something older was put off.
    if !isInOrder { entries[head...].sort { $0.ticket < $1.ticket } }
  }

  @inline(__always)
  private func drain(_ job: (DrainScope) -> Void) {
    sectile_set_thread_value(Unmanaged.passUnretained(self).toOpaque())
    job(self)
    while let entry = next() { deliver(entry) }
    sectile_set_thread_value(nil)
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
    guard head < entries.count else { return nil }
    let entry = entries[head]
    head += 1
    if head == entries.count || head > 64 {
      // Released when the list is whole again: what the release of a hub causes may be put off, too.
      let delivered = Array(entries[..<head])
      entries.removeFirst(head)
      head = 0
      withExtendedLifetime(delivered) {}
    }
    return entry
  }
}
