import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct DataSourceCheckTests {
  /// A snapshot that passes everything on to a good one, except what a flaw says.
  struct FlawedSnapshot: DataSourceSnapshot {
    let inner: ListSnapshot<Int, Number>
    let flaw: FlawedSource.Flaw

    var version: Int { inner.version }
    var sections: SectionList { inner.sections }
    var numberOfSections: Int { inner.numberOfSections }
    var numberOfItems: Int { inner.numberOfItems }
    func numberOfItems(in section: Int) -> Int { inner.numberOfItems(in: section) }
    func section(withIdentity identity: StoredValue) -> Int? {
      flaw == .wrongIdentity ? 7 : inner.section(withIdentity: identity)
    }
    func item(at path: ItemPath) throws -> Number {
      if flaw == .wrongAbsence, !inner.contains(path) { return Number(id: 9) }
      return flaw == .wrongSnapshot ? Number(id: 9) : try inner.item(at: path)
    }
    func id(at path: ItemPath) -> Int { inner.id(at: path) }
    func path(of id: Int) -> ItemPath? { inner.path(of: id) }
    func rank(of path: ItemPath) -> Int {
      flaw == .wrongRank && path.item > 0 ? 0 : inner.rank(of: path)
    }
    func path(atRank rank: Int) -> ItemPath { inner.path(atRank: rank) }
  }

  /// A source that passes everything on to a good one, except what a flaw says.
  final class FlawedSource: DataSource {
    typealias ItemID = Int
    typealias Item = Number

    enum Flaw: CaseIterable, Sendable {
      case none, wrongCount, wrongPath, wrongSectionCount, noEnd, strongDelegate, throwing,
        wrongItem, wrongSnapshot, wrongRank, wrongIdentity, wrongAbsence
    }

    let inner: ArrayDataSource<Number>
    let flaw: Flaw
    private let kept = Mutex<(any DataSourceDelegate<Int, Number>)?>(nil)

    init(_ flaw: Flaw) {
      self.flaw = flaw
      inner = ArrayDataSource(name: "flawed", items: [Number(id: 1), Number(id: 2)])
    }

    struct Refusal: Error {}

    var name: String { inner.name }
    var events: DataSourceEvents<Int, Number> { inner.events }
    var snapshot: FlawedSnapshot { FlawedSnapshot(inner: inner.snapshot, flaw: flaw) }
    var version: Int { inner.version }
    var sections: SectionList { inner.sections }
    var numberOfSections: Int {
      inner.numberOfSections + (flaw == .wrongSectionCount && version > 0 ? 1 : 0)
    }
    var numberOfItems: Int { inner.numberOfItems + (flaw == .wrongCount && version > 0 ? 1 : 0) }
    func numberOfItems(in section: Int) -> Int { inner.numberOfItems(in: section) }
    func item(at path: ItemPath) throws -> Number {
      flaw == .wrongItem ? Number(id: 9) : try inner.item(at: path)
    }
    func path(of id: Int) -> ItemPath? {
      flaw == .wrongPath ? ItemPath(section: 0, item: 0) : inner.path(of: id)
    }
    func load() throws {
      if flaw == .throwing { throw Refusal() }
      if flaw != .noEnd { inner.load() }
    }
    func cancel() { inner.cancel() }
    var delegate: (any DataSourceDelegate<Int, Number>)? {
      get { inner.delegate }
      set {
        inner.delegate = newValue
        if flaw == .strongDelegate { kept.withLock { $0 = newValue } }
      }
    }
  }

  struct Number: Identifiable, Hashable, Sendable {
    let id: Int
  }

  @Test func goodSourcePasses() async {
    #expect(await checkDataSource(FlawedSource(.none)) == [])
  }

  @Test(arguments: FlawedSource.Flaw.allCases.filter { $0 != .none })
  func everyFlawIsFound(_ flaw: FlawedSource.Flaw) async {
    let violations = await checkDataSource(FlawedSource(flaw), limit: .milliseconds(200))
    let words =
      switch flaw {
      case .none: ""
      case .wrongCount: "numberOfItems is 3 instead of 2"
      case .wrongPath: "path(of: 2) is [0,0] instead of [0,1]"
      case .wrongSectionCount: "numberOfSections is 2, but sections has 1"
      case .noEnd: "does not end within"
      case .strongDelegate: "keeps its delegate alive"
      case .throwing: "throws"
      case .wrongItem: "the item at [0,0] is"
      case .wrongSnapshot: "the snapshot holds"
      case .wrongRank: "rank(of: [0,1]) is 0 instead of 1"
      case .wrongIdentity: "is 7 instead of 0"
      case .wrongAbsence: "item(at: [-1,0]) is"
      }
    #expect(violations.contains { $0.contains(words) }, "\(violations)")
  }

  @Test func sourceThatWasLoadedBeforeIsRefused() async {
    let source = FlawedSource(.none)
    source.inner.load()
    #expect(await checkDataSource(source).count == 1)
  }
}
