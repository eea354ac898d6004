import SectileCore
import SectileTestSupport
import Testing

@testable import SectileRemote

@Suite struct PageMergeTests {
  typealias Snapshot = PagedSnapshot<Int, Song>
  typealias Contents = SectionedContents<Int, Song>

  static let plain = ItemRules<Song>(isEqual: ==)
  static let sectioned = ItemRules<Song>(isEqual: ==, section: Song.section)

  static func songs(_ ids: some Sequence<Int>) -> [Song] { ids.map { Song(id: $0) } }

  @Test func appendingNothingNewKeepsTheVersion() {
    let first = PageMerge(appending: Self.songs(0..<5), to: Snapshot(), Self.plain)
    let again = PageMerge(appending: Self.songs(0..<5), to: first.snapshot, Self.plain)
    #expect(first.snapshot.version == 1)
    #expect(again.snapshot.version == 1)
    #expect(again.changes.isEmpty)
    #expect(PageMerge(appending: [], to: Snapshot(), Self.plain).snapshot.version == 0)
  }

  @Test func snapshotsOfEarlierPagesStayAsTheyWere() throws {
    var versions = [Snapshot()]
    for page in 0..<60 {
      let items = Self.songs(page * 10..<page * 10 + 10) + [Song(id: 0, grade: page)]
      let merge = PageMerge(appending: items, to: versions[page], Self.plain)
      versions.append(merge.snapshot)
    }
    for (page, snapshot) in versions.enumerated().dropFirst() {
      #expect(snapshot.materializedIDs == Array(0..<page * 10))
      #expect(try snapshot.item(at: ItemPath(section: 0, item: 0)).grade == page - 1)
      #expect(snapshot.path(of: page * 10) == nil)
      #expect(snapshot.path(of: page * 10 - 1) == ItemPath(section: 0, item: page * 10 - 1))
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func randomPagesReplayExactly(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let rules = random.chance(0.7) ? Self.sectioned : Self.plain
    var snapshot = Snapshot()
    var replayed = Contents()
    for _ in 0..<30 {
      let items = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Song(
          id: Int.random(in: 0..<60, using: &random), grade: Int.random(in: 0..<2, using: &random),
          kind: random.chance(0.1) ? Int.random(in: 0..<4, using: &random) : 0)
      }
      let merge =
        random.chance(0.2)
        ? PageMerge(replacing: snapshot, with: items, rules)
        : PageMerge(appending: items, to: snapshot, rules)
      if merge.changes.isEmpty {
        #expect(merge.snapshot.version == snapshot.version)
      } else {
        try replayed.apply(merge.changes)
      }
      snapshot = merge.snapshot
      let contents: Contents = snapshot.contents
      #expect(contents == replayed, "\(random)")
      let last = Dictionary(items.map { ($0.id, $0) }) { _, last in last }
      for (id, song) in last {
        let path = try #require(snapshot.path(of: id))
        #expect(try snapshot.item(at: path) == song, "\(random)")
        #expect(snapshot.path(atRank: snapshot.rank(of: path)) == path)
      }
      for section in snapshot.sections {
        let ordinal = try #require(snapshot.section(withIdentity: section.identity))
        #expect(snapshot.sections[ordinal] == section)
        #expect(snapshot.numberOfItems(in: ordinal) > 0)
      }
    }
  }
}
