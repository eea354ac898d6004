import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

/// The adapter pattern's fetching side, capability by capability.
@Suite(.timeLimit(.minutes(60))) struct AdapterPatternFetcherTests {
  typealias Word = ManualFetcher.Word
  typealias World = FetchedDataSourceTests.World

  struct Person: Identifiable, Hashable, Sendable {
    let id: Int
    let name: String
  }

  @Test func fetchBeginsWhenTheSourceIsLoaded() async throws {
    let world = World()
    #expect(world.heard.isEmpty)
    let fetch = try await world.load()
    #expect(world.heard == ["will"])
    fetch.finish()
    try await world.end()
  }

  @Test func gotDataIsTold() async throws {
    let world = World()
    let fetch = try await world.load()
    await fetch.send("a b")
    #expect(world.recorder.changesets.map { $0.inserts.map(\.id) } == [["a", "b"]])
    fetch.finish()
    try await world.end()
  }

  @Test func failedWithErrorIsTold() async throws {
    let world = World()
    let fetch = try await world.load()
    world.recorder.allowFailures()
    fetch.fail()
    try await world.end()
    #expect(world.recorder.errors.count == 1)
    #expect(world.recorder.errors.first is ManualFetcher.Broken)
  }

  @Test func objectsAreWhatWasFetched() async throws {
    let world = World()
    try await world.load("a b c")
    #expect(world.source.items.map(\.id) == ["a", "b", "c"])
    #expect(try world.source.item(at: ItemPath(section: 0, item: 1)).id == "b")
  }

  @Test func eachSectionHasAFetcherOfItsOwn() async throws {
    let file = try TemporaryFile("first line\nsecond line\n")
    let people = FetchedDataSource(
      name: "people",
      fetcher: ClosureFetcher<Person> { try await $0([Person(id: 1, name: "Ada")]) },
      section: SourceSection(identity: .text("people"), title: "People", footer: "from a closure"))
    let lines = FileLinesDataSource(
      name: "lines", path: file.path,
      section: SourceSection(identity: .text("lines"), title: "Lines", indexTitle: "L"))
    let sections: [any DataSource] = [people, lines]
    let recorders = (ChangeRecorder<Int, Person>(), ChangeRecorder<FileLine.ID, FileLine>())
    (people.delegate, lines.delegate) = recorders
    for source in sections { try source.load() }
    #expect(await recorders.0.waitForEnds(1))
    #expect(await recorders.1.waitForEnds(1))
    #expect(sections.map { $0.sections.map(\.title) } == [["People"], ["Lines"]])
    #expect(sections.map(\.numberOfItems) == [1, 2])
    #expect(people.sections[0].footer == "from a closure")
    #expect(lines.sections[0].indexTitle == "L")
  }

  @Test func objectsOfASectionAreReplaced() async throws {
    let world = World(mode: .replacing)
    try await world.load("a b")
    try await world.load("b c")
    #expect(world.shown == "b c")
    #expect(world.heard == ["will", "+1 -1 >0 ~0", "finished"])
  }

  @Test func objectsOfASectionAreAddedTo() async throws {
    let world = World(mode: .adding)
    try await world.load("a b")
    try await world.load("b=2 c")
    #expect(world.shown == "a b=2 c")
    #expect(world.heard == ["will", "+1 -0 >0 ~1", "finished"])
  }

  @Test func linesOfAFileAreFetched() async throws {
    let file = try TemporaryFile("one\ntwo\nthree")
    let source = FileLinesDataSource(name: "lines", path: file.path)
    let recorder = ChangeRecorder<FileLine.ID, FileLine>()
    source.delegate = recorder
    source.load()
    #expect(await recorder.waitForEnds(1))
    #expect(source.items.map(\.text) == ["one", "two", "three"])
  }

  @Test func itemsThatArriveOneByOneAreEachVisibleAtOnce() async throws {
    let (elements, continuation) = AsyncStream<Word>.makeStream()
    let source = AsyncSequenceDataSource(name: "words") { elements }
    var changes = source.changesets.makeAsyncIterator()
    source.load()
    for (number, text) in ["a", "b", "c"].enumerated() {
      continuation.yield(Word(text[...]))
      #expect(await changes.next()?.inserts.map(\.id) == [text])
      #expect(source.numberOfItems == number + 1)
    }
  }

  @Test func editingIsAskedOfTheSectionsSource() async throws {
    let world = World()
    try await world.load("a b")
    let path = ItemPath(section: 0, item: 0)
    for capability in [EditingCapability.inserting, .removing, .moving, .replacing] {
      #expect(!world.source.canEdit(capability, at: path))
    }
    let array = ArrayDataSource(name: "words", items: [Word("a")])
    array.load()
    for capability in [EditingCapability.inserting, .removing, .moving, .replacing] {
      #expect(array.canEdit(capability, at: path))
    }
  }
}
