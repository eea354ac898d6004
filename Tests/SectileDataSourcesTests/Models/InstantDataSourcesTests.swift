import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

/// The simple one of the instant data sources, capability by capability: an array.
@Suite(.timeLimit(.minutes(60))) struct InstantDataSourcesTests {
  struct City: Identifiable, Hashable, Sendable {
    let id: Int
    let name: String
    let country: String
  }

  static let cities = [
    City(id: 1, name: "Graz", country: "AT"), City(id: 2, name: "Bern", country: "CH"),
    City(id: 3, name: "Wien", country: "AT"),
  ]

  static func source() -> ArrayDataSource<City> {
    ArrayDataSource(name: "cities", items: cities) {
      SourceSection(identity: .text($0.country), title: "Country \($0.country)")
    }
  }

  @Test func sourceHasAName() {
    #expect(Self.source().name == "cities")
  }

  @Test func numberOfSectionsIsKnown() {
    let source = Self.source()
    #expect(source.numberOfSections == 0)
    source.load()
    #expect(source.numberOfSections == 2)
  }

  @Test func countsAreKnown() {
    let source = Self.source()
    source.load()
    #expect(source.numberOfItems == 3)
    #expect((0..<2).map { source.numberOfItems(in: $0) } == [2, 1])
  }

  @Test func sectionTitlesAreKnown() {
    let source = Self.source()
    source.load()
    #expect(source.sections.map(\.title) == ["Country AT", "Country CH"])
  }

  @Test func objectIsFoundByPath() throws {
    let source = Self.source()
    source.load()
    #expect(try source.item(at: ItemPath(section: 0, item: 1)).name == "Wien")
    #expect(try source[1, 0].name == "Bern")
  }

  @Test func pathIsFoundByObject() {
    let source = Self.source()
    source.load()
    #expect(source.path(of: Self.cities[2].id) == ItemPath(section: 0, item: 1))
    #expect(source.path(of: 9) == nil)
  }

  @Test func delegateHearsTheWholeLifecycle() {
    let source = Self.source()
    let recorder = ChangeRecorder<Int, City>()
    source.delegate = recorder
    source.load()
    let events = recorder.events.map { event in
      switch event {
      case .willLoad: "will load"
      case .didPartiallyLoad(let changes): "partially loaded \(changes.inserts.count)"
      case .didFinishLoading: "finished"
      case .didFail: "failed"
      }
    }
    #expect(events == ["will load", "partially loaded 3", "finished"])
  }

  @Test func partialLoadsMayBeAnyNumber() async throws {
    for count in 0..<4 {
      let source = FetchedDataSource(
        name: "cities",
        fetcher: ClosureFetcher<City> { receive in
          for city in Self.cities.prefix(count) { try await receive([city]) }
        })
      let recorder = ChangeRecorder<Int, City>()
      source.delegate = recorder
      source.load()
      #expect(await recorder.waitForEnds(1))
      try recorder.check(against: source)
      #expect(recorder.changesets.count == count)
      #expect(recorder.events.count == count + 2)
    }
  }

  @Test func failureIsTheOnlyEnd() {
    let source = ArrayDataSource(name: "cities", items: Self.cities + Self.cities)
    let recorder = ChangeRecorder<Int, City>()
    source.delegate = recorder
    source.load()
    #expect(recorder.events.count == 2)
    #expect(recorder.errors.count == 1)
  }
}
