import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Testing

/// What an item allows is asked of its own source, through whatever stands before it.
@Suite(.timeLimit(.minutes(10))) struct InteractionTests {
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
    let source = Menu.source("a: x y z | b: w")
    #expect(source.relocation(from: Menu.path(0, 0), to: Menu.path(1, 1))?.to == Menu.path(1, 1))
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
