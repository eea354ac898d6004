import Dispatch
import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// Loads of a list that another thread is delivering for: what they submit waits, and so do changes
/// before and after it.
@Suite(.timeLimit(.minutes(60))) struct BusyListTests {
  typealias Fruit = DataSourceListTests.Fruit
  typealias List = DataSourceListTests.List

  /// A thread that delivers a change of a list until it may go on.
  private final class Delivery: Sendable {
    private let mayGoOn = DispatchSemaphore(value: 0)
    private let ended = AsyncStream<Void>.makeStream()

    /// Appends an item to a part, and returns when the list is telling of it.
    init(of list: List, appendingTo part: ArrayDataSource<Fruit>, _ item: Fruit) async throws {
      let told = AsyncStream<Void>.makeStream()
      let token = list.observe { [mayGoOn] event in
        guard case .didPartiallyLoad = event else { return }
        told.continuation.finish()
        mayGoOn.wait()
      }
      runOnOwnThread { [ended] in
        try? part.append(item)
        ended.continuation.finish()
      }
      for await _ in told.stream {}
      token.cancel()
    }

    /// Lets the thread go on, and waits until it has delivered all there is.
    func finish() async {
      mayGoOn.signal()
      for await _ in ended.stream {}
    }
  }

  private let list = List(name: "list")
  private let part = DataSourceListTests.source("fig")

  init() throws {
    try list.append(part, as: "part")
  }

  /// The change at the end keeps the part that came, and the load, from being shown at once.
  @Test func loadLastsUntilWhatWasThereIsShown() async throws {
    try await list.loadAndWait()
    let delivery = try await Delivery(of: list, appendingTo: part, Fruit(id: 1, name: "kiwi"))
    let shown = Mutex<[Int]>([])
    let token = list.observe { [list] event in
      guard case .didFinishLoading = event else { return }
      shown.withLock { $0.append(list.numberOfItems) }
    }
    try list.append(DataSourceListTests.source("pear", "plum"), as: "late")
    list.load()
    try part.append(Fruit(id: 2, name: "lime"))
    await delivery.finish()
    #expect(shown.withLock { $0 } == [5])
    token.cancel()
  }

  /// A change that stands before the load ends with the same event.
  @Test func waitingForALoadDoesNotEndWithAChange() async throws {
    let fetcher = ManualFetcher()
    let fetched = FetchedDataSource(name: "fetched", fetcher: fetcher)
    try list.append(fetched.map { Fruit(id: $0.grade, name: $0.id) }, as: "fetched")
    let first = Task { [list] in try await list.loadAndWait() }
    await fetcher.next()?.finish()
    try await first.value
    let delivery = try await Delivery(of: list, appendingTo: part, Fruit(id: 1, name: "kiwi"))
    try part.append(Fruit(id: 2, name: "lime"))
    let waiting = Task { [list] in
      try await list.loadAndWait()
      return list.numberOfItems
    }
    let fetch = await fetcher.next()
    await delivery.finish()
    // Whoever was woken too early gets the time to return.
    for _ in 0..<5_000 { await Task.yield() }
    await fetch?.send("pear")
    fetch?.finish()
    #expect(try await waiting.value == 4)
  }
}
