internal import Sectile

/// Commits of another process, with a view of more and more rows.
struct OutsideCommitGrowth: GrowthCase {
  static let name = "outside-commit"
  static let summary = "another process commits one row that moves in a view; the rows of the view"
  static let sizes = (small: 8_000, large: 128_000)
  static let exponent = 0.0

  private let things: SharedThings
  private let results: SectionedResults<Thing>
  private let size: Int
  private var number = 0

  init(size: Int) throws {
    things = try SharedThings(size)
    results = try things.store.view()
    self.size = size
  }

  mutating func perform() throws {
    number += 1
    try things.commitElsewhere(
      Things.change(rank: 200_000 + number, of: number * 37 % size + 1), showing: results)
  }
}

/// Commits of another process, with a query of more and more rows.
struct OutsideQueryGrowth: GrowthCase {
  static let name = "outside-query"
  static let summary = "another process commits one row that a query joins; the query's rows"
  static let sizes = (small: 8_000, large: 128_000)
  static let exponent = 0.0

  private let things: SharedThings
  private let results: SectionedResults<UntypedRow>
  private let size: Int
  private var number = 0

  init(size: Int) throws {
    // Who never looks by itself holds no state for queries.
    things = try SharedThings(size, polling: .seconds(3_600))
    let query = """
      SELECT one.id, one.rank, other.shelf FROM thing one JOIN thing other ON other.id = one.id
      """
    results = try things.store.results(of: Query(query, key: ["id"]).sort(by: "rank"))
    try results.load()
    self.size = size
    try perform()
  }

  mutating func perform() throws {
    number += 1
    let version = results.version
    let rebuildCount = results.statistics.rebuildCount
    try things.commitElsewhere(
      Things.change(rank: 200_000 + number, of: number * 37 % size + 1))
    try check(
      results.version == version + 1 && results.statistics.rebuildCount == rebuildCount
        && results.statistics.resyncCount == 0, "\(results.statistics)")
  }
}

/// Commits of another process that concern none of more and more results.
struct OutsideViewsGrowth: GrowthCase {
  static let name = "outside-views"
  static let summary =
    "another process commits one row that no view wants; the views, each of one shelf"
  static let sizes = (small: 250, large: 4_000)
  // What the row was is not known: each view is asked whether it shows it. What 4,000 of them keep
  // is beyond the processor's caches: a view costs 1 µs of 250, and 2.3 µs of 4,000.
  static let exponent = 1.1

  private let things: SharedThings
  private let views: [SectionedResults<Thing>]
  private var number = 0

  init(size: Int) throws {
    things = try SharedThings(1_000, shelves: 5_000)
    views = try things.store.views(ofShelves: size)
  }

  mutating func perform() throws {
    number += 1
    try things.commitElsewhere(Things.change(rank: number, of: 501 + number % 400))
    try check(views[0].statistics.resyncCount == 0, "a view resynchronized")
  }
}

/// Commits of another process in a file with more and more tables.
struct OutsideTablesGrowth: GrowthCase {
  static let name = "outside-tables"
  static let summary = "another process commits one row; the tables that the log follows"
  static let sizes = (small: 20, large: 320)
  static let exponent = 0.0

  private let things: SharedThings
  private let results: SectionedResults<Thing>
  private var number = 0

  init(size: Int) throws {
    things = try SharedThings(1_000, schema: LogWorld.tables(size))
    results = try things.store.view(.byID)
  }

  mutating func perform() throws {
    number += 1
    try things.commitElsewhere(
      Things.change(rank: 200_000 + number, of: 7), showing: results)
  }
}

/// Transactions of another process with more and more rows.
struct LogTailGrowth: GrowthCase {
  static let name = "log-tail"
  static let summary = "another process commits rows that move in a view of 40,000; the rows"
  static let sizes = (small: 100, large: 1_600)
  static let exponent = 1.0

  private let things: SharedThings
  private let results: SectionedResults<Thing>
  private let size: Int
  private var number = 0

  init(size: Int) throws {
    things = try SharedThings(40_000)
    results = try things.store.view()
    self.size = size
  }

  mutating func perform() throws {
    number += 1
    try things.commitElsewhere(Things.move(size, number: number), showing: results)
  }
}

/// Own commits to a file whose log is longer and longer.
struct LogLengthGrowth: GrowthCase {
  static let name = "log-length"
  static let summary = "commit one row that moves in a view; the rows of the change log"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 0.0

  private let things: SharedThings
  private let results: SectionedResults<Thing>
  private var number = 0

  init(size: Int) throws {
    things = try SharedThings(4_000)
    try LogWorld.lengthen(things, to: size)
    results = try things.store.view()
  }

  mutating func perform() throws {
    number += 1
    let thing = Things.moved(number, of: 4_000)
    try things.store.write { try $0.update(thing) }
  }
}

/// Own commits that remove old rows of a log that others made too long.
struct LogPruningGrowth: GrowthCase {
  static let name = "log-pruning"
  static let summary =
    "10 commits, each of which removes a thousand rows of the log; its rows that are too many"
  static let sizes = (small: 16_000, large: 256_000)
  static let exponent = 0.0
  static let isRepeatable = false

  private let things: SharedThings
  private var number = 0

