internal import Sectile

/// One-row commits with a view of more and more rows.
struct CommitGrowth: GrowthCase {
  static let name = "commit"
  static let summary = "commit one row that moves in a view; the rows of the view"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 0.0

  private let store: Store
  private let results: SectionedResults<Thing>
  private let size: Int
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(size)
    results = try store.view()
    self.size = size
  }

  mutating func perform() throws {
    number += 1
    let thing = Things.moved(number, of: size)
    try store.write { try $0.update(thing) }
  }
}

/// One-row commits with a view of more and more sections.
struct CommitInSectionsGrowth: GrowthCase {
  static let name = "commit-in-sections"
  static let summary = "commit one row that makes and empties sections; the sections of the view"
  static let sizes = (small: 2_000, large: 32_000)
  static let exponent = 0.0

  private let store: Store
  private let results: SectionedResults<Thing>
  private let size: Int
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(size, shelves: size)
    results = try store.view()
    self.size = size
  }

  mutating func perform() throws {
    number += 1
    var thing = Things.thing(number * 37 % size + 1, shelves: size)
    thing.shelf += " \(number)"
    try store.write { try $0.update(thing) }
    try check(results.numberOfSections == size, "\(results.numberOfSections) sections")
  }
}

/// Transactions of more and more rows.
struct TransactionGrowth: GrowthCase {
  static let name = "transaction"
  static let summary = "commit rows that move in a view of 40,000; the rows of the transaction"
  static let sizes = (small: 100, large: 1_600)
  static let exponent = 1.0

  private let store: Store
  private let results: SectionedResults<Thing>
  private let size: Int
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(40_000)
    results = try store.view()
    self.size = size
  }

  mutating func perform() throws {
    let things = (0..<size).map { offset in
      number += 1
      var thing = Things.thing((number * 37 + offset) % 40_000 + 1, shelves: 50)
      thing.rank = number * 101 % 100_003
      return thing
    }
    try store.write { tx in for thing in things { try tx.update(thing) } }
  }
}

/// Transactions that make more and more new sections.
struct NewSectionsGrowth: GrowthCase {
  static let name = "new-sections"
  static let summary = "commit rows that each make a section of a view; the new sections"
  static let sizes = (small: 250, large: 4_000)
  static let exponent = 1.0
  static let isRepeatable = false

  private let store: Store
  private let results: SectionedResults<Thing>
  private let size: Int

  init(size: Int) throws {
    // So many that row by row is the way.
    store = try Things.store(100_000)
    results = try store.view()
    self.size = size
  }

  mutating func perform() throws {
    let things = (0..<size).map {
      Thing(id: Int64(200_000 + $0), shelf: "new \($0)", rank: 1, note: "")
    }
    _ = try store.write { try $0.insert(contentsOf: things) }
    try check(results.numberOfSections == 50 + size, "\(results.numberOfSections) sections")
  }
}

/// Transactions of rows that a view never wanted, in a larger and larger table.
struct StrangersGrowth: GrowthCase {
  static let name = "strangers"
  static let summary =
    "commit 60 rows that a view of ten without an index does not want; the rows of the table"
  static let sizes = (small: 8_000, large: 128_000)
  static let exponent = 0.0

  private let store: Store
  private let results: SectionedResults<Thing>
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(size, index: "")
    try store.write { try $0.execute("UPDATE thing SET note = 'wanted' WHERE id <= 10") }
    results = try store.view(FetchRequest<Thing>().filter { $0.note == "wanted" })
  }

  mutating func perform() throws {
    number += 1
    try store.write {
      try $0.execute("UPDATE thing SET rank = \(number) WHERE id BETWEEN 1001 AND 1060")
    }
    try check(results.numberOfItems == 10, "\(results.numberOfItems) rows")
  }
}

/// Commits that concern none of more and more results, each of one constant.
struct ConstantFiltersGrowth: GrowthCase {
  static let name = "constant-filters"
  static let summary = "commit one row that no view wants; the views, each of one shelf"
  static let sizes = (small: 250, large: 4_000)
  static let exponent = 0.0

  private let store: Store
  private let views: [SectionedResults<Thing>]
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(1_000, shelves: 5_000)
    views = try store.views(ofShelves: size)
  }

  mutating func perform() throws {
    number += 1
    try store.commit(rank: number, of: 501 + number % 400)
  }
}

/// Commits that concern one of more and more members of a family.
struct FamilyGrowth: GrowthCase {
  static let name = "family"
  static let summary = "commit one row of a member of a family; the members, each of one shelf"
  static let sizes = (small: 250, large: 4_000)
  static let exponent = 0.0

  private let store: Store
  private let members: [SectionedResults<Thing>]
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(5_000, shelves: 5_000)
    let family = try store.family(of: FetchRequest<Thing>().sort(by: \.rank), by: \.shelf)
    members = try (0..<size).map { number in
      let results = try family.results(for: Things.thing(number + 1, shelves: 5_000).shelf)
      try results.load()
      return results
    }
  }

  mutating func perform() throws {
    number += 1
    let member = number * 37 % members.count
    let version = members[member].version
    try store.commit(rank: number, of: member + 1)
    try check(members[member].version > version, "the member did not hear of its row")
  }
}

/// Commits to rows that are not in the long list of a view.
struct LongListGrowth: GrowthCase {
  static let name = "long-list"
  static let summary = "commit one row that is not in the list of a view; the values of the list"
  static let sizes = (small: 500, large: 8_000)
  static let exponent = 0.0

  private let store: Store
  private let results: SectionedResults<Thing>
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(1_000)
    let wanted = (1...size).map { Int64($0 * 2) }
    results = try store.view(FetchRequest<Thing>().filter { wanted.contains($0.id) })
  }

  mutating func perform() throws {
    number += 1
    try store.commit(rank: number, of: number % 400 * 2 + 1)
    try check(results.numberOfItems <= 500, "\(results.numberOfItems) rows")
  }
}
