import SectileCore
import SectileDataSources
import SectilePresenting
import SectileRemote
import SectileTestSupport
import Testing

/// The five concrete sources of the instant data sources, each through all capabilities.
@Suite(.timeLimit(.minutes(60))) struct InstantDataSourcesModelTests {
  typealias Dish = Menu.Dish

  struct Refused: Error {}

  static let dishes = Menu.dishes("soups: miso pho ramen | sides: rice kimchi")
  static let configuration = RemoteConfiguration(retry: .never)

  static func simple(_ name: String = "simple") -> ArrayDataSource<Dish> {
    ArrayDataSource(name: name, items: dishes)
  }

  static func remote(_ name: String = "remote", fails: Bool = false) -> RemoteDataSource<Dish> {
    RemoteDataSource(name: name, configuration: configuration) {
      if fails { throw Refused() }
      return dishes
    }
  }

  /// Pages of two.
  static func paginated() -> PaginatedDataSource<Dish, Int> {
    let loader = PageOperation<Dish, Int>(firstPage: 0) { page in
      let end = min(page * 2 + 2, dishes.count)
      return LoadedPage(
        items: Array(dishes[page * 2..<end]), nextPage: end < dishes.count ? page + 1 : nil)
    }
    return PaginatedDataSource(
      name: "paginated", loader: loader, pagesPerLoad: .max, configuration: configuration)
  }

  /// What a walk through a source saw.
  struct Walk {
    var heard: [String] = []
    var errors: [any Error] = []
    var titles: [String] = []
    /// The items of each section, found by path.
    var items: [[String]] = []
  }

  /// Loads a source, asks for all it can be asked for, and checks that the answers fit together.
  static func walk<ID: Hashable & Sendable>(
    _ source: any DataSource<ID, Dish>
  ) async throws -> Walk {
    let recorder = ChangeRecorder<ID, Dish>()
    recorder.allowFailures()
    source.delegate = recorder
    #expect(source.numberOfSections == 0)
    try source.load()
    #expect(await recorder.waitForEnds(1))
    try recorder.check(against: source)
    let rows = recorder.contents.sections.map(\.rows)
    for (section, rows) in rows.enumerated() {
      for (item, row) in rows.enumerated() {
        #expect(source.path(of: row.id) == Menu.path(section, item))
      }
    }
    var walk = Walk(errors: recorder.errors, titles: source.sections.map(\.title))
    walk.heard = recorder.events.map { event in
      switch event {
      case .willLoad: "will"
      case .didPartiallyLoad: "part"
      case .didFinishLoading: "finished"
      case .didFail: "failed"
      }
    }
    walk.items = try (0..<source.numberOfSections).map { section in
      try (0..<source.numberOfItems(in: section)).map { item in
        try source.item(at: Menu.path(section, item)).id
      }
    }
    return walk
  }

  @Test func simpleSourceShowsAnArray() async throws {
    let walk = try await Self.walk(Self.simple())
    #expect(walk.items == [["miso", "pho", "ramen", "rice", "kimchi"]])
    #expect(walk.titles == [""])
    #expect(walk.heard == ["will", "part", "finished"])
  }

  @Test func sectionedSourceIsAnySourceAndAKey() async throws {
    let sources = [
      AnyDataSource(Self.simple().sectioned(by: { $0.kind })),
      AnyDataSource(Self.remote().sectioned(by: { $0.kind })),
      AnyDataSource(Self.paginated().sectioned(by: { $0.kind })),
    ]
    for source in sources {
      let walk = try await Self.walk(source)
      #expect(walk.items == [["miso", "pho", "ramen"], ["rice", "kimchi"]])
      #expect(walk.titles == ["soups", "sides"])
      #expect(walk.heard.first == "will" && walk.heard.last == "finished")
      #expect(walk.heard.dropFirst().dropLast().allSatisfy { $0 == "part" })
    }
  }

  @Test func remoteSourceShowsWhatAnOperationAnswers() async throws {
    let walk = try await Self.walk(Self.remote())
    #expect(walk.items == [["miso", "pho", "ramen", "rice", "kimchi"]])
    #expect(walk.heard == ["will", "part", "finished"])
  }

  @Test func remoteSourceThatFailsEndsOnceWithItsError() async throws {
    let walk = try await Self.walk(Self.remote(fails: true))
    #expect(walk.heard == ["will", "failed"])
    #expect(walk.errors.first is RemoteError)
    #expect(walk.items.isEmpty)
  }

  @Test func paginatedSourceShowsEachPageAsItArrives() async throws {
    let walk = try await Self.walk(Self.paginated())
    #expect(walk.items == [["miso", "pho", "ramen", "rice", "kimchi"]])
    #expect(walk.heard == ["will", "part", "part", "part", "finished"])
  }

  @Test func multiSourceHasOneSectionPerSourceTitledByItsName() async throws {
    let multi: AnyDataSource<Dish> = .sectionPerSource([
      AnyDataSource(Self.simple()), AnyDataSource(Self.remote()), AnyDataSource(Self.paginated()),
    ])
    #expect(multi.name == "simple, remote, paginated")
    let walk = try await Self.walk(multi)
    #expect(walk.titles == ["simple", "remote", "paginated"])
    #expect(walk.items == Array(repeating: Self.dishes.map(\.id), count: 3))
    #expect(walk.heard.first == "will" && walk.heard.last == "finished")
    #expect(walk.heard.dropFirst().dropLast().allSatisfy { $0 == "part" })
  }

  @Test func multiSourceKeepsTheOthersWhereOneFails() async throws {
    let multi: AnyDataSource<Dish> = .sectionPerSource([
      AnyDataSource(Self.simple("first")), AnyDataSource(Self.remote("broken", fails: true)),
      AnyDataSource(Self.remote("last")),
    ])
    let walk = try await Self.walk(multi)
    #expect(walk.titles == ["first", "last"])
    #expect(walk.heard.last == "failed")
    #expect(walk.heard.dropLast().allSatisfy { $0 == "will" || $0 == "part" })
    #expect(walk.errors.count == 1)
    #expect(walk.errors.first.map { "\($0)".contains("broken") } == true)
  }
}
