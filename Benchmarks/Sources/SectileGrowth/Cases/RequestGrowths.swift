internal import Sectile

/// Migrating by more and more files.
struct MigrationGrowth: GrowthCase {
  static let name = "migrations"
  static let summary = "apply migrations; how many"
  static let sizes = (small: 100, large: 1_600)
  static let exponent = 1.0
  static let isRepeatable = false

  private let files: [Migrations.File]

  init(size: Int) {
    files = (1...size).map { number in
      Migrations.File(
        name: "V\(String(10_000 + number).dropFirst())_insert_thing.sql",
        sql: number == 1 ? Things.schema : "INSERT INTO thing VALUES (\(number), '', 0, '')")
    }
  }

  mutating func perform() throws {
    let store = try Store.inMemory(migrations: .files(files))
    let count = try store.read { try $0.fetchCount(FetchRequest<Thing>()) }
    try check(count == files.count - 1, "\(count) rows")
  }
}

/// Filters of more and more terms than SQLite takes.
struct LongFilterGrowth: GrowthCase {
  static let name = "long-filter"
  static let summary = "refuse a filter; its terms"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 1.0

  private let size: Int

  init(size: Int) { self.size = size }

  mutating func perform() throws {
    let size = size
    let request = FetchRequest<Thing>().filter { thing in
      (1..<size).reduce(thing.rank == 0) { $0 || thing.rank == $1 }
    }
    guard case .failure(let error as StoreError) = Result(catching: { try request.makePlan() }),
      error.code == .invalidRequest
    else { throw WrongResult(description: "a filter of \(size) terms was taken") }
  }
}

/// Changing the order of more and more rows.
struct RequestChangeGrowth: GrowthCase {
  static let name = "request-change"
  static let summary = "change the order of a view, so that its rows move; its rows"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 1.0

  private let results: SectionedResults<Thing>
  private var isDescending = false

  init(size: Int) throws {
    results = try Things.store(size).view(Self.request(isDescending: false))
  }

  mutating func perform() throws {
    isDescending.toggle()
    try results.update(to: Self.request(isDescending: isDescending))
  }

  private static func request(isDescending: Bool) -> FetchRequest<Thing> {
    let request = FetchRequest<Thing>().sectioned(by: \.shelf)
    return isDescending ? request.sort(by: \.rank, .descending) : request.sort(by: \.rank)
  }
}

/// Fetching more and more rows again, since nobody knows what has changed.
struct ResyncGrowth: GrowthCase {
  static let name = "resync"
  static let summary = "follow a change of the schema and of one row; the rows of the view"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 1.0

  private let store: Store
  private let results: SectionedResults<Thing>
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(size)
    results = try store.view()
  }

  mutating func perform() throws {
    number += 1
    try store.write { tx in
      try tx.execute("CREATE TABLE other_\(number) (id INTEGER PRIMARY KEY)")
      try tx.execute("UPDATE thing SET note = 'n\(number)' WHERE id = 7")
    }
  }
}
