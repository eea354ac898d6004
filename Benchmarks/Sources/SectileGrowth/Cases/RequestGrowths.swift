internal import Sectile

/// Migrating by more and more files.
struct MigrationGrowth: GrowthCase {
  static let name = "migrations"
  static let summary = "apply migrations; how many"
  static let sizes = (small: 100, large: 1_600)
  static let exponent = 1.0
  static let isRepeatable = false

  private let files: [MigrationFile]

  init(size: Int) {
    files = (1...size).map { number in
      MigrationFile(
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
