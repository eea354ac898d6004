import Dispatch
import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct ArrayDataSourceTests {
  struct Food: Identifiable, Hashable, Sendable {
    let id: String
    var kind = "food"
    var grade = 0
  }

  typealias Source = ArrayDataSource<Food>
  typealias Recorder = ChangeRecorder<String, Food>

  static func foods(_ diagram: SectionDiagram) -> [Food] {
    diagram.sections.flatMap { section in
      section.items.map {
        Food(id: $0.id, kind: section.identity, grade: Int($0.contents) ?? 0)
      }
    }
  }

  static func source(_ diagram: SectionDiagram, delivery: CallbackDelivery = .immediate) -> Source {
    Source(name: "food", items: foods(diagram), delivery: delivery) {
      SourceSection(identity: .text($0.kind), title: $0.kind)
    }
  }

  /// Loads a source, changes it, and returns what its last changeset says, in words.
  static func lines(
    _ diagram: SectionDiagram, _ change: (Source) throws -> Void
  ) throws -> [String] {
    let source = source(diagram)
    let recorder = Recorder()
    source.delegate = recorder
    source.load()
    let before = source.sections
    recorder.reset()
    try change(source)
    try recorder.check(against: source)
    #expect(recorder.changesets.count <= 1)
    #expect(recorder.events.count == recorder.changesets.count * 3)
    return recorder.changesets.last?.changeLines(from: before, to: source.sections) ?? []
  }

  static func draw(_ source: Source) throws -> SectionDiagram {
    try SectionDiagram(of: source) { $0.grade == 0 ? $0.id : "\($0.id)=\($0.grade)" }
  }

  @Test(arguments: ["", "fruit: apple pear | veg: leek"] as [SectionDiagram])
  func sourceKeepsThePromisesOfDataSource(_ diagram: SectionDiagram) async {
    #expect(await checkDataSource(Self.source(diagram)) == [])
    let queue = DispatchQueue(label: "delivery")
    let hopping = Self.source(diagram, delivery: CallbackDelivery { job in queue.async { job() } })
    #expect(await checkDataSource(hopping) == [])
  }

  @Test func itemsWithoutSectionsFormOneWithoutATitle() {
    let source = Source(name: "food", items: Self.foods("a: x y"))
    source.load()
    #expect(source.sections == [SourceSection(identity: .null, title: "")])
    #expect(source.numberOfItems(in: 0) == 2)
    #expect(source.path(of: "y") == ItemPath(section: 0, item: 1))
    #expect(source.path(of: "z") == nil)
  }

  @Test func emptyArrayHasNoSections() throws {
    let source = Source(name: "food", items: [])
    source.load()
    #expect(source.numberOfSections == 0)
    try source.insert(Food(id: "x"), at: ItemPath(section: 0, item: 0))
    #expect(source.numberOfSections == 1)
    try source.remove(at: ItemPath(section: 0, item: 0))
    #expect(source.numberOfSections == 0)
  }

  @Test func sectionsStandInTheOrderOfTheirFirstItems() throws {
    let items = [Food(id: "a", kind: "2"), Food(id: "b", kind: "1"), Food(id: "c", kind: "2")]
    let source = Source(name: "food", items: items) {
      SourceSection(identity: .text($0.kind), title: $0.kind)
    }
    source.load()
    #expect(try SectionDiagram(of: source) == "2: a c | 1: b")
  }

  @Test func replacingDeliversTheExactDifference() throws {
    let lines = try Self.lines("fruit: apple pear | veg: leek") {
      try $0.replace(with: Self.foods("fruit: apple=2 | veg: leek pear kale"))
    }
    #expect(lines == ["insert veg/2", "move fruit/1 → veg/1 *", "update fruit/0"])
  }

  @Test func replacingWithTheSameDeliversNothing() throws {
    #expect(try Self.lines("a: x y") { try $0.replace(with: Self.foods("a: x y")) } == [])
  }

  @Test func changesAtPathsAreDelivered() throws {
    let one = ItemPath(section: 0, item: 1)
    #expect(
      try Self.lines("a: x y") { try $0.insert(Food(id: "w", kind: "a"), at: one) }
        == ["insert a/1"])
    #expect(
      try Self.lines("a: x y | b: z") {
        try $0.insert(Food(id: "w", kind: "a"), at: ItemPath(section: 0, item: 2))
      } == ["insert a/2"])
    #expect(try Self.lines("a: x y") { try $0.remove(at: one) } == ["delete a/1"])
    #expect(
      try Self.lines("a: x y") { try $0.replace(at: one, with: Food(id: "y", kind: "a", grade: 3)) }
        == ["update a/1"])
    #expect(
      try Self.lines("a: x y z") {
        try $0.move(from: ItemPath(section: 0, item: 2), to: ItemPath(section: 0, item: 0))
      }
        == ["move a/2 → a/0"])
  }

  @Test func pathThatDoesNotExistIsRefused() {
    let source = Self.source("a: x")
    source.load()
    for path in [ItemPath(section: 0, item: 1), ItemPath(section: 1, item: 0)] {
      let error = #expect(throws: DataSourceError.self) { try source.remove(at: path) }
      #expect(error?.code == .noSuchPath)
    }
    #expect(throws: DataSourceError.self) {
      try source.insert(Food(id: "y"), at: ItemPath(section: 2, item: 0))
    }
    #expect(source.numberOfItems == 1)
  }

  @Test func duplicateIdentityIsRefusedAndChangesNothing() {
    let source = Self.source("a: x")
    source.load()
    let error = #expect(throws: DataSourceError.self) {
      try source.insert(Food(id: "x"), at: ItemPath(section: 0, item: 0))
    }
    #expect(error?.code == .duplicateIdentity)
    #expect(source.numberOfItems == 1)
    #expect(source.version == 1)
  }

  @Test func loadingDuplicatesFailsAndRecoversWhenTheyAreReplaced() throws {
    let source = Source(name: "food", items: [Food(id: "x"), Food(id: "x")])
    let recorder = Recorder()
    source.delegate = recorder
    source.load()
    #expect((recorder.errors.first as? DataSourceError)?.code == .duplicateIdentity)
    #expect(recorder.events.count == 2)
    try source.replace(with: Self.foods("food: x"))
    try recorder.check(against: source)
    #expect(source.numberOfItems == 1)
  }

  @Test func changesBeforeLoadAndAfterCancelAreCaughtUpWith() throws {
    let source = Self.source("a: x")
    let recorder = Recorder()
    source.delegate = recorder
    try source.insert(Food(id: "y", kind: "a"), at: ItemPath(section: 0, item: 1))
    #expect(recorder.events.isEmpty)
    source.load()
    source.cancel()
    recorder.sourceWasCancelled()
    try source.remove(at: ItemPath(section: 0, item: 0))
    #expect(try Self.draw(source) == "a: x y")
    source.load()
    #expect(try Self.draw(source) == "a: y")
    try recorder.check(against: source)
    #expect(recorder.changesets.count == 2)
  }

  @Test func changeFromACallbackFollows() throws {
    let source = Self.source("a: x")
    let recorder = Recorder()
    source.delegate = recorder
    let token = source.observe { [weak source] event in
      if case .didPartiallyLoad(let changes) = event, changes.targetVersion < 5 {
        let item = Food(id: "n\(changes.targetVersion)", kind: "a")
        #expect(throws: Never.self) {
          try source?.insert(item, at: ItemPath(section: 0, item: 0))
        }
      }
    }
    source.load()
    try recorder.check(against: source)
    #expect(try Self.draw(source) == "a: n4 n3 n2 n1 x")
    withExtendedLifetime(token) {}
  }

  @Test func slowConsumerDoesNotSeeWhatWasChangedBack() async throws {
    let source = Self.source("a: x y")
    source.load()
    var changes = source.changesets.makeAsyncIterator()
    let path = ItemPath(section: 0, item: 0)
    try source.replace(at: path, with: Food(id: "x", kind: "a", grade: 1))
    try source.replace(at: path, with: Food(id: "x", kind: "a"))
    try source.replace(at: ItemPath(section: 0, item: 1), with: Food(id: "y", kind: "a", grade: 1))
    let merged = await changes.next()
    #expect(merged?.sourceVersion == 1)
    #expect(merged?.targetVersion == 4)
    #expect(merged?.updates.map(\.id) == ["y"])
  }

  @Test func threadsThatChangeTheSourceLoseNothing() async throws {
    let source = Source(name: "food", items: [])
    let recorder = Recorder()
    source.delegate = recorder
    source.load()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<25 {
        let item = Food(id: "\(thread)-\(number)")
        try? source.insert(item, at: ItemPath(section: 0, item: 0))
      }
    }
    source.load()
    // The last of them may be another thread's to deliver.
    #expect(await recorder.waitForEnds(102))
    #expect(source.numberOfItems == 100)
    try recorder.check(against: source)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func randomReplacementsReplayExactly(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let source = Self.source("")
    let recorder = Recorder()
    source.delegate = recorder
    var slow = SectionedContents<String, Food>()
    var slowChanges = source.changesets.makeAsyncIterator()
    source.load()
    for _ in 0..<25 {
      let ids = (0..<8).shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random))
      let before = source.version
      try source.replace(
        with: ids.map { id in
          let kind = ["a", "b", "c"].randomElement(using: &random) ?? "a"
          return Food(id: "\(id)", kind: kind, grade: Int.random(in: 0..<2, using: &random))
        })
      #expect(source.version - before <= 1)
      guard random.chance(0.3) else { continue }
      // A row that was never there before: whatever else was missed, this is news.
      try source.insert(
        Food(id: "new \(source.version)", kind: "a"), at: ItemPath(section: 0, item: 0))
      let missed = try #require(await slowChanges.next())
      try slow.apply(missed)
      #expect(slow == source.snapshot.contents, "\(random)")
    }
    try recorder.check(against: source)
  }
}
