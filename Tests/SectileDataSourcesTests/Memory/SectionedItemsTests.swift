import SectileCore
import SectileTestSupport
import Testing

@testable import SectileDataSources

@Suite(.timeLimit(.minutes(60))) struct SectionedItemsTests {
  typealias Items = SectionedItems<Int, String>
  typealias Section = Items.Section

  static func header(_ title: String) -> SourceSection {
    SourceSection(identity: .text(title), title: title)
  }

  static func items(_ ids: [Int], _ text: (Int) -> String = { "\($0)" }) throws -> Items {
    let rows = ids.map { Items.Row(id: $0, item: text($0)) }
    return try Items([Section(header: header("only"), rows: rows)])
  }

  /// Everything a changeset says, as text.
  static func words(_ changes: Changeset<Int, String>) throws -> [String] {
    let none = SectionList([])
    return try changes.changeLines(from: none, to: none)
      + changes.inserts.map { "insert \($0.id) \(try $0.item)" }
      + changes.moves.map { "move \($0.id) \(try $0.item) \($0.isContentChanged)" }
      + changes.updates.map { "update \($0.id) \(try $0.item)" }
  }

  @Test func twoRowsOfOneIdentityAreRefused() throws {
    let error = #expect(throws: DataSourceError.self) { try Self.items([1, 2, 1]) }
    #expect(error?.code == .duplicateIdentity)
    var items = try Self.items([1, 2])
    #expect(throws: DataSourceError.self) {
      try items.insert(Items.Row(id: 2, item: ""), at: ItemPath(section: 0, item: 0))
    }
    #expect(items.contents(version: 0) == (try Self.items([1, 2]).contents(version: 0)))
  }

  @Test func onlySectionIsComparedAsAllSectionsAre() throws {
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let texts = (0..<12).map { _ in "\(Int.random(in: 0..<2, using: &random))" }
      let before = Array((0..<12).prefix(Int.random(in: 1...12, using: &random)))
      var after = before
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where after.count > 1:
          after.remove(at: Int.random(in: after.indices, using: &random))
        case 1:
          let new = 12 + after.count + Int(seed) * 20 + Int.random(in: 0..<99_999, using: &random)
          if !after.contains(new) {
            after.insert(new, at: Int.random(in: 0...after.count, using: &random))
          }
        default:
          let item = after.remove(at: Int.random(in: after.indices, using: &random))
          after.insert(item, at: Int.random(in: 0...after.count, using: &random))
        }
      }
      let (old, new) = (try Self.items(before), try Self.items(after) { texts[$0 % 12] + "\($0)" })
      let changed = old.changes(to: new, from: 3, isEqual: ==, fingerprint: nil)
      let differ = ContentsDiffer(
        old: old.contents(version: 3), new: new.contents(version: 4), isEqual: ==)
      #expect(try Self.words(changed) == Self.words(differ.changeset()), "\(random)")
      #expect(
        try old.contents(version: 3).applying(changed) == new.contents(version: 4), "\(random)")
    }
  }

  @Test func firstLoadInsertsEverything() throws {
    let items = try Items([
      Section(header: Self.header("a"), rows: [Items.Row(id: 1, item: "x")]),
      Section(header: Self.header("b"), rows: []),
      Section(header: Self.header("c"), rows: [Items.Row(id: 2, item: "y")]),
    ])
    let changes = items.firstLoad(from: 0, fingerprint: nil)
    #expect(
      try SectionedContents<Int, String>().applying(changes) == items.contents(version: 1))
  }

  @Test func sectionsMoveWithTheirRows() throws {
    var edit = ItemsEdit(
      try Items(
        ["a", "b", "c"].enumerated().map { number, title in
          Section(header: Self.header(title), rows: [Items.Row(id: number, item: title)])
        }))
    edit.moveSection(from: 0, to: 2)
    edit.setHeader(SourceSection(identity: .text("b"), title: "B"), ofSection: 0)
    let changes = edit.changes(from: 1, isEqual: ==, fingerprint: nil)
    #expect(changes.sectionMoves.map(\.source) == [0])
    #expect(changes.sectionMoves.map(\.target) == [2])
    #expect(changes.sectionUpdates.map(\.header.title) == ["B"])
    #expect(changes.deletes.isEmpty && changes.inserts.isEmpty && changes.moves.isEmpty)
    #expect(
      try edit.before.contents(version: 1).applying(changes) == edit.items.contents(version: 2))
  }
}
