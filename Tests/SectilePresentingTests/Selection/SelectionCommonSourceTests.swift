import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Synchronization
import Testing

/// A row that a commit takes from one place of a list to another stays selected.
@Suite(.timeLimit(.minutes(60))) struct SelectionCommonSourceTests {
  typealias Dish = Menu.Dish

  /// Dishes that are not sold, then those that are.
  private static func split(
    _ source: Menu.Source
  ) -> ComposedDataSource<AnyItemID, Dish> {
    source.filter { $0.note.isEmpty }.concatenated(with: source.filter { !$0.note.isEmpty })
  }

  @Test func rowThatGoesFromOneFilterToTheOtherStaysSelected() throws {
    let source = Menu.source("a: x y z=sold")
    let list = Self.split(source)
    list.load()
    let selection = Selection(of: list)
    let told = Mutex<[SelectionChange<AnyItemID>]>([])
    let token = selection.observe { change in told.withLock { $0.append(change) } }
    let (before, after) = (AnyItemID("x", ofSource: 0), AnyItemID("x", ofSource: 1))
    selection.select([before, AnyItemID("y", ofSource: 0)])
    try source.replace(with: Menu.dishes("a: x=sold y z=sold"))
    #expect(selection.ids == [after, AnyItemID("y", ofSource: 0)])
    #expect(try selection.items.map(\.id) == ["y", "x"])
    #expect(
      told.withLock { $0.last }
        == SelectionChange(selected: [after], deselected: [before], cause: .itemsGone))
    // One that is not in the list any more goes.
    try source.replace(with: Menu.dishes("a: y z=sold"))
    #expect(selection.ids == [AnyItemID("y", ofSource: 0)])
    token.cancel()
  }

  @Test func rowsThatArePushedOverABannerStaySelected() throws {
    let source = ArrayDataSource(name: "dishes", items: ["a", "b", "c", "d"].map { Dish(id: $0) })
    let banner = ArrayDataSource(name: "banner", items: [Dish(id: "banner")])
    let list = AnyDataSource<Dish>.concatenating([
      AnyDataSource(source.prefix(2)), AnyDataSource(banner), AnyDataSource(source.dropFirst(2)),
    ])
    list.load()
    let selection = Selection(of: list, mode: .range(1...2))
    selection.select(at: ItemPath(section: 0, item: 1))
    selection.select(at: ItemPath(section: 2, item: 0))
    #expect(try selection.items.map(\.id) == ["b", "c"])
    try source.insert(Dish(id: "new"), at: ItemPath(section: 0, item: 0))
    #expect(try selection.items.map(\.id) == ["b", "c"])
    #expect(selection.paths == [ItemPath(section: 2, item: 0), ItemPath(section: 2, item: 1)])
    try source.remove(at: ItemPath(section: 0, item: 0))
    #expect(try selection.items.map(\.id) == ["b", "c"])
    // The oldest goes first, still.
    selection.select(at: ItemPath(section: 0, item: 0))
    #expect(try selection.items.map(\.id) == ["a", "c"])
  }

  @Test func rowThatIsSelectedInOneOfTwoPlacesIsNotSelectedInTheOther() throws {
    let source = Menu.source("a: x y")
    let list = source.concatenated(with: source.filter { $0.note.isEmpty })
    list.load()
    let selection = Selection(of: list)
    selection.select(AnyItemID("x", ofSource: 1))
    try source.replace(with: Menu.dishes("a: x=sold y"))
    #expect(selection.isEmpty)
  }

  @Test func rowsOfDifferentSourcesWithOneIdentityAreNotConfused() throws {
    let (first, second) = (Menu.source("a: x"), Menu.source("b: y"))
    let list = first.concatenated(with: second)
    list.load()
    let selection = Selection(of: list)
    selection.select(AnyItemID("x", ofSource: 0))
    try first.replace(with: [])
    try second.replace(with: Menu.dishes("b: x y"))
    #expect(selection.isEmpty)
  }

  @Test func selectionWithAModeForEachSectionTakesTheRowToItsSection() throws {
    let source = Menu.source("a: x y")
    let kinds = source.filter { $0.note.isEmpty }.flattened(title: "here")
      .concatenated(with: source.filter { !$0.note.isEmpty }.flattened(title: "sold"))
    kinds.load()
    let selection = Selection(of: kinds) { _ in .single }
    selection.select(AnyItemID("x", ofSource: 0))
    try source.replace(with: Menu.dishes("a: x=sold y"))
    selection.select(AnyItemID("y", ofSource: 0))
    #expect(selection.ids == [AnyItemID("x", ofSource: 1), AnyItemID("y", ofSource: 0)])
    try source.replace(with: Menu.dishes("a: x=sold y=sold"))
    #expect(selection.count == 2)
    selection.select(AnyItemID("x", ofSource: 1))
    #expect(try selection.items.map(\.id) == ["x", "y"])
  }
}
