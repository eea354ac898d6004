import SectileCore
import SectileRemote
import SectileTestSupport

/// One random course of events between a paginated source and its server, and what was wrong in it.
///
/// In its first part anything may happen. Then the server is quiet and answers truthfully: every
/// load that is under way must end, and a complete crawl must give exactly the server's list.
final class FaultSchedule {
  static let meant = [
    "cancelled load", "failed load", "retried request", "late answer", "request timed out",
    "load timed out", "joined fetch", "token loop", "too many empty pages", "failed refresh",
    "duplicate", "shrunk list", "fetched more", "asked to wait", "quit waiting",
  ]

  private var random: SeededRandom
  private let world: RemoteWorld
  private let isSectioned: Bool
  private var calls: [(name: String, call: RemoteWorld.Call)] = []
  /// How many lifecycles the source was cancelled in.
  private var silentEnds = 0
  private var isCancelled = false
  private var eventsChecked = 0
  /// The items before the load that runs.
  private var idsBefore: Set<Int> = []
  private(set) var reached: [String] = []
  private(set) var problems: [String] = []
  private(set) var log: [String] = []

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let style = ListServer.Style.allCases.randomElement(using: &random) ?? .number
    var songs = (0..<Int.random(in: 0...12, using: &random)).map {
      Song(id: $0 * 10, kind: Int.random(in: 0..<3, using: &random))
    }
    if style != .key { songs.shuffle(using: &random) }
    let server = ListServer(
      songs, style: style, size: Int.random(in: 1...4, using: &random),
      tellsTotal: random.chance(0.5), isDeaf: random.chance(0.3))
    isSectioned = random.chance(0.4)
    let attempts = Int.random(in: 1...3, using: &random)
    let hasTimeout = random.chance(0.7)
    let hasLoadTimeout = random.chance(0.3)
    let isHopping = random.chance(0.3)
    world = RemoteWorld(
      server, pagesPerLoad: [1, 1, 2, .max].randomElement(using: &random) ?? 1,
      isSectioned: isSectioned, isHopping: isHopping
    ) { configuration in
      configuration.retry = RetryPolicy(attemptCountLimit: attempts, retryAfterLimit: .seconds(20))
      configuration.requestTimeout = hasTimeout ? .seconds(5) : nil
      configuration.loadTimeout = hasLoadTimeout ? .seconds(12) : nil
      configuration.emptyPageLimit = 1
      configuration.jitterSeed = seed
    }
    world.recorder.allowFailures()
    self.random = random
  }

  func run() {
    for _ in 0..<Int.random(in: 10...40, using: &random) {
      step()
      // Now and then the next step comes in the middle of what this one caused.
      if random.chance(0.4) {
        world.executor.run(atMost: Int.random(in: 0...6, using: &random))
      } else {
        world.run()
      }
      check()
    }
    calmDown()
    crawl()
  }

  // MARK: - Anything may happen

  private func step() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<10:
      note("load")
      isCancelled = false
      world.source.load()
    case 10..<18: call("refresh") { try await $0.refresh() }
    case 18..<34:
      let isRunning = calls.contains { $0.name == "fetchMore" && !$0.call.isOver }
      if isRunning { reach("joined fetch") }
      call("fetchMore") { try await $0.fetchMore() }
    case 34..<38: cancel()
    case 38..<41: quitWaiting()
    case 41..<66: answer()
    case 66..<78: fail()
    case 78..<88: passTime()
    default: changeServer()
    }
  }

  private func call(
    _ name: String,
    _ body: @escaping @Sendable (RemoteWorld.Source) async throws -> [ItemPath]
  ) {
    note(name)
    isCancelled = false
    calls.append((name, world.call(body)))
  }

  private func cancel() {
    note("cancel")
    check()
    if world.recorder.isLoading {
      silentEnds += 1
      reach("cancelled load")
    }
    world.source.cancel()
    world.recorder.sourceWasCancelled()
    isCancelled = true
    world.run()
    for (name, call) in calls where !call.isOver { problem("\(name) waits on after cancel()") }
  }

  private func quitWaiting() {
    guard let call = calls.last(where: { !$0.call.isOver }) else { return }
    note("quit waiting for \(call.name)")
    reach("quit waiting")
    call.call.cancel()
    world.run()
    // It may have had its result already.
    if !call.call.isOver { problem("quitting did not end \(call.name)") }
  }

  private func answer() {
    guard let request = world.server.requests.randomElement(using: &random) else { return }
    note("answer \(request.page)")
    if isCancelled { reach("late answer") }
    let songs = world.server.songs
    let extra = songs.randomElement(using: &random)
    let fault = Int.random(in: 0..<14, using: &random)
    world.server.answer(request) { page in
      switch fault {
      case 0:
        guard let extra else { break }
        page.items.append(extra)
        reach("duplicate")
      case 1:
        page.items.insert(contentsOf: page.items, at: 0)
      case 2:
        guard page.nextPage != nil else { break }
        page.nextPage = request.page
      case 3..<7:
        // A page without items that leads on, to the same place by another name.
        page.items = []
        page.nextPage = alias(of: request.page)
      default: break
      }
    }
  }

  /// Returns another token that names the same page, where there is one.
  private func alias(of page: PageToken) -> PageToken? {
    page.cursor.flatMap { Int($0) }.map { .cursor(String($0 + 1)) }
      ?? (page == .start ? .cursor("-1") : page.offset.map { .offset($0 + 1_000) })
      ?? page.number.map { .number($0 + 1_000) }
  }

  private func fail() {
    guard let request = world.server.requests.randomElement(using: &random) else { return }
    let before = world.server.log.count
    let errors: [any Error] = [
      RemoteWorld.Busy(), CancellationError(),
      RemoteError(code: .wrongStatus, message: "busy", status: 503),
      RemoteError(code: .wrongStatus, message: "slow down", status: 429, retryAfter: .seconds(9)),
      RemoteError(code: .wrongStatus, message: "go away", status: 429, retryAfter: .seconds(99)),
      RemoteError(code: .wrongStatus, message: "not here", status: 404),
      RemoteError(code: .malformedBody, message: "not JSON"),
    ]
    guard let error = errors.randomElement(using: &random) else { return }
    note("fail \(request.page) with \(error)")
    if (error as? RemoteError)?.retryAfter == .seconds(9) { reach("asked to wait") }
    world.server.fail(request, error)
    world.run()
    if random.chance(0.7), let wake = world.clock.untilNextWake {
      world.clock.advance(by: wake)
      world.run()
      if world.server.log.count > before { reach("retried request") }
    }
  }

  private func passTime() {
    let wake = world.clock.untilNextWake ?? .seconds(1)
    note("advance by \(wake)")
    world.clock.advance(by: random.chance(0.8) ? wake : wake / 2)
  }

  private func changeServer() {
    let number = Int.random(in: 0..<200, using: &random)
    let kind = Int.random(in: 0..<3, using: &random)
    let chosen = world.server.songs.indices.randomElement(using: &random)
    let place = Int.random(in: 0...world.server.songs.count, using: &random)
    let deed = Int.random(in: 0..<5, using: &random)
    let isOrdered = world.server.style == .key
    world.server.change { songs in
      switch deed {
      case 0, 1:
        guard !songs.contains(where: { $0.id == number }) else { return }
        let ordered = songs.firstIndex { $0.id > number } ?? songs.count
        songs.insert(Song(id: number, kind: kind), at: isOrdered ? ordered : place)
      case 2:
        guard let chosen else { return }
        songs.remove(at: chosen)
        reach("shrunk list")
      case 3:
        guard let chosen else { return }
        songs[chosen].grade += 1
        if number < 60 { songs[chosen].kind = kind }
      default:
        guard let chosen, !isOrdered else { return }
        let song = songs.remove(at: chosen)
        songs.insert(song, at: min(place, songs.count))
      }
    }
    note("the server has \(world.server.songs.map(\.id))")
  }

  // MARK: - The quiet server

  /// Answers truthfully until nothing is under way any more.
  private func calmDown() {
    note("the server is quiet")
    for _ in 0..<1_000 {
      world.run()
      check()
      if let request = world.server.requests.first {
        world.server.answer(request)
      } else if world.source.isLoading, let wake = world.clock.untilNextWake {
        world.clock.advance(by: wake)
      } else {
        break
      }
    }
    if world.source.isLoading { problem("a load does not end on a quiet server") }
    for (name, call) in calls {
      let ends = call.results.withLock { $0.count }
      if ends != 1 { problem("\(name) ended \(ends) times") }
    }
    if world.clock.sleeperCount > 0 { problem("\(world.clock.sleeperCount) timers are left") }
  }

  private func crawl() {
    note("crawl")
    isCancelled = false
    var events = world.recorder.events.count
    var call = world.refresh()
    for round in 0..<100 {
      world.answerAll()
      check()
      if let error = call.error { return problem("a load fails on a quiet server: \(error)") }
      guard let paths = call.paths else { return problem("a load does not end") }
      compare(paths, with: world.recorder.events[events...])
      if round > 0, !paths.isEmpty { reach("fetched more") }
      guard world.source.hasMore else { break }
      events = world.recorder.events.count
      call = world.fetchMore()
    }
    let expected = arranged(world.server.songs)
    let seen = world.source.snapshot.contents
    if seen != expected {
      problem("the source shows \(seen), the server has \(world.server.songs.map(\.id))")
    }
    if world.server.tellsTotal, world.source.totalCount != world.server.songs.count {
      problem("the total is \(world.source.totalCount ?? -1)")
    }
    for difference in world.recorder.verify(against: world.source) { problem(difference) }
  }

  /// Compares the paths a call answers with to what it brought.
  private func compare(_ paths: [ItemPath], with events: ArraySlice<RemoteWorld.Recorder.Event>) {
    var brought: Set<Int> = []
    for case .didPartiallyLoad(let changes) in events {
      brought.formUnion(changes.inserts.map(\.id))
    }
    let expected = brought.compactMap { world.source.path(of: $0) }.sorted()
    if paths != expected { problem("a call answers with \(paths) instead of \(expected)") }
  }

  /// The server's list as a source with or without sections shows it.
  private func arranged(_ songs: [Song]) -> [[Song]] {
    guard isSectioned else { return songs.isEmpty ? [] : [songs] }
    var kinds: [Int] = []
    for song in songs where !kinds.contains(song.kind) { kinds.append(song.kind) }
    return kinds.map { kind in songs.filter { $0.kind == kind } }
  }

  // MARK: - What must hold at any time

  private func check() {
    let events = world.recorder.events
    if isCancelled, events.count > eventsChecked { problem("an event came after cancel()") }
    for violation in world.recorder.violations where problems.count < 5 { problem(violation) }
    for event in events[eventsChecked...] { follow(event) }
    eventsChecked = events.count
    if begun != ended + silentEnds + (world.recorder.isLoading ? 1 : 0) {
      problem("\(begun) loads began, \(ended) ended, \(silentEnds) were cancelled")
    }
  }

  /// Keeps the account of one load.
  private func follow(_ event: DataSourceEvent<Int, Song>) {
    switch event {
    case .willLoad:
      begun += 1
      idsBefore = current
      deleted = []
    case .didPartiallyLoad(let changes):
      deleted.formUnion(changes.deletes.map(\.id))
      current.subtract(changes.deletes.map(\.id))
      current.formUnion(changes.inserts.map(\.id))
    case .didFinishLoading:
      ended += 1
    case .didFail(let error):
      ended += 1
      reach(error)
      if !idsBefore.isSubset(of: current) || !deleted.isEmpty {
        problem("a load that failed deleted \(idsBefore.subtracting(current))")
      }
    }
  }

  private var begun = 0
  private var ended = 0
  private var current: Set<Int> = []
  private var deleted: Set<Int> = []

  private func reach(_ error: any Error) {
    reach("failed load")
    if !idsBefore.isEmpty { reach("failed refresh") }
    guard let error = error as? RemoteError else {
      return problem("the error \(error) is not a RemoteError")
    }
    switch error.code {
    case .timedOut: reach("request timed out")
    case .loadTimedOut: reach("load timed out")
    case .tokenLoop: reach("token loop")
    case .tooManyEmptyPages: reach("too many empty pages")
    default: break
    }
  }

  private func reach(_ word: String) { reached.append(word) }
  private func note(_ line: String) { log.append(line) }
  private func problem(_ sentence: String) { problems.append(sentence) }
}

extension PagedSnapshot<Int, Song> {
  /// The items of each section.
  var contents: [[Song]] {
    (0..<numberOfSections).map { section in
      (0..<numberOfItems(in: section)).compactMap {
        try? item(at: ItemPath(section: section, item: $0))
      }
    }
  }
}
