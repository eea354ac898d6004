import Dispatch
import Foundation
import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// One commit is one changeset, whatever threads deliver.
@Suite(.timeLimit(.minutes(60))) struct CommonSourceThreadsTests {
  typealias Entry = CommonSourceTests.Entry

  private static let rows = 20

  private static func parts(
    _ source: ArrayDataSource<Entry>, of count: Int = 2
  ) -> [AnyDataSource<Entry>] {
    (0..<count).map { part in AnyDataSource(source.filter { $0.grade % count == part }) }
  }

  /// Counts the callbacks in which a list did not have each of its rows once.
  private final class Judge: Sendable {
    private let failures = Mutex<[String]>([])
    private let tokens = Mutex<[DataSourceObservation]>([])
    private let list: AnyDataSource<Entry>
    private let count: Int

    init(_ list: AnyDataSource<Entry>, count: Int) {
      (self.list, self.count) = (list, count)
    }

    func watch(_ source: some DataSource) {
      let token = source.observe { [weak self] _ in self?.look() }
      tokens.withLock { $0.append(token) }
    }

    private func look() {
      let snapshot = list.snapshot
      let ids = (0..<snapshot.numberOfItems).compactMap { rank in
        try? snapshot.item(at: snapshot.path(atRank: rank)).id
      }
      guard ids.count != count || Set(ids).count != count else { return }
      failures.withLock { $0.append("version \(snapshot.version): \(ids)") }
    }

    var problems: [String] { failures.withLock { Array($0.prefix(3)) } }
  }

  /// Lets threads commit, each to one of the sources, and waits until all of it was delivered.
  private static func commit(
    _ commits: Int, threads: Int, to sources: [ArrayDataSource<Entry>],
    of list: AnyDataSource<Entry>
  ) throws {
    let isSeen = DispatchSemaphore(value: 0)
    let wanted = sources.count
    let token = list.observe { [weak list] event in
      guard case .didFinishLoading = event, let list,
        let items = try? list.snapshot.materialized().sections.flatMap(\.rows)
      else { return }
      if items.count(where: { $0.item.grade >= 1_000 }) == wanted { isSeen.signal() }
    }
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let source = sources[thread % sources.count]
      for number in 0..<commits {
        let item = (number * 7 + thread) % rows
        #expect(throws: Never.self) {
          let id = try source.item(at: ItemPath(section: 0, item: item)).id
          let entry = Entry(id: id, grade: number % 60)
          try source.replace(at: ItemPath(section: 0, item: item), with: entry)
        }
      }
    }
    // The last changes may be another thread's to deliver: these come after them.
    for source in sources {
      let id = try source.item(at: ItemPath(section: 0, item: 0)).id
      try source.replace(at: ItemPath(section: 0, item: 0), with: Entry(id: id, grade: 1_000))
    }
    isSeen.wait()
    token.cancel()
  }

  @Test func twoThreadsThatCommitToACommonSource() throws {
    let source = CommonSourceTests.source(0..<Self.rows)
    let parts = Self.parts(source)
    let list = AnyDataSource<Entry>.concatenating(parts)
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    list.delegate = recorder
    list.load()
    let judge = Judge(list, count: Self.rows)
    for part in parts { judge.watch(part) }
    judge.watch(source)
    judge.watch(list)
    try Self.commit(200, threads: 2, to: [source], of: list)
    #expect(judge.problems == [])
    try recorder.check(against: list)
  }

  /// Two sources below two compositions that are composed once more: their commits come to these in
  /// different orders.
  @Test(arguments: 0..<3) func threadsThatCommitToSourcesOfCompositionsOfCompositions(
    _ round: Int
  ) throws {
    let sources = [
      CommonSourceTests.source(0..<Self.rows), CommonSourceTests.source(100..<100 + Self.rows),
    ]
    let parts = sources.map { Self.parts($0, of: 3) }
    let inner = (0..<3).map { part in
      AnyDataSource<Entry>.concatenating(parts.map { $0[part] }).sorted { $0.grade }
    }
    let list = AnyDataSource<Entry>.concatenating([
      AnyDataSource<Entry>.concatenating([inner[0], inner[1]]).flattened(), inner[2],
    ])
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    list.delegate = recorder
    list.load()
    let judge = Judge(list, count: 2 * Self.rows)
    for source in parts.joined() { judge.watch(source) }
    for source in inner { judge.watch(source) }
    for source in sources { judge.watch(source) }
    judge.watch(list)
    try Self.commit(50, threads: 4, to: sources, of: list)
    #expect(judge.problems == [])
    try recorder.check(against: list)
  }

  @Test func sourceThatDeliversOnAQueueIsFollowedThere() async throws {
    let queue = DispatchQueue(label: "delivery")
    let source = ArrayDataSource(
      name: "entries", items: (0..<Self.rows).map { Entry(id: $0, grade: $0) },
      delivery: CallbackDelivery { job in queue.async { job() } })
    let parts = Self.parts(source)
    let list = AnyDataSource<Entry>.concatenating(parts)
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    list.delegate = recorder
    try await list.loadAndWait()
    queue.sync {}
    let loaded = recorder.changesets.count
    let judge = Judge(list, count: Self.rows)
    for part in parts { judge.watch(part) }
    judge.watch(source)
    judge.watch(list)
    for number in 0..<100 {
      let item = number * 7 % Self.rows
      try source.replace(
        at: ItemPath(section: 0, item: item), with: Entry(id: item, grade: 1_000 + number))
    }
    // Each hop arranges the next one.
    while list.version < loaded + 100 { queue.sync {} }
    #expect(judge.problems == [])
    #expect(recorder.changesets.count == loaded + 100)
    try recorder.check(against: list)
  }

  /// A list that is loaded between the announcement of a change and the change: it is not told of
  /// it.
  @Test func sourceThatIsAboutToChangeWhereAListBeginsToFollowIt() throws {
    let source = CommonSourceTests.source(0..<Self.rows)
    source.load()
    let list = AnyDataSource<Entry>.concatenating(Self.parts(source))
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    list.delegate = recorder
    let isFirst = Atomic(true)
    let token = source.observe { event in
      guard case .willLoad = event, isFirst.exchange(false, ordering: .relaxed) else { return }
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        list.load()
        isDone.signal()
      }
      isDone.wait()
    }
    try source.replace(at: ItemPath(section: 0, item: 3), with: Entry(id: 3, grade: 1_000))
    token.cancel()
    let fresh = AnyDataSource<Entry>.concatenating(Self.parts(source))
    fresh.load()
    #expect(list.numberOfItems == Self.rows)
    #expect(try CommonSourceTests.drawing(of: list) == CommonSourceTests.drawing(of: fresh))
    #expect(recorder.events.count { if case .didFinishLoading = $0 { true } else { false } } == 1)
    try recorder.check(against: list)
  }

  /// Compositions that come and go while two threads commit: nothing is left waiting.
  @Test func compositionsThatAreCancelledAndLoadedWhileThreadsCommit() throws {
    let source = CommonSourceTests.source(0..<Self.rows)
    let parts = Self.parts(source)
    let list = AnyDataSource<Entry>.concatenating(parts + [AnyDataSource(source)])
    let outer = AnyDataSource<Entry>.concatenating([list, AnyDataSource(source.reversed())])
    let isDone = Atomic(false)
    outer.load()
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      guard thread < 2 else {
        while !isDone.load(ordering: .relaxed) {
          list.cancel()
          parts[0].cancel()
          list.load()
          outer.load()
        }
        return
      }
      for number in 0..<300 {
        let item = (number * 7 + thread) % Self.rows
        try? source.replace(
          at: ItemPath(section: 0, item: item), with: Entry(id: item, grade: number))
      }
      isDone.store(true, ordering: .relaxed)
    }
    let recorder = ChangeRecorder(
      contents: (try? outer.snapshot.materialized()) ?? SectionedContents())
    outer.delegate = recorder
    outer.load()
    try source.replace(at: ItemPath(section: 0, item: 0), with: Entry(id: 0, grade: 5_000))
    let fresh = AnyDataSource<Entry>.concatenating([
      AnyDataSource<Entry>.concatenating(Self.parts(source) + [AnyDataSource(source)]),
      AnyDataSource(source.reversed()),
    ])
    fresh.load()
    #expect(try CommonSourceTests.drawing(of: outer) == CommonSourceTests.drawing(of: fresh))
  }
}
