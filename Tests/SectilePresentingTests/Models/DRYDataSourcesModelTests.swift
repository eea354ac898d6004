import SectileCore
import SectileDataSources
import SectilePresenting
import SectileRemote
import SectileTestSupport
import Testing

/// The provider of the DRY data sources, capability by capability; presenter and adapter are in
/// `PresenterAdapterModelTests`, the fetch-request provider in `FetchRequestProviderTests`.
@Suite(.timeLimit(.minutes(60))) struct DRYDataSourcesModelTests {
  typealias Dish = Menu.Dish

  struct Refused: Error {}

  static func remote(
    _ operation: @escaping @Sendable () async throws -> [Dish]
  ) -> RemoteDataSource<Dish> {
    RemoteDataSource(
      name: "dishes", configuration: RemoteConfiguration(retry: .never), operation: operation)
  }

  // MARK: - Provider

  @Test func providerHasTheItemAtAPath() throws {
    let provider = Menu.source("soups: miso pho | sides: rice")
    #expect(try provider.item(at: Menu.path(0, 1)).id == "pho")
    #expect(try provider[1, 0].id == "rice")
  }

  @Test func providerHasThePathOfAnItem() {
    let provider = Menu.source("soups: miso pho | sides: rice")
    #expect(provider.path(of: "pho") == Menu.path(0, 1))
    #expect(provider.path(of: "rice") == Menu.path(1, 0))
    #expect(provider.path(of: "ramen") == nil)
  }

  @Test func providerHasSections() {
    let provider = Menu.source("soups: miso pho | sides: rice")
    #expect(provider.numberOfSections == 2)
    #expect(provider.sections.map(\.title) == ["soups", "sides"])
  }

  @Test func providerHasCounts() {
    let provider = Menu.source("soups: miso pho | sides: rice")
    #expect(provider.numberOfItems == 3)
    #expect((0..<2).map { provider.numberOfItems(in: $0) } == [2, 1])
  }

  @Test func loadHasACompletion() async throws {
    let provider = Self.remote { Menu.dishes("soups: miso") }
    let recorder = ChangeRecorder<String, Dish>()
    provider.delegate = recorder
    provider.load()
    #expect(await recorder.waitForEnds(1))
    #expect(recorder.errors.isEmpty)
    #expect(provider.numberOfItems == 1)
    try recorder.check(against: provider)
  }

  // MARK: - Array provider

  @Test func arrayProviderHasOneSection() {
    let provider = ArrayDataSource(name: "dishes", items: Menu.dishes("soups: miso pho"))
    provider.load()
    #expect(provider.numberOfSections == 1)
    #expect(provider.numberOfItems(in: 0) == 2)
  }

  @Test func emptyArrayHasNoSection() throws {
    let provider = ArrayDataSource<Dish>(name: "dishes", items: [])
    provider.load()
    #expect(provider.numberOfSections == 0)
    try provider.replace(with: Menu.dishes("soups: miso"))
    #expect(provider.numberOfSections == 1)
    try provider.replace(with: [])
    #expect(provider.numberOfSections == 0)
  }

  // MARK: - Network provider

  @Test func networkProviderIsBuiltFromAnOperation() async throws {
    let calls = Counter()
    let provider = Self.remote {
      calls.add()
      return Menu.dishes(calls.count == 1 ? "soups: miso pho" : "soups: pho ramen")
    }
    #expect(calls.count == 0, "the operation runs when the provider is loaded")
    let recorder = ChangeRecorder<String, Dish>()
    provider.delegate = recorder
    provider.load()
    #expect(await recorder.waitForEnds(1))
    #expect(provider.path(of: "pho") == Menu.path(0, 1))
    provider.load()
    #expect(await recorder.waitForEnds(2))
    #expect(calls.count == 2)
    #expect(try provider.item(at: Menu.path(0, 1)).id == "ramen")
    #expect(recorder.changesets.last?.deletes.count == 1)
    try recorder.check(against: provider)
  }

  @Test func networkProviderTellsThatItsOperationFailed() async throws {
    let provider = Self.remote { throw Refused() }
    let recorder = ChangeRecorder<String, Dish>()
    provider.delegate = recorder
    provider.load()
    #expect(await recorder.waitForEnds(1))
    #expect(recorder.errors.count == 1)
    #expect(recorder.errors.first is RemoteError)
    #expect(recorder.events.count == 2)
    try recorder.check(against: provider)
  }
}
