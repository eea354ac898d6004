import SectileCore
import SectileDataSources
import Synchronization
import Testing

@testable import SectilePresenting

@Suite(.timeLimit(.minutes(60))) struct EventHubTests {
  @Test func eventsWaitForTheFlushAndComeInOrder() {
    let hub = EventHub<Int>()
    let heard = Mutex<[Int]>([])
    let token = hub.observe(on: .immediate) { event in heard.withLock { $0.append(event) } }
    hub.submit(1)
    hub.submit(2)
    #expect(heard.withLock { $0 } == [])
    hub.flush()
    #expect(heard.withLock { $0 } == [1, 2])
    token.cancel()
    hub.submit(3)
    hub.flush()
    #expect(heard.withLock { $0 } == [1, 2])
  }

  @Test func eventThatAHandlerCausesComesAfterTheCurrentOne() {
    let hub = EventHub<Int>()
    let heard = Mutex<[String]>([])
    let token = hub.observe(on: .immediate) { [weak hub] event in
      heard.withLock { $0.append("begin \(event)") }
      if event == 1 {
        hub?.submit(2)
        hub?.flush()
      }
      heard.withLock { $0.append("end \(event)") }
    }
    hub.submit(1)
    hub.flush()
    #expect(heard.withLock { $0 } == ["begin 1", "end 1", "begin 2", "end 2"])
    token.cancel()
  }

  @Test func handlerThatCancelsHearsNothingMore() {
    let hub = EventHub<Int>()
    let heard = Mutex<[Int]>([])
    let token = Mutex<DataSourceObservation?>(nil)
    let observation = hub.observe(on: .immediate) { event in
      heard.withLock { $0.append(event) }
      token.withLock { $0 }?.cancel()
    }
    token.withLock { $0 = observation }
    hub.submit(1)
    hub.submit(2)
    hub.flush()
    #expect(heard.withLock { $0 } == [1])
  }

  @Test func deliveryElsewhereKeepsTheOrderWithOneHopAtATime() {
    let jobs = Mutex<[@Sendable () -> Void]>([])
    let hub = EventHub<Int>()
    let heard = Mutex<[Int]>([])
    let token = hub.observe(on: CallbackDelivery { job in jobs.withLock { $0.append(job) } }) {
      event in
      heard.withLock { $0.append(event) }
    }
    for event in 1...3 {
      hub.submit(event)
      hub.flush()
    }
    let waiting = jobs.withLock { $0 }
    #expect(waiting.count == 1)
    #expect(heard.withLock { $0 } == [])
    for job in waiting { job() }
    #expect(heard.withLock { $0 } == [1, 2, 3])
    hub.submit(4)
    hub.flush()
    #expect(jobs.withLock { $0.count } == 2)
    token.cancel()
    // The jobs hold the observer, which holds the list of jobs.
    jobs.withLock { $0 = [] }
  }

  @Test func eventsThatWaitInTooGreatANumberAreCollapsed() {
    let jobs = Mutex<[@Sendable () -> Void]>([])
    let hub = EventHub<Int>(collapsing: EventCollapsing(limit: 3) { [$0.reduce(0, +)] })
    let heard = Mutex<[Int]>([])
    let token = hub.observe(on: CallbackDelivery { job in jobs.withLock { $0.append(job) } }) {
      event in
      heard.withLock { $0.append(event) }
    }
    for event in [1, 2, 4, 8, 16] {
      hub.submit(event)
      hub.flush()
    }
    for job in jobs.withLock({ $0 }) { job() }
    #expect(heard.withLock { $0 } == [15, 16])
    token.cancel()
    jobs.withLock { $0 = [] }
  }
}
