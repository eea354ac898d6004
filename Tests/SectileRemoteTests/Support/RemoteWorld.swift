import SectileCore
import SectileRemote
import SectileTestSupport
import Synchronization

/// A paginated source, its server, and all the time in the world: nothing happens but what a test
/// brings about.
final class RemoteWorld: Sendable {
  typealias Source = PaginatedDataSource<Song, PageToken>
  typealias Recorder = ChangeRecorder<Int, Song>

  struct Busy: Error, Equatable {}

  let executor = ManualExecutor()
  let clock = ManualClock()
  let server: ListServer
  let source: Source
  let recorder = Recorder()

  init(
    _ server: ListServer, pagesPerLoad: Int = 1, isSectioned: Bool = false,
    isHopping: Bool = false,
    _ prepare: (inout RemoteConfiguration) -> Void = { _ in }
  ) {
    var configuration = RemoteConfiguration(clock: clock, jitterSeed: 1, executor: executor)
    prepare(&configuration)
    self.server = server
    let hopping = CallbackDelivery { [executor] job in
      _ = Task(executorPreference: executor) { job() }
    }
    source = Source(
      name: "songs", loader: server, pagesPerLoad: pagesPerLoad, configuration: configuration,
      delivery: isHopping ? hopping : .immediate,
      sectionedBy: isSectioned ? Song.section : nil)
    source.delegate = recorder
  }

  /// Songs 1 to `count`.
  convenience init(
    _ count: Int, size: Int = 3, pagesPerLoad: Int = 1,
    _ prepare: (inout RemoteConfiguration) -> Void = { _ in }
  ) {
    let songs = (0..<count).map { Song(id: $0 + 1) }
    self.init(ListServer(songs, size: size), pagesPerLoad: pagesPerLoad, prepare)
  }

  /// The identities of the items a reader sees, in order.
  var ids: [Int] { source.snapshot.materializedIDs }

  /// What listeners heard, in words.
  var words: [String] { recorder.events.map(\.word) }

  func run() {
    executor.runUntilIdle()
  }

  /// Answers everything that is asked, truthfully, until nothing more is.
  func answerAll() {
    run()
    while let request = server.requests.first {
      server.answer(request)
      run()
    }
  }

  func answer(_ change: (inout ListServer.Loaded) -> Void = { _ in }) {
    run()
    if let request = server.requests.first { server.answer(request, change) }
    run()
  }

  func fail(_ error: any Error = Busy()) {
    run()
    if let request = server.requests.first { server.fail(request, error) }
    run()
  }

  func advance(_ duration: Duration) {
    run()
    clock.advance(by: duration)
    run()
  }

  func load() {
    source.load()
    answerAll()
  }

  /// Starts a call that a task waits for.
  func call(_ body: @escaping @Sendable (Source) async throws -> [ItemPath]) -> Call {
    let call = Call()
    let source = source
    call.task.withLock { task in
      task = Task(executorPreference: executor) {
        do {
          let paths = try await body(source)
          call.results.withLock { $0.append(.success(paths)) }
        } catch {
          call.results.withLock { $0.append(.failure(error)) }
        }
      }
    }
    run()
    return call
  }

  func fetchMore() -> Call { call { try await $0.fetchMore() } }
  func refresh() -> Call { call { try await $0.refresh() } }

  /// What came of a call.
  final class Call: Sendable {
    let results = Mutex<[Result<[ItemPath], any Error>]>([])
    let task = Mutex<Task<Void, Never>?>(nil)

    var isOver: Bool { !results.withLock { $0.isEmpty } }
    var paths: [ItemPath]? { results.withLock { try? $0.first?.get() } }

    var error: (any Error)? {
      results.withLock { results in
        if case .failure(let error) = results.first { error } else { nil }
      }
    }

    var code: RemoteError.Code? { (error as? RemoteError)?.code }

    func cancel() {
      task.withLock { $0 }?.cancel()
    }
  }
}

extension DataSourceSnapshot {
  var materializedIDs: [ItemID] {
    (0..<numberOfItems).map { id(at: path(atRank: $0)) }
  }
}

extension DataSourceEvent {
  /// `will`, `+3`, `-1`, `~2`, `finished`, `failed`.
  var word: String {
    switch self {
    case .willLoad: return "will"
    case .didPartiallyLoad(let changes):
      let counts = [
        ("+", changes.inserts.count), ("-", changes.deletes.count), ("~", changes.updates.count),
        (">", changes.moves.count),
      ]
      return counts.filter { $0.1 > 0 }.map { "\($0.0)\($0.1)" }.joined(separator: " ")
    case .didFinishLoading: return "finished"
    case .didFail: return "failed"
    }
  }
}
