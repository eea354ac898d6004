import SectileCore
import SectileDataSources
import SectilePresenting
import Testing

@Suite struct CellPresenterTests {
  typealias Dish = Menu.Dish

  static let section = SourceSection(
    identity: "s", title: "soups", indexTitle: "S", footer: "all hot")

  /// Implements nothing but what it must.
  struct Plain: Presenter {
    func cell(for dish: Dish, at path: ItemPath) -> String { dish.id }
  }

  @Test func presenterThatImplementsNothingElseHasDefaults() throws {
    let plain = Plain()
    let dish = Dish(id: "x")
    #expect(plain.kind(of: dish, at: Menu.path(0, 0)) == .standard)
    #expect(try plain.preparedCell(for: dish, at: Menu.path(0, 0)) == "x")
    #expect(plain.attributes(of: dish, at: Menu.path(0, 0)).isEmpty)
    #expect(plain.presented(Self.section) == Self.section)
  }

  @Test func kindsAreChosenPerItem() throws {
    var presenter = CellPresenter<Dish, String>.choosingKind { dish, _ in CellKind(dish.kind) }
    presenter.register("dish") { dish, path in "\(dish.id) at \(path)" }
    presenter.register("banner") { dish, _ in "== \(dish.id) ==" }
    let path = Menu.path(0, 1)
    #expect(try presenter.cell(for: Dish(id: "x"), at: path) == "x at [0,1]")
    #expect(try presenter.cell(for: Dish(id: "new", kind: "banner"), at: path) == "== new ==")
    #expect(presenter.kind(of: Dish(id: "new", kind: "banner"), at: path) == "banner")
    presenter.register("banner") { _, _ in "again" }
    #expect(try presenter.cell(for: Dish(id: "new", kind: "banner"), at: path) == "again")
  }

  @Test func kindThatWasNotRegisteredIsAnError() {
    var presenter = CellPresenter<Dish, String>.choosingKind { dish, _ in CellKind(dish.kind) }
    func error() -> PresentationError? {
      #expect(throws: PresentationError.self) {
        try presenter.cell(for: Dish(id: "x"), at: Menu.path(0, 1))
      }
    }
    #expect(error()?.hint == "Register it with the presenter; it knows: none.")
    presenter.register("b") { _, _ in "" }
    presenter.register("a") { _, _ in "" }
    #expect(error()?.code == .unknownKind)
    #expect(
      error()?.description
        == "The item at [0,1] is to be shown by a cell of kind “dish”, which is unknown. "
        + "Register it with the presenter; it knows: a, b.")
  }

  @Test func preparingIsAStepOfItsOwn() throws {
    let presenter = CellPresenter<Dish, String>(
      make: { dish, _ in dish.id }, prepare: { cell, dish, path in cell += "!" })
    let dish = Dish(id: "x")
    #expect(try presenter.cell(for: dish, at: Menu.path(0, 0)) == "x")
    #expect(try presenter.preparedCell(for: dish, at: Menu.path(0, 0)) == "x!")
  }

  @Test func textsAroundASectionComeFromClosures() {
    var presenter = Menu.presenter
    #expect(presenter.presented(Self.section) == Self.section)
    presenter.makeHeader = { $0.title.uppercased() }
    presenter.makeFooter = { _ in nil }
    presenter.makeIndexTitle = { String($0.title.prefix(2)) }
    #expect(
      presenter.presented(Self.section)
        == SourceSection(identity: "s", title: "SOUPS", indexTitle: "so"))
  }

  @Test func attributesComeFromClosures() {
    var presenter = Menu.presenter
    presenter.setAttribute(.height) { dish, _ in dish.kind == "banner" ? 80 : 44 }
    presenter.setAttribute(.isStarred) { dish, path in dish.note.isEmpty ? nil : path.item == 0 }
    let banner = presenter.attributes(of: Dish(id: "x", kind: "banner"), at: Menu.path(0, 0))
    #expect(banner[.height] == 80)
    #expect(banner[.isStarred] == nil)
    let dish = presenter.attributes(of: Dish(id: "x", note: "!"), at: Menu.path(0, 0))
    #expect(dish[.height] == 44)
    #expect(dish[.isStarred] == true)
  }
}

extension ItemAttributeKey where Value == Bool {
  fileprivate static var isStarred: Self { Self("starred") }
}
