import Dispatch
import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct SourceHubConcurrencyTests {
  /// The lines of so many commits, one after the other.
  static func expected(_ commits: Int) -> [String] {
    (0..<commits).flatMap { ["will \($0)", "did \($0)→\($0 + 1) \($0 + 1)", "finish \($0 + 1)"] }
  }

  @Test func eightThreadsSubmittingDeliverGaplessVersionsInOrder() async {
    let source = CountingSource()
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 { source.commit() }
    }
    await delegate.journal.wait(for: 1_200)
    #expect(delegate.journal.lines == Self.expected(400))
  }

  @Test(arguments: [false, true])
  func queueDeliveryKeepsOrder(_ isConcurrent: Bool) async {
    let queue = DispatchQueue(label: "delivery", attributes: isConcurrent ? .concurrent : [])
    let source = CountingSource(delivery: CallbackDelivery { job in queue.async { job() } })
    let delegate = JournalingDelegate(Journal())
    source.delegate = delegate
    for _ in 0..<100 { source.commit() }
    await delegate.journal.wait(for: 300)
    #expect(delegate.journal.lines == Self.expected(100))
  }

  @Test func observerOnAConcurrentQueueReceivesEventsInOrder() async {
    let queue = DispatchQueue(label: "observer", attributes: .concurrent)
    let source = CountingSource()
    let journal = Journal()
    let token = source.observe(on: CallbackDelivery { job in queue.async { job() } }) {
      journal.note(line($0))
    }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<50 { source.commit() }
    }
    await journal.wait(for: 600)
    #expect(
      journal.lines == (0..<200).flatMap { ["will", "did \($0)→\($0 + 1)", "finish"] })
    withExtendedLifetime(token) {}
  }

  @Test func commitFromAHoppedCallbackFollowsTheCurrentCycle() async {
    let queue = DispatchQueue(label: "delivery")
    let source = CountingSource(delivery: CallbackDelivery { job in queue.async { job() } })
    let delegate = JournalingDelegate(Journal()) { [weak source] line in
      if line == "will 0" { source?.commit() }
    }
    source.delegate = delegate
    source.load()
    await delegate.journal.wait(for: 6)
    #expect(delegate.journal.lines == Self.expected(2))
  }

  @Test func cancelWaitsForACallbackOnAnotherThread() async {
    let source = CountingSource()
    let journal = Journal()
    let mayReturn = DispatchSemaphore(value: 0)
    let delegate = JournalingDelegate(Journal()) { line in
      guard line == "did 0→1 1" else { return }
      journal.note("callback runs")
      mayReturn.wait()
      journal.note("callback returns")
    }
    source.delegate = delegate
    runOnOwnThread { source.load() }
    await journal.wait(for: 1)
    runOnOwnThread {
      source.cancel()
      journal.note("cancelled")
    }
    runOnOwnThread { mayReturn.signal() }
    await journal.wait(for: 3)
    #expect(journal.lines == ["callback runs", "callback returns", "cancelled"])
    #expect(delegate.journal.lines == ["will 0", "did 0→1 1"])
  }

  @Test func noCallbackComesAfterCancelReturned() {
    for _ in 0..<50 {
      let source = CountingSource()
      let flags = Flags()
      let token = source.observe { _ in flags.note() }
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        if thread == 0 {
          source.cancel()
          flags.close()
        } else {
          for _ in 0..<20 { source.commit() }
        }
      }
      #expect(flags.late == 0)
      withExtendedLifetime(token) {}
    }
  }

  @Test func twoCallbacksThatCancelEachOthersSourceDoNotWaitForEver() async {
    let first = CountingSource()
    let second = CountingSource()
    let journal = Journal()
    let both = Meeting(2)
    let cancelsSecond = JournalingDelegate(Journal()) { line in
      guard line == "did 0→1 1" else { return }
      both.wait()
      second.cancel()
      journal.note("first done")
    }
    let cancelsFirst = JournalingDelegate(Journal()) { line in
      guard line == "did 0→1 1" else { return }
      both.wait()
      first.cancel()
      journal.note("second done")
    }
    first.delegate = cancelsSecond
    second.delegate = cancelsFirst
    runOnOwnThread { first.load() }
    runOnOwnThread { second.load() }
    await journal.wait(for: 2)
    #expect(Set(journal.lines) == ["first done", "second done"])
    withExtendedLifetime((cancelsFirst, cancelsSecond)) {}
  }

  @Test func flushReturnsWhileAnotherThreadDelivers() async {
    let source = CountingSource()
    let runs = Journal()
    let mayReturn = DispatchSemaphore(value: 0)
    let delegate = JournalingDelegate(Journal()) { line in
      guard line == "will 0" else { return }
      runs.note("runs")
      mayReturn.wait()
    }
    source.delegate = delegate
    runOnOwnThread { source.load() }
    await runs.wait(for: 1)
    source.commit()
    #expect(delegate.journal.lines == ["will 0"])
    mayReturn.signal()
    await delegate.journal.wait(for: 6)
    #expect(delegate.journal.lines == Self.expected(2))
  }

  @Test func loadBetweenStoppingAndItsEndKeepsTheNewEventsOfAHoppedObserver() async {
    let queue = DispatchQueue(label: "observer")
    queue.suspend()
    let source = CountingSource()
    let journal = Journal()
    let token = source.observe(on: CallbackDelivery { job in queue.async { job() } }) {
      journal.note(line($0))
    }
    source.commit()
    let finish = source.hub.stop()
    source.load()
    finish()
    queue.resume()
    await journal.wait(for: 3)
    #expect(journal.lines == ["will", "did 1→2", "finish"])
    withExtendedLifetime(token) {}
  }

  @Test func cancelDiscardsWhatAHoppedObserverHasNotReceived() async {
    let queue = DispatchQueue(label: "observer")
    queue.suspend()
    let source = CountingSource()
    let journal = Journal()
    let token = source.observe(on: CallbackDelivery { job in queue.async { job() } }) {
      journal.note(line($0))
    }
    source.commit()
    source.cancel()
    queue.resume()
    source.load()
    await journal.wait(for: 3)
    #expect(journal.lines == ["will", "did 1→2", "finish"])
    withExtendedLifetime(token) {}
  }
}

/// Counts notes that come after it was closed.
private final class Flags: Sendable {
  private let state = Mutex((isClosed: false, late: 0))

  var late: Int { state.withLock { $0.late } }

  func note() {
    state.withLock { if $0.isClosed { $0.late += 1 } }
  }

  func close() {
    state.withLock { $0.isClosed = true }
  }
}

/// Threads that wait until all of them are there.
private final class Meeting: Sendable {
  private let missing: Mutex<Int>
  private let everybody = DispatchSemaphore(value: 0)
  private let count: Int

  init(_ count: Int) {
    self.count = count
    missing = Mutex(count)
  }

  func wait() {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if isLast { for _ in 1..<count { everybody.signal() } } else { everybody.wait() }
  }
}
