import SectileCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct OpenLoadTests {
  struct Broken: Error {}

  /// A source whose loads a test ends by hand, and what its listener heard.
  final class World: Sendable {
    let source = CountingSource()
    let heard = Mutex<[String]>([])
    private let token = Mutex<DataSourceObservation?>(nil)

    init() {
      let token = source.observe { [weak self] event in
        let word =
          switch event {
          case .willLoad: "will"
          case .didPartiallyLoad(let changes): "+\(changes.inserts.count)"
          case .didFinishLoading: "finished"
          case .didFail: "failed"
          }
        self?.heard.withLock { $0.append(word) }
      }
      self.token.withLock { $0 = token }
    }

    var words: [String] { heard.withLock { $0 } }

    func begin() -> OpenLoad<Int, Int> {
      let load = OpenLoad(source.hub)
      load.begin()
      source.hub.flush()
      return load
    }

    func append(_ count: Int, to load: OpenLoad<Int, Int>) {
      let contents = source.contents
      load.append { contents.flip(to: count) }
      source.hub.flush()
    }
  }

  @Test func partsArriveBetweenBeginningAndEnd() {
    let world = World()
    let load = world.begin()
    #expect(world.words == ["will"])
    world.append(2, to: load)
    world.append(3, to: load)
    #expect(world.words == ["will", "+2", "+1"])
    load.finish()
    world.source.hub.flush()
    #expect(world.words == ["will", "+2", "+1", "finished"])
  }

  @Test func cyclesInsideAnOpenLoadAreParts() {
    let world = World()
    let load = world.begin()
    world.source.commit()
    load.finish()
    world.source.hub.flush()
    world.source.commit()
    #expect(world.words == ["will", "+1", "finished", "will", "+1", "finished"])
  }

  @Test func aFailureInsideIsTheEnd() {
    let world = World()
    let load = world.begin()
    world.source.fail(Broken())
    world.append(1, to: load)
    load.finish()
    world.source.hub.flush()
    #expect(world.words == ["will", "+1", "failed"])
  }

  @Test func failingEndsOnceAndLeavesTheNextLoadAlone() {
    let world = World()
    let load = world.begin()
    load.fail(Broken())
    load.finish()
    world.source.hub.flush()
    let next = world.begin()
    world.append(1, to: load)
    next.finish()
    world.source.hub.flush()
    #expect(world.words == ["will", "failed", "will", "finished"])
    #expect(world.source.version == 0)
  }

  @Test func nothingIsHeardAfterCancelling() {
    let world = World()
    let load = world.begin()
    world.source.cancel()
    let dropped = Atomic<Int>(0)
    load.append(onDropped: { dropped.wrappingAdd(1, ordering: .relaxed) }) { nil }
    load.finish()
    world.source.hub.flush()
    #expect(world.words == ["will"])
    #expect(dropped.load(ordering: .relaxed) == 1)
    world.source.load()
    #expect(world.words == ["will", "will", "+1", "finished"])
  }

  @Test func aListenerThatComesLateHearsTheRest() {
    let world = World()
    let load = world.begin()
    world.append(1, to: load)
    let late = Mutex<[Int]>([])
    let token = world.source.observe { event in
      if case .didPartiallyLoad(let changes) = event {
        late.withLock { $0.append(changes.inserts.count) }
      } else {
        late.withLock { $0.append(0) }
      }
    }
    #expect(late.withLock { $0 } == [])
    world.append(3, to: load)
    load.finish()
    world.source.hub.flush()
    #expect(late.withLock { $0 } == [0, 2, 0])
    #expect(world.words == ["will", "+1", "+2", "finished"])
    token.cancel()
  }

  @Test func aListenerThatComesForTheEndHearsABeginningFirst() {
    let world = World()
    let load = world.begin()
    let late = Mutex(0)
    let token = world.source.observe { _ in late.withLock { $0 += 1 } }
    load.finish()
    world.source.hub.flush()
    #expect(late.withLock { $0 } == 2)
    token.cancel()
  }

  @Test func aReleasedSourceEndsAnOpenLoadInSilence() {
    let heard = Mutex(0)
    let hub: DataSourceEvents<Int, Int>
    let load: OpenLoad<Int, Int>
    let token: DataSourceObservation
    do {
      let source = CountingSource()
      hub = source.hub
      load = OpenLoad(hub)
      token = source.observe { _ in heard.withLock { $0 += 1 } }
      load.begin()
      hub.flush()
    }
    load.append { nil }
    load.finish()
    hub.flush()
    #expect(heard.withLock { $0 } == 1)
    token.cancel()
  }
}
