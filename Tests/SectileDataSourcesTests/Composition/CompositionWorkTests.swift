import SectileCore
import SectileDataSources
import SectileTestHelpers
import Synchronization
import Testing

/// What a change of a composition costs does not grow with what it leaves alone.
@Suite(.timeLimit(.minutes(60))) struct CompositionWorkTests {
  struct Entry: Identifiable, Equatable, Sendable {
    let id: CountedID
    var section: Int
  }

  // MARK: - Sections that stand as their first rows do

  /// How many identities are hashed where the first rows of some of many sections become others.
  private static func hashes(ofSections count: Int) throws -> [Int] {
    let counter = CountedID.Counter()
    let items = (0..<2 * count).map {
      Entry(id: CountedID(number: $0, counter: counter), section: $0 / 2)
    }
    let source = ArrayDataSource<Entry>(name: "entries", items: items)
    let sections = source.sectioned {
      SourceSection(identity: .integer(Int64($0.section)), title: "\($0.section)")
    }
    sections.load()
    func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }
    let middle = count / 2 * 2
    return try [
      // A row of the middle becomes the first of all, and its section with it.
      counter.hashes { try source.move(from: path(middle), to: path(0)) },
      counter.hashes { try source.move(from: path(0), to: path(middle)) },
      // A row goes to another section, which stands before its own.
      counter.hashes {
        let item = try source.item(at: path(middle))
        try source.replace(at: path(middle), with: Entry(id: item.id, section: 1))
      },
      counter.hashes { try source.remove(at: path(1)) },
      counter.hashes {
        let id = CountedID(number: -1, counter: counter)
        try source.insert(Entry(id: id, section: count - 1), at: path(0))
      },
    ]
  }

  @Test func changeOfAFirstRowDoesNotLookAtAllSections() throws {
    let (few, many) = (try Self.hashes(ofSections: 50), try Self.hashes(ofSections: 1_600))
    // Five more halvings, with some look-ups for each.
    for (few, many) in zip(few, many) { #expect(many <= few + 60, "\(few) → \(many)") }
  }

  // MARK: - Insertions into insertions

  /// How many headers of the innermost source are asked for by a load, and by a change, of a source
  /// with so many insertions one around another.
  private static func headers(depth: Int) throws -> [Int] {
    let counter = CountedID.Counter()
    let asked = Atomic<Int>(0)
    let items = (0..<4).map { Entry(id: CountedID(number: $0, counter: counter), section: $0 % 2) }
    let source = ArrayDataSource<Entry>(name: "entries", items: items) {
      SourceSection(identity: .integer(Int64($0.section)), title: "\($0.section)")
    }
    var list = AnyDataSource(
      source.mapSections { header in
        asked.wrappingAdd(1, ordering: .relaxed)
        return header
      })
    for number in 0..<depth {
      let banner = Entry(id: CountedID(number: -1 - number, counter: counter), section: -1)
      list = list.inserting(banner, at: ItemPath(section: 0, item: number))
    }
    func count(_ body: () throws -> Void) rethrows -> Int {
      let before = asked.load(ordering: .relaxed)
      try body()
      return asked.load(ordering: .relaxed) - before
    }
    let counts = try [
      count { list.load() },
      count {
        let last = ItemPath(section: 1, item: 1)
        try source.replace(at: last, with: Entry(id: source.item(at: last).id, section: 0))
      },
      count { try source.remove(at: ItemPath(section: 0, item: 0)) },
    ]
    #expect(list.numberOfItems == 3 + depth)
    return counts
  }

  @Test func headersAreAskedForAsOftenAsThereAreInsertions() throws {
    let (few, many) = (try Self.headers(depth: 8), try Self.headers(depth: 32))
    for (few, many) in zip(few, many) { #expect(many <= 4 * few + 8, "\(few) → \(many)") }
  }
}
