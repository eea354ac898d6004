import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Synchronization
import Testing

/// The adapter pattern's view side: what surrounds the items, what they allow, and choosing them.
@Suite struct AdapterPatternInteractionTests {
  typealias Dish = Menu.Dish

  static let section = SourceSection(identity: "soups", title: "soups", footer: "hot")

  // MARK: - Texts and attributes by closures

  @Test func headerFooterAndIndexTitleComeFromClosures() throws {
    var presenter = Menu.presenter
    presenter.makeHeader = { $0.title.uppercased() }
    presenter.makeFooter = { "end of \($0.title)" }
    presenter.makeIndexTitle = { String($0.title.prefix(1)) }
    let adapter = Adapter(source: Menu.source("soups: miso"), presenter: presenter)
    #expect(
      Array(adapter.contents.sections) == [
        SourceSection(
          identity: "soups", title: "SOUPS", indexTitle: "s", footer: "end of soups")
      ])
  }

  @Test func itemAttributesSuchAsAHeightComeFromAClosure() throws {
    var presenter = Menu.presenter
    presenter.setAttribute(.height) { dish, _ in dish.note.isEmpty ? 44 : 60 }
    let adapter = Adapter(source: Menu.source("soups: miso pho=new"), presenter: presenter)
    #expect(try adapter.contents.attributes(at: Menu.path(0, 0))[.height] == 44)
    #expect(try adapter.contents.attributes(at: Menu.path(0, 1))[.height] == 60)
  }

  // MARK: - What an item allows

  @Test func policyHasSensibleDefaults() {
    let fixed = InteractionTests.fixed("soups: miso")
    #expect(!fixed.canEdit(at: Menu.path(0, 0)))
    #expect(!fixed.canMove(at: Menu.path(0, 0)))
    #expect(fixed.editingKind(at: Menu.path(0, 0)) == .none)
    let array = Menu.source("soups: miso")
    #expect(array.canEdit(at: Menu.path(0, 0)))
    #expect(array.canMove(at: Menu.path(0, 0)))
    #expect(array.editingKind(at: Menu.path(0, 0)) == .delete)
  }

  @Test func sourceSaysWhichEditingKindAndWhereAMoveMayLand() {
    let source = StrictSource(Menu.source("soups: special miso pho"))
    #expect(!source.canEdit(at: Menu.path(0, 0)))
    #expect(source.editingKind(at: Menu.path(0, 1)) == .delete)
    #expect(source.relocation(from: Menu.path(0, 2), to: Menu.path(0, 0))?.to == Menu.path(0, 1))
  }

  // MARK: - Cells and choosing

  @Test func preparingBeforeDisplayIsAStepBesideMakingTheCell() throws {
    let presenter = CellPresenter<Dish, [String]>(
      make: { dish, _ in ["made \(dish.id)"] },
      prepare: { cell, dish, _ in cell.append("prepared \(dish.id)") })
    let target = RecordingTarget<[String]>()
    let adapter = Adapter(source: Menu.source("soups: miso"), presenter: presenter, target: target)
    #expect(target.contents[Menu.path(0, 0)].item == ["made miso", "prepared miso"])
    #expect(
      try adapter.presenter.cell(for: Dish(id: "pho"), at: Menu.path(0, 0)) == ["made pho"])
  }

  @Test func didSelectTellsItemSourceAndPath() throws {
    let source = Menu.source("soups: miso pho")
    let adapter = Adapter<String, Dish, String>(source: source, presenter: Menu.presenter)
    let chosen = Mutex<(id: String, isOfSource: Bool, path: ItemPath)?>(nil)
    adapter.onSelect = { [weak source] dish, origin, path in
      chosen.withLock { $0 = (dish.id, origin.source === source, path) }
    }
    #expect(try adapter.select(at: Menu.path(0, 1)))
    let (id, isOfSource, path) = try #require(chosen.withLock { $0 })
    #expect(id == "pho" && isOfSource && path == Menu.path(0, 1))
  }

  @Test func didSelectCanKeepASelectionThatIsShown() throws {
    let source = Menu.source("soups: miso pho ramen")
    let selection = Selection(of: source, mode: .range(1...2))
    let presenter = CellPresenter<Dish, String> { dish, _ in
      selection.contains(dish.id) ? "✓ \(dish.id)" : dish.id
    }
    let list = ListViewSimulator<String, String>()
    let adapter = Adapter(source: source, presenter: presenter, target: list)
    adapter.onSelect = { dish, _, _ in selection.toggle(dish.id) }
    let token = selection.observe { [weak adapter] change in
      adapter?.refresh(change.selected + change.deselected)
    }
    for item in [0, 1, 2] { try adapter.select(at: Menu.path(0, item)) }
    #expect(list.contents.sections[0].rows.map(\.item) == ["miso", "✓ pho", "✓ ramen"])
    try source.replace(with: Menu.dishes("soups: ramen miso"))
    try adapter.select(at: Menu.path(0, 0))
    #expect(list.contents.sections[0].rows.map(\.item) == ["✓ ramen", "miso"])
    #expect(list.violations == [])
    token.cancel()
  }

  // MARK: - Min…max

  @Test func sectionAllowsMinToMaxSelectedItems() {
    let source = Menu.source("soups: miso pho ramen | sides: rice")
    let selection = Selection(of: source) { $0 == "soups" ? .range(1...2) : .single }
    selection.select(["miso", "pho", "rice"])
    selection.select("ramen")
    #expect(selection.ids == ["pho", "rice", "ramen"], "beyond max the oldest selection goes")
    selection.deselect(["pho", "ramen"])
    #expect(selection.ids == ["rice", "ramen"], "below min nothing is deselected")
    selection.deselect("rice")
    #expect(selection.ids == ["ramen"])
  }
}
