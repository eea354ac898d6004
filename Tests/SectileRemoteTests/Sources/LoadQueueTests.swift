import SectileCore
import SectileRemote
import SectileTestHelpers
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct LoadQueueTests {
  /// A list whose only item is another one each time.
  final class Hotel: PageLoader {
    let firstPage = 0
    let source = Mutex<PaginatedDataSource<Guest, Int>?>(nil)
    let left = Mutex<[Int]>([])
    private let last = Mutex(0)

    func loadPage(_ page: Int) async throws -> LoadedPage<Guest, Int> {
      let id = last.withLock {
        $0 += 1
        return $0
      }
      let guest = Guest(id) { [self] in
        guard let source = source.withLock({ $0 }), source.snapshot.numberOfItems == 1 else {
          return
        }
        left.withLock { $0.append(id) }
      }
      return LoadedPage(items: [guest], nextPage: nil)
    }
  }

  @Test func lastReferenceToAnItemGoesOutsideOfTheLock() async throws {
    let jobs = AsyncStream<@Sendable () -> Void>.makeStream()
    let hotel = Hotel()
    let source = PaginatedDataSource(
      name: "guests", loader: hotel, delivery: CallbackDelivery { jobs.continuation.yield($0) })
    hotel.source.withLock { $0 = source }
    let loads = Task {
      defer { jobs.continuation.finish() }
      for _ in 0..<3 { try await source.refresh() }
    }
    for await job in jobs.stream { job() }
    try await loads.value
    #expect(hotel.left.withLock { $0 }.first == 1)
    hotel.source.withLock { $0 = nil }
  }
}
