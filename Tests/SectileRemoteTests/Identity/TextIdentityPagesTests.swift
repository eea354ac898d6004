import SectileCore
import Testing

@testable import SectileRemote

/// Items of texts that Swift calls equal, in lists that come in pages.
@Suite struct TextIdentityPagesTests {
  struct Entry: Identifiable, Equatable, Sendable {
    let id: String
    var grade: Int
  }

  private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

  private static func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }

  @Test func pagesKeepBothItems() throws {
    let rules = ItemRules<Entry>(isEqual: ==)
    let (one, other) = (Entry(id: Self.composed, grade: 1), Entry(id: Self.decomposed, grade: 2))
    let first = PageMerge(appending: [one, other], to: PagedSnapshot(), rules).snapshot
    #expect(first.numberOfItems == 2)
    #expect(first.path(of: Self.decomposed) == Self.path(1))
    let update = Entry(id: Self.decomposed, grade: 3)
    let second = PageMerge(appending: [update], to: first, rules)
    #expect(second.changes.updates.map(\.target) == [Self.path(1)])
    #expect(try (0..<2).map { try second.snapshot.item(at: Self.path($0)).grade } == [1, 3])
    let replaced = PageMerge(replacing: second.snapshot, with: [other, one], rules)
    #expect(try (0..<2).map { try replaced.snapshot.item(at: Self.path($0)).grade } == [2, 1])
  }

  @Test func ranksKeepBothItems() throws {
    let rules = ItemRules<RemoteListRow<Entry>>(isEqual: ==)
    let (one, other) = (Entry(id: Self.composed, grade: 1), Entry(id: Self.decomposed, grade: 2))
    let first = RankedMerge([(0, one)], total: 4, in: PagedSnapshot(), rules).finish().0
    let (second, _) = RankedMerge([(2, other)], total: 4, in: first, rules).finish()
    #expect(try (0..<4).map { try second.item(at: Self.path($0)).item?.grade } == [1, nil, 2, nil])
    #expect(second.path(of: .item(Self.composed)) == Self.path(0))
    #expect(second.path(of: .item(Self.decomposed)) == Self.path(2))
  }
}
