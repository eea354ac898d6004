internal import CThread
internal import Synchronization

/// One thread at work delivering.
///
/// While a callback runs, everything it causes, for its own source or for another, is put off: the
/// hub lands in the drain's list and is delivered by the outermost drain of the thread once the
/// current cycle ended.
///
/// ```
/// write ─ flush ─ drain ─┬─ A, ticket 1: willLoad, didPartiallyLoad ─ the callback writes
///                        │                  └─ submits A 2, B 3; flush lists A and B
///                        │    didFinishLoading
///                        ├─ A, ticket 2 …
///                        └─ B, ticket 3 …
/// ```
///
/// Tickets are drawn when a cycle is submitted, from one counter for all sources. A hub stands in
/// the list under the ticket of its next cycle, and goes back into it under that of the one after:
/// so what was put off is delivered in commit order across sources, however much waits in each, and
/// a cycle costs O(log *h*) for *h* hubs. What a composition submits from inside a callback has the
/// ticket of the commit that the callback is about: see ``Wave``.
///
/// A thread that delivers for others would never return while these go on committing. One that has
/// delivered its own cycles and as many of others hands the rest to a thread of its own.
package final class DrainScope: Sendable {
  /// How many cycles of others a drain delivers at least before it hands on: less is not worth a
  /// thread.
  static let leastForOthers = 64

  // MARK: - Mutable state
  //
  // - `state`: confined to the thread that drains. A drain that is handed on is not touched any
  //   more by the thread that hands it on. Not checked at run time for accesses inside one another:
  //   there are none.
  private struct State {
    /// The hubs that have something to deliver.
    var list = TicketQueue()
    /// How many cycles this thread flushed, and how many it delivered.
    var flushed = 0
    var delivered = 0
    var isHandedOn = false
    /// The cycle inside whose callbacks the thread is.
    var running = RunningCycle()
  }

  @exclusivity(unchecked) nonisolated(unsafe) private var state = State()

  /// The drain inside which the calling code runs, if any.
  ///
  /// It belongs to the thread: whatever that does before a callback returns, the callback causes. A
  /// task-local value would be inherited by tasks that the callback starts, which run elsewhere and
  /// later.
  static var current: DrainScope? {
    sectile_thread_value().map { Unmanaged<DrainScope>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The drain, as those know it who only compare it.
  var identity: ObjectIdentifier { ObjectIdentifier(self) }

  /// Delivers what waits in the hubs, or puts it off if the calling code runs inside a drain.
  package static func flush(_ hubs: [HubCore]) {
    if hubs.count < 2 {
      if let hub = hubs.first { flush(hub) }
      return
    }
    perform { drain in
      for hub in hubs { drain.add(hub) }
    }
  }

  /// Delivers what waits in the hubs, and lets compositions have their turn that commits kept
  /// waiting: see ``Wave/hold()``.
  package static func flush(_ hubs: [HubCore], ending holds: [WaveShare]) {
    if holds.isEmpty { return flush(hubs) }
    perform { drain in
      for hub in hubs { drain.add(hub) }
      for hold in holds { drain.wake(hold.end()) }
    }
  }

  /// Delivers what waits in one hub, or puts it off if the calling code runs inside a drain.
  static func flush(_ hub: HubCore) {
    if let drain = current { return drain.add(hub) }
    DrainScope().drain { drain in
      if let ticket = hub.flush(in: drain.identity, counting: &drain.state.flushed) {
        drain.deliver(hub, ticket)
      }
    }
  }

  /// Runs a job inside a drain, then delivers what it caused.
  static func perform(_ job: (DrainScope) -> Void) {
    if let drain = current {
      job(drain)
    } else {
      DrainScope().drain(job)
    }
  }

  /// Flushes a hub, and lists it unless it is listed or seen to by another thread.
  private func add(_ hub: HubCore) {
    if let ticket = hub.flush(in: identity, counting: &state.flushed) {
      state.list.insert(TicketQueue.Entry(ticket: ticket, hub: hub))
    }
  }

  @inline(__always)
  private func drain(_ job: (DrainScope) -> Void) {
    sectile_set_thread_value(Unmanaged.passUnretained(self).toOpaque())
    job(self)
    deliverAll()
  }

  /// Delivers until the list is empty, or handed on; the thread is out of the drain then.
  private func deliverAll() {
    while let entry = state.list.popFirst() {
      deliver(entry.hub, entry.ticket)
      if isOverdrawn, handOn() { return }
    }
    sectile_set_thread_value(nil)
  }

  /// Delivers the next cycle of a hub, or leaves it to whoever is at it.
  private func deliver(_ hub: HubCore, _ ticket: UInt64) {
    switch hub.takeTurn(ticket, in: identity) {
    case .nothing: break
    case .later(let ticket): state.list.insert(TicketQueue.Entry(ticket: ticket, hub: hub))
    case .cycle(let queued, let ticket):
      run(queued, ticket, of: hub)
      let next = hub.endTurn(in: identity)
      state.delivered += 1
      if let next { state.list.insert(TicketQueue.Entry(ticket: next, hub: hub)) }
    case .hop:
      hub.delivery.run?({ Self.hop(hub) })
      state.delivered += 1
    }
  }

  /// Runs one cycle of a hub at its place of delivery, then arranges the next hop.
  private static func hop(_ hub: HubCore) {
    hub.gate.perform { drain in
      if let (queued, ticket) = hub.state.withLock({ $0.takeCycle() }) {
        drain.run(queued, ticket, of: hub)
      }
    }
    if hub.endHop() { hub.delivery.run?({ Self.hop(hub) }) }
  }

  // MARK: Waves

  /// A cycle that runs.
  private struct RunningCycle {
    /// Zero where none runs.
    var ticket: UInt64 = 0
    var height = 0
    /// Its part in the waves: a commit has none until a composition asks for it.
    var share: WaveShare?
  }

  /// The waves of the cycle inside whose callbacks the thread is; none outside of cycles.
  ///
  /// The first composition that hears of a commit begins the commit's wave: others cost nothing.
  var waves: [Wave] {
    if let share = state.running.share { return share.waves }
    guard state.running.ticket > 0 else { return [] }
    let wave = Wave(ticket: state.running.ticket)
    state.running.share = WaveShare(in: [wave], at: state.running.height)
    return [wave]
  }

  /// Runs a cycle of a hub, then lists the hubs that waited for its end.
  @inline(__always)
  private func run(_ queued: QueuedCycle, _ ticket: UInt64, of hub: HubCore) {
    let outer = exchange(
      &state.running, with: RunningCycle(ticket: ticket, height: hub.height, share: queued.share))
    hub.run(queued.cycle)
    if let share = exchange(&state.running, with: outer).share { wake(share.end()) }
  }

  private func wake(_ hubs: [HubCore]) {
    for hub in hubs {
      hub.wake()
      add(hub)
    }
  }

  // MARK: Handing on

  private var isOverdrawn: Bool {
    !state.isHandedOn && !state.list.isEmpty
      && state.delivered - state.flushed >= max(state.flushed, Self.leastForOthers)
  }

  /// What the thread runs.
  private static let deliverTheRest: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
    context in
    guard let context else { return }
    let drain = Unmanaged<DrainScope>.fromOpaque(context).takeRetainedValue()
    sectile_set_thread_value(context)
    drain.deliverAll()
  }

  /// Lets a thread of its own deliver the rest; false where the system has none to give.
  private func handOn() -> Bool {
    state.isHandedOn = true
    sectile_set_thread_value(nil)
    let drain = Unmanaged.passRetained(self)
    let isStarted = sectile_start_thread(Self.deliverTheRest, drain.toOpaque())
    if !isStarted {
      drain.release()
      sectile_set_thread_value(Unmanaged.passUnretained(self).toOpaque())
    }
    return isStarted
  }
}
