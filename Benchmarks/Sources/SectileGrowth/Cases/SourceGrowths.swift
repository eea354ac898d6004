internal import Sectile
internal import SectilePresenting
internal import SectileRemote

private func items(_ count: Int, shelves: Int) -> [Thing] {
  (1...count).map { Things.thing($0, shelves: shelves) }
}

private func section(_ thing: Thing) -> SourceSection {
  SourceSection(identity: .text(thing.shelf), title: thing.shelf)
}

/// One toggle of a selection of more and more items.
struct SelectionGrowth: GrowthCase {
  static let name = "selection"
  static let summary = "toggle one item; the items that are selected"
  static let sizes = (small: 1_000, large: 16_000)
  static let exponent = 0.0

  private let source: ArrayDataSource<Thing>
  private let selection: Selection<Int64, Thing>
  private var number = 0

  init(size: Int) {
    source = ArrayDataSource(name: "things", items: items(size, shelves: 1))
    source.load()
    selection = Selection(of: source)
    selection.selectAll()
  }

  mutating func perform() throws {
    number += 1
    let count = selection.count
    let isSelected = selection.toggle(Int64(number % 500 + 1))
    try check(selection.count == count + (isSelected ? 1 : -1), "\(selection.count) are selected")
  }
}

/// One edit under `sectioned` with more and more sections.
struct ArrangedSectionsGrowth: GrowthCase {
  static let name = "sectioned"
  static let summary = "replace one item under sectioned { }; the sections"
  static let sizes = (small: 1_000, large: 16_000)
  static let exponent = 0.0

  private let source: ArrayDataSource<Thing>
  private let sectioned: ComposedDataSource<Int64, Thing>
  private let size: Int
  private var number = 0

  init(size: Int) {
    source = ArrayDataSource(name: "things", items: items(size * 2, shelves: size))
    sectioned = source.sectioned { section($0) }
    sectioned.load()
    self.size = size
  }

  mutating func perform() throws {
    number += 1
    let row = number * 37 % (size * 2)
    var thing = try source.item(at: ItemPath(section: 0, item: row))
    thing.shelf = Things.shelf(number * 101 % size)
    try source.replace(at: ItemPath(section: 0, item: row), with: thing)
  }
}

/// Loading layers over more and more items.
struct LayersGrowth: GrowthCase {
  static let name = "layers"
  static let summary = "load filter, sorted, sectioned and filter over an array; its items"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 1.0

  private let source: ArrayDataSource<Thing>
  private let size: Int

  init(size: Int) {
    source = ArrayDataSource(name: "things", items: items(size, shelves: 50))
    source.load()
    self.size = size
  }

  mutating func perform() throws {
    let layers = source.filter { $0.id % 8 != 0 }.sorted(by: { $0.note + $0.shelf })
      .sectioned(by: { $0.shelf }).filter { $0.id % 8 != 1 }
    layers.load()
    try check(layers.numberOfItems == size * 3 / 4, "\(layers.numberOfItems) items")
  }
}

/// Edits under layers that were loaded with more and more items.
struct LayerEditsGrowth: GrowthCase {
  static let name = "layer-edits"
  static let summary = "replace one item under filter and sorted; the items that were loaded"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 0.0

  private let source: ArrayDataSource<Thing>
  private let sorted: ComposedDataSource<Int64, Thing>
  private let size: Int
  private var number = 0

  init(size: Int) {
    source = ArrayDataSource(name: "things", items: items(size, shelves: 50))
    sorted = source.filter { $0.rank >= 0 }.sorted(by: { $0.rank })
    sorted.load()
    self.size = size
  }

  mutating func perform() throws {
    number += 1
    let path = ItemPath(section: 0, item: number * 37 % size)
    var thing = try source.item(at: path)
    thing.rank = number * 101 % size
    try source.replace(at: path, with: thing)
    try check(sorted.numberOfItems == size, "\(sorted.numberOfItems) items")
  }
}

/// New and emptied sections of an array.
struct ArraySectionGrowth: GrowthCase {
  static let name = "array-section"
  static let summary = "append an item that makes a section, and remove it; the sections"
  static let sizes = (small: 1_000, large: 16_000)
  static let exponent = 0.0

  private let source: ArrayDataSource<Thing>
  private let size: Int

  init(size: Int) {
    source = ArrayDataSource(
      name: "things", items: items(size, shelves: size), sectionedBy: { section($0) })
    source.load()
    self.size = size
  }

  mutating func perform() throws {
    try source.append(Thing(id: -1, shelf: "new", rank: 0, note: ""))
    try check(source.numberOfSections == size + 1, "\(source.numberOfSections) sections")
    try source.remove(at: ItemPath(section: size, item: 0))
  }
}

/// Insertions inside one another.
struct NestedInsertionGrowth: GrowthCase {
  static let name = "nested-insertions"
  static let summary = "load banners, each inserted into what has the ones before; the banners"
  static let sizes = (small: 8, large: 32)
  static let exponent = 1.0

  private let source: ArrayDataSource<Thing>
  private let size: Int

  init(size: Int) {
    source = ArrayDataSource(name: "things", items: items(500, shelves: 1))
    self.size = size
  }

  mutating func perform() throws {
    let first = source.inserting(
      Things.thing(1, shelves: 1), at: ItemPath(section: 0, item: 3))
    let whole = (1..<size).reduce(first) { list, number in
      list.inserting(
        Things.thing(number, shelves: 1), at: ItemPath(section: 0, item: 3 * number))
    }
    whole.load()
    try check(whole.numberOfItems == 500 + size, "\(whole.numberOfItems) items")
  }
}

/// A crawl of more and more pages.
struct CrawlGrowth: GrowthCase {
  static let name = "crawl"
  static let summary = "store the pages of a remote list; how many"
  static let sizes = (small: 100, large: 1_600)
  static let exponent = 1.0
  static let isRepeatable = false

  private struct Pages: PageLoader {
    let count: Int
    var firstPage: Int { 0 }

    func loadPage(_ page: Int) async throws -> LoadedPage<Thing, Int> {
      LoadedPage(
        items: [Things.thing(page + 1, shelves: 10)], nextPage: page + 1 < count ? page + 1 : nil)
    }
  }

  private let store: Store
  private let size: Int

  init(size: Int) throws {
    store = try Store.inMemory()
    try store.write { try $0.execute(Things.schema) }
    self.size = size
  }

  mutating func perform() async throws {
    let remoteList = PersistentRemoteList(name: "things", store: store, loader: Pages(count: size))
    let state = try await remoteList.refresh()
    try check(state.itemCount == size, "\(state.itemCount) items")
  }
}
