import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// A strict list view accepts the staged rendering of whatever happens, and shows what the source
/// contains afterwards.
@Suite(.timeLimit(.minutes(60))) struct StagedRenderingTests {
  struct Item: Identifiable, Hashable, Sendable {
    let id: Int
    var section: Int
    var title: Int
    var value: Int
  }

  typealias List = ListViewSimulator<Int, Item>

  /// Replaces the array of a source three times by any other: rows and sections go, come, move, and
  /// are changed all at once.
  @Test func strictListShowsWhatTheSourceContains() throws {
    var sectionMoves = 0
    for seed in 0..<1000 {
      var random = SeededRandom(seed: UInt64(seed))
      let source = ArrayDataSource(name: "items", items: [Item]()) {
        SourceSection(identity: .integer(Int64($0.section)), title: "\($0.title)")
      }
      let list = List()
      let violations = Mutex<[String]>([])
      let moves = Mutex(0)
      let token = source.observe { [weak source] event in
        guard case .didPartiallyLoad(let changes) = event, let source else { return }
        let found = list.perform(changes.batches, expecting: source.snapshot)
        violations.withLock { $0 += found }
        moves.withLock { $0 += changes.sectionMoves.count }
      }
      source.load()
      for _ in 0..<3 {
        try source.replace(with: Self.items(&random))
        let found = violations.withLock { $0 }
        if !found.isEmpty {
          Issue.record("\(random): \(found)")
          return
        }
      }
      token.cancel()
      sectionMoves += moves.withLock { $0 }
    }
    #expect(sectionMoves > 1000, "the sections hardly ever moved")
  }

  /// Compares contents whose sections and rows move for reasons outside of them, as the results of
  /// a query do: what decides a place is not in the row.
  @Test func strictListShowsWhatAQueryWould() throws {
    for seed in 0..<1000 {
      var random = SeededRandom(seed: UInt64(seed))
      var before = Self.contents(version: 0, &random)
      let list = List(showing: before)
      for version in 1...2 {
        let after = Self.contents(version: version, &random)
        let movers = Set((0..<9).filter { _ in random.chance(0.5) })
        let moving = Set((0..<5).filter { _ in random.chance(0.5) }.map { StoredValue.integer($0) })
        let changes = Changeset(
          from: before, to: after, isEqual: ==, isOrderKeyChanged: { movers.contains($0) },
          isSectionOrderChanged: { moving.contains($0) })
        let found = list.perform(changes.batches, expecting: ContentsSnapshot(after))
        if !found.isEmpty {
          Issue.record("\(random): \(found)")
          return
        }
        if let last = changes.batches.last, last.targetVersion != version {
          Issue.record("\(random): the last batch leads to \(last.targetVersion)")
          return
        }
        before = after
      }
    }
  }

  private static func items(_ random: inout SeededRandom) -> [Item] {
    let titles = (0..<4).map { _ in Int.random(in: 0..<2, using: &random) }
    return (0..<9).filter { _ in random.chance(0.7) }.shuffled(using: &random).map { id in
      let section = Int.random(in: 0..<4, using: &random)
      return Item(
        id: id, section: section, title: titles[section],
        value: Int.random(in: 0..<3, using: &random))
    }
  }

  private static func contents(
    version: Int, _ random: inout SeededRandom
  ) -> SectionedContents<Int, Item> {
    let items = Dictionary(grouping: items(&random), by: \.section)
    let sections = items.keys.sorted().shuffled(using: &random)
    return SectionedContents(
      version: version,
      sections: sections.map { section in
        let rows = items[section, default: []]
        return .init(
          header: SourceSection(
            identity: .integer(Int64(section)), title: "\(rows.first?.title ?? 0)"),
          rows: rows.map { .init(id: $0.id, item: $0) })
      })
  }
}
