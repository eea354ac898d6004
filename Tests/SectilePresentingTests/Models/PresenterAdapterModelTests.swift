import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Testing

/// DRY data sources' presenter and adapter.
@Suite struct PresenterAdapterModelTests {
  typealias Dish = Menu.Dish

  static var presenter: CellPresenter<Dish, String> {
    var presenter = CellPresenter<Dish, String>.choosingKind { dish, _ in
      dish.note == "ad" ? "banner" : "dish"
    }
    presenter.register("dish") { dish, _ in dish.id }
    presenter.register("banner") { dish, _ in "*** \(dish.id) ***" }
    return presenter
  }

  @Test func presenterRegistersCellKinds() throws {
    let contents = Adapter<String, Dish, String>(
      source: Menu.source("a: x sale=ad"), presenter: Self.presenter
    ).contents
    #expect(try contents.kind(at: Menu.path(0, 0)) == "dish")
    #expect(try contents.kind(at: Menu.path(0, 1)) == "banner")
  }

  @Test func presenterMakesACellForAnItemAtAPath() throws {
    let presenter: any Presenter<Dish, String> = CellPresenter { dish, path in "\(dish.id) \(path)"
    }
    #expect(try presenter.cell(for: Dish(id: "x"), at: Menu.path(1, 2)) == "x [1,2]")
  }

  @Test func adapterIsAProviderAndAPresenter() throws {
    let adapter = Adapter<String, Dish, String>(
      source: Menu.source("a: x sale=ad | b: y"), presenter: Self.presenter)
    let contents = adapter.contents
    #expect(contents.numberOfSections == 2)
    #expect(contents.numberOfItems == 3)
    #expect(contents.numberOfItems(in: 0) == 2)
    #expect(try contents.item(at: Menu.path(0, 1)) == "*** sale ***")
    #expect(contents.path(of: "y") == Menu.path(1, 0))
    #expect(contents.id(at: Menu.path(1, 0)) == "y")
    #expect(contents.rank(of: Menu.path(1, 0)) == 2)
    #expect(contents.path(atRank: 2) == Menu.path(1, 0))
    #expect(contents.section(withIdentity: "b") == 1)
  }

  @Test func providerIsReplaceableAlone() throws {
    let list = ListViewSimulator<String, String>()
    let adapter = Adapter(source: Menu.source("a: x y"), presenter: Self.presenter, target: list)
    adapter.source = Menu.source("a: y | c: sale=ad")
    #expect(list.contents.sections.map { $0.rows.map(\.item) } == [["y"], ["*** sale ***"]])
    adapter.replaceSource(with: Menu.source("c: sale=ad x"), isEqual: ==)
    #expect(list.contents.sections.map { $0.rows.map(\.item) } == [["*** sale ***", "x"]])
    #expect(list.violations == [])
  }

  @Test func presenterIsReplaceableAlone() {
    let list = ListViewSimulator<String, String>()
    let source = Menu.source("a: x sale=ad")
    let adapter = Adapter(source: source, presenter: Self.presenter, target: list)
    adapter.presenter = Menu.presenter
    #expect(adapter.source === source)
    #expect(list.contents.sections[0].rows.map(\.item) == ["x", "sale (ad)"])
  }
}
