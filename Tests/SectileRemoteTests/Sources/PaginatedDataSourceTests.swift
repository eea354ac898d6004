import Dispatch
import SectileCore
import SectileRemote
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct PaginatedDataSourceTests {
  typealias World = RemoteWorld

  static func numbers(
    _ count: Int, size: Int, isSectioned: Bool = false, delivery: CallbackDelivery = .immediate
  ) -> PaginatedDataSource<Song, Int> {
    let loader = PageOperation<Song, Int>(firstPage: 0) { page in
      let ids = page * size..<min(count, (page + 1) * size)
      return LoadedPage(
        items: ids.map { Song(id: $0, kind: $0 % 2) },
        nextPage: ids.upperBound < count ? page + 1 : nil, total: count)
    }
    return PaginatedDataSource(
      name: "numbers", loader: loader, delivery: delivery,
      sectionedBy: isSectioned ? Song.section : nil)
  }

  // MARK: - Loading

  @Test(arguments: [false, true])
  func sourceKeepsThePromisesOfDataSource(_ isSectioned: Bool) async {
    #expect(await checkDataSource(Self.numbers(5, size: 3, isSectioned: isSectioned)) == [])
    #expect(await checkDataSource(Self.numbers(0, size: 3, isSectioned: isSectioned)) == [])
    let queue = DispatchQueue(label: "delivery")
    let delivery = CallbackDelivery { job in queue.async { job() } }
    let hopping = Self.numbers(5, size: 3, isSectioned: isSectioned, delivery: delivery)
    #expect(await checkDataSource(hopping) == [])
  }

  @Test func loadAnnouncesAtOnceAndDeliversTheFirstPageLater() {
    let world = World(7)
    world.source.load()
    #expect(world.words == ["will"])
    #expect(world.source.isLoading)
    world.answer()
    #expect(world.words == ["will", "+3", "finished"])
    #expect(world.ids == [1, 2, 3])
    #expect(world.source.totalCount == 7)
    #expect(world.source.nextPage == .number(2))
    #expect(!world.source.isLoading)
  }

  @Test func pagesOfOneLoadArriveAsPartialLoads() {
    let world = World(8, pagesPerLoad: .max)
    world.load()
    #expect(world.words == ["will", "+3", "+3", "+2", "finished"])
    #expect(!world.source.hasMore)
  }

  @Test func emptyListHasNoSectionsAndNoMore() {
    let world = World(0)
    world.load()
    #expect(world.words == ["will", "finished"])
    #expect(world.source.numberOfSections == 0)
    #expect(!world.source.hasMore)
  }

  // MARK: - Fetching more

  @Test func fetchMoreAnswersWithTheNewPaths() {
    let world = World(5)
    world.load()
    let call = world.fetchMore()
    world.answerAll()
    #expect(call.paths == [ItemPath(section: 0, item: 3), ItemPath(section: 0, item: 4)])
    #expect(world.ids == [1, 2, 3, 4, 5])
    #expect(!world.source.hasMore)
  }

  @Test func fetchMoreJoinsTheOneThatRuns() {
    let world = World(9)
    world.load()
    let calls = [world.fetchMore(), world.fetchMore()]
    #expect(world.server.requests.count == 1)
    world.answerAll()
    #expect(calls[0].paths?.count == 3)
    #expect(calls[0].paths == calls[1].paths)
    #expect(world.ids.count == 6)
    #expect(world.words.count { $0 == "will" } == 2)
  }

  @Test func fetchMoreAtTheEndAsksNobody() {
    let world = World(2)
    world.load()
    let call = world.fetchMore()
    #expect(call.paths == [])
    #expect(world.server.log.count == 1)
    #expect(world.words == ["will", "+2", "finished"])
  }

  @Test func fetchMoreOfASourceThatWasNotLoadedLoadsTheFirstPage() {
    let world = World(5)
    let call = world.fetchMore()
    world.answerAll()
    #expect(call.paths?.count == 3)
  }

  @Test func loadsOfTwoKindsRunOneAfterTheOther() {
    let world = World(9)
    world.load()
    let (more, refresh) = (world.fetchMore(), world.refresh())
    #expect(world.server.requests.map(\.page) == [.number(2)])
    world.answerAll()
    #expect(more.paths?.count == 3)
    #expect(refresh.paths == [])
    #expect(world.server.log == [1, 2, 1, 2].map { .number($0) })
    #expect(
      world.words == ["will", "+3", "finished", "will", "+3", "finished", "will", "finished"])
  }

  @Test func whoStopsWaitingLeavesTheLoadAlone() {
    let world = World(5)
    world.load()
    let call = world.fetchMore()
    call.cancel()
    world.run()
    #expect(call.error is CancellationError)
    world.answerAll()
    #expect(world.ids.count == 5)
  }

  @Test func didFinishLoadingMayFetchMore() throws {
    let world = World(9)
    let token = world.source.observe { [weak world] event in
      guard let world, case .didFinishLoading = event else { return }
      _ = Task(executorPreference: world.executor) { try await world.source.fetchMore() }
    }
    world.load()
    #expect(world.ids.count == 9)
    try world.recorder.check(against: world.source)
    withExtendedLifetime(token) {}
  }

  // MARK: - Refreshing

  @Test func refreshDeliversTheExactDifferenceAtOnce() throws {
    let world = World(6)
    world.load()
    _ = world.fetchMore()
    world.answerAll()
    world.recorder.reset()
    world.server.change { songs in
      songs.remove(at: 1)
      songs[2].grade = 7
      songs.insert(Song(id: 9), at: 0)
    }
    let call = world.refresh()
    world.answer()
    #expect(world.words == ["will"])
    #expect(world.ids == [1, 2, 3, 4, 5, 6])
    world.answerAll()
    #expect(world.words == ["will", "+1 -1 ~1", "finished"])
    #expect(call.paths == [ItemPath(section: 0, item: 0)])
    try world.recorder.check(against: world.source)
  }

  @Test func refreshLoadsAsManyPagesAsThereWere() {
    let world = World(12)
    world.load()
    _ = world.fetchMore()
    world.answerAll()
    _ = world.refresh()
    world.answerAll()
    #expect(world.ids.count == 6)
    #expect(world.source.nextPage == .number(3))
  }

  @Test func refreshOfAListThatShrankEndsEarly() {
    let world = World(9)
    world.load()
    _ = world.fetchMore()
    world.answerAll()
    world.server.change { $0.removeLast(7) }
    _ = world.refresh()
    world.answerAll()
    #expect(world.ids == [1, 2])
    #expect(!world.source.hasMore)
    #expect(world.source.totalCount == 2)
  }

  @Test func failedRefreshChangesNothing() {
    let world = World(6) { $0.retry = .never }
    world.load()
    _ = world.fetchMore()
    world.answerAll()
    world.server.change { $0.removeAll() }
    let call = world.refresh()
    world.answer { page in page = LoadedPage(items: [Song(id: 77)], nextPage: .number(2)) }
    world.fail()
    #expect(call.code == .loaderFailed)
    #expect(world.ids == [1, 2, 3, 4, 5, 6])
    #expect(world.words.suffix(2) == ["will", "failed"])
  }

  @Test func refreshThatMeetsALoopChangesNothing() {
    let world = World(6)
    world.load()
    _ = world.fetchMore()
    world.answerAll()
    let call = world.refresh()
    world.answer { $0.nextPage = .number(1) }
    #expect(call.code == .tokenLoop)
    #expect(world.ids == [1, 2, 3, 4, 5, 6])
    #expect(world.words.suffix(2) == ["will", "failed"])
  }

  // MARK: - What servers do

  @Test func overlappingPagesUpdateWhatIsThere() throws {
    let world = World(5)
    world.load()
    world.recorder.reset()
    let call = world.fetchMore()
    world.answer { $0.items.insert(Song(id: 2, grade: 5), at: 0) }
    #expect(world.words == ["will", "+2 ~1", "finished"])
    #expect(call.paths?.count == 2)
    #expect(try world.source[0, 1] == Song(id: 2, grade: 5))
    try world.recorder.check(against: world.source)
  }

  @Test func duplicatesInOnePageCountOnceWithTheirLastValue() throws {
    let world = World(3)
    world.source.load()
    world.answer { $0.items = [Song(id: 1), Song(id: 2), Song(id: 1, grade: 9)] }
    #expect(world.ids == [1, 2])
    #expect(try world.source[0, 0].grade == 9)
    try world.recorder.check(against: world.source)
  }

  @Test func emptyPageWithANextPageGoesOn() {
    let world = World(9)
    world.source.load()
    world.answer { $0 = LoadedPage(items: [], nextPage: .number(2)) }
    world.answer { $0 = LoadedPage(items: [], nextPage: .number(3)) }
    world.answer()
    #expect(world.ids == [7, 8, 9])
    #expect(world.words == ["will", "+3", "finished"])
  }

  @Test func tooManyEmptyPagesFailTheLoad() {
    let world = World(9) { $0.emptyPageLimit = 2 }
    world.source.load()
    for page in 2...9 { world.answer { $0 = LoadedPage(items: [], nextPage: .number(page)) } }
    #expect((world.recorder.errors.first as? RemoteError)?.code == .tooManyEmptyPages)
    #expect(world.server.log.count == 3)
  }

  @Test func tokenLoopFailsTheLoadAndKeepsTheItems() {
    let world = World(9, pagesPerLoad: .max)
    world.source.load()
    world.answer()
    world.answer { $0.nextPage = .number(1) }
    #expect((world.recorder.errors.first as? RemoteError)?.code == .tokenLoop)
    #expect(world.words == ["will", "+3", "+3", "failed"])
    #expect(world.server.requests.isEmpty)
    world.load()
    #expect(world.ids.count == 9)
  }

  @Test func moreThanSoManyPagesFailTheLoad() {
    let world = World(9, pagesPerLoad: .max) { $0.pageCountLimit = 2 }
    world.load()
    #expect((world.recorder.errors.first as? RemoteError)?.code == .tooManyPages)
    #expect(world.ids.count == 6)
  }

  // MARK: - Failing

  @Test func failureIsDeliveredOnceAndTheNextLoadGoesOn() {
    let world = World(9, pagesPerLoad: 2) { $0.retry = .never }
    world.source.load()
    world.answer()
    world.fail()
    #expect(world.words == ["will", "+3", "failed"])
    let cause = (world.recorder.errors.first as? RemoteError)?.cause
    #expect(cause is RemoteWorld.Busy)
    #expect(world.source.nextPage == .number(2))
    let call = world.fetchMore()
    world.answerAll()
    #expect(call.paths?.count == 6)
    #expect(world.ids.count == 9)
  }

  @Test func cancellationThatComesFromTheLoaderIsAFailure() {
    let world = World(3) { $0.retry = .never }
    let call = world.refresh()
    world.fail(CancellationError())
    #expect(world.words == ["will", "failed"])
    #expect(call.code == .loaderFailed)
  }

  @Test func requestIsMadeAgainAfterAWait() {
    let world = World(3) { $0.retry = RetryPolicy(attemptCountLimit: 2, firstDelay: .seconds(4)) }
    world.source.load()
    world.fail()
    #expect(world.server.requests.isEmpty)
    #expect(world.words == ["will"])
    world.advance(.seconds(4))
    world.answer()
    #expect(world.words == ["will", "+3", "finished"])
  }

  @Test func deafRequestTimesOutAllTheSame() {
    let songs = [Song(id: 1)]
    let world = World(ListServer(songs, isDeaf: true)) { configuration in
      configuration.retry = RetryPolicy(attemptCountLimit: 2, firstDelay: .seconds(1))
      configuration.requestTimeout = .seconds(5)
    }
    let call = world.refresh()
    world.advance(.seconds(5))
    world.advance(.seconds(1))
    #expect(world.server.requests.count == 2)
    world.advance(.seconds(5))
    #expect(call.code == .timedOut)
    #expect(world.words == ["will", "failed"])
    world.answerAll()
    #expect(world.ids == [])
  }

  @Test func loadThatTakesTooLongFailsAndKeepsItsPages() {
    let world = World(9, pagesPerLoad: .max) { configuration in
      configuration.loadTimeout = .seconds(10)
      configuration.requestTimeout = nil
    }
    let call = world.refresh()
    world.advance(.seconds(6))
    world.answer()
    world.advance(.seconds(6))
    #expect(call.code == .loadTimedOut)
    #expect(world.words == ["will", "+3", "failed"])
    world.answerAll()
    #expect(world.ids.count == 3)
    #expect(world.clock.sleeperCount == 0)
  }

  // MARK: - Cancelling

  @Test(arguments: [false, true])
  func nothingIsHeardAfterCancelling(_ isDeaf: Bool) {
    let world = World(
      ListServer((1...6).map { Song(id: $0) }, isDeaf: isDeaf), pagesPerLoad: .max)
    let call = world.refresh()
    world.answer()
    world.source.cancel()
    world.run()
    #expect(call.error is CancellationError)
    #expect(world.server.requests.count == (isDeaf ? 1 : 0))
    world.answerAll()
    #expect(world.words == ["will", "+3"])
    #expect(world.ids == [1, 2, 3])
    #expect(!world.source.isLoading)
    #expect(world.clock.sleeperCount == 0)
  }

  @Test func fetchMoreAfterCancellingGoesOnFromWhatIsThere() throws {
    let world = World(6)
    world.load()
    let former = world.fetchMore()
    world.source.cancel()
    world.recorder.sourceWasCancelled()
    world.run()
    #expect(former.error is CancellationError)
    let call = world.fetchMore()
    world.answerAll()
    #expect(call.paths?.count == 3)
    #expect(world.ids == [1, 2, 3, 4, 5, 6])
    try world.recorder.check(against: world.source)
  }

  @Test func cancelInWillLoadMakesNoRequest() {
    let world = World(6)
    let token = world.source.observe { [weak world] event in
      if case .willLoad = event { world?.source.cancel() }
    }
    world.load()
    #expect(world.words == ["will"])
    #expect(world.server.log.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test func releasedSourceEndsItsRequests() {
    let executor = ManualExecutor()
    let server = ListServer([Song(id: 1)])
    do {
      let source = PaginatedDataSource(
        name: "songs", loader: server, configuration: RemoteConfiguration(executor: executor))
      source.load()
      executor.runUntilIdle()
      #expect(server.requests.count == 1)
    }
    executor.runUntilIdle()
    #expect(server.requests.isEmpty)
  }

  // MARK: - Sections

  @Test func itemsOfLaterPagesJoinTheirSections() throws {
    let songs = (1...6).map { Song(id: $0, kind: $0 < 4 ? 0 : $0 % 2) }
    let world = World(ListServer(songs), isSectioned: true)
    world.load()
    let call = world.fetchMore()
    world.answerAll()
    #expect(world.source.snapshot.contents.map { $0.map(\.id) } == [[1, 2, 3, 4, 6], [5]])
    #expect(
      call.paths == [(0, 3), (0, 4), (1, 0)].map { ItemPath(section: $0.0, item: $0.1) })
    try world.recorder.check(against: world.source)
  }

  @Test func itemWhoseSectionChangedMovesToTheEndOfTheNewOne() throws {
    let songs = (1...4).map { Song(id: $0, kind: $0 % 2) }
    let world = World(ListServer(songs, size: 2), isSectioned: true)
    world.load()
    world.recorder.reset()
    _ = world.fetchMore()
    world.answer { $0.items.insert(Song(id: 1, kind: 0), at: 0) }
    #expect(world.ids == [3, 2, 1, 4])
    #expect(world.words == ["will", "+2 >1", "finished"])
    try world.recorder.check(against: world.source)
  }

  @Test func sectionTakesItsTitleFromItsFirstItem() throws {
    let loader = PageOperation<SectionDiagram.Item, Int>(firstPage: 0) { page in
      LoadedPage(
        items: [.init(id: "a", contents: "title \(page)"), .init(id: "b\(page)")],
        nextPage: page + 1)
    }
    let executor = ManualExecutor()
    let source = PaginatedDataSource(
      name: "titles", loader: loader, configuration: RemoteConfiguration(executor: executor)
    ) { SourceSection(identity: .integer(1), title: $0.contents) }
    let recorder = ChangeRecorder<String, SectionDiagram.Item>()
    source.delegate = recorder
    source.load()
    executor.runUntilIdle()
    _ = Task(executorPreference: executor) { try await source.fetchMore() }
    executor.runUntilIdle()
    #expect(source.sections.map(\.title) == ["title 1"])
    try recorder.check(against: source)
  }

  // MARK: - Threads

  @Test func threadsThatLoadAndCancelBreakNothing() async throws {
    let source = Self.numbers(60, size: 2)
    let recorder = ChangeRecorder<Int, Song>()
    source.delegate = recorder
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for round in 0..<40 {
            if number == 0 { source.load() }
            if number == 1, round % 8 == 0 { source.cancel() }
            if number > 1 { _ = try? await source.fetchMore() }
          }
        }
      }
    }
    // What was recorded around a cancellation is not a lifecycle: only the contents count.
    while source.hasMore {
      do { try await source.fetchMore() } catch is CancellationError {}
    }
    try await source.refresh()
    #expect(source.snapshot.materializedIDs == Array(0..<60))
    #expect(recorder.verify(against: source) == [])
  }
}
