internal import Glibc
internal import Sectile
internal import Synchronization

/// When changes of rows were delivered: when the changeset began, and when it had ended.
final class DeliveryTimes: Sendable {
  struct Arrival {
    let began: Double
    let ended: Double
  }

  private struct State {
    var began = 0.0
    var changed: [Int64] = []
    var arrivals: [Int64: Arrival] = [:]
  }

  private let state: Taken
  private let observation: DataSourceObservation

  init(of results: SectionedResults<Track>) {
    let state = Taken()
    self.state = state
    observation = results.observe { event in
      let now = Stopwatch.now.wall
      state.mutex.withLock { state in
        switch event {
        case .willLoad: (state.began, state.changed) = (now, [])
        case .didPartiallyLoad(let changes):
          state.changed += changes.moves.map(\.id) + changes.updates.map(\.id)
        case .didFinishLoading:
          for id in state.changed { state.arrivals[id] = Arrival(began: state.began, ended: now) }
        case .didFail: break
        }
      }
    }
  }

  /// The last arrival of each row.
  var all: [Int64: Arrival] { state.mutex.withLock { $0.arrivals } }

  /// Waits until so many rows have arrived, at most ten seconds.
  func wait(for count: Int) {
    for _ in 0..<1_000 where all.count < count { usleep(10_000) }
  }

  private final class Taken: Sendable { let mutex = Mutex(State()) }
}
