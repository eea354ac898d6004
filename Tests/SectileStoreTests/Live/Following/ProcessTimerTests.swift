import Foundation
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// One timer and one watch serve all stores of a process.
@Suite(.timeLimit(.minutes(60))) struct ProcessTimerTests {
  private final class Count: Sendable {
    private let calls = Mutex(0)
    private let called = DispatchSemaphore(value: 0)

    var now: Int { calls.withLock { $0 } }

    func add() {
      calls.withLock { $0 += 1 }
      called.signal()
    }

    func wait(for count: Int) { for _ in 0..<count { called.wait() } }
  }

  @Test func alarmsAreCalledWhenTheirTimeHasCome() throws {
    let timer = ProcessTimer.shared
    let (first, second, third) = (Count(), Count(), Count())
    let late = timer.makeAlarm { first.add() }
    let early = timer.makeAlarm { second.add() }
    let again = timer.makeAlarm { third.add() }
    let start = ProcessTimer.now
    late.set(at: start + 30_000)
    early.set(at: start + 2_000)
    again.repeat(every: .milliseconds(1))
    try endingInTime {
      first.wait(for: 1)
      third.wait(for: 5)
    }
    #expect(ProcessTimer.now >= start + 30_000)
    #expect(first.now == 1 && second.now == 1)
    withExtendedLifetime((late, early, again)) {}
  }

  @Test func aTimeThatWasSetBeforeCountsNoMore() throws {
    let timer = ProcessTimer.shared
    let (moved, cancelled, released, last) = (Count(), Count(), Count(), Count())
    let first = timer.makeAlarm { moved.add() }
    first.set(at: ProcessTimer.now + 3_600_000_000)
    first.set(at: ProcessTimer.now + 1_000)
    let second = timer.makeAlarm { cancelled.add() }
    second.repeat(every: .milliseconds(1))
    second.cancel()
    do {
      let third = timer.makeAlarm { released.add() }
      third.repeat(every: .milliseconds(1))
    }
    let (cancelledThen, releasedThen) = (cancelled.now, released.now)
    let fourth = timer.makeAlarm { last.add() }
    fourth.repeat(every: .milliseconds(1))
    try endingInTime {
      moved.wait(for: 1)
      last.wait(for: 20)
    }
    #expect(moved.now == 1)
    // One call may have been under way; what went on would have been called as often as the last.
    #expect(cancelled.now <= cancelledThen + 1 && released.now <= releasedThen + 1)
    withExtendedLifetime((first, second, fourth)) {}
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func theLeastOfAHeapIsAtHand(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let values = (0..<200).map { _ in Int.random(in: 0..<100, using: &random) }
    var heap = MinimumHeap<Int>()
    for value in values { heap.insert(value) }
    var sorted: [Int] = []
    while let least = heap.minimum {
      sorted.append(least)
      heap.removeMinimum()
    }
    #expect(sorted == values.sorted())
    heap.removeMinimum()
    #expect(heap.minimum == nil)
  }

  #if os(Linux)
    @Test func storesShareAWatch() throws {
      let folder = try TemporaryFolder()
      var stores: [(Store, SectionedResults<UntypedRow>)] = []
      for number in 0..<20 {
        let store = try Store.open(at: folder.file("\(number).sqlite"))
        try store.write { try $0.execute(SmallWorld.schema) }
        let results = try store.results(of: SmallWorld.plan)
        try results.load()
        stores.append((store, results))
      }
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      let links = descriptors.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      #expect(links.filter { $0.contains("inotify") }.count == 1)
      for (store, _) in stores { try store.close() }
    }
  #endif

  @Test func whatCannotBeWatchedIsTold() throws {
    let folder = try TemporaryFolder()
    let (poller, other) = (ExternalChangePoller(), ExternalChangePoller())
    #if os(Linux)
      let isWatched = poller.start(
        every: .seconds(5_000), watching: folder.file("store.sqlite"), ownCommitCount: { 0 },
        look: { .nothing })
      #expect(isWatched)
    #endif
    let isElsewhere = other.start(
      every: .seconds(5_000), watching: folder.file("nowhere/store.sqlite"), ownCommitCount: { 0 },
      look: { .nothing })
    #expect(!isElsewhere)
  }
}
