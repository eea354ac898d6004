import Dispatch
import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// Parts that come and go on one thread while others change rows, load and cancel.
@Suite(.timeLimit(.minutes(60))) struct DataSourceListThreadsTests {
  typealias Fruit = DataSourceListTests.Fruit
  typealias List = DataSourceListTests.List
  typealias Recorder = DataSourceListTests.Recorder

  private static let count = 4

  private static func items(_ random: inout SeededRandom) -> [Fruit] {
    (0..<Int.random(in: 0..<6, using: &random)).map {
      Fruit(id: $0, name: "\(Int.random(in: 0..<9, using: &random))")
    }
  }

  /// Adds, removes and moves parts at random.
  private static func edit(
    _ list: List, _ sources: [ArrayDataSource<Fruit>], _ random: inout SeededRandom
  ) {
    let number = Int.random(in: 0..<count, using: &random)
    let id = "\(number)"
    let other = Bool.random(using: &random) ? list.parts.randomElement(using: &random) : nil
    // Where the part is there already, or not there, that is an error, and nothing happens.
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      try? list.insert(sources[number].filter { $0.id % 2 == 0 }, as: id, before: other)
    case 1: try? list.remove(part: id)
    default: try? list.move(part: id, before: other)
    }
  }

  private static func check(_ list: List, _ sources: [ArrayDataSource<Fruit>]) throws {
    let expected = try list.parts.compactMap { id -> String? in
      let number = Int(id) ?? 0
      let rows = try sources[number].snapshot.materialized().sections.flatMap(\.rows)
      let names = rows.filter { $0.id % 2 == 0 }.map(\.item.name)
      return names.isEmpty ? nil : "\(id) \(names)"
    }
    let shown = try list.snapshot.materialized().sections.map {
      "\($0.header.identity.label) \($0.rows.map(\.item.name))"
    }
    #expect(shown == expected)
  }

  @Test(arguments: 0..<3) func partsComeAndGoWhileRowsChange(_ round: UInt64) async throws {
    let sources = (0..<Self.count).map { ArrayDataSource(name: "\($0)", items: [Fruit]()) }
    for source in sources { source.load() }
    let list = List(name: "list")
    let recorder = Recorder()
    list.delegate = recorder
    list.load()
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      var random = SeededRandom(seed: round * 3 + UInt64(thread))
      for _ in 0..<80 {
        if thread == 0 {
          let number = Int.random(in: 0..<Self.count, using: &random)
          try? sources[number].replace(with: Self.items(&random))
        } else {
          Self.edit(list, sources, &random)
        }
      }
    }
    // The last changes may be another thread's to deliver: these come after them.
    for source in sources { try await source.loadAndWait() }
    try await list.loadAndWait()
    try recorder.check(against: list)
    try Self.check(list, sources)
  }

  /// What is there in the end is right, whoever was cancelled in between.
  @Test(arguments: 0..<3) func partsComeAndGoWhileTheListIsLoadedAndCancelled(
    _ round: UInt64
  ) async throws {
    let sources = (0..<Self.count).map { ArrayDataSource(name: "\($0)", items: [Fruit]()) }
    let list = List(name: "list")
    let outer = list.filter { $0.name != "3" }
    outer.load()
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      var random = SeededRandom(seed: 100 + round * 3 + UInt64(thread))
      for _ in 0..<60 {
        switch thread {
        case 0:
          let number = Int.random(in: 0..<Self.count, using: &random)
          try? sources[number].replace(with: Self.items(&random))
        case 1: Self.edit(list, sources, &random)
        default:
          if random.chance(0.5) { list.cancel() }
          outer.load()
        }
      }
    }
    for source in sources { try await source.loadAndWait() }
    let recorder = Recorder(contents: try list.snapshot.materialized())
    try await list.loadAndWait()
    list.delegate = recorder
    try await list.loadAndWait()
    recorder.reset()
    try Self.check(list, sources)
    #expect(checkSnapshot(list.snapshot) == [])
    for source in sources { try source.replace(with: [Fruit(id: 0, name: "last")]) }
    try Self.check(list, sources)
  }

  /// A part's own thread is in the middle of a change when the part is removed.
  @Test func partIsRemovedWhileItTells() async throws {
    let part = ArrayDataSource(name: "part", items: [Fruit(id: 0, name: "fig")])
    let list = List(name: "list")
    let recorder = Recorder()
    let (isTelling, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let token = part.observe { event in
      guard case .didPartiallyLoad(let changes) = event, changes.sourceVersion > 0 else { return }
      isTelling.signal()
      mayGoOn.wait()
    }
    try list.append(part, as: "part")
    list.delegate = recorder
    list.load()
    let isDone = DispatchSemaphore(value: 0)
    runOnOwnThread {
      try? part.append(Fruit(id: 1, name: "kiwi"))
      isDone.signal()
    }
    await waitOnOwnThread { isTelling.wait() }
    try list.remove(part: "part")
    #expect(list.numberOfItems == 0)
    mayGoOn.signal()
    await waitOnOwnThread { isDone.wait() }
    #expect(list.numberOfItems == 0)
    try recorder.check(against: list)
    token.cancel()
  }
}
