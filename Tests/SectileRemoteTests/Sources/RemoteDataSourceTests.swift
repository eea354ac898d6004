import SectileCore
import SectileRemote
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct RemoteDataSourceTests {
  struct Broken: Error {}

  /// What the operation of a source returns, or how often it fails first.
  final class Radio: Sendable {
    private let state: Mutex<(songs: [Song], failures: Int, calls: Int)>

    init(_ songs: [Song], failures: Int = 0) {
      state = Mutex((songs, failures, 0))
    }

    var calls: Int { state.withLock { $0.calls } }

    func play(_ songs: [Song], failures: Int = 0) {
      state.withLock { state in
        state.songs = songs
        state.failures = failures
      }
    }

    @Sendable func songs() async throws -> [Song] {
      try state.withLock { state in
        state.calls += 1
        state.failures -= 1
        if state.failures >= 0 { throw Broken() }
        return state.songs
      }
    }
  }

  static let songs = [Song(id: 1), Song(id: 2, kind: 1), Song(id: 3)]

  @Test(arguments: [0, 3]) func sourceKeepsThePromisesOfDataSource(_ count: Int) async {
    let radio = Radio(Array(Self.songs.prefix(count)))
    let source = RemoteDataSource(name: "songs", operation: radio.songs)
    #expect(await checkDataSource(source) == [])
  }

  @Test func loadBeginsAtOnceAndEndsWithTheList() {
    let executor = ManualExecutor()
    let source = RemoteDataSource(
      name: "songs", configuration: RemoteConfiguration(executor: executor),
      operation: Radio(Self.songs).songs)
    let recorder = ChangeRecorder<Int, Song>()
    source.delegate = recorder
    source.load()
    #expect(recorder.events.map(\.word) == ["will"])
    #expect(source.isLoading)
    executor.runUntilIdle()
    #expect(recorder.events.map(\.word) == ["will", "+3", "finished"])
    #expect(source.snapshot.materializedIDs == [1, 2, 3])
  }

  @Test func refreshDeliversTheExactDifference() async throws {
    let radio = Radio(Self.songs)
    let source = RemoteDataSource(
      name: "songs", sectionedBy: Song.section, operation: radio.songs)
    let recorder = ChangeRecorder<Int, Song>()
    source.delegate = recorder
    try await source.refresh()
    #expect(source.sections.map(\.title) == ["kind 0", "kind 1"])
    recorder.reset()
    radio.play([Song(id: 4), Song(id: 3, grade: 2), Song(id: 2, kind: 1)])
    let paths = try await source.refresh()
    #expect(paths == [ItemPath(section: 0, item: 0)])
    #expect(recorder.events.map(\.word) == ["will", "+1 -1 ~1", "finished"])
    try recorder.check(against: source)
  }

  @Test func itemsComparedByAClosureAreUpdatedAsItSays() async throws {
    let radio = Radio(Self.songs)
    let source = RemoteDataSource(
      name: "songs", isEqual: { $0.kind == $1.kind }, operation: radio.songs)
    let recorder = ChangeRecorder<Int, Song>()
    try await source.refresh()
    source.delegate = recorder
    radio.play([Song(id: 1, grade: 9), Song(id: 2, kind: 2), Song(id: 3)])
    try await source.refresh()
    #expect(recorder.changesets.map { $0.updates.map(\.id) } == [[2]])
  }

  @Test func failureKeepsWhatIsThereAndTheNextLoadRecovers() async throws {
    let radio = Radio(Self.songs)
    let source = RemoteDataSource(
      name: "songs", configuration: RemoteConfiguration(retry: .never), operation: radio.songs)
    try await source.refresh()
    radio.play([], failures: 1)
    let error = await #expect(throws: RemoteError.self) { try await source.refresh() }
    #expect(error?.code == .loaderFailed)
    #expect(error?.cause is Broken)
    #expect(source.numberOfItems == 3)
    try await source.refresh()
    #expect(source.numberOfItems == 0)
  }

  @Test func operationIsTriedAgainAfterItsWaits() {
    let (executor, clock) = (ManualExecutor(), ManualClock())
    let radio = Radio(Self.songs, failures: 2)
    let source = RemoteDataSource(
      name: "songs",
      configuration: RemoteConfiguration(
        retry: RetryPolicy(attemptCountLimit: 3, firstDelay: .seconds(2)), clock: clock,
        executor: executor),
      operation: radio.songs)
    let recorder = ChangeRecorder<Int, Song>()
    source.delegate = recorder
    source.load()
    for calls in 1...3 {
      executor.runUntilIdle()
      #expect(radio.calls == calls)
      clock.advance(by: .seconds(4))
    }
    #expect(recorder.events.map(\.word) == ["will", "+3", "finished"])
  }

  @Test func cancelEndsTheFetchInSilence() async {
    let executor = ManualExecutor()
    let source = RemoteDataSource(
      name: "songs", configuration: RemoteConfiguration(executor: executor),
      operation: Radio(Self.songs).songs)
    let recorder = ChangeRecorder<Int, Song>()
    source.delegate = recorder
    source.load()
    source.cancel()
    executor.runUntilIdle()
    #expect(recorder.events.map(\.word) == ["will"])
    #expect(!source.isLoading)
    #expect(source.numberOfItems == 0)
  }
}
