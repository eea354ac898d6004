import Dispatch
import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct ComposedDataSourceTests {
  struct Fruit: Identifiable, Hashable, Sendable {
    let id: Int
    var name: String
  }

  struct Broken: Error, Equatable {}

  static func fruits(_ names: String...) -> [Fruit] {
    names.enumerated().map { Fruit(id: $0.offset, name: $0.element) }
  }

  static func source(_ name: String = "fruit", _ names: String...) -> ArrayDataSource<Fruit> {
    ArrayDataSource(
      name: name, items: names.enumerated().map { Fruit(id: $0.offset, name: $0.element) })
  }

  static func rows<ID, Item>(_ source: some DataSource<ID, Item>) throws -> [[Item]] {
    try source.snapshot.materialized().sections.map { $0.rows.map(\.item) }
  }

  static func drawing<ID>(of source: some DataSource<ID, String>) throws -> SectionDiagram {
    try SectionDiagram(ofComposition: source) { $0 }
  }

  static func contents(_ name: String, _ ids: Int...) -> SectionedContents<Int, String> {
    SectionedContents(sections: [
      SectionedContents.Section(
        header: SourceSection(identity: .text(name), title: name),
        rows: ids.map { SectionedContents.Row(id: $0, item: "\(name)\($0)") })
    ])
  }

  // MARK: - The contract of every source

  @Test func compositionKeepsThePromisesOfDataSource() async {
    let source = Self.source("fruit", "fig", "apple", "pear")
    #expect(await checkDataSource(source.map(\.name)) == [])
    #expect(await checkDataSource(source.sorted { $0.name }.prefix(2)) == [])
    let joined = source.map(\.name).concatenated(with: source.filter { $0.id > 0 }.map(\.name))
    #expect(await checkDataSource(joined) == [])
  }

  // MARK: - Laziness

  @Test func itemsAreMadeWhenAskedFor() throws {
    let source = Self.source("fruit", "fig", "apple", "pear")
    let made = Mutex<[String]>([])
    let cells = source.map { fruit in
      made.withLock { $0.append(fruit.name) }
      return "cell of \(fruit.name)"
    }
    cells.load()
    try source.insert(Fruit(id: 9, name: "plum"), at: ItemPath(section: 0, item: 0))
    #expect(made.withLock { $0 } == [])
    #expect(try cells[0, 2] == "cell of apple")
    #expect(made.withLock { $0 } == ["apple"])
  }

  @Test func oneChangedItemIsLookedAtOnce() throws {
    let source = ArrayDataSource(
      name: "numbers", items: (0..<1000).map { Fruit(id: $0, name: "\($0)") })
    let asked = Mutex(0)
    let even = source.filter { fruit in
      asked.withLock { $0 += 1 }
      return fruit.id % 2 == 0
    }
    even.load()
    #expect(asked.withLock { $0 } == 1000)
    try source.replace(at: ItemPath(section: 0, item: 500), with: Fruit(id: 500, name: "new"))
    try source.remove(at: ItemPath(section: 0, item: 0))
    #expect(asked.withLock { $0 } == 1001)
    #expect(even.numberOfItems == 499)
  }

  // MARK: - Lifecycle

  @Test func oneCommitIsOneCycle() throws {
    let (left, right) = (Self.source("left", "fig"), Self.source("right", "pear"))
    let list = left.concatenated(with: right)
    let recorder = ChangeRecorder<AnyItemID, Fruit>()
    list.delegate = recorder
    list.load()
    #expect(recorder.events.count == 4)  // One load: two sources, one beginning and one end.
    recorder.reset()
    try left.replace(with: Self.fruits("fig", "plum"))
    try recorder.check(against: list)
    #expect(recorder.events.count == 3)
  }

  @Test func aFailingInputIsReportedAndTheOthersStand() throws {
    let good = ContentsSource(name: "good", Self.contents("a", 1))
    let bad = ContentsSource(name: "bad", Self.contents("b", 1))
    let list = good.concatenated(with: bad)
    let recorder = ChangeRecorder<AnyItemID, String>()
    list.delegate = recorder
    list.load()
    bad.fail(Broken())
    let error = try #require(recorder.errors.first as? DataSourceError)
    #expect(error.code == .inputFailed)
    #expect(error.message.contains("bad"))
    #expect(error.cause is DataSourceError || error.cause is Broken)
    good.set(Self.contents("a", 1, 2))
    try recorder.check(against: list)
    #expect(try Self.drawing(of: list) == "0: a1 a2 | 1: b1")
  }

  @Test func anInputThatIsCancelledWhileLoadingEndsTheLoad() throws {
    let slow = ContentsSource<Int, String>(name: "slow")
    let load = OpenLoad(slow.hub)
    load.begin()
    slow.hub.flush()
    let list = Self.source("fruit", "fig").map(\.name).concatenated(with: slow)
    let recorder = ChangeRecorder<AnyItemID, String>()
    list.delegate = recorder
    list.load()
    #expect(recorder.isLoading)
    slow.cancel()
    #expect(!recorder.isLoading)
    let error = try #require(recorder.errors.last as? DataSourceError)
    #expect(error.cause is DataSourceError || error.code == .inputCancelled)
    #expect(try Self.drawing(of: list) == "0: fig")
    slow.set(Self.contents("b", 1))
    slow.load()
    try recorder.check(against: list)
    #expect(try Self.drawing(of: list) == "0: fig | 1: b1")
  }

  @Test func anInputsChangeThatMeansNothingHereCallsNobody() throws {
    let source = Self.source("fruit", "fig", "apple", "pear")
    let lists = [source.filter { $0.name == "fig" }, source.prefix(1)]
    let recorders = lists.map { list in
      let recorder = ChangeRecorder<Int, Fruit>()
      list.delegate = recorder
      list.load()
      recorder.reset()
      return recorder
    }
    try source.remove(at: ItemPath(section: 0, item: 1))
    for recorder in recorders { #expect(recorder.events.isEmpty) }
    try source.replace(with: Self.fruits("fig", "fig"))
    for (list, recorder) in zip(lists, recorders) { try recorder.check(against: list) }
  }

  @Test func loadingWaitsForInputsThatDeliverElsewhere() async throws {
    let queue = DispatchQueue(label: "delivery")
    let source = ArrayDataSource(
      name: "fruit", items: Self.fruits("fig", "pear"),
      delivery: CallbackDelivery { job in queue.async { job() } })
    let list = source.map(\.name)
    let recorder = ChangeRecorder<Int, String>()
    list.delegate = recorder
    try await list.loadAndWait()
    #expect(recorder.events.count == 3)
    #expect(try Self.drawing(of: list) == "0: fig pear")
  }

  @Test func anOriginIsFoundByIdentityWhereTheInputHasMovedOn() throws {
    let source = Self.source("fruit", "fig", "apple", "pear")
    let inner = source.filter { _ in true }
    let outer = inner.reversed()
    let found = Mutex<[ItemOrigin]>([])
    // Heard before the compositions are told.
    let token = source.observe { [weak outer] event in
      guard case .didPartiallyLoad = event, let outer, outer.numberOfItems == 3 else { return }
      let origins = (0..<3).map { outer.origin(at: ItemPath(section: 0, item: $0)) }
      found.withLock { $0 = origins }
    }
    outer.load()
    try source.remove(at: ItemPath(section: 0, item: 0))
    let origins = found.withLock { $0 }
    #expect(origins.count == 3)
    #expect(origins[1].path == ItemPath(section: 0, item: 0))  // apple, where it is now
    #expect(origins[2].source !== source)  // fig is gone
    #expect(outer.origin(at: ItemPath(section: 9, item: 9)).source === outer)
    token.cancel()
  }

  @Test func aCompositionMadeWhileItsInputIsLoadingShowsTheRest() throws {
    let slow = ContentsSource<Int, String>(name: "slow")
    let load = OpenLoad(slow.hub)
    load.begin()
    slow.hub.flush()
    let list = slow.map { $0.uppercased() }
    let recorder = ChangeRecorder<Int, String>()
    list.delegate = recorder
    list.load()
    slow.set(Self.contents("b", 1))
    slow.load()
    load.finish()
    slow.hub.flush()
    try recorder.check(against: list)
    #expect(try Self.drawing(of: list) == "0: B1")
    #expect(!recorder.isLoading)
  }

  @Test func cancellingACompositionLeavesItsInputsAlone() throws {
    let source = Self.source("fruit", "fig")
    let (first, second) = (source.map(\.name), source.map { $0.name.uppercased() })
    first.load()
    second.load()
    first.cancel()
    try source.replace(with: Self.fruits("fig", "pear"))
    #expect(try Self.drawing(of: first) == "0: fig")
    #expect(try Self.drawing(of: second) == "0: FIG PEAR")
    first.load()
    #expect(try Self.drawing(of: first) == "0: fig pear")
  }

  @Test func aReleasedCompositionIsGone() throws {
    let source = Self.source("fruit", "fig")
    weak var gone: ComposedDataSource<Int, String>?
    do {
      let list = source.map(\.name)
      list.load()
      gone = list
      #expect(gone != nil)
    }
    #expect(gone == nil)
    try source.replace(with: [])
  }

  @Test func aCompositionOfALoadedSourceShowsItAtOnce() throws {
    let source = Self.source("fruit", "fig", "pear")
    source.load()
    let list = source.reversed()
    let recorder = ChangeRecorder<Int, Fruit>()
    list.delegate = recorder
    list.load()
    try recorder.check(against: list)
    #expect(
      try SectionDiagram(ofComposition: list) { "\($0.id)=\($0.name)" } == "0: 1=pear 0=fig")
  }

  @Test func aChangeFromInsideACallbackFollows() throws {
    let source = Self.source("fruit", "fig")
    let list = source.map(\.name)
    let recorder = ChangeRecorder<Int, String>()
    list.delegate = recorder
    let isFirst = Atomic(true)
    let token = list.observe { event in
      guard case .didPartiallyLoad = event else { return }
      guard isFirst.exchange(false, ordering: .relaxed) else { return }
      try? source.replace(with: Self.fruits("fig", "pear"))
    }
    list.load()
    try recorder.check(against: list)
    #expect(recorder.changesets.count == 2)
    #expect(try Self.drawing(of: list) == "0: fig pear")
    token.cancel()
  }

  @Test func severalThreadsAreFollowedExactly() throws {
    let sources = (0..<3).map { Self.source("source \($0)", "fig") }
    let list = AnyDataSource<Fruit>.concatenating(sources.map { AnyDataSource($0) })
      .filter { $0.id % 3 != 1 }.sorted { $0.name }
    let recorder = ChangeRecorder<AnyItemID, Fruit>()
    list.delegate = recorder
    list.load()
    DispatchQueue.concurrentPerform(iterations: 3) { number in
      var random = SeededRandom(seed: UInt64(number))
      for _ in 0..<100 {
        let count = Int.random(in: 0..<20, using: &random)
        let items = (0..<count).map {
          Fruit(id: $0, name: "\(Int.random(in: 0..<50, using: &random))")
        }
        try? sources[number].replace(with: items.shuffled(using: &random))
      }
    }
    // The last changes may be another thread's to deliver: that of this edit comes after them.
    let isSeen = DispatchSemaphore(value: 0)
    let token = list.observe { [weak list] event in
      guard case .didFinishLoading = event, let list, let rows = try? Self.rows(list) else {
        return
      }
      if rows.joined().contains(where: { $0.name == "last" }) { isSeen.signal() }
    }
    try sources[0].replace(with: Self.fruits("last", "fig"))
    isSeen.wait()
    token.cancel()
    try recorder.check(against: list)
    let fresh = AnyDataSource<Fruit>.concatenating(sources.map { AnyDataSource($0) })
      .filter { $0.id % 3 != 1 }.sorted { $0.name }
    fresh.load()
    #expect(try Self.rows(list) == Self.rows(fresh))
  }

  // MARK: - Origins

  @Test func editingReachesTheItemsOwnSource() throws {
    let (left, right) = (Self.source("left", "fig", "kiwi"), Self.source("right", "pear"))
    let list = left.sorted(by: { $0.name }, .descending).map(\.name)
      .concatenated(with: right.map(\.name))
      .inserting("banner", at: ItemPath(section: 0, item: 1))
      .flattened()
    list.load()
    #expect(try Self.drawing(of: list) == "0: kiwi banner fig pear")
    let kiwi = list.origin(at: ItemPath(section: 0, item: 0))
    #expect(kiwi.source === left && kiwi.path == ItemPath(section: 0, item: 1))
    let pear = list.origin(at: ItemPath(section: 0, item: 3))
    #expect(pear.source === right && pear.path == ItemPath(section: 0, item: 0))
    try left.remove(at: kiwi.path)
    #expect(try Self.drawing(of: list) == "0: fig banner pear")
  }

  // MARK: - Errors

  @Test func whatATransformationThrowsReadingThrows() {
    let list = Self.source("fruit", "fig").map { _ -> String in throw Broken() }
    list.load()
    #expect(list.numberOfItems == 1)
    #expect(throws: Broken.self) { try list[0, 0] }
  }

  @Test func anItemThatCannotBeReadFailsTheLoadAndTheNextOneCatchesUp() throws {
    let source = Self.source("fruit", "fig")
    let isBroken = Atomic(false)
    let list = source.map { fruit -> String in
      if isBroken.load(ordering: .relaxed) { throw Broken() }
      return fruit.name
    }.filter { $0 != "bad" }
    let recorder = ChangeRecorder<Int, String>()
    list.delegate = recorder
    list.load()
    isBroken.store(true, ordering: .relaxed)
    try source.replace(with: Self.fruits("fig", "pear"))
    #expect(recorder.errors.count == 1)
    #expect(list.numberOfItems == 1)
    isBroken.store(false, ordering: .relaxed)
    try source.replace(with: Self.fruits("fig", "pear", "plum"))
    #expect(recorder.violations == [])
    #expect(try Self.drawing(of: list) == "0: fig pear plum")
    #expect(recorder.verify(against: list) == [])
  }
}
