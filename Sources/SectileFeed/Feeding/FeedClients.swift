internal import Synchronization

/// Who reads a feed, for its statistics: a client is there until its reader is released.
final class FeedClients: Sendable {
  /// How far one client is.
  final class Place: Sendable {
    // MARK: - Mutable state
    //
    // - `version`: written by the task of the client, read by whoever counts; a version that is
    //   older by a moment does no harm.
    private let version = Atomic(Int.min)

    func note(_ version: Int) { self.version.store(version, ordering: .relaxed) }

    func isBehind(_ latest: Int) -> Bool { version.load(ordering: .relaxed) < latest }
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex.
  // - `drops`: only counts up.
  private let state = Mutex((places: [Int: Place](), lastNumber: 0))
  private let drops = Atomic(0)

  /// Counts a client in; it counts until the first of the two is released.
  func enter() -> (CountedClient, Place) {
    let place = Place()
    let number = state.withLock { state in
      state.lastNumber += 1
      state.places[state.lastNumber] = place
      return state.lastNumber
    }
    return (CountedClient(number: number) { [self] in leave(number) }, place)
  }

  private func leave(_ number: Int) {
    state.withLock { state in _ = state.places.removeValue(forKey: number) }
  }

  /// Notes that a client was too slow.
  func noteDrop() { drops.add(1, ordering: .relaxed) }

  /// How many clients were too slow.
  var dropCount: Int { drops.load(ordering: .relaxed) }

  /// Returns how many clients there are, and how many have not got as far as a version.
  func count(behind latest: Int) -> (all: Int, behind: Int) {
    let places = state.withLock { Array($0.places.values) }
    return (places.count, places.count { $0.isBehind(latest) })
  }
}
