internal import Synchronization

/// What one commit sets going in the compositions above its source, or above its sources.
///
/// A composition that a commit reaches by several ways has its turn once, after all of them: when
/// no cycle of the commit is under way below it. Every hub has a *height*: zero for sources, for
/// compositions more than those of all their inputs. What a cycle causes in compositions is higher
/// up, so once nothing is under way below a height, nothing will be again.
///
/// ```text
/// height 2          concatenation            has its turn when both filters had theirs
///                   ↑           ↑
/// height 1       filter       filter
///                   ↑           ↑
/// height 0          └── array ──┘            the commit, whose ticket all of them are listed under
/// ```
///
/// One thread comes to the hubs in that order by itself (see ``TicketQueue``). Where several
/// deliver, a hub whose turn comes too early is put aside, and listed by the thread that ends the
/// last cycle below it: nobody waits with a thread. A cycle that is put aside waits for lower ones
/// only, and for those that stand before it in its hub; so no circle of them is possible.
package final class Wave: Sendable {
  // MARK: - Mutable state
  //
  // All of it guarded by `state`, which is taken inside the lock of a hub, and takes none itself.
  private struct State {
    /// How many cycles are under way, waiting or running, at each height.
    var counts: [Int] = []
    /// The least height at which one is.
    var lowest = Int.max
    /// The hubs that were put aside, and the heights of their cycles.
    var waiting: [(hub: HubCore, height: Int)] = []
  }

  /// The ticket of the commit.
  let ticket: UInt64
  private let state = Mutex(State())

  init(ticket: UInt64) {
    self.ticket = ticket
  }

  /// Begins the wave of a commit that changes several sources.
  package convenience init() {
    self.init(ticket: HubCore.drawTicket())
  }

  /// Keeps all compositions waiting until the share that is returned ends: other threads may
  /// deliver the first sources before the last ones have their cycles.
  package func hold() -> WaveShare { WaveShare(in: [self], at: 0) }

  /// Counts one more cycle.
  func enter(at height: Int) {
    state.withLock { state in
      while state.counts.count <= height { state.counts.append(0) }
      state.counts[height] += 1
      state.lowest = min(state.lowest, height)
    }
  }

  /// Counts one cycle less.
  ///
  /// - Returns: The hubs whose turn has come by that; the caller wakes them.
  func leave(at height: Int) -> [HubCore] {
    state.withLock { state in
      state.counts[height] -= 1
      guard state.counts[height] == 0, state.lowest == height else { return [] }
      state.lowest = state.counts[height...].firstIndex { $0 > 0 } ?? .max
      guard !state.waiting.isEmpty else { return [] }
      let lowest = state.lowest
      let woken = state.waiting.filter { $0.height <= lowest }.map(\.hub)
      state.waiting.removeAll { $0.height <= lowest }
      return woken
    }
  }

  /// Puts a hub aside if the turn of its cycle has not come.
  ///
  /// - Parameters:
  ///   - hub: The hub.
  ///   - height: The height at which the cycle is counted; the hub may have been raised since.
  /// - Returns: Whether the hub has to wait until it is woken.
  func putAside(_ hub: HubCore, at height: Int) -> Bool {
    state.withLock { state in
      guard state.lowest < height else { return false }
      state.waiting.append((hub, height))
      return true
    }
  }
}
