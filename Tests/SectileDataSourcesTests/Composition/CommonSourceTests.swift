import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// A source that stands in several places of a composition: one commit of it is one changeset, and
/// nobody sees half of it.
@Suite(.timeLimit(.minutes(60))) struct CommonSourceTests {
  struct Entry: Identifiable, Hashable, Sendable {
    let id: Int
    var grade = 0
  }

  struct Broken: Error, Equatable {}

  static func source(_ ids: Range<Int>) -> ArrayDataSource<Entry> {
    ArrayDataSource(name: "entries", items: ids.map { Entry(id: $0, grade: $0) })
  }

  static func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }

  static func drawing(of source: some DataSource<AnyItemID, Entry>) throws -> SectionDiagram {
    try SectionDiagram(ofComposition: source) { "\($0.id)" }
  }

  /// Even grades first, then odd ones.
  static func split(_ source: ArrayDataSource<Entry>) -> AnyDataSource<Entry> {
    source.filter { $0.grade % 2 == 0 }.concatenated(with: source.filter { $0.grade % 2 != 0 })
  }

  /// What every callback of some sources sees of a list.
  final class Readers<ItemID: Hashable & Sendable>: Sendable {
    private let seen = Mutex<[SectionDiagram]>([])
    private let tokens = Mutex<[DataSourceObservation]>([])
    private let list: ComposedDataSource<ItemID, Entry>

    init(of list: ComposedDataSource<ItemID, Entry>) {
      self.list = list
      read(at: list)
    }

    /// Reads the list in the callbacks of one more source.
    func read(at source: some DataSource) {
      let token = source.observe { [weak self] _ in self?.read() }
      tokens.withLock { $0.append(token) }
    }

    private func read() {
      let drawing = (try? SectionDiagram(ofComposition: list) { "\($0.id)" }) ?? "unreadable:"
      seen.withLock { if $0.last != drawing { $0.append(drawing) } }
    }

    /// The different contents that were seen, in order, since the last time.
    func take() -> [SectionDiagram] {
      seen.withLock { seen in
        defer { seen = [] }
        return seen
      }
    }
  }

  // MARK: - One commit

  @Test func rowThatGoesFromOneFilterToTheOtherIsNeverAbsent() throws {
    let source = Self.source(1..<5)
    let even = source.filter { $0.grade % 2 == 0 }
    let odd = source.filter { $0.grade % 2 != 0 }
    let list = even.concatenated(with: odd)
    let readers = Readers(of: list)
    list.load()
    // Heard before and after the list.
    readers.read(at: source)
    readers.read(at: even)
    readers.read(at: odd)
    let recorder = ChangeRecorder(contents: try list.snapshot.materialized())
    list.delegate = recorder
    _ = readers.take()
    try source.replace(at: Self.path(1), with: Entry(id: 2, grade: 9))
    #expect(readers.take() == ["0: 2 4 | 1: 1 3", "0: 4 | 1: 1 2 3"])
    try recorder.check(against: list)
    #expect(recorder.events.count == 3)
    #expect(recorder.changesets.count == 1)
  }

  @Test func rowsAroundABannerArePushedOverItAtOnce() throws {
    let source = Self.source(0..<4)
    let banner = ArrayDataSource(name: "banner", items: [Entry(id: 100)])
    let list = AnyDataSource<Entry>.concatenating([
      AnyDataSource(source.prefix(2)), AnyDataSource(banner), AnyDataSource(source.dropFirst(2)),
    ])
    let readers = Readers(of: list)
    list.load()
    readers.read(at: source)
    _ = readers.take()
    let recorder = ChangeRecorder(contents: try list.snapshot.materialized())
    list.delegate = recorder
    try source.insert(Entry(id: 9), at: Self.path(0))
    #expect(readers.take() == ["0: 0 1 | 1: 100 | 2: 2 3", "0: 9 0 | 1: 100 | 2: 1 2 3"])
    try source.remove(at: Self.path(1))
    #expect(readers.take() == ["0: 9 0 | 1: 100 | 2: 1 2 3", "0: 9 1 | 1: 100 | 2: 2 3"])
    try recorder.check(against: list)
    #expect(recorder.changesets.count == 2)
    #expect(recorder.events.count == 6)
  }

  @Test func waysOfDifferentLengthEndTogether() throws {
    let source = Self.source(1..<9)
    let long = source.filter { $0.grade % 2 == 0 }.sorted(by: { $0.grade }, .descending)
      .map { $0 }.reversed().dropFirst(0)
    let list = AnyDataSource<Entry>.concatenating([
      AnyDataSource(source), AnyDataSource(long), AnyDataSource(source.prefix(1)),
    ])
    let outer = list.flattened().interleaved(with: source.reversed(), every: 3)
    let recorders = [ChangeRecorder<AnyItemID, Entry>(), ChangeRecorder<AnyItemID, Entry>()]
    list.delegate = recorders[0]
    outer.delegate = recorders[1]
    outer.load()
    for recorder in recorders { recorder.reset() }
    let readers = Readers(of: outer)
    readers.read(at: source)
    readers.read(at: list)
    for number in 0..<6 {
      _ = readers.take()
      let id = number % 3 + 1
      try source.replace(
        at: Self.path(id - 1), with: Entry(id: id, grade: 10 * number + 10 + id % 2))
      #expect(recorders.map(\.changesets.count) == [number + 1, number + 1])
      #expect(readers.take().count <= 2)
    }
    try recorders[0].check(against: list)
    try recorders[1].check(against: outer)
  }

  @Test func batchOfEditsIsOneChangeset() throws {
    let source = Self.source(0..<10)
    let list = Self.split(source)
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    list.delegate = recorder
    list.load()
    recorder.reset()
    try source.replace(with: (0..<10).map { Entry(id: $0, grade: $0 + 1) })
    #expect(recorder.changesets.count == 1)
    try recorder.check(against: list)
    #expect(try Self.drawing(of: list) == "0: 1 3 5 7 9 | 1: 0 2 4 6 8")
  }

  @Test func commitThatMeansNothingInSumCallsNobody() throws {
    let source = Self.source(0..<4)
    let list = source.filter { $0.grade == 100 }.concatenated(with: source.prefix(1))
    list.load()
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    list.delegate = recorder
    try source.replace(at: Self.path(2), with: Entry(id: 2, grade: 7))
    #expect(recorder.events.isEmpty)
  }

  @Test func commitsOfACallbackComeAfterTheOneItIsAbout() throws {
    let source = Self.source(1..<5)
    let even = source.filter { $0.grade % 2 == 0 }
    let list = even.concatenated(with: source.filter { $0.grade % 2 != 0 })
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    list.delegate = recorder
    list.load()
    recorder.reset()
    let isFirst = Atomic(true)
    let token = even.observe { event in
      guard case .didPartiallyLoad = event, isFirst.exchange(false, ordering: .relaxed) else {
        return
      }
      try? source.replace(at: Self.path(3), with: Entry(id: 4, grade: 5))
    }
    let readers = Readers(of: list)
    readers.read(at: even)
    try source.replace(at: Self.path(1), with: Entry(id: 2, grade: 9))
    #expect(readers.take() == ["0: 2 4 | 1: 1 3", "0: 4 | 1: 1 2 3", "0: 1 2 3 4"])
    #expect(recorder.changesets.count == 2)
    try recorder.check(against: list)
    token.cancel()
  }

  // MARK: - Failures

  @Test func inputThatFailsIsToldAfterTheOthersFlipped() throws {
    let source = Self.source(0..<4)
    let isBroken = Atomic(false)
    let failing = source.map { entry -> Entry in
      if isBroken.load(ordering: .relaxed) { throw Broken() }
      return entry
    }.filter { $0.grade % 2 == 0 }
    let list = failing.concatenated(with: source)
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    list.delegate = recorder
    list.load()
    recorder.reset()
    isBroken.store(true, ordering: .relaxed)
    try source.insert(Entry(id: 8), at: Self.path(0))
    #expect(recorder.changesets.count == 1)
    #expect((recorder.errors.first as? DataSourceError)?.code == .inputFailed)
    #expect(recorder.events.count == 3)  // One beginning, one change, one end.
    isBroken.store(false, ordering: .relaxed)
    #expect(try Self.drawing(of: list) == "0: 0 2 | 1: 8 0' 1 2' 3")
    try source.remove(at: Self.path(4))
    try recorder.check(against: list)
    #expect(recorder.changesets.count == 2)
    #expect(try Self.drawing(of: list) == "0: 8 0 2 | 1: 8' 0' 1 2'")
  }

  @Test func eachInputThatFailsIsTold() throws {
    let source = Self.source(0..<4)
    let isBroken = Atomic(false)
    let inputs = (0..<3).map { number in
      AnyDataSource(
        source.map { entry -> Entry in
          if number > 0, isBroken.load(ordering: .relaxed) { throw Broken() }
          return entry
        }.filter { $0.grade % 2 == 0 })
    }
    let list = AnyDataSource<Entry>.concatenating(inputs)
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    list.delegate = recorder
    list.load()
    recorder.reset()
    isBroken.store(true, ordering: .relaxed)
    try source.insert(Entry(id: 8), at: Self.path(0))
    #expect(recorder.errors.count == 2)
    #expect(recorder.changesets.count == 1)
    #expect(!recorder.isLoading)
    isBroken.store(false, ordering: .relaxed)
    #expect(try Self.drawing(of: list) == "0: 8 0 2 | 1: 0' 2' | 2: 0'' 2''")
  }

  // MARK: - Loading and cancelling

  @Test func loadOfACommonSourceIsOneLifecycle() throws {
    let source = Self.source(0..<6)
    let list = Self.split(source)
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    list.delegate = recorder
    list.load()
    #expect(!recorder.isLoading)
    #expect(recorder.events.filter { if case .willLoad = $0 { true } else { false } }.count == 1)
    try recorder.check(against: list)
    source.cancel()
    try source.replace(with: (0..<6).map { Entry(id: $0, grade: $0 + 1) })
    recorder.reset()
    let readers = Readers(of: list)
    list.load()
    // What was missed is one commit.
    #expect(recorder.changesets.count == 1)
    #expect(readers.take() == ["0: 0 2 4 | 1: 1 3 5", "0: 1 3 5 | 1: 0 2 4"])
    try recorder.check(against: list)
  }

  @Test func compositionThatIsLoadedInTheMiddleOfACommitShowsAllOfIt() throws {
    let source = Self.source(1..<5)
    let even = source.filter { $0.grade % 2 == 0 }
    let odd = source.filter { $0.grade % 2 != 0 }
    even.load()
    odd.load()
    let list = even.concatenated(with: odd)
    let readers = Readers(of: list)
    let token = even.observe { [weak list] event in
      if case .didPartiallyLoad = event { list?.load() }
    }
    try source.replace(at: Self.path(1), with: Entry(id: 2, grade: 9))
    #expect(readers.take() == ["", "0: 4 | 1: 1 2 3"])
    token.cancel()
  }

  @Test func inputThatIsCancelledInTheMiddleLeavesTheRestToBeFollowed() throws {
    let source = Self.source(1..<5)
    let even = source.filter { $0.grade % 2 == 0 }
    let odd = source.filter { $0.grade % 2 != 0 }
    let list = even.concatenated(with: odd)
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    list.delegate = recorder
    list.load()
    recorder.reset()
    // The other filter has not had its turn yet.
    let token = even.observe { [weak odd] event in
      if case .willLoad = event { odd?.cancel() }
    }
    try source.replace(at: Self.path(1), with: Entry(id: 2, grade: 9))
    #expect(recorder.changesets.count == 1)
    #expect(try Self.drawing(of: list) == "0: 4 | 1: 1 3")
    token.cancel()
    odd.load()
    #expect(try Self.drawing(of: list) == "0: 4 | 1: 1 2 3")
    try recorder.check(against: list)
  }

  @Test func compositionThatIsCancelledInTheMiddleIsSilent() throws {
    let source = Self.source(1..<5)
    let odd = source.filter { $0.grade % 2 != 0 }
    let list = source.filter { $0.grade % 2 == 0 }.concatenated(with: odd)
    let outer = list.reversed().concatenated(with: source)
    let recorder = ChangeRecorder<AnyItemID, Entry>()
    outer.load()
    list.delegate = recorder
    let token = odd.observe { [weak list] event in
      if case .didPartiallyLoad = event { list?.cancel() }
    }
    try source.replace(at: Self.path(1), with: Entry(id: 2, grade: 9))
    #expect(recorder.events.isEmpty)
    #expect(try Self.drawing(of: list) == "0: 2 4 | 1: 1 3")
    // What is above goes on with the rest.
    #expect(try Self.drawing(of: outer) == "0: 3 1 | 1: 4 2 | 2: 1' 2' 3' 4'")
    token.cancel()
    list.load()
    #expect(try Self.drawing(of: list) == "0: 4 | 1: 1 2 3")
    #expect(outer.numberOfItems == 8)
  }
}
