import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Testing

/// What an item allows is asked of its own source, through whatever stands before it.
@Suite(.timeLimit(.minutes(60))) struct InteractionTests {
  typealias Dish = Menu.Dish

  static func fixed(_ diagram: SectionDiagram) -> FixedDataSource<Dish> {
    let source = FixedDataSource(name: "fixed", items: Menu.dishes(diagram))
    source.load()
    return source
  }

  // MARK: - Defaults

  @Test func sourceAllowsWhatItCanDo() {
    let source = Menu.source("a: x y z")
    let path = Menu.path(0, 0)
    #expect(source.canEdit(at: path))
    #expect(source.canMove(at: path))
    #expect(source.editingKind(at: path) == .delete)
    let move = source.relocation(from: path, to: Menu.path(0, 2))
    #expect(move?.source === source)
    #expect(move?.from == path)
    #expect(move?.to == Menu.path(0, 2))
    #expect(move?.isAsProposed == true)
  }

  @Test func sourceThatCanDoNothingAllowsNothing() {
    let source = Self.fixed("a: x y")
    let path = Menu.path(0, 0)
    #expect(!source.canEdit(at: path))
    #expect(!source.canMove(at: path))
    #expect(source.editingKind(at: path) == .none)
    #expect(source.relocation(from: path, to: Menu.path(0, 1)) == nil)
  }

  @Test func policyThatImplementsNothingAllowsWhatTheSourceCanDo() {
    let source = FreeSource(Menu.source("a: x y z"))
    #expect(source.canEdit(at: Menu.path(0, 0)))
    #expect(source.canMove(at: Menu.path(0, 0)))
    #expect(source.editingKind(at: Menu.path(0, 0)) == .insert, "it cannot remove")
    #expect(source.relocation(from: Menu.path(0, 0), to: Menu.path(0, 1))?.to == Menu.path(0, 1))
  }

  @Test func nothingIsAllowedWhereThereIsNoItem() {
    let source = Menu.source("a: x")
    for path in [Menu.path(0, 1), Menu.path(1, 0), Menu.path(-1, 0), Menu.path(0, -1)] {
      #expect(!source.canEdit(at: path))
      #expect(!source.canMove(at: path))
      #expect(source.editingKind(at: path) == .none)
      #expect(source.relocation(from: path, to: Menu.path(0, 0)) == nil)
    }
  }

  // MARK: - Policies

  @Test func policyDecidesPerItem() {
    let source = StrictSource(Menu.source("a: x y z | b: w"))
    #expect(!source.canEdit(at: Menu.path(0, 0)))
    #expect(!source.canMove(at: Menu.path(0, 0)))
    #expect(source.editingKind(at: Menu.path(0, 0)) == .none)
    #expect(source.canEdit(at: Menu.path(0, 1)))
    #expect(source.editingKind(at: Menu.path(0, 1)) == .delete)
    #expect(source.relocation(from: Menu.path(0, 0), to: Menu.path(0, 1)) == nil)
  }

  @Test func policyDecidesWhereAMoveLands() throws {
    let source = StrictSource(Menu.source("a: x y z"))
    let front = try #require(source.relocation(from: Menu.path(0, 2), to: Menu.path(0, 0)))
    #expect(front.to == Menu.path(0, 1), "the first place is taken")
    #expect(!front.isAsProposed)
    #expect(source.relocation(from: Menu.path(0, 1), to: Menu.path(0, 0)) == nil, "it is there")
    try front.perform()
    #expect(source.base.path(of: "z") == Menu.path(0, 1))
  }

  @Test(arguments: [(2, 0), (-1, 0), (0, -1), (0, 3), (1, 2), (0, 0)])
  func proposalThatIsNoOtherPlaceIsRefused(section: Int, item: Int) {
    let source = Menu.source("a: x y z | b: w")
    #expect(source.relocation(from: Menu.path(0, 0), to: Menu.path(section, item)) == nil)
  }

  @Test func proposalMayBeThePlaceBehindTheLastItem() {
    let source = DictionaryDataSource(
      name: "menu", items: ["a": Menu.dishes("a: x y z"), "b": Menu.dishes("b: w")])
    source.load()
    let move = source.relocation(from: Menu.path(0, 0), to: Menu.path(1, 1))
    #expect(move?.to == Menu.path(1, 1))
    #expect(move?.isAsProposed == true)
  }

  @Test func sourceThatGroupsItsItemsKeepsEachInItsSection() throws {
    let source = Menu.source("a: x y z | b: w")
    let move = try #require(source.relocation(from: Menu.path(0, 0), to: Menu.path(1, 1)))
    #expect(!move.isAsProposed)
    try move.perform()
    #expect(source.path(of: "x") == Menu.path(0, 2))
    #expect(source.relocation(from: Menu.path(0, 2), to: Menu.path(1, 0)) == nil, "it is there")
  }

  @Test(arguments: ["x y z | w", "x | w v | u", "x", "x w y v", "w x y v u z x2"])
  func moveThatIsAsProposedEndsThereAndNoMoveIsOneThatDoesNothing(_ text: String) throws {
    // Items of two kinds in turn are grouped by them, and stand in another order than they are
    // shown.
    let isGrouped = !text.contains("|")
    let dishes = text.split(separator: "|").enumerated().flatMap { section, names in
      names.split(separator: " ").map { name in
        Menu.Dish(
          id: String(name), kind: isGrouped ? (name < "x" ? "b" : "a") : "\(section)")
      }
    }
    func makeArray() -> Menu.Source {
      let source = Menu.Source(name: "menu", items: dishes) {
        SourceSection(identity: .text($0.kind), title: $0.kind)
      }
      source.load()
      return source
    }
    func makeDictionary() -> DictionaryDataSource<Menu.Dish> {
      let source = DictionaryDataSource(
        name: "menu", items: Dictionary(grouping: dishes, by: \.kind))
      source.load()
      return source
    }
    try expectTrueRelocations(makeArray)
    try expectTrueRelocations(makeDictionary)
    try expectTrueRelocations {
      let list = makeArray().filter { $0.id != "y" }.concatenated(with: Menu.source("q: q"))
      list.load()
      return list
    }
  }

  /// Tries each proposal on a new source.
  private func expectTrueRelocations<Source: DataSource>(_ make: () -> Source) throws {
    let shape = make().snapshot
    let paths = (0..<shape.numberOfSections).flatMap { section in
      (0..<shape.numberOfItems(in: section)).map { Menu.path(section, $0) }
    }
    for source in paths {
      for section in 0..<shape.numberOfSections {
        let count = shape.numberOfItems(in: section)
        for item in 0..<(section == source.section ? count : count + 1) {
          let (list, proposal) = (make(), Menu.path(section, item))
          let id = list.snapshot.id(at: source)
          // In its section: that has another ordinal where one before it goes, or moves.
          func place() -> (StoredValue, Int)? {
            let snapshot = list.snapshot
            return snapshot.path(of: id).map { (snapshot.sections[$0.section].identity, $0.item) }
          }
          func shown() throws -> [[Source.ItemID]] {
            try list.snapshot.materialized().sections.map { $0.rows.map(\.id) }
          }
          let (former, before) = (try #require(place()), try shown())
          let goal = (list.snapshot.sections[section].identity, item)
          guard let move = list.relocation(from: source, to: proposal) else {
            try? list.moveItem(from: source, to: proposal)
            let stays = try #require(place()) == former
            #expect(stays, "\(source) → \(proposal)")
            continue
          }
          try move.perform()
          let isThere = try #require(place()) == goal
          if move.isAsProposed {
            #expect(isThere, "\(source) → \(proposal)")
            #expect(try shown() != before, "\(source) → \(proposal)")
          }
        }
      }
    }
  }

  // MARK: - Closures

  @Test func closureDecidesForEachItem() {
    let dishes = Menu.dishes("a: x y z")
    let array = Menu.Source(
      name: "menu", items: dishes,
      allows: { capability, path, dish in
        capability == .replacing || (dish?.id != "x" && path.item < 3)
      })
    let dictionary = DictionaryDataSource(
      name: "menu", items: ["a": dishes],
      allows: { capability, path, dish in
        capability == .replacing || (dish?.id != "x" && path.item < 3)
      })
    array.load()
    dictionary.load()
    let list = array.concatenated(with: dictionary)
    list.load()
    for section in 0...1 {
      let (x, y) = (Menu.path(section, 0), Menu.path(section, 1))
      #expect(list.canEdit(at: x), "it may be replaced")
      #expect(list.editingKind(at: x) == .none)
      #expect(!list.canMove(at: x))
      #expect(!list.canEdit(.removing, at: x))
      #expect(list.canEdit(.replacing, at: x))
      #expect(list.relocation(from: x, to: y) == nil)
      #expect(list.canMove(at: y))
      #expect(list.editingKind(at: y) == .delete)
    }
    #expect(!array.allows(.inserting, at: Menu.path(0, 3)), "behind the last one")
    #expect(!dictionary.allows(.inserting, at: Menu.path(0, 3)))
  }

  @Test func relocationInASourceThatCannotMoveIsAnError() {
    let fixed = Self.fixed("a: x y")
    #expect(throws: DataSourceError.self) {
      try ItemRelocation(
        source: fixed, from: Menu.path(0, 0), to: Menu.path(0, 1), isAsProposed: true
      ).perform()
    }
  }

  // MARK: - Compositions

  @Test func questionsReachTheItemsOwnSourceThroughACompositionOfSources() throws {
    let strict = StrictSource(Menu.source("a: x y z"))
    let free = Menu.source("b: v w")
    let list = strict.concatenated(with: free.filter { $0.id != "v" })
      .concatenated(with: Self.fixed("c: u"))
    list.load()
    #expect(list.numberOfSections == 3)
    #expect(!list.canEdit(at: Menu.path(0, 0)))
    #expect(list.canEdit(at: Menu.path(0, 1)))
    #expect(list.editingKind(at: Menu.path(1, 0)) == .delete)
    #expect(!list.canMove(at: Menu.path(2, 0)))
    #expect(list.editingKind(at: Menu.path(2, 0)) == .none)
  }

  @Test func moveIsToldInTheTermsOfTheItemsOwnSource() throws {
    let strict = StrictSource(Menu.source("a: x y z"))
    let free = Menu.source("b: hidden u v w")
    let list = free.filter { $0.id != "hidden" }.concatenated(with: strict)
    list.load()
    let move = try #require(list.relocation(from: Menu.path(0, 0), to: Menu.path(0, 2)))
    #expect(move.source === free)
    #expect(move.from == Menu.path(0, 1))
    #expect(move.to == Menu.path(0, 3))
    try move.perform()
    #expect(list.path(of: AnyItemID("u", ofSource: 0)) == Menu.path(0, 2))
    let front = try #require(list.relocation(from: Menu.path(1, 2), to: Menu.path(1, 0)))
    #expect(front.source === strict)
    #expect(front.to == Menu.path(0, 1))
    #expect(list.relocation(from: Menu.path(0, 0), to: Menu.path(1, 1)) == nil, "another source")
  }
}

