#if Macros
  import Foundation
  import Sectile
  import SectileTestSupport
  import Testing

  // example: program-catalogue
  @Entity
  struct Book: Equatable, Identifiable {
    var id: Int64
    var title: String
    var genre: String
    @Attribute(.decimal(scale: 2)) var price: Decimal
  }

  final class Catalogue: Sendable {
    static let migrations = Migrations.inline([
      "V0001_create_book.sql": """
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, genre TEXT NOT NULL, price INTEGER NOT NULL);
      CREATE INDEX book_on_genre ON book (genre);
      """
    ])

    /// What somebody wants to see; nil and an empty text for everything.
    struct Choice: Equatable, Sendable {
      var text = ""
      var genre: String?
      var highestPrice: Decimal?
    }

    static let cheap = Aggregate<Book, Int>.count(named: "up to 10") { $0.price <= 10 }
    static let dear = Aggregate<Book, Int>.count(named: "above 10") { $0.price > 10 }

    /// The books of the choice, by the first letters of their titles.
    let books: SectionedResults<Book>
    /// A section for each genre that the rest of the choice leaves, the fullest first.
    let genres: ComposedDataSource<Int64, Book>
    /// How many books are cheap, and how many are dear, of those that the rest leaves.
    let prices: SectionedResults<Book>
    private let byGenre: SectionedResults<Book>

    /// Returns the configuration of a store that knows the order of people.
    static func configuration() -> StoreConfiguration {
      var configuration = StoreConfiguration()
      configuration.collations = [.people]
      return configuration
    }

    init(_ store: Store) throws {
      let all = Choice()
      books = try store.results(of: Catalogue.byLetter(all))
      byGenre = try store.results(of: Catalogue.byGenre(all))
      genres = byGenre.sortedSections(by: { _, count in count }, .descending)
      prices = try store.results(of: Catalogue.byPrice(all))
      try books.load()
      genres.load()
      try prices.load()
    }

    /// Shows other books; each facet leaves out what was chosen in it.
    func choose(_ choice: Choice) throws {
      var anyGenre = choice
      anyGenre.genre = nil
      var anyPrice = choice
      anyPrice.highestPrice = nil
      try books.update(to: Catalogue.byLetter(choice))
      try byGenre.update(to: Catalogue.byGenre(anyGenre))
      try prices.update(to: Catalogue.byPrice(anyPrice))
    }

    /// Changes a price, if the book is still as it was shown.
    func reprice(_ book: Book, to price: Decimal) throws {
      var other = book
      other.price = price
      try books.replaceItem(id: book.id, with: other, ifStill: book)
    }

    private static func request(_ choice: Choice) -> FetchRequest<Book> {
      var request = FetchRequest<Book>()
      if !choice.text.isEmpty {
        request = request.filter { $0.title.contains(choice.text, caseInsensitive: true) }
      }
      if let genre = choice.genre { request = request.filter { $0.genre == genre } }
      if let price = choice.highestPrice { request = request.filter { $0.price <= price } }
      return request
    }

    private static func byLetter(_ choice: Choice) -> FetchRequest<Book> {
      request(choice).sectioned(by: \.title.firstLetter, collation: .people)
        .sort(by: \.title, collation: .people)
    }

    private static func byGenre(_ choice: Choice) -> FetchRequest<Book> {
      request(choice).sectioned(by: \.genre)
    }

    private static func byPrice(_ choice: Choice) -> FetchRequest<Book> {
      request(choice).aggregating(cheap, dear)
    }
  }
  // example: end

  @Suite(.timeLimit(.minutes(60))) struct CatalogueProgram {
    private func makeStore() throws -> Store {
      let store = try Store.inMemory(
        configuration: Catalogue.configuration(), migrations: Catalogue.migrations)
      try store.write { transaction in
        try transaction.insert(contentsOf: [
          Book(id: 1, title: "Ärger", genre: "novel", price: 12.5),
          Book(id: 2, title: "apt tales", genre: "essays", price: 9.5),
          Book(id: 3, title: "Zebra", genre: "novel", price: 8),
          Book(id: 4, title: "Anfang", genre: "novel", price: 30),
          Book(id: 5, title: "Birne", genre: "poems", price: 10),
          Book(id: 6, title: "Zola", genre: "essays", price: 20),
        ])
      }
      return store
    }

    private func genres(_ catalogue: Catalogue) -> [String] {
      let shown = catalogue.genres.snapshot
      return shown.sections.enumerated().map { section, header in
        "\(header.title) \(shown.numberOfItems(in: section))"
      }
    }

    private func prices(_ catalogue: Catalogue) -> [Int?] {
      let counts = catalogue.prices.aggregates
      return [counts[Catalogue.cheap], counts[Catalogue.dear]]
    }

    @Test func eachFacetCountsWhatTheOthersLeave() throws {
      let store = try makeStore()
      let catalogue = try Catalogue(store)
      #expect(try catalogue.books.drawing() == ["A: 4 2", "Ä: 1", "B: 5", "Z: 3 6"])
      #expect(genres(catalogue) == ["novel 3", "essays 2", "poems 1"])
      #expect(prices(catalogue) == [3, 3])

      try catalogue.choose(Catalogue.Choice(highestPrice: 12.5))
      #expect(try catalogue.books.drawing() == ["A: 2", "Ä: 1", "B: 5", "Z: 3"])
      #expect(genres(catalogue) == ["novel 2", "essays 1", "poems 1"])
      #expect(prices(catalogue) == [3, 3])

      try catalogue.choose(Catalogue.Choice(genre: "novel", highestPrice: 12.5))
      #expect(try catalogue.books.drawing() == ["Ä: 1", "Z: 3"])
      #expect(genres(catalogue) == ["novel 2", "essays 1", "poems 1"])
      #expect(prices(catalogue) == [1, 2])

      try catalogue.choose(Catalogue.Choice(text: "z"))
      #expect(try catalogue.books.drawing() == ["Z: 3 6"])
      #expect(prices(catalogue) == [1, 1])
    }

    @Test func aPriceChangesListsAndFacets() throws {
      let store = try makeStore()
      let catalogue = try Catalogue(store)
      try catalogue.choose(Catalogue.Choice(highestPrice: 12.5))
      let recorder = try catalogue.books.recorded()
      let book = try #require(try store.read { try $0.fetchOne(Book.self, key: 1) })
      try catalogue.reprice(book, to: 13)
      #expect(try recorder.news() == ["S- 1 (Ä)\nR- [1,0] #1"])
      #expect(genres(catalogue) == ["essays 1", "novel 1", "poems 1"])
      #expect(prices(catalogue) == [3, 3])

      // What is not shown is not edited; and a book that has another price by now is another one.
      #expect(errorCode { try catalogue.reprice(book, to: 9) } == "noSuchItem")
      let tales = try #require(try store.read { try $0.fetchOne(Book.self, key: 2) })
      try catalogue.reprice(tales, to: 11)
      #expect(prices(catalogue) == [2, 4])
      #expect(errorCode { try catalogue.reprice(tales, to: 9) } == "editConflict")
      #expect(try recorder.news() == ["R~ [0,0]→[0,0] #2"])
      try recorder.check(against: catalogue.books)
    }
  }
#endif
