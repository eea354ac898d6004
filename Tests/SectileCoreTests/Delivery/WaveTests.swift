import Dispatch
import Synchronization
import Testing

@testable import SectileCore

/// Who has a turn in the wave of a commit, and when.
@Suite(.timeLimit(.minutes(60))) struct WaveTests {
  private static func hub(_ height: Int) -> HubCore {
    DataSourceEvents<Int, Int>(height: height).core
  }

  @Test func hubIsPutAsideWhileSomethingLowerIsUnderWay() {
    let wave = Wave(ticket: 1)
    wave.enter(at: 0)
    wave.enter(at: 1)
    wave.enter(at: 1)
    let hubs = (0...3).map(Self.hub)
    #expect(!wave.putAside(hubs[0], at: hubs[0].height))
    #expect(wave.putAside(hubs[1], at: hubs[1].height))
    #expect(wave.putAside(hubs[3], at: hubs[3].height))
    #expect(wave.putAside(hubs[2], at: hubs[2].height))
    #expect(wave.leave(at: 0).map(\.height) == [1])
    #expect(!wave.putAside(hubs[1], at: hubs[1].height))
    #expect(wave.leave(at: 1).isEmpty)
    wave.enter(at: 2)
    #expect(wave.leave(at: 1).map(\.height) == [2])
    #expect(!wave.putAside(hubs[2], at: hubs[2].height))
    #expect(wave.leave(at: 2).map(\.height) == [3])
    #expect(!wave.putAside(hubs[3], at: hubs[3].height))
  }

  @Test func shareThatIsTakenOverIsLeftWithTheOther() {
    let waves = [Wave(ticket: 1), Wave(ticket: 2), Wave(ticket: 3)]
    let upper = Self.hub(2)
    let first = WaveShare(in: [waves[0]], at: 1)
    let second = WaveShare(in: [waves[1]], at: 1)
    first.join(waves[2])
    first.absorb(second)
    #expect(second.end().isEmpty)
    for wave in waves { #expect(wave.putAside(upper, at: upper.height)) }
    #expect(first.putAside(Self.hub(1)) == false)
    #expect(first.end().count == 3)
    #expect(first.end().isEmpty)
  }

  @Test func lowerHubsComeFirstOfThoseThatOneCommitConcerns() {
    var queue = TicketQueue()
    let hubs = [2, 1, 0, 1, 2].map(Self.hub)
    for hub in hubs { queue.insert(TicketQueue.Entry(ticket: 7, hub: hub)) }
    let earlier = Self.hub(5)
    queue.insert(TicketQueue.Entry(ticket: 6, hub: earlier))
    var order: [HubCore] = []
    while let entry = queue.popFirst() { order.append(entry.hub) }
    let expected = [earlier, hubs[2], hubs[1], hubs[3], hubs[0], hubs[4]]
    #expect(order.map { ObjectIdentifier($0) } == expected.map { ObjectIdentifier($0) })
  }

  @Test func hubIsRaisedAboveWhatItListensTo() {
    let events = DataSourceEvents<Int, Int>(height: 2)
    events.raise(above: 1)
    #expect(events.height == 2)
    let wave = Wave(ticket: 1)
    let share = WaveShare(in: [wave], at: events.height)
    events.raise(above: 6)
    #expect(events.height == 7)
    events.raise(above: 3)
    #expect(events.height == 7)
    // Its own cycle, which is counted further down, is nothing that it waits for.
    #expect(!share.putAside(events.core))
    #expect(wave.putAside(events.core, at: events.height))
    #expect(share.end().map { ObjectIdentifier($0) } == [ObjectIdentifier(events.core)])
  }

  @Test func commitHasNoWaveUntilACompositionAsks() {
    #expect(Wave.current.isEmpty)
    let source = CountingSource()
    let waves = Mutex<[[ObjectIdentifier]]>([])
    let delegate = JournalingDelegate(Journal()) { line in
      guard line.hasPrefix("did") else { return }
      for _ in 0..<2 {
        let current = Wave.current.map { ObjectIdentifier($0) }
        waves.withLock { $0.append(current) }
      }
    }
    source.delegate = delegate
    source.commit()
    let seen = waves.withLock { $0 }
    #expect(seen.count == 2 && seen[0].count == 1 && seen[0] == seen[1])
    #expect(Wave.current.isEmpty)
  }

  /// A cycle that was dropped counts until its turn comes: whoever waits for it is woken.
  @Test func cancellingALowerHubDoesNotHoldUpTheUpperOne() {
    let source = CountingSource()
    let order = Mutex<[String]>([])
    let lower = DataSourceEvents<Int, Int>(height: 1)
    let upper = DataSourceEvents<Int, Int>(height: 2)
    func cycle(_ name: String) -> LoadCycle<Int, Int> {
      LoadCycle(
        onDropped: { order.withLock { $0.append("no \(name)") } },
        deriving: {
          order.withLock { $0.append(name) }
          return nil
        })
    }
    let (low, high) = (cycle("lower"), cycle("upper"))
    let delegate = JournalingDelegate(Journal()) { line in
      guard line.hasPrefix("did") else { return }
      upper.submit(high)
      lower.submit(low)
      upper.flush()
      lower.flush()
      lower.cancel()
    }
    source.delegate = delegate
    source.commit()
    #expect(order.withLock { $0 } == ["no lower", "upper"])
  }

  /// Another thread that comes to the upper hub leaves it to who ends the lower one.
  @Test func upperHubWaitsForALowerOneOnAnotherThread() {
    let source = CountingSource()
    let order = Mutex<[String]>([])
    let lower = DataSourceEvents<Int, Int>(height: 1)
    let upper = DataSourceEvents<Int, Int>(height: 2)
    let isHeld = DispatchSemaphore(value: 0)
    let isTried = DispatchSemaphore(value: 0)
    let other = DispatchQueue(label: "the other thread")
    let low = LoadCycle<Int, Int>(deriving: {
      other.async {
        // The first thread is in the lower hub; this one looks at the upper one.
        upper.flush()
        isTried.signal()
      }
      isTried.wait()
      order.withLock { $0.append("lower") }
      return nil
    })
    let high = LoadCycle<Int, Int>(deriving: {
      order.withLock { $0.append("upper") }
      isHeld.signal()
      return nil
    })
    let delegate = JournalingDelegate(Journal()) { line in
      guard line.hasPrefix("did") else { return }
      upper.submit(high)
      lower.submit(low)
      lower.flush()
      upper.flush()
    }
    source.delegate = delegate
    source.commit()
    isHeld.wait()
    #expect(order.withLock { $0 } == ["lower", "upper"])
  }
}
