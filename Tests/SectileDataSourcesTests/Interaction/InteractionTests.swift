import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

/// What an item allows is asked of its own source, through whatever stands before it.
@Suite struct InteractionTests {
  @Test func sourceWithoutAPolicyAllowsNothing() {
    let source = Menu.source("a: x y")
    let path = Menu.path(0, 0)
    #expect(!source.canEdit(at: path))
    #expect(!source.canMove(at: path))
    #expect(source.editingKind(at: path) == .none)
    #expect(source.relocation(from: path, to: Menu.path(0, 1)) == nil)
  }

  @Test func policyThatImplementsNothingAllowsEverything() {
    let source = FreeSource(Menu.source("a: x y z"))
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

  @Test func policyDecidesPerItem() {
    let source = StrictSource(Menu.source("a: x y z | b: w"))
    #expect(!source.canEdit(at: Menu.path(0, 0)))
    #expect(!source.canMove(at: Menu.path(0, 0)))
    #expect(source.editingKind(at: Menu.path(0, 0)) == .none)
    #expect(source.canEdit(at: Menu.path(0, 1)))
    #expect(source.editingKind(at: Menu.path(0, 1)) == .insert)
    #expect(source.relocation(from: Menu.path(0, 0), to: Menu.path(0, 1)) == nil)
  }

  @Test func policyDecidesWhereAMoveLands() {
    let source = StrictSource(Menu.source("a: x y z | b: w"))
    let front = source.relocation(from: Menu.path(0, 2), to: Menu.path(0, 0))
    #expect(front?.to == Menu.path(0, 1), "the first place is taken")
    #expect(front?.isAsProposed == false)
    #expect(source.relocation(from: Menu.path(0, 1), to: Menu.path(0, 0)) == nil, "it is there")
    #expect(source.relocation(from: Menu.path(0, 1), to: Menu.path(1, 1))?.to == Menu.path(1, 1))
  }

  @Test(arguments: [(2, 0), (-1, 0), (0, -1), (0, 4), (1, 2)])
  func proposalThatIsNoPlaceIsRefused(section: Int, item: Int) {
    let source = FreeSource(Menu.source("a: x y z | b: w"))
    #expect(source.relocation(from: Menu.path(0, 0), to: Menu.path(section, item)) == nil)
  }

  @Test func questionsReachTheItemsOwnSourceThroughACompositionOfSources() {
    let strict = StrictSource(Menu.source("a: x y z"))
    let free = FreeSource(Menu.source("b: v w"))
    let plain = Menu.source("c: u")
    let list = Stack([strict, free, plain])
    #expect(list.canEdit(at: Menu.path(0, 1)))
    #expect(!list.canEdit(at: Menu.path(0, 0)))
    #expect(list.editingKind(at: Menu.path(1, 1)) == .delete)
    #expect(!list.canMove(at: Menu.path(2, 0)))
    let move = list.relocation(from: Menu.path(1, 0), to: Menu.path(1, 2))
    #expect(move?.source === free)
    #expect(move?.from == Menu.path(0, 0))
    #expect(move?.to == Menu.path(0, 2))
    #expect(list.relocation(from: Menu.path(1, 0), to: Menu.path(0, 1)) == nil, "another source")
  }
}

/// A source that forwards to another one, and says nothing of what its items allow.
class ForwardingSource: DataSource, @unchecked Sendable {
  typealias ItemID = String
  typealias Item = Menu.Dish

  let base: Menu.Source

  init(_ base: Menu.Source) {
    self.base = base
  }

  var name: String { base.name }
  var snapshot: ArrayDataSource<Menu.Dish>.Snapshot { base.snapshot }
  func load() { base.load() }
  func cancel() { base.cancel() }
  var delegate: (any DataSourceDelegate<String, Menu.Dish>)? {
    get { base.delegate }
    set { base.delegate = newValue }
  }
  func observe(
    on delivery: Delivery,
    _ handler: @escaping @Sendable (DataSourceEvent<String, Menu.Dish>) -> Void
  ) -> DataSourceObservation {
    base.observe(on: delivery, handler)
  }
  var changesets: ChangesetSequence<String, Menu.Dish> { base.changesets }
}

/// Adopts the policy as it is.
final class FreeSource: ForwardingSource, ItemPolicy, @unchecked Sendable {}

/// The first item of the first section stays where it is, and can only be added to.
final class StrictSource: ForwardingSource, ItemPolicy, @unchecked Sendable {
  func canEditItem(at path: ItemPath) -> Bool { path != Menu.path(0, 0) }
  func editingKindOfItem(at path: ItemPath) -> EditingKind { .insert }
  func targetOfMove(from source: ItemPath, proposal: ItemPath) -> ItemPath {
    max(proposal, Menu.path(0, 1))
  }
}

/// Sources of one section each, one below the other.
private final class Stack: DataSource, @unchecked Sendable {
  typealias ItemID = String
  typealias Item = Menu.Dish

  let parts: [any DataSource<String, Menu.Dish>]
  let name = "stack"
  private let hub = SourceHub<String, Menu.Dish>()

  init(_ parts: [any DataSource<String, Menu.Dish>]) {
    self.parts = parts
  }

  var snapshot: ContentsSnapshot<String, Menu.Dish> {
    let contents = parts.compactMap { try? $0.snapshot.materialized() }
    return ContentsSnapshot(SectionedContents(version: 1, sections: contents.flatMap(\.sections)))
  }
  func origin(at path: ItemPath) -> ItemOrigin {
    parts[path.section].origin(at: Menu.path(0, path.item))
  }
  func load() {}
  func cancel() {}
  var delegate: (any DataSourceDelegate<String, Menu.Dish>)? {
    get { hub.delegate }
    set { hub.delegate = newValue }
  }
  func observe(
    on delivery: Delivery,
    _ handler: @escaping @Sendable (DataSourceEvent<String, Menu.Dish>) -> Void
  ) -> DataSourceObservation {
    hub.observe(on: delivery, handler)
  }
  var changesets: ChangesetSequence<String, Menu.Dish> { hub.changesets }
}
