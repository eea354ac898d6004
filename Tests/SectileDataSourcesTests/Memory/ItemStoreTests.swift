import SectileCore
import SectileDataSources
import SectileTestHelpers
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct ItemStoreTests {
  final class Reception: Sendable {
    private let source = Mutex<ArrayDataSource<Guest>?>(nil)
    private let counts = Mutex<[Int]>([])

    var seen: [Int] { counts.withLock { $0 } }
    func open(_ source: ArrayDataSource<Guest>?) { self.source.withLock { $0 = source } }

    /// Reads the source, which is no good idea while it holds a lock.
    func look() {
      guard let source = source.withLock({ $0 }) else { return }
      let count = source.snapshot.numberOfItems
      counts.withLock { $0.append(count) }
    }
  }

  @Test func lastReferenceToAnItemGoesOutsideOfTheLock() throws {
    let reception = Reception()
    let source = ArrayDataSource(name: "guests", items: [Guest(1) { reception.look() }])
    reception.open(source)
    source.load()
    try source.replace(with: [])
    #expect(reception.seen == [0])
    reception.open(nil)
  }

  @Test func cancellingReleasesOutsideOfTheLock() throws {
    let reception = Reception()
    let jobs = Mutex<[@Sendable () -> Void]>([])
    let source = ArrayDataSource(
      name: "guests", items: [Guest](),
      delivery: CallbackDelivery { job in jobs.withLock { $0.append(job) } })
    reception.open(source)
    source.load()
    try source.replace(with: [Guest(1) { reception.look() }])
    source.cancel()
    try source.replace(with: [])
    for job in jobs.withLock({ $0 }) { job() }
    jobs.withLock { $0 = [] }
    #expect(reception.seen == [0])
    reception.open(nil)
  }
}
