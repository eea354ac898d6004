import Sectile
import SectileRemote
import SectileTestSupport
import Testing

/// The fetch-request provider of the DRY data sources, with a section key path; and the conformance
/// of the sources that need a store.
@Suite(.timeLimit(.minutes(60))) struct FetchRequestProviderTests {
  struct Dish: Entity, Equatable {
    var id: Int64
    var kind: String
    var title: String

    static let schema = EntitySchema<Dish>(
      "dish", primaryKey: "id", attributes: .init("id", \.id), .init("kind", \.kind),
      .init("title", \.title))

    init(id: Int64, kind: String, title: String) {
      (self.id, self.kind, self.title) = (id, kind, title)
    }

    init(row: inout RowReader) throws {
      (id, kind, title) = try (row.next(), row.next(), row.next())
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(kind)
      try row.append(title)
    }
  }

  static let dishes = [
    Dish(id: 1, kind: "soups", title: "pho"), Dish(id: 2, kind: "sides", title: "rice"),
    Dish(id: 3, kind: "soups", title: "miso"),
  ]

  static let request = FetchRequest<Dish>().sort(by: \.kind).sort(by: \.title)
    .sectioned(by: \.kind)

  static func store() throws -> Store {
    let store = try Store.inMemory()
    try store.write { transaction in
      try transaction.execute(
        "CREATE TABLE dish (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL)")
      for dish in dishes { try transaction.insert(dish) }
    }
    return store
  }

  @Test func sectionKeyPathMakesTheSections() throws {
    let provider = try Self.store().results(of: Self.request)
    try provider.load()
    #expect(provider.sections.map(\.title) == ["sides", "soups"])
    #expect((0..<2).map { provider.numberOfItems(in: $0) } == [1, 2])
  }

  @Test func itemIsFoundByPathAndPathByItem() throws {
    let provider = try Self.store().results(of: Self.request)
    try provider.load()
    #expect(try provider.item(at: ItemPath(section: 1, item: 0)).title == "miso")
    #expect(provider.path(of: 1) == ItemPath(section: 1, item: 1))
    #expect(provider.path(of: 9) == nil)
  }

  @Test func loadEndsAndChangesFollow() async throws {
    let store = try Self.store()
    let provider = try store.results(of: Self.request)
    let recorder = ChangeRecorder<Int64, Dish>()
    provider.delegate = recorder
    try await provider.load()
    #expect(await recorder.waitForEnds(1))
    _ = try await store.write { try $0.insert(Dish(id: 4, kind: "drinks", title: "tea")) }
    #expect(await recorder.waitForEnds(2))
    #expect(provider.sections.map(\.title) == ["drinks", "sides", "soups"])
    #expect(recorder.changesets.last?.inserts.count == 1)
    try recorder.check(against: provider)
  }

  // MARK: - Conformance

  @Test func resultsKeepThePromisesOfDataSource() async throws {
    let source = try Self.store().results(of: Self.request)
    #expect(await checkDataSource(source) == [])
    #expect(source.numberOfItems == 3)
  }

  @Test func mediatedSourceKeepsThePromisesOfDataSource() async throws {
    let loader = PageOperation<Dish, Int>(firstPage: 0) { page in
      LoadedPage(items: [Self.dishes[page]], nextPage: page < 2 ? page + 1 : nil)
    }
    let remoteList = PersistentRemoteList(
      name: "dishes", store: try Self.store(), loader: loader,
      configuration: RemoteConfiguration(retry: .never))
    let source = try remoteList.source(of: Self.request)
    #expect(await checkDataSource(source) == [])
    #expect(source.numberOfItems == 3)
  }
}