/// A source that forwards to another one.
class ForwardingSource: DataSource, ItemInserting, ItemMoving, @unchecked Sendable {
  typealias ItemID = String
  typealias Item = Menu.Dish

  let base: Menu.Source

  init(_ base: Menu.Source) {
    self.base = base
  }

  var name: String { base.name }
  var snapshot: Menu.Source.Snapshot { base.snapshot }
  func load() { base.load() }
  func cancel() { base.cancel() }
  var events: DataSourceEvents<String, Menu.Dish> { base.events }
  func insert(_ item: Menu.Dish, at path: ItemPath) throws { try base.insert(item, at: path) }
  func move(from path: ItemPath, to target: ItemPath) throws {
    try base.move(from: path, to: target)
  }
}

/// Adopts the policy as it is.
final class FreeSource: ForwardingSource, ItemPolicy, @unchecked Sendable {}

/// The first item of the first section stays where it is, and stays.
final class StrictSource: ForwardingSource, ItemPolicy, @unchecked Sendable {
  func canEditItem(at path: ItemPath) -> Bool { path != Menu.path(0, 0) }
  func canMoveItem(at path: ItemPath) -> Bool { path != Menu.path(0, 0) }
  func editingKindOfItem(at path: ItemPath) -> EditingKind { .delete }
  func targetOfMove(from source: ItemPath, proposal: ItemPath) -> ItemPath {
    max(proposal, Menu.path(0, 1))
  }
}
