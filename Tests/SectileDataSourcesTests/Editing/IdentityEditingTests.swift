import SectileCore
import SectileDataSources
import Testing

/// Edits by identity, where paths have shifted since somebody looked.
@Suite(.timeLimit(.minutes(60))) struct IdentityEditingTests {
  typealias Food = ArrayDataSourceTests.Food

  /// An item that cannot be compared.
  struct Opaque: Identifiable, Sendable {
    let id: Int
  }

  private static func array(_ ids: String) -> ArrayDataSource<Food> {
    let source = ArrayDataSource(
      name: ids, items: ids.split(separator: " ").map { Food(id: String($0)) })
    source.load()
    return source
  }

  private static func ids(_ source: some DataSource<String, Food>) throws -> String {
    try source.snapshot.materialized().sections.flatMap { $0.rows.map(\.id) }
      .joined(separator: " ")
  }

  private static func code(_ body: () throws -> Void) -> DataSourceError.Code? {
    #expect(throws: DataSourceError.self, performing: body)?.code
  }

  @Test func whatASnapshotShowedIsEditedThroughCompositions() throws {
    let (fruit, veg) = (Self.array("apple fig pear"), Self.array("kale leek"))
    let list = fruit.filter { $0.id != "fig" }.concatenated(with: veg).map(\.id).reversed()
    list.load()
    let shown = list.snapshot
    let paths = (0..<shown.numberOfItems).map { shown.path(atRank: $0) }
    // leek kale | pear apple: everything shifts.
    try fruit.insert(Food(id: "zucchini"), at: ItemPath(section: 0, item: 0))
    try veg.remove(at: ItemPath(section: 0, item: 1))
    #expect(Self.code { try list.removeItem(id: shown.id(at: paths[0])) } == .noSuchItem)
    try list.removeItem(id: shown.id(at: paths[2]))
    try list.replaceItem(id: shown.id(at: paths[1]), with: Food(id: "kale", grade: 5))
    #expect(try Self.ids(fruit) == "zucchini apple fig")
    #expect(try veg.item(at: ItemPath(section: 0, item: 0)).grade == 5)
  }

  @Test func whatAPartShowedIsEdited() throws {
    let (fruit, veg) = (Self.array("apple fig"), Self.array("fig leek"))
    let list = DataSourceList<String, Food>(name: "parts")
    list.load()
    try list.append(fruit, as: "fruit")
    try list.append(veg, as: "veg")
    try list.removeItem(id: PartItemID("fig", inPart: "veg"))
    #expect(try Self.ids(veg) == "leek")
    #expect(try Self.ids(fruit) == "apple fig")
    #expect(Self.code { try list.removeItem(id: PartItemID("fig", inPart: "none")) } == .noSuchItem)
  }

  @Test func whatWasChangedSinceItWasReadStays() throws {
    let fruit = Self.array("apple fig pear")
    let list = fruit.sorted { $0.id > $1.id }
    list.load()
    let read = Food(id: "fig")
    try fruit.replace(
      at: ItemPath(section: 0, item: 1), with: Food(id: "fig", grade: 3))
    #expect(Self.code { try list.removeItem(id: "fig", ifStill: read) } == .itemChanged)
    #expect(
      Self.code { try list.replaceItem(id: "fig", with: Food(id: "fig", grade: 4), ifStill: read) }
        == .itemChanged)
    #expect(
      Self.code { try list.removeItem(id: "fig", ifStill: "text") } == .itemTypeMismatch)
    let now = Food(id: "fig", grade: 3)
    try list.replaceItem(id: "fig", with: Food(id: "date"), ifStill: now)
    #expect(try Self.ids(fruit) == "apple date pear")
    try fruit.remove(id: "date")
    try fruit.replace(id: "pear", with: Food(id: "plum"))
    #expect(try Self.ids(fruit) == "apple plum")
    #expect(Self.code { try fruit.remove(id: "date") } == .noSuchItem)
  }

  @Test func sectionsOfADictionaryAreEditedByIdentity() throws {
    let food = DictionaryDataSource(
      name: "food", items: ["fruit": [Food(id: "apple"), Food(id: "fig")]])
    food.load()
    let list = food.flattened()
    list.load()
    try list.replaceItem(id: "fig", with: Food(id: "fig", grade: 2), ifStill: Food(id: "fig"))
    try list.removeItem(id: "apple")
    #expect(try Self.ids(food) == "fig")
    #expect(Self.code { try list.removeItem(id: "fig", ifStill: Food(id: "fig")) } == .itemChanged)
  }

  @Test func sourcesThatCannotAreNamed() throws {
    let fixed = FixedDataSource(name: "banner", items: [Food(id: "x")])
    fixed.load()
    #expect(Self.code { try fixed.removeItem(id: "x") } == .notSupported)
    #expect(Self.code { try fixed.replaceItem(id: "x", with: Food(id: "x")) } == .notSupported)
    let opaque = ArrayDataSource(name: "opaque", items: [Opaque(id: 1)], isEqual: { _, _ in false })
    opaque.load()
    #expect(Self.code { try opaque.removeItem(id: 1, ifStill: Opaque(id: 1)) } == .notComparable)
    try opaque.removeItem(id: 1)
    #expect(opaque.numberOfItems == 0)
  }

  @Test func aSourceOfOnesOwnIsEditedByIdentity() throws {
    let board = CompositionEditingTests.Board("a b | c |")
    let list = board.filter { $0.id != "a" }
    list.load()
    try list.removeItem(id: "b", ifStill: CompositionEditingTests.Card(id: "b", column: 0))
    #expect(board.text == "a | c | ")
    #expect(
      Self.code {
        try list.removeItem(id: "c", ifStill: CompositionEditingTests.Card(id: "c", column: 0))
      } == .itemChanged)
  }

  @Test func itemsAreMovedByIdentity() throws {
    let (fruit, veg) = (Self.array("apple fig lime pear"), Self.array("kale leek"))
    let list = fruit.filter { $0.id != "fig" }.concatenated(with: veg).reversed()
    list.load()
    // leek kale | pear lime apple
    let shown = list.snapshot
    func id(_ section: Int, _ item: Int) -> AnyItemID {
      shown.id(at: ItemPath(section: section, item: item))
    }
    try fruit.insert(Food(id: "zucchini"), at: ItemPath(section: 0, item: 0))
    try list.moveItem(id: id(1, 0), behind: id(1, 2))
    #expect(try Self.ids(fruit) == "zucchini pear apple fig lime")
    try list.moveItem(id: id(1, 2), before: id(1, 1))
    #expect(try Self.ids(fruit) == "zucchini pear fig lime apple")
    try list.moveItem(id: id(0, 0), behind: id(0, 1), ifStill: Food(id: "leek"))
    #expect(try Self.ids(veg) == "leek kale")
    #expect(Self.code { try list.moveItem(id: id(0, 0), before: id(1, 0)) } == .differentSources)
    #expect(
      Self.code { try list.moveItem(id: id(0, 0), before: id(0, 1), ifStill: Food(id: "oat")) }
        == .itemChanged)
    try veg.remove(id: "kale")
    #expect(Self.code { try list.moveItem(id: id(0, 0), before: id(0, 1)) } == .noSuchItem)
    #expect(Self.code { try list.moveItem(id: id(0, 1), before: id(0, 0)) } == .noSuchItem)
  }

  @Test func itemsAreMovedIntoSectionsByIdentity() throws {
    let board = CompositionEditingTests.Board("a b | c |")
    let list = board.sortedSections(by: { header, _ in header.title }, .descending)
    list.load()
    try list.moveItem(id: "a", toSection: .integer(2))
    try list.moveItem(id: "c", toSection: .integer(2))
    #expect(board.text == "b |  | a c")
    try list.moveItem(id: "c", before: "b")
    try list.moveItem(id: "a", behind: "a")
    #expect(board.text == "c b |  | a")
    #expect(Self.code { try list.moveItem(id: "a", toSection: .text("2")) } == .noSuchSection)
    let fixed = FixedDataSource(name: "banner", items: [Food(id: "x"), Food(id: "y")])
    fixed.load()
    #expect(Self.code { try fixed.moveItem(id: "x", before: "y") } == .notSupported)
  }

  @Test func anEmptyPartTakesANewItem() throws {
    let (fruit, veg) = (Self.array("apple"), Self.array(""))
    let list = DataSourceList<String, Food>(name: "parts", keepsEmptyParts: true)
    list.load()
    try list.append(fruit, as: "fruit")
    try list.append(veg, as: "veg")
    try list.insertItem(Food(id: "leek"), at: ItemPath(section: 1, item: 0))
    #expect(try Self.ids(veg) == "leek")
    try veg.remove(id: "leek")
    let (from, to) = (ItemPath(section: 0, item: 0), ItemPath(section: 1, item: 0))
    #expect(Self.code { try list.moveItem(from: from, to: to) } == .differentSources)
  }
}
