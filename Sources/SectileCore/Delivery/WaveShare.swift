internal import Synchronization

/// A cycle's part in the waves that it belongs to.
///
/// It counts in them from when the cycle is submitted until it has ended, or was dropped when its
/// turn came. Nearly always it is one wave; there are several where a composition follows commits
/// of several sources at once, since other threads delivered these in another order to one of its
/// inputs than to another.
package final class WaveShare: Sendable {
  // MARK: - Mutable state
  //
  // - `members`: guarded by its mutex, which is held for nothing but reading and replacing it.
  private let members: Mutex<[Wave]>
  private let height: Int

  /// Joins waves, at the height of the cycle's hub.
  init(in waves: [Wave], at height: Int) {
    for wave in waves { wave.enter(at: height) }
    members = Mutex(waves)
    self.height = height
  }

  var waves: [Wave] { members.withLock { $0 } }

  /// Joins one more wave.
  package func join(_ wave: Wave) {
    wave.enter(at: height)
    members.withLock { $0.append(wave) }
  }

  /// Takes over the part of another cycle of the same hub, which has none any more.
  package func absorb(_ other: WaveShare) {
    let others = other.takeAll()
    members.withLock { $0 += others }
  }

  /// Puts the cycle's hub aside if one of the waves is under way below it.
  ///
  /// - Returns: Whether the hub has to wait until it is woken.
  func putAside(_ hub: HubCore) -> Bool { waves.contains { $0.putAside(hub, at: height) } }

  /// Leaves the waves.
  ///
  /// - Returns: The hubs whose turn has come by that; the caller wakes them.
  func end() -> [HubCore] { takeAll().flatMap { $0.leave(at: height) } }

  private func takeAll() -> [Wave] {
    members.withLock { members in
      defer { members = [] }
      return members
    }
  }
}
