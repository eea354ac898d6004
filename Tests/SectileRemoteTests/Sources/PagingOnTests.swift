import SectileCore
import SectileRemote
import SectileTestSupport
import Synchronization
import Testing

/// Asking for more from inside the delivery of a page.
@Suite(.timeLimit(.minutes(60))) struct PagingOnTests {
  typealias World = RemoteWorld

  /// Asks for more whenever it hears of a page, and writes down what it was answered.
  final class Reader: Sendable {
    private let answers = Mutex<[Int: [Int]]>([:])
    private let asked = Atomic<Int>(0)
    private let token = Mutex<DataSourceObservation?>(nil)

    init(_ world: World, limit: Int = .max) {
      let token = world.source.observe { [weak self, weak world] event in
        guard case .didPartiallyLoad = event, let self, let world else { return }
        let call = asked.wrappingAdd(1, ordering: .relaxed).oldValue
        guard call < limit else { return }
        _ = Task(executorPreference: world.executor) {
          let paths = try await world.source.fetchMore()
          self.answers.withLock { $0[call] = paths.map(\.item) }
        }
      }
      self.token.withLock { $0 = token }
    }

    /// The paths of each answer, in the order of the calls.
    var calls: [[Int]] {
      answers.withLock { answers in answers.sorted { $0.key < $1.key }.map(\.value) }
    }
  }

  @Test func whoHearsOfAPageCanAskForTheNextOne() throws {
    let world = World(9)
    world.load()
    let reader = Reader(world, limit: 1)
    let call = world.fetchMore()
    world.answerAll()
    #expect(call.paths?.map(\.item) == [3, 4, 5])
    #expect(reader.calls == [[6, 7, 8]], "the page after the one that was heard of")
    #expect(world.ids.count == 9)
    try world.recorder.check(against: world.source)
  }

  @Test(arguments: [1, 2, 3, .max])
  func askingAtEachPageGoesToTheEndAndEndsThere(_ pagesPerLoad: Int) throws {
    let world = World(13, pagesPerLoad: pagesPerLoad)
    let reader = Reader(world)
    world.load()
    #expect(world.ids == Array(1...13))
    #expect(world.server.log == (1...5).map { .number($0) }, "each page once")
    #expect(reader.calls.last == [], "there is nothing after the last page")
    #expect(!world.source.isLoading)
    // At the end nobody is told of a load that brings nothing, unless it was asked for before.
    #expect(world.words.count { $0 == "will" } == world.words.count { $0 == "finished" })
    #expect(pagesPerLoad == .max || world.words.suffix(2).first != "will")
    try world.recorder.check(against: world.source)
  }

  @Test func whoHearsOfTheFirstOfSeveralPagesJoinsTheLoad() {
    let world = World(12, pagesPerLoad: 3)
    let reader = Reader(world, limit: 2)
    let call = world.fetchMore()
    world.answerAll()
    let nine = Array(0..<9)
    #expect(call.paths?.map(\.item) == nine)
    #expect(reader.calls == [nine, nine])
    #expect(world.source.hasMore)
  }

  @Test func severalThatHearOfAPageShareTheNextLoad() {
    let world = World(9)
    world.load()
    let readers = [Reader(world, limit: 1), Reader(world, limit: 1), Reader(world, limit: 1)]
    _ = world.fetchMore()
    world.answerAll()
    #expect(readers.map(\.calls) == Array(repeating: [[6, 7, 8]], count: 3))
    #expect(world.server.log.count == 3)
  }

  @Test func whoHearsOfAPageThatLeadsBackIsToldOfTheFailure() {
    let world = World(9)
    world.load()
    let reader = Reader(world)
    let call = world.fetchMore()
    world.answer { $0.nextPage = .number(1) }
    world.answerAll()
    #expect(call.code == .tokenLoop)
    #expect(reader.calls == [], "the call joined the load that failed")
    #expect(world.server.log.count == 2)
  }

  @Test func whoHearsOfARefreshAsksForWhatComesAfterIt() throws {
    let world = World(9)
    world.load()
    world.server.change { $0[0].grade = 4 }
    let reader = Reader(world, limit: 1)
    _ = world.refresh()
    world.answerAll()
    #expect(reader.calls == [[3, 4, 5]])
    try world.recorder.check(against: world.source)
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func askingAtEachPageReachesTheEndWhateverHappens(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let count = Int.random(in: 0...14, using: &random)
    let server = ListServer(
      (0..<count).map { Song(id: $0 + 1, kind: $0 % 3) },
      size: Int.random(in: 1...4, using: &random))
    let pagesPerLoad = [1, 1, 2, 3].randomElement(using: &random) ?? 1
    let world = World(
      server, pagesPerLoad: pagesPerLoad, isSectioned: random.chance(0.3),
      isHopping: random.chance(0.4)
    ) { $0.retry = .never }
    world.recorder.allowFailures()
    let reader = Reader(world)
    world.source.load()
    for _ in 0..<40 {
      world.executor.run(atMost: Int.random(in: 0...5, using: &random))
      guard let request = world.server.requests.randomElement(using: &random) else { continue }
      if random.chance(0.1) {
        world.server.fail(request, RemoteWorld.Busy())
        world.run()
        _ = world.fetchMore()
      } else {
        world.server.answer(request)
      }
    }
    world.answerAll()
    #expect(world.ids.sorted() == Array(1..<count + 1), "\(random)")
    #expect(!world.source.hasMore && !world.source.isLoading, "\(random)")
    try world.recorder.check(against: world.source)
    withExtendedLifetime(reader) {}
  }
}
