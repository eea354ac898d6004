import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Testing

/// How sections of compositions are called where lists are shown and selected from.
@Suite(.timeLimit(.minutes(60))) struct PartSectionTests {
  typealias Dish = Menu.Dish

  /// What a target is shown: each section by its identity and title, then its rows by identity.
  private static func lines<ItemID>(
    _ source: some DataSource<ItemID, Dish>
  ) throws -> [String] {
    let contents = Adapter(source: source, presenter: Menu.presenter).contents
    return try contents.sections.enumerated().map { ordinal, header in
      let rows = try (0..<contents.numberOfItems(in: ordinal)).map { item in
        let path = Menu.path(ordinal, item)
        return " \(IdentityText.text(of: contents.id(at: path)))=\(try contents.item(at: path))"
      }
      return "\(header.identity.label) (\(header.title)):" + rows.joined()
    }
  }

  @Test func sectionOfAConcatenationIsNamedByItsSource() throws {
    let list = Menu.source("soups: miso").concatenated(
      with: ArrayDataSource(name: "sides", items: [Dish(id: "rice")]))
    list.load()
    #expect(try Self.lines(list) == ["0/soups (soups): 0/miso=miso", "1 (): 1/rice=rice"])
  }

  @Test func sectionOfAListIsNamedByItsPart() throws {
    let list = DataSourceList<String, Dish>(name: "menus", keepsEmptyParts: true)
    try list.append(Menu.source("soups: miso"), as: "ada")
    try list.append(
      ArrayDataSource(name: "sides", items: [Dish(id: "rice")]), as: "bob", title: "Bob")
    try list.append(ArrayDataSource(name: "none", items: [Dish]()), as: "eve", title: "Eve")
    list.load()
    #expect(
      try Self.lines(list)
        == ["ada/soups (soups): ada/miso=miso", "bob (Bob): bob/rice=rice", "eve (Eve):"])
  }

  @Test func modesOfSectionsAreSaidByName() throws {
    let list = Menu.source("soups: miso pho").concatenated(with: Menu.source("sides: rice bread"))
    list.load()
    let selection = Selection(of: list) { section in section == "0/soups" ? .single : .multiple }
    for rank in 0..<4 { selection.select(at: list.snapshot.path(atRank: rank)) }
    #expect(
      selection.ids == [
        AnyItemID("pho", ofSource: 0), AnyItemID("rice", ofSource: 1),
        AnyItemID("bread", ofSource: 1),
      ])
  }

  @Test func selectionOfAListFollowsItsParts() throws {
    let list = DataSourceList<String, Dish>(name: "menus")
    try list.append(Menu.source("soups: miso pho"), as: "ada")
    try list.append(Menu.source("soups: miso"), as: "bob")
    list.load()
    let selection = Selection(of: list) { section in
      section == StoredValue(section: "soups", ofPart: "ada") ? .single : .multiple
    }
    selection.select(PartItemID("miso", inPart: "ada"))
    selection.select(PartItemID("pho", inPart: "ada"))
    selection.select(PartItemID("miso", inPart: "bob"))
    #expect(
      selection.ids == [PartItemID("pho", inPart: "ada"), PartItemID("miso", inPart: "bob")])
    try list.move(part: "bob", before: "ada")
    #expect(selection.paths == [Menu.path(0, 0), Menu.path(1, 1)])
    try list.remove(part: "ada")
    #expect(selection.ids == [PartItemID("miso", inPart: "bob")])
  }
}