  init(size: Int) throws {
    things = try SharedThings(4_000, keeping: 1_000)
    // One transaction: no row in between says how old they are.
    try LogWorld.lengthen(things, to: size, transactions: 1)
  }

  mutating func perform() throws {
    for _ in 0..<10 {
      number += 1
      try things.store.commit(rank: number, of: number)
    }
    let oldest = try things.store.changeLog.status()?.oldest ?? 0
    try check((9_000...11_000).contains(oldest), "the log begins at \(oldest)")
  }
}

/// Own transactions of more and more rows, with a log.
struct LoggedTransactionGrowth: GrowthCase {
  static let name = "logged-transaction"
  static let summary = "commit rows to a file with a change log; the rows of the transaction"
  static let sizes = (small: 100, large: 1_600)
  static let exponent = 1.0

  private let things: SharedThings
  private let size: Int
  private var number = 0

  init(size: Int) throws {
    things = try SharedThings(40_000)
    self.size = size
  }

  mutating func perform() throws {
    number += 1
    let statement = Things.move(size, number: number)
    try things.store.write { try $0.execute(statement) }
  }
}

/// Readers of a log that say how far they are, beside more and more others.
struct LogReadersGrowth: GrowthCase {
  static let name = "log-readers"
  static let summary = "commit one row, and register a reader anew; the readers, which hold rows"
  static let sizes = (small: 50, large: 800)
  static let exponent = 0.0

  private let things: SharedThings
  private let results: SectionedResults<Thing>
  private var number = 0

  init(size: Int) throws {
    things = try SharedThings(1_000, keeping: 100)
    results = try things.store.view(.byID)
    let token = try LogWorld.token(of: results)
    for reader in 0..<size { try things.store.changeLog.register("reader \(reader)", at: token) }
    // More rows than are kept without readers.
    try LogWorld.lengthen(things, to: 4_000, transactions: 1)
  }

  mutating func perform() throws {
    number += 1
    var thing = Things.thing(number % 1_000 + 1, shelves: 50)
    thing.rank = number + 200_000
    try things.store.write { try $0.update(thing) }
    let reason = try things.store.changeLog.register(
      "reader \(number % 50)", at: LogWorld.token(of: results))
    try check(reason == nil, "the reader was refused")
  }
}

/// Going on from a token that is further and further behind.
struct LogResumeGrowth: GrowthCase {
  static let name = "log-resume"
  static let summary = "load a view of 1,000 since a token; the rows of the log that it is behind"
  static let sizes = (small: 8_000, large: 128_000)
  static let exponent = 1.0

  private let things: SharedThings
  private let token: ChangeToken

  init(size: Int) throws {
    things = try SharedThings(1_000, keeping: 1_000_000)
    token = try LogWorld.token(of: things.store.view())
    try LogWorld.lengthen(things, to: size)
  }

  mutating func perform() async throws {
    let results = try things.store.results(of: FetchRequest<Thing>.byShelf)
    guard case .changes(let changes) = try await results.load(since: token) else {
      throw WrongResult(description: "everything was to be read anew")
    }
    try check(!changes.upserts.isEmpty, "no row was named")
  }
}

/// Pages of the history in a file with more and more tables.
struct LogHistoryGrowth: GrowthCase {
  static let name = "log-history"
  static let summary = "read a page of one change; the tables that the log follows"
  static let sizes = (small: 20, large: 320)
  static let exponent = 0.0

  private let things: SharedThings
  private let token: ChangeToken

  init(size: Int) throws {
    things = try SharedThings(1_000, schema: LogWorld.tables(size))
    token = try things.store.history().token
    try things.store.commit(rank: 1, of: 7)
  }

  mutating func perform() throws {
    let page = try things.store.history(since: token)
    try check(page.transactions.count == 1, "\(page.transactions.count) transactions")
  }
}

/// Switching a log on, and off again, in a larger and larger file.
struct LogEnablingGrowth: GrowthCase {
  static let name = "log-enable"
  static let summary = "switch a change log off and on; the rows of the table"
  static let sizes = (small: 8_000, large: 128_000)
  static let exponent = 0.0

  private let things: SharedThings

  init(size: Int) throws { things = try SharedThings(size) }

  mutating func perform() throws {
    try things.store.changeLog.disable()
    try check(try things.store.changeLog.enable(), "there is a log already")
  }
}

/// What several cases have in common.
private enum LogWorld {
  /// Tables that the log follows, and nobody writes.
  static func tables(_ count: Int) -> String {
    (0..<count).map { "CREATE TABLE other_\($0) (id INTEGER PRIMARY KEY, note TEXT);" }.joined()
  }

  static func token(of results: SectionedResults<Thing>) throws -> ChangeToken {
    guard let token = results.token else { throw WrongResult(description: "there is no token") }
    return token
  }

  /// Has another process write until the log has so many rows.
  static func lengthen(_ things: SharedThings, to size: Int, transactions: Int = 16) throws {
    for _ in 0..<transactions {
      try things.other.write { tx in
        for _ in 0..<size / transactions / 500 {
          try tx.execute("UPDATE thing SET note = note || '.' WHERE id <= 500")
        }
        try tx.execute("UPDATE thing SET note = 'n' WHERE id <= 500")
      }
    }
  }
}
