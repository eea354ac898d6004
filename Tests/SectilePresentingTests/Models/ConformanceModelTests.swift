import SectileCore
import SectileDataSources
import SectilePresenting
import SectileRemote
import SectileTestSupport
import Testing

/// Every source and every composition keeps the promises of a data source.
///
/// The sources that need a store are in `FetchRequestProviderTests`, lines of files in
/// `FileLinesFetcherTests`.
@Suite(.timeLimit(.minutes(60))) struct ConformanceModelTests {
  typealias Dish = Menu.Dish

  /// One kind of source: makes one, checks it, and says what is wrong.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let violations: @Sendable () async throws -> [String]

    /// Creates a kind from what makes a source of it, and how many items that has: so no empty one
    /// passes.
    init<Source: DataSource>(
      _ name: String, _ count: Int, _ make: @escaping @Sendable () throws -> Source
    ) where Source.Item: Equatable {
      testDescription = name
      violations = {
        let source = try make()
        let found = await checkDataSource(source)
        let items = source.numberOfItems
        return found + (items == count ? [] : ["there are \(items) items instead of \(count)"])
      }
    }
  }

  /// Dishes in pages of two, the total known.
  struct Pages: RandomAccessPageLoader {
    let firstPage = 0

    func loadPage(_ page: Int) async throws -> LoadedPage<Dish, Int> {
      let end = min(page * 2 + 2, dishes.count)
      return LoadedPage(
        items: Array(dishes[page * 2..<end]), nextPage: end < dishes.count ? page + 1 : nil,
        total: dishes.count)
    }

    func place(ofRank rank: Int) -> PagePlace<Int> {
      PagePlace(page: rank / 2, firstRank: rank / 2 * 2)
    }
  }

  static let dishes = Menu.dishes("soups: miso pho ramen | sides: rice kimchi")

  static func array() -> ArrayDataSource<Dish> {
    ArrayDataSource(name: "array", items: dishes) {
      SourceSection(identity: .text($0.kind), title: $0.kind)
    }
  }

  static func remote() -> RemoteDataSource<Dish> {
    RemoteDataSource(name: "remote") { dishes }
  }

  static let sources = [
    Kind("fixed", 5) { FixedDataSource(name: "fixed", items: dishes) },
    Kind("array", 5) { array() },
    Kind("empty array", 0) { ArrayDataSource<Dish>(name: "array", items: []) },
    Kind("dictionary", 5) {
      DictionaryDataSource(name: "menu", items: Dictionary(grouping: dishes) { $0.kind })
    },
    Kind("closure", 5) {
      FetchedDataSource(name: "closure", fetcher: ClosureFetcher<Dish> { try await $0(dishes) })
    },
    Kind("asynchronous sequence", 5) {
      AsyncSequenceDataSource(name: "elements") {
        AsyncStream<Dish> { continuation in
          for dish in dishes { continuation.yield(dish) }
          continuation.finish()
        }
      }
    },
    Kind("remote", 5) { remote() },
    Kind("paginated", 2) { PaginatedDataSource(name: "pages", loader: Pages()) },
    Kind("placeholders", 5) { PlaceholderDataSource(name: "places", loader: Pages()) },
  ]

  static let compositions = [
    Kind("map", 5) { array().map { $0.id } },
    Kind("mapSections", 5) {
      array().mapSections { SourceSection(identity: $0.identity, title: $0.title.uppercased()) }
    },
    Kind("filter", 4) { array().filter { $0.id != "pho" } },
    Kind("sorted by a key", 5) { array().sorted { $0.id } },
    Kind("sorted by an order", 5) { array().sorted { $0.id > $1.id } },
    Kind("sectioned", 5) { array().sectioned(by: { String($0.id.prefix(1)) }) },
    Kind("sectioned remote", 5) { remote().sectioned(by: { $0.kind }) },
    Kind("flattened", 5) { array().flattened(title: "all") },
    Kind("reversed", 5) { array().reversed() },
    Kind("prefix", 4) { array().prefix(4) },
    Kind("dropFirst", 3) { array().dropFirst(2) },
    Kind("window", 3) { array().window(offset: 1, limit: 3) },
    Kind("inserting an item", 6) { array().inserting(Dish(id: "banner"), at: Menu.path(0, 1)) },
    Kind("inserting contents", 10) {
      array().inserting(contentsOf: remote(), at: Menu.path(1, 0))
    },
    Kind("interleaved", 7) { array().interleaved(with: remote(), every: 2) },
    Kind("concatenated", 10) { array().concatenated(with: remote()) },
    Kind("concatenating", 15) {
      AnyDataSource<Dish>.concatenating([
        AnyDataSource(array()), AnyDataSource(remote()), AnyDataSource(array()),
      ])
    },
    Kind("sectionPerSource", 10) {
      AnyDataSource<Dish>.sectionPerSource([AnyDataSource(array()), AnyDataSource(remote())])
    },
    Kind("refreshed", 5) { array().refreshed {} },
    Kind("any", 5) { AnyDataSource(array()) },
    Kind("three levels", 4) {
      array().filter { $0.id != "pho" }.concatenated(with: remote().sorted { $0.id }).prefix(4)
    },
  ]

  @Test(arguments: sources) func sourceKeepsThePromises(_ kind: Kind) async throws {
    #expect(try await kind.violations() == [])
  }

  @Test(arguments: compositions) func compositionKeepsThePromises(_ kind: Kind) async throws {
    #expect(try await kind.violations() == [])
  }
}
