import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// What a source of one's own is made of: `DataSourceEvents` and `LiveContents`.
@Suite(.timeLimit(.minutes(60))) struct LiveContentsTests {
  typealias Section = LiveContents<Int, String>.Section
  typealias Row = LiveContents<Int, String>.Row
  typealias Recorder = ChangeRecorder<Int, String>

  /// A list of texts, written as a user of the library would.
  final class Board: DataSource {
    let name = "board"
    private let contents: LiveContents<Int, String>
    private let sections = Mutex<[Section]>([])

    init(_ sections: [Section] = [], delivery: CallbackDelivery = .immediate) {
      contents = LiveContents(delivery: delivery)
      events.bind(self)
      set(sections)
    }

    var events: DataSourceEvents<Int, String> { contents.events }
    var snapshot: ContentsSnapshot<Int, String> { contents.snapshot }
    func load() { contents.load() }

    func set(_ sections: [Section]) { change { $0 = sections } }

    func change(_ body: (inout [Section]) -> Void) {
      sections.withLock { sections in
        body(&sections)
        contents.submit(sections)
      }
      events.flush()
    }
  }

  /// A counter that keeps what readers see by itself, as the documentation of `DataSourceEvents`
  /// has it.
  final class Counter: DataSource {
    struct Refusal: Error {}

    let name = "counter"
    let events = DataSourceEvents<Int, Int>()
    private let shown = Mutex(SectionedContents<Int, Int>())

    init() { events.bind(self) }

    var snapshot: ContentsSnapshot<Int, Int> { ContentsSnapshot(shown.withLock { $0 }) }

    func load() {
      events.resume()
      count(to: 3)
    }

    func count(to number: Int) {
      events.submit { [weak self] in
        self?.shown.withLock { shown in
          let header = SourceSection(identity: .null, title: "")
          let rows = (0..<number).map { SectionedContents<Int, Int>.Row(id: $0, item: $0) }
          let next = SectionedContents<Int, Int>(
            version: shown.version + 1, sections: [.init(header: header, rows: rows)])
          let changes = Changeset(from: shown, to: next)
          if !changes.isEmpty { shown = next }
          return changes
        }
      }
      events.flush()
    }

    func fail() {
      events.submit(failure: Refusal())
      events.flush()
    }
  }

  static func section(_ title: String, _ ids: [Int]) -> Section {
    Section(
      header: SourceSection(identity: .text(title), title: title),
      rows: ids.map { Row(id: $0, item: "item \($0)") })
  }

  // MARK: - The promises

  @Test func sourcesKeepThePromises() async {
    let board = Board([Self.section("A", [1, 2]), Self.section("B", [])])
    #expect(await checkDataSource(board) == [])
    #expect(await checkDataSource(Board()) == [])
    #expect(await checkDataSource(Counter()) == [])
    #expect(await checkDataSource(Board([Self.section("A", [7])], delivery: .mainActor)) == [])
  }

  @Test func nothingIsShownBeforeTheLoad() {
    let (board, recorder) = (Board([Self.section("A", [1])]), Recorder())
    board.delegate = recorder
    board.set([Self.section("A", [1, 2])])
    #expect(board.version == 0)
    #expect(recorder.events.isEmpty)
    board.load()
    #expect(board.snapshot.contents.description == "A:[#1 #2]")
    #expect(recorder.changesets.count == 1)
  }

  @Test func submissionsAfterTheCancellationComeWithTheNextLoad() throws {
    let (board, recorder) = (Board([Self.section("A", [1])]), Recorder())
    board.delegate = recorder
    board.load()
    board.cancel()
    board.set([Self.section("A", [1, 2])])
    board.set([Self.section("A", [2, 3])])
    #expect(board.snapshot.contents.description == "A:[#1]")
    #expect(recorder.changesets.count == 1)
    board.load()
    #expect(board.snapshot.contents.description == "A:[#2 #3]")
    #expect(recorder.changesets.count == 2)
    try recorder.check(against: board)
  }

  @Test func nobodyIsCalledWhereNothingChanged() {
    let (board, recorder) = (Board([Self.section("A", [1])]), Recorder())
    board.delegate = recorder
    board.load()
    recorder.reset()
    board.set([Self.section("A", [1])])
    #expect(recorder.events.isEmpty)
    #expect(board.version == 1)
    board.load()
    #expect(recorder.events.count == 2, "a load has a lifecycle, changes or not")
  }

  @Test func identitiesThatOccurTwiceAreAFailure() throws {
    let (board, recorder) = (Board([Self.section("A", [1])]), Recorder())
    board.delegate = recorder
    board.load()
    for wrong in [
      [Self.section("A", [1]), Self.section("B", [1])],
      [Self.section("A", [1]), Self.section("A", [2])],
    ] {
      recorder.reset()
      board.set(wrong)
      let error = try #require(recorder.errors.first as? ChangesetError)
      #expect(error.code == .duplicateIdentity)
      #expect(board.snapshot.contents.description == "A:[#1]")
    }
    board.set([Self.section("A", [1, 2])])
    try recorder.check(against: board)
    #expect(board.numberOfItems == 2)
  }

  @Test func loadThatMeetsAnIdentityTwiceFails() throws {
    let (board, recorder) = (Board([Self.section("A", [1, 1])]), Recorder())
    board.delegate = recorder
    board.load()
    #expect((recorder.errors.first as? ChangesetError)?.code == .duplicateIdentity)
    #expect(recorder.violations == [])
    #expect(board.numberOfItems == 0)
  }

  @Test func failureLeavesWhatReadersSee() {
    let (counter, recorder) = (Counter(), ChangeRecorder<Int, Int>())
    counter.delegate = recorder
    counter.load()
    counter.fail()
    #expect(recorder.errors.first is Counter.Refusal)
    #expect(counter.numberOfItems == 3)
    counter.cancel()
    counter.count(to: 5)
    counter.fail()
    #expect(counter.numberOfItems == 3)
    #expect(recorder.errors.count == 1)
    counter.load()
    counter.count(to: 5)
    #expect(counter.numberOfItems == 5)
    #expect(recorder.violations == [])
  }

  @Test func sourceIsReleasedWithWhatWaits() {
    weak var released: LiveContents<Int, String>?
    do {
      let contents = LiveContents<Int, String>()
      released = contents
      let board = Forwarding(contents)
      contents.load()
      contents.submit([Self.section("A", [1])])
      #expect(board.numberOfItems == 0, "not flushed")
    }
    #expect(released == nil)
  }

  /// A source over contents that somebody else submits to.
  final class Forwarding: DataSource {
    let name = "forwarding"
    private let contents: LiveContents<Int, String>
    init(_ contents: LiveContents<Int, String>) {
      self.contents = contents
      events.bind(self)
    }
    var events: DataSourceEvents<Int, String> { contents.events }
    var snapshot: ContentsSnapshot<Int, String> { contents.snapshot }
    func load() { contents.load() }
  }

  // MARK: - Exact changes

  /// Rows and sections come, go, change places and change their contents, in any order.
  static func randomSections(_ random: inout SeededRandom) -> [Section] {
    let idCount = Int.random(in: 0...12, using: &random)
    var ids = Array((0..<12).shuffled(using: &random).prefix(idCount))
    return ["A", "B", "C", "D"].shuffled(using: &random).prefix(3).map { title in
      let count = Int.random(in: 0...ids.count, using: &random)
      let taken = ids.prefix(count)
      ids.removeFirst(count)
      return Section(
        header: SourceSection(
          identity: .text(title), title: random.chance(0.2) ? title + "!" : title),
        rows: taken.map { Row(id: $0, item: "\($0) \(Int.random(in: 0...2, using: &random))") })
    }
  }

  @Test(arguments: SeededRandom.batches(debug: 100, release: 500))
  func changesetsLeadFromOneStateToTheNext(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let (board, recorder) = (Board(Self.randomSections(&random)), Recorder())
      board.delegate = recorder
      board.load()
      for _ in 0..<8 {
        let sections = Self.randomSections(&random)
        board.set(sections)
        #expect(recorder.contents.sections == sections, "\(random)")
        try recorder.check(against: board)
      }
    }
  }

  @Test func submissionIsOneChangesetInCompositions() throws {
    let board = Board([Self.section("A", [1, 2, 3])])
    let list = board.filter { $0 < "item 3" }.concatenated(with: board.filter { $0 >= "item 3" })
      .flattened(title: "all")
    let recorder = ChangeRecorder<AnyItemID, String>()
    list.delegate = recorder
    list.load()
    recorder.reset()
    // Of each half one row goes, and one comes.
    board.set([Self.section("A", [2, 0, 4])])
    try recorder.check(against: list)
    #expect(recorder.changesets.count == 1)
    #expect(recorder.changesets.first?.deletes.count == 2)
    #expect(recorder.changesets.first?.inserts.count == 2)
  }

  @Test func threadsSubmitInTheOrderOfTheirChanges() async throws {
    let (board, recorder) = (Board([Self.section("A", [])]), Recorder())
    board.delegate = recorder
    board.load()
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<50 {
            board.change { $0[0].rows.append(Row(id: thread * 50 + number, item: "\(thread)")) }
          }
        }
      }
    }
    // The load's and each submission's; a thread may deliver after those that submitted have
    // returned.
    #expect(await recorder.waitForEnds(201))
    #expect(Set(board.snapshot.contents.sections[0].rows.map(\.id)) == Set(0..<200))
    #expect(recorder.changesets.count == 201)
    try recorder.check(against: board)
  }
}
