import Dispatch
import SectileCore
import SectileDataSources
import SectileRemote
import SectileTestSupport
import Synchronization
import Testing

@testable import SectilePresenting

@Suite(.timeLimit(.minutes(60))) struct PageAheadTests {
  typealias Number = Numbers.Number

  static let presenter = CellPresenter<Number, String> { number, _ in "\(number.id)" }

  /// A paged source, an adapter, and a list view that shows some of its rows.
  final class World: Sendable {
    let server: Numbers
    let source: PaginatedDataSource<Number, Int>
    let window: ListWindow<Int>
    let adapter: Adapter<Int, Number, String>

    init(
      _ count: Int, size: Int = 10, rows: Int = 5, showing ranks: Range<Int> = 0..<3,
      delivery: CallbackDelivery = .immediate
    ) {
      server = Numbers(count, size: size)
      source = server.source()
      window = ListWindow(ranks)
      adapter = Adapter(
        source: source, presenter: PageAheadTests.presenter, target: window, delivery: delivery)
      adapter.pageAhead(rows: rows)
    }

    func load() async throws {
      try await source.refresh()
      await adapter.settle()
    }

    func scroll(to ranks: Range<Int>) async {
      window.scroll(to: ranks)
      await adapter.settle()
    }
  }

  // MARK: - As rows are shown

  @Test func nextPageIsFetchedOnceRowsNearTheEndAreShown() async throws {
    let world = World(30)
    try await world.load()
    #expect(world.server.log == [0])
    await world.scroll(to: 2..<5)
    #expect(world.server.log == [0], "five rows follow the last one shown")
    await world.scroll(to: 3..<6)
    #expect(world.server.log == [0, 1])
    #expect(world.window.count == 20)
    await world.scroll(to: 0..<3)
    await world.scroll(to: 3..<6)
    await world.scroll(to: 12..<15)
    #expect(world.server.log == [0, 1], "the end is another one now")
    await world.scroll(to: 15..<18)
    #expect(world.server.log == [0, 1, 2])
    #expect(world.window.cells == ["15", "16", "17"])
  }

  @Test func pagesAreFetchedUntilEnoughRowsFollow() async throws {
    let world = World(30, size: 2, rows: 5, showing: 0..<1)
    try await world.load()
    #expect(world.server.log == [0, 1, 2])
    await world.scroll(to: 3..<4)
    #expect(world.server.log == [0, 1, 2, 3, 4])
  }

  @Test func nothingIsFetchedAtTheEnd() async throws {
    let world = World(12)
    try await world.load()
    await world.scroll(to: 7..<10)
    #expect(world.window.count == 12)
    for _ in 0..<5 { await world.scroll(to: 9..<12) }
    #expect(world.server.log == [0, 1])
  }

  @Test func nothingIsFetchedBeforeTheFirstLoad() async throws {
    let world = World(12)
    world.adapter.reload()
    await world.scroll(to: 0..<9)
    #expect(world.server.log == [])
  }

  @Test(arguments: [0, -4, .min]) func adapterThatIsToldNotToPagesNothing(_ rows: Int) async throws
  {
    let world = World(30)
    world.adapter.pageAhead(rows: rows)
    try await world.load()
    await world.scroll(to: 5..<10)
    #expect(world.server.log == [0])
  }

  @Test func lookingFarAheadFetchesEverything() async throws {
    let world = World(30, rows: .max)
    try await world.load()
    #expect(world.server.log == [0, 1, 2])
  }

  @Test func pagingThatIsTurnedOnLaterBeginsWithAShortList() async throws {
    let world = World(30, rows: 0)
    try await world.load()
    world.adapter.pageAhead(rows: 12)
    await world.adapter.settle()
    #expect(world.server.log == [0, 1])
  }

  @Test func targetThatShowsEverythingGetsAllPages() async throws {
    let server = Numbers(23, size: 5)
    let source = server.source()
    let target = Everything()
    let adapter = Adapter(source: source, presenter: Self.presenter, target: target)
    adapter.pageAhead(rows: 1)
    try await source.refresh()
    await adapter.settle()
    #expect(server.log == [0, 1, 2, 3, 4])
    #expect(target.cells == (0..<23).map { "\($0)" })
  }

  @Test func slowTargetGetsThePagesToo() async throws {
    let queue = DispatchQueue(label: "delivery")
    let world = World(30, delivery: CallbackDelivery { job in queue.async { job() } })
    try await world.source.refresh()
    await world.settle(queue)
    world.window.scroll(to: 7..<10)
    await world.settle(queue)
    #expect(world.window.count == 20)
    #expect(world.server.log == [0, 1])
  }

  // MARK: - Failures

  @Test func failureIsNotTriedAgainByDrawing() async throws {
    let world = World(30)
    try await world.load()
    (world.server.isFailing, world.window.drawsFailures) = (true, true)
    await world.scroll(to: 7..<10)
    #expect(world.server.log == [0, 1])
    #expect(world.window.failures.count == 1, "the target hears of it once, from the source")
    for _ in 0..<20 { await world.scroll(to: 6..<10) }
    await world.scroll(to: 0..<3)
    await world.scroll(to: 7..<10)
    #expect(world.server.log == [0, 1])
  }

  @Test func afterALoadThatEndsWellAskingAgainFetches() async throws {
    let world = World(30)
    try await world.load()
    world.server.isFailing = true
    await world.scroll(to: 7..<10)
    await #expect(throws: RemoteError.self) { try await world.source.refresh() }
    await world.scroll(to: 7..<10)
    #expect(world.server.log == [0, 1, 0], "a load that failed is no reason")
    world.server.isFailing = false
    try await world.load()
    #expect(world.server.log == [0, 1, 0, 0], "nobody has asked since")
    await world.scroll(to: 7..<10)
    #expect(world.server.log == [0, 1, 0, 0, 1])
    #expect(world.window.count == 20)
  }

  @Test func callingPageAheadAgainTriesAtOnce() async throws {
    let world = World(30)
    try await world.load()
    world.server.isFailing = true
    await world.scroll(to: 7..<10)
    world.server.isFailing = false
    world.adapter.pageAhead(rows: 5)
    await world.adapter.settle()
    #expect(world.server.log == [0, 1, 1])
    #expect(world.window.count == 20)
  }

  @Test func cancelledSourceIsLeftAloneUntilItIsLoaded() async throws {
    let world = World(30)
    try await world.load()
    world.source.cancel()
    try await world.load()
    await world.scroll(to: 7..<10)
    #expect(world.window.count == 20)
  }

  // MARK: - Other contents

  @Test func listThatShrinksOrGrowsHasAnotherEnd() async throws {
    let world = World(30)
    try await world.load()
    await world.scroll(to: 7..<10)
    #expect(world.window.count == 20)
    world.server.count = 4
    try await world.load()
    #expect(world.window.count == 4)
    let requests = world.server.log.count
    await world.scroll(to: 0..<4)
    #expect(world.server.log.count == requests)
    world.server.count = 0
    try await world.load()
    #expect(world.server.log.count == requests + 1, "an empty list that has ended has no more")
    world.server.count = 30
    try await world.load()
    #expect(world.window.count == 10)
    await world.scroll(to: 7..<10)
    #expect(world.window.count == 20)
  }

  @Test func anotherSourceIsPagedFromThenOn() async throws {
    let world = World(30)
    try await world.load()
    let other = Numbers(40, size: 10)
    let source = other.source()
    try await source.refresh()
    world.adapter.source = source
    await world.adapter.settle()
    #expect(other.log == [0])
    await world.scroll(to: 7..<10)
    #expect(other.log == [0, 1])
    #expect(world.server.log == [0])
  }

  @Test func releasedAdapterFetchesNothing() async throws {
    let server = Numbers(30, size: 10)
    let source = server.source()
    let window = ListWindow<Int>(0..<3)
    do {
      let adapter = Adapter(source: source, presenter: Self.presenter, target: window)
      adapter.pageAhead(rows: 5)
      try await source.refresh()
    }
    window.scroll(to: 7..<10)
    try await source.refresh()
    #expect(server.log == [0, 0])
    #expect(window.cells == ["7", "8", "9"])
  }

  // MARK: - Several

  @Test func adaptersOnOneSourceFetchEachPageOnce() async throws {
    let world = World(40)
    let others = (0..<3).map { _ in ListWindow<Int>(0..<3) }
    let adapters = others.map {
      Adapter(source: world.source, presenter: Self.presenter, target: $0)
    }
    for adapter in adapters { adapter.pageAhead(rows: 5) }
    try await world.load()
    for ranks in [7..<10, 17..<20, 27..<30] {
      await withTaskGroup(of: Void.self) { group in
        for window in others + [world.window] { group.addTask { window.scroll(to: ranks) } }
      }
      for adapter in adapters + [world.adapter] { await adapter.settle() }
    }
    #expect(world.server.log == [0, 1, 2, 3])
    #expect(others.map(\.count) == [40, 40, 40])
  }

  @Test func lastOfSeveralSourcesThatHasMoreIsPaged() async throws {
    let (first, last) = (Numbers(20, size: 10), Numbers(20, size: 10))
    let list = first.source().concatenated(with: last.source())
    let window = ListWindow<AnyItemID>(0..<3)
    let adapter = Adapter(source: list, presenter: Self.presenter, target: window)
    adapter.pageAhead(rows: 5)
    try await list.loadAndWait()
    window.scroll(to: 17..<20)
    await adapter.settle()
    #expect([first.log, last.log] == [[0], [0, 1]])
    window.scroll(to: 27..<30)
    await adapter.settle()
    #expect([first.log, last.log] == [[0, 1], [0, 1]])
    #expect(window.count == 40)
    window.scroll(to: 37..<40)
    await adapter.settle()
    #expect([first.log, last.log] == [[0, 1], [0, 1]])
  }

  @Test func sourceThatStandsTwiceIsPagedOnce() async throws {
    let server = Numbers(20, size: 10)
    let source = server.source()
    let list = source.map { $0 }.reversed().concatenated(with: source.filter { _ in true })
    #expect(list.pageFetchers.count == 1)
    let window = ListWindow<AnyItemID>(17..<20)
    let adapter = Adapter(source: list, presenter: Self.presenter, target: window)
    adapter.pageAhead(rows: 5)
    try await list.loadAndWait()
    await adapter.settle()
    // Whether it is loaded once or twice depends on who is faster.
    #expect(server.log.filter { $0 > 0 } == [1])
    #expect(window.count == 40)
  }

  // MARK: - Filters

  @Test func pagesThatShowNothingAreFollowedByOthers() async throws {
    let server = Numbers(60, size: 10)
    let list = server.source().filter { $0.id >= 35 }
    let window = ListWindow<Int>(0..<3)
    let adapter = Adapter(source: list, presenter: Self.presenter, target: window)
    adapter.pageAhead(rows: 5)
    try await list.loadAndWait()
    await adapter.settle()
    #expect(server.log == [0, 1, 2, 3, 4])
    #expect(window.cells == ["35", "36", "37"])
    #expect(window.count == 15)
  }

  @Test func onlySoManyPagesThatShowNothingAreFetched() async throws {
    let server = Numbers(500, size: 5)
    let list = server.source().filter { $0.id > 900 || $0.id == 1 }
    let window = ListWindow<Int>(0..<3)
    let adapter = Adapter(source: list, presenter: Self.presenter, target: window)
    adapter.pageAhead(rows: 5)
    try await list.loadAndWait()
    await adapter.settle()
    #expect(PageAhead.fruitlessPageLimit == 64)
    #expect(server.log == Array(0...64))
    window.scroll(to: 0..<1)
    await adapter.settle()
    #expect(server.log.count == 65)
  }

  // MARK: - In a way of the caller's own

  struct Refused: Error {}

  @Test func callersOwnWayIsCalledUntilThereIsNoMore() async throws {
    let source = Menu.source("a: x y z")
    let window = ListWindow<String>(0..<3)
    let adapter = Adapter(source: source, presenter: Menu.presenter, target: window)
    let calls = Counter()
    adapter.pageAhead(rows: 2) {
      calls.add()
      let more = Menu.dishes("a: x y z u v w").prefix(3 + calls.count)
      try source.replace(with: Array(more))
      return calls.count < 3
    }
    window.scroll(to: 0..<3)
    await adapter.settle()
    #expect(window.count == 5, "two rows follow the third")
    window.scroll(to: 3..<5)
    await adapter.settle()
    #expect(window.count == 6)
    window.scroll(to: 3..<6)
    await adapter.settle()
    #expect(calls.count == 3)
  }

  @Test func failureOfTheCallersWayReachesTheTarget() async throws {
    let source = Menu.source("a: x y z")
    let window = ListWindow<String>(0..<3)
    window.drawsFailures = true
    let adapter = Adapter(source: source, presenter: Menu.presenter, target: window)
    let calls = Counter()
    adapter.pageAhead(rows: 2) {
      calls.add()
      throw Refused()
    }
    for _ in 0..<5 {
      window.scroll(to: 0..<3)
      await adapter.settle()
    }
    #expect(calls.count == 1)
    #expect(window.failures.count == 1)
    #expect(window.failures.first is Refused)
    // One attempt for each change.
    try source.replace(with: Menu.dishes("a: x y z u"))
    window.scroll(to: 2..<4)
    await adapter.settle()
    #expect(calls.count == 2)
  }

  // MARK: - At random

  @Test(arguments: 0..<60 as Range<UInt64>)
  func randomScrollingFetchesNoPageTwice(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let count = Int.random(in: 0..<80, using: &random)
    let world = World(
      count, size: Int.random(in: 1..<12, using: &random),
      rows: Int.random(in: 1..<15, using: &random))
    world.window.drawsFailures = random.chance(0.5)
    try await world.load()
    var failed = 0
    for _ in 0..<30 {
      let start = Int.random(in: 0...max(0, world.window.count), using: &random)
      world.server.isFailing = random.chance(0.2)
      let before = world.window.failures.count
      world.window.scroll(to: start..<start + Int.random(in: 0..<6, using: &random))
      if random.chance(0.6) { await world.adapter.settle() }
      await world.adapter.settle()
      #expect(world.window.failures.count <= before + 1, "\(random)")
      failed = world.window.failures.count
      if random.chance(0.5) {
        world.server.isFailing = false
        world.adapter.pageAhead(rows: Int.random(in: 1..<15, using: &random))
        await world.adapter.settle()
      }
    }
    world.server.isFailing = false
    for _ in 0...count where world.source.hasMore {
      world.adapter.pageAhead(rows: 3)
      await world.scroll(to: max(0, world.window.count - 1)..<max(1, world.window.count))
    }
    #expect(world.window.count == count, "\(random)")
    // Each page once, and once more for each time that it failed.
    let pages = max(1, (count + world.server.size - 1) / world.server.size)
    #expect(world.server.log.count == pages + failed, "\(random)")
    #expect(Set(world.server.log) == Set(0..<pages), "\(random)")
  }
}

extension Adapter {
  /// Waits until no page is being fetched ahead.
  fileprivate func settle() async {
    while store.pages.isFetching { await Task.yield() }
  }
}

extension PageAheadTests.World {
  /// Waits until all calls of the target are made, and no page is being fetched.
  fileprivate func settle(_ queue: DispatchQueue) async {
    for _ in 0..<3 {
      await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
      await adapter.settle()
    }
  }
}

/// Shows all cells.
private final class Everything: PresentationTarget {
  typealias ItemID = Int
  typealias Cell = String

  private let shown = Mutex<[String]>([])

  var cells: [String] { shown.withLock { $0 } }

  func reload(_ contents: any PresentedContents<Int, String>) throws {
    let cells = try contents.materialized().sections.flatMap { $0.rows.map(\.item) }
    shown.withLock { $0 = cells }
  }

  func update(_ update: PresentationUpdate<Int, String>) throws { try reload(update.contents) }
}
