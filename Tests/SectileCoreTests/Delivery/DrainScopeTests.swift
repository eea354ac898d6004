import Dispatch
import Glibc
import Synchronization
import Testing

@testable import SectileCore

/// However much waits, each cycle is listed once, and nobody drains for ever.
@Suite(.timeLimit(.minutes(60))) struct DrainScopeTests {
  @Test func hubIsListedOnceHoweverOftenItIsFlushed() {
    let source = CountingSource()
    let hub = source.hub.core
    var flushed = 0
    // It lists the hub to the end here. Were it released, the next one might come to its address,
    // and would be taken for it.
    var first: DrainScope?
    DrainScope.perform { drain in
      first = drain
      source.submitNext()
      let ticket = hub.flush(in: drain.identity, counting: &flushed)
      for _ in 0..<10 {
        source.submitNext()
        #expect(hub.flush(in: drain.identity, counting: &flushed) == nil)
      }
      #expect(flushed == 11)
      guard let ticket else {
        Issue.record("the hub is not listed at all")
        return
      }
      guard case .cycle(let queued, ticket) = hub.takeTurn(ticket, in: drain.identity) else {
        Issue.record("the hub has no turn")
        return
      }
      hub.run(queued.cycle)
      guard let next = hub.endTurn(in: drain.identity) else {
        Issue.record("the next cycle has no ticket")
        return
      }
      // Listed under its next ticket by what was just answered.
      #expect(hub.flush(in: drain.identity, counting: &flushed) == nil)
      #expect(next > ticket)
      guard case .later(next) = hub.takeTurn(ticket, in: drain.identity) else {
        Issue.record("an entry that is out of date does not say so")
        return
      }
      guard case .cycle(let second, next) = hub.takeTurn(next, in: drain.identity) else {
        Issue.record("the hub has no second turn")
        return
      }
      hub.run(second.cycle)
      _ = hub.endTurn(in: drain.identity)
    }
    source.hub.flush()
    #expect(source.version == 11)
    withExtendedLifetime(first) {}
  }

  @Test func twentyThousandCommitsOfACallbackAreDeliveredOneByOne() {
    let source = CountingSource()
    let count = 20_000
    let delegate = JournalingDelegate(Journal()) { [weak source] line in
      guard line == "finish 1" else { return }
      for _ in 1..<count { source?.commit() }
    }
    source.delegate = delegate
    source.commit()
    #expect(delegate.journal.lines == SourceHubConcurrencyTests.expected(count))
  }

  @Test func cyclesOfManyHubsComeInTheOrderOfSubmission() {
    let first = CountingSource()
    let others = (0..<200).map { _ in CountingSource() }
    let order = Mutex<[Int]>([])
    var tokens: [DataSourceObservation] = []
    for (number, source) in others.enumerated() {
      tokens.append(
        source.observe(on: .immediate) { event in
          if case .willLoad = event { order.withLock { $0.append(number) } }
        })
    }
    let delegate = JournalingDelegate(Journal()) { line in
      guard line == "will 0" else { return }
      for _ in 0..<3 {
        for source in others.reversed() { source.submitNext() }
      }
      for source in others { source.hub.flush() }
    }
    first.delegate = delegate
    first.commit()
    #expect(order.withLock { $0 } == (0..<3).flatMap { _ in (0..<200).reversed() })
    withExtendedLifetime(tokens) {}
  }

  @Test func threadThatDeliveredAsManyOfOthersHandsTheRestOn() async {
    let source = CountingSource()
    let others = 500
    let writer = DispatchQueue(label: "the other writer")
    let isWritten = DispatchSemaphore(value: 0)
    let first = Mutex<UInt?>(nil)
    let callsOnFirst = Atomic<Int>(0)
    let delegate = JournalingDelegate(Journal()) { line in
      if line == "will 0" {
        first.withLock { $0 = Self.thread }
        writer.async {
          for _ in 0..<others { source.commit() }
          isWritten.signal()
        }
        isWritten.wait()
      }
      if first.withLock({ $0 == Self.thread }) {
        callsOnFirst.wrappingAdd(1, ordering: .relaxed)
      }
    }
    source.delegate = delegate
    source.commit()
    await delegate.journal.wait(for: 3 * (others + 1))
    #expect(delegate.journal.lines == SourceHubConcurrencyTests.expected(others + 1))
    #expect(callsOnFirst.load(ordering: .relaxed) <= 3 * (DrainScope.leastForOthers + 2))
  }

  /// A number of the calling thread.
  private static var thread: UInt { UInt(pthread_self()) }
}
