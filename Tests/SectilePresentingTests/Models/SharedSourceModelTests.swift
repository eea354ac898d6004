import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Synchronization
import Testing

/// One shared source behind several views, and cells that are made only when asked for: what the
/// lighter and the lazy data sources offered.
@Suite(.timeLimit(.minutes(60))) struct SharedSourceModelTests {
  typealias Dish = Menu.Dish

  @Test func twoViewsWithDifferentPresentersSeeTheSameState() throws {
    let source = Menu.source("a: x y=2 | b: z")
    let list = ListViewSimulator<String, String>()
    let table = TerminalTable<String> { _ in }
    let first = Adapter(source: source, presenter: Menu.presenter, target: list)
    let rows = CellPresenter<Dish, TextRow> { dish, _ in [TextCell(dish.id), TextCell(dish.note)] }
    let second = Adapter(source: source, presenter: rows, target: table)
    try source.replace(with: Menu.dishes("b: z=1 x | c: w"))
    #expect(table.lines == ["b", "  z  1", "  x  ", "c", "  w  "])
    #expect(list.contents.sections.map { $0.rows.map(\.item) } == [["z (1)", "x"], ["w"]])
    #expect(list.violations == [])
    #expect(first.contents.version == second.contents.version)
  }

  @Test func severalCellKindsStandInOneSection() throws {
    let list = ListViewSimulator<String, String>()
    let source = Menu.source("a: x banner=ad y")
    let adapter = Adapter(
      source: source, presenter: PresenterAdapterModelTests.presenter, target: list)
    #expect(list.contents.sections[0].rows.map(\.item) == ["x", "*** banner ***", "y"])
    try source.replace(with: Menu.dishes("a: x banner y=ad"))
    #expect(list.contents.sections[0].rows.map(\.item) == ["x", "banner", "*** y ***"])
    withExtendedLifetime(adapter) {}
  }

  @Test func cellsAreMadeOnlyWhenAskedFor() throws {
    let made = Counter()
    let presenter = CellPresenter<Dish, TextRow> { dish, _ in
      made.add()
      return [TextCell(dish.id)]
    }
    let items = (0..<1000).map { Dish(id: "\($0)") }
    let source = Menu.Source(name: "many", items: items)
    source.load()
    let table = TerminalTable<String>(on: .screen(width: 80, height: 24)) { _ in }
    let adapter = Adapter(source: source, presenter: presenter, target: table)
    #expect(table.lines.last == "… 978 more")
    #expect(made.count == 23)
    try source.replace(with: items.dropFirst(2))
    #expect(made.count == 25)
    withExtendedLifetime(adapter) {}
  }
}
