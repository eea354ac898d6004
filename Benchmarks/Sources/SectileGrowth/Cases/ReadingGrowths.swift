internal import Sectile

/// Opening a view of more and more rows.
struct OpeningGrowth: GrowthCase {
  static let name = "open"
  static let summary = "load a view in an order that no index has; its rows"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 1.0

  private let store: Store

  init(size: Int) throws { store = try Things.store(size, index: "") }

  mutating func perform() throws {
    _ = try store.view()
  }
}

/// Opening and releasing results beside more and more others.
struct ReleasingGrowth: GrowthCase {
  static let name = "open-beside-others"
  static let summary = "load a view of ten rows and release it; the other views that are open"
  static let sizes = (small: 100, large: 1_600)
  static let exponent = 0.0

  private let store: Store
  private var others: [SectionedResults<Thing>] = []

  init(size: Int) throws {
    store = try Things.store(100)
    others = try (0..<size).map { [store] number in
      try store.view(FetchRequest<Thing>().filter { $0.rank == number })
    }
  }

  mutating func perform() throws {
    let results = try store.view(FetchRequest<Thing>().filter { $0.id <= 10 })
    try check(results.numberOfItems == 10, "\(results.numberOfItems) rows")
  }
}

/// Taking a snapshot of more and more rows, and a commit beside it.
struct SnapshotGrowth: GrowthCase {
  static let name = "snapshot"
  static let summary = "take a snapshot, commit one row, read it in the snapshot; the rows"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 0.0

  private let store: Store
  private let results: SectionedResults<Thing>
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(size)
    results = try store.view(.byID.batchSize(1))
  }

  mutating func perform() throws {
    number += 1
    let row = number % 1_000
    let path = ItemPath(section: 0, item: row)
    let before = try results.item(at: path)
    let snapshot = results.snapshot
    try store.write {
      try $0.execute("UPDATE thing SET note = 'n\(number)' WHERE id = \(row + 1)")
    }
    try check(try snapshot.item(at: path) == before, "the snapshot has changed")
  }
}

/// Reading rows of a snapshot that is held over more and more commits.
struct HeldSnapshotGrowth: GrowthCase {
  static let name = "held-snapshot"
  static let summary = "read a row of a snapshot that is held; the commits since"
  static let sizes = (small: 500, large: 8_000)
  static let exponent = 0.0

  private let store: Store
  private let results: SectionedResults<Thing>
  private let snapshot: ResultsSnapshot<Thing>
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(20_000)
    results = try store.view(.byID.batchSize(1))
    snapshot = results.snapshot
    for number in 0..<size {
      try store.write {
        try $0.execute("UPDATE thing SET note = 'm' WHERE id = \(number * 7 % 10_000 + 1)")
      }
    }
  }

  mutating func perform() throws {
    // Rows that nobody wrote: all commits would have to be asked.
    number += 1
    let thing = try snapshot.item(at: ItemPath(section: 0, item: 10_000 + number * 17 % 10_000))
    try check(thing.note == "n", "the row has changed")
  }
}

/// Loading a view with a longer and longer list of sections.
struct FixedSectionsGrowth: GrowthCase {
  static let name = "fixed-sections"
  static let summary = "load 4,000 rows into a list of sections; the sections of the list"
  static let sizes = (small: 250, large: 4_000)
  static let exponent = 1.0

  private let store: Store
  private let request: FetchRequest<Thing>
  private let size: Int

  init(size: Int) throws {
    store = try Things.store(4_000, shelves: size)
    request = FetchRequest<Thing>()
      .sectioned(by: \.shelf, sections: (0..<size).map(Things.shelf)).sort(by: \.rank)
    self.size = size
  }

  mutating func perform() throws {
    let results = try store.view(request)
    try check(results.numberOfSections == size, "\(results.numberOfSections) sections")
  }
}
