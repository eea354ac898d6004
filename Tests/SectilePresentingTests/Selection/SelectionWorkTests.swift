import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestHelpers
import Testing

/// What a step of a selection costs does not grow with the number of selected items.
@Suite(.timeLimit(.minutes(60))) struct SelectionWorkTests {
  struct Entry: Identifiable, Equatable, Sendable {
    let id: CountedID
    var section: Int
  }

  private static func source(
    _ count: Int, _ counter: CountedID.Counter
  ) -> ArrayDataSource<Entry> {
    let items = (0..<count).map {
      Entry(id: CountedID(number: $0, counter: counter), section: $0 % 10)
    }
    let source = ArrayDataSource<Entry>(name: "entries", items: items) {
      SourceSection(identity: .integer(Int64($0.section)), title: "\($0.section)")
    }
    source.load()
    return source
  }

  /// How many identities are hashed by toggling, selecting and deselecting one item, and by an
  /// unselected and a selected item's change of section.
  private static func hashes(
    ofSelected count: Int, _ make: (ArrayDataSource<Entry>) -> Selection<CountedID, Entry>
  ) throws -> [Int] {
    let counter = CountedID.Counter()
    let source = source(count, counter)
    let selection = make(source)
    selection.selectAll()
    #expect(selection.count == count)
    let id = source.snapshot.id(at: ItemPath(section: 3, item: 5))
    let first = ItemPath(section: 0, item: 0)
    return try [
      counter.hashes { #expect(!selection.toggle(id)) },
      counter.hashes { #expect(selection.toggle(id)) },
      counter.hashes { #expect(selection.deselect(at: first)) },
      counter.hashes { #expect(selection.select(at: first)) },
      counter.hashes {
        let item = try source.item(at: first)
        try source.replace(at: first, with: Entry(id: item.id, section: 9))
      },
      counter.hashes { #expect(!selection.toggle(id)) },
      counter.hashes { try source.remove(at: first) },
      counter.hashes { #expect(selection.toggle(id)) },
    ]
  }

  @Test func stepDoesNotLookAtTheOtherItems() throws {
    let many = try Self.hashes(ofSelected: 2_000) { Selection(of: $0) }
    #expect(many.allSatisfy { $0 <= 60 }, "\(many)")
  }

  @Test func stepDoesNotLookAtTheOtherItemsWithAModeForEachSection() throws {
    let many = try Self.hashes(ofSelected: 2_000) { source in
      Selection(of: source) { _ in .range(1...1_000) }
    }
    #expect(many.allSatisfy { $0 <= 60 }, "\(many)")
  }
}
