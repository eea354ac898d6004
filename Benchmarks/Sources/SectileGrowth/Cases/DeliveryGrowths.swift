internal import Dispatch
internal import Sectile
internal import Synchronization

/// A callback that writes more and more often, under a composition.
struct CallbackWritesGrowth: GrowthCase {
  static let name = "callback-writes"
  static let summary = "writes of one callback under filter and sort; the writes"
  static let sizes = (small: 250, large: 4_000)
  static let exponent = 1.0

  private let store: Store
  private let results: SectionedResults<Thing>
  private let composed: ComposedDataSource<Int64, Thing>
  private let size: Int
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(100)
    results = try store.results(of: .byID)
    composed = results.filter { $0.rank % 3 != 0 }.sorted(by: \.rank)
    composed.load()
    self.size = size
  }

  mutating func perform() throws {
    let isFirst = Flag()
    let (store, size, start) = (store, size, number)
    let version = results.version
    let token = results.observe { event in
      guard case .didFinishLoading = event, isFirst.lower() else { return }
      for number in start..<start + size { try? store.commit(rank: number, of: number % 100 + 1) }
    }
    try store.commit(rank: number + size, of: (number + size) % 100 + 1)
    number += size + 1
    try check(results.version == version + size + 1, "version \(results.version)")
    withExtendedLifetime(token) {}
  }
}

/// Commits while the queue of the delegate is busy.
struct BusyQueueGrowth: GrowthCase {
  static let name = "busy-queue"
  static let summary = "commits whose observer's queue is busy, and their delivery; the commits"
  static let sizes = (small: 250, large: 4_000)
  static let exponent = 1.0

  private let store: Store
  private let results: SectionedResults<Thing>
  private let queue = DispatchQueue(label: "growth")
  private let size: Int
  private var number = 0

  init(size: Int) async throws {
    store = try Things.store(100)
    results = try store.results(of: .byID, delivery: .queue(queue))
    try await results.loadAndWait()
    self.size = size
  }

  mutating func perform() async throws {
    let count = Count()
    let token = results.observe(on: .queue(queue)) { event in
      if case .didFinishLoading = event { count.add() }
    }
    queue.suspend()
    try commit()
    queue.resume()
    while count.value < size { try await Task.sleep(for: .milliseconds(1)) }
    withExtendedLifetime(token) {}
  }

  private mutating func commit() throws {
    for _ in 0..<size {
      number += 1
      try store.commit(rank: number, of: number % 100 + 1)
    }
  }
}

/// Is up until somebody lowers it.
private final class Flag: Sendable {
  private let isUp = Mutex(true)

  /// Whether it was up until now.
  func lower() -> Bool { isUp.withLock { exchange(&$0, with: false) } }
}

/// Counts, on any thread.
private final class Count: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}
