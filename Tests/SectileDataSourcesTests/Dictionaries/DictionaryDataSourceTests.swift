import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct DictionaryDataSourceTests {
  struct Food: Identifiable, Hashable, Sendable {
    let id: String
    var grade = 0
  }

  typealias Source = DictionaryDataSource<Food>
  typealias Recorder = ChangeRecorder<String, Food>

  static func foods(_ ids: String...) -> [Food] { ids.map { Food(id: $0) } }

  static func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  static let kitchen = ["fruit": foods("apple", "pear"), "veg": foods("leek")]

  static func draw(_ source: Source) throws -> SectionDiagram {
    try SectionDiagram(of: source) { $0.grade == 0 ? $0.id : "\($0.id)=\($0.grade)" }
  }

  /// Loads a source, changes it, and returns what its last changeset says, in words.
  static func lines(
    _ source: Source = Source(name: "kitchen", items: kitchen), _ change: (Source) throws -> Void
  ) throws -> [String] {
    let recorder = Recorder()
    source.delegate = recorder
    source.load()
    let before = source.sections
    recorder.reset()
    try change(source)
    try recorder.check(against: source)
    #expect(recorder.changesets.count <= 1)
    return recorder.changesets.last?.changeLines(from: before, to: source.sections) ?? []
  }

  @Test(arguments: [[:], kitchen, ["empty": []]])
  func sourceKeepsThePromisesOfDataSource(_ items: [String: [Food]]) async {
    #expect(await checkDataSource(Source(name: "kitchen", items: items)) == [])
    #expect(
      await checkDataSource(Source(name: "kitchen", items: items, keepsEmptySections: true)) == [])
  }

  // MARK: - Order

  @Test func sectionsStandByTitle() throws {
    let source = Source(name: "", items: ["b": Self.foods("x"), "a": Self.foods("y"), "c": []])
    source.load()
    #expect(try Self.draw(source) == "a: y | b: x")
    try source.append(Self.foods("z"), toSection: "aa")
    #expect(try Self.draw(source) == "a: y | aa: z | b: x")
  }

  @Test func sectionsStandInAGivenOrder() throws {
    let items = ["a": Self.foods("1"), "b": Self.foods("2"), "c": Self.foods("3")]
    let orders: [(SectionTitleOrder, SectionDiagram)] = [
      (.byTitleDescending, "c: 3 | b: 2 | a: 1"),
      (.listed(["c", "a"]), "c: 3 | a: 1 | b: 2"),
      (.custom { $0 > $1 }, "c: 3 | b: 2 | a: 1"),
    ]
    for (order, diagram) in orders {
      let source = Source(name: "", items: items, order: order)
      source.load()
      #expect(try Self.draw(source) == diagram)
      // The order holds for a section that comes later, too.
      try source.removeSection("b")
      try source.append(Self.foods("2"), toSection: "b")
      #expect(try Self.draw(source) == diagram)
    }
  }

  // MARK: - Sections

  @Test func replacingTheItemsOfASectionDeliversTheDifference() throws {
    let lines = try Self.lines {
      try $0.setItems(
        [Food(id: "fig"), Food(id: "pear", grade: 2), Food(id: "apple")], inSection: "fruit")
    }
    #expect(lines == ["insert fruit/0", "move fruit/1 → fruit/1 *"])
    #expect(try Self.lines { try $0.setItems([], inSection: "veg") }.first == "delete section veg")
    #expect(
      try Self.lines { try $0.setItems(Self.foods("dill"), inSection: "herbs") }
        == ["insert section herbs", "insert herbs/0"])
    #expect(
      try Self.lines { try $0.setItems(Self.foods("apple", "pear"), inSection: "fruit") } == [])
  }

  @Test func appendingAddsBehindTheLast() throws {
    let lines = try Self.lines { try $0.append(Self.foods("fig", "kiwi"), toSection: "fruit") }
    #expect(lines == ["insert fruit/2", "insert fruit/3"])
    #expect(try Self.lines { try $0.append([], toSection: "herbs") } == [])
  }

  @Test func removingASectionRemovesItsItems() throws {
    #expect(
      try Self.lines { try $0.removeSection("fruit") }
        == ["delete section fruit", "delete fruit/0", "delete fruit/1"])
    #expect(try Self.lines { try $0.removeSection("nothing") } == [])
  }

  @Test func emptySectionsAreKeptOnDemand() throws {
    let source = Source(name: "", items: Self.kitchen, keepsEmptySections: true)
    #expect(
      try Self.lines(source) {
        try $0.batch { edit in
          try edit.setItems([], inSection: "veg")
          try edit.append([], toSection: "herbs")
        }
      } == ["insert section herbs", "delete veg/0"])
    #expect(source["veg"] == [])
    try source.removeSection("veg")
    #expect(source["veg"] == nil)
    #expect(source.sections.map(\.title) == ["fruit", "herbs"])
  }

  @Test func everythingIsReplacedAtOnce() throws {
    let lines = try Self.lines {
      try $0.replace(with: ["veg": Self.foods("leek", "apple")])
    }
    #expect(lines == ["delete section fruit", "delete fruit/1", "move fruit/0 → veg/1"])
  }

  // MARK: - Items

  @Test func itemsAreEditedAtPaths() throws {
    #expect(
      try Self.lines { try $0.insertItem(Food(id: "fig"), at: Self.path(0, 2)) } == [
        "insert fruit/2"
      ])
    #expect(try Self.lines { try $0.removeItem(at: Self.path(0, 0)) } == ["delete fruit/0"])
    #expect(
      try Self.lines { try $0.removeItem(at: Self.path(1, 0)) }
        == ["delete section veg", "delete veg/0"])
    #expect(
      try Self.lines { try $0.replaceItem(at: Self.path(1, 0), with: Food(id: "leek", grade: 1)) }
        == ["update veg/0"])
    #expect(
      try Self.lines { try $0.replaceItem(at: Self.path(1, 0), with: Food(id: "kale")) }
        == ["delete veg/0", "insert veg/0"])
  }

  @Test func itemsMoveBetweenSections() throws {
    #expect(
      try Self.lines { try $0.move(from: Self.path(0, 0), to: Self.path(1, 1)) }
        == ["move fruit/0 → veg/1"])
    // The section that is emptied stays until the item is in its new place.
    #expect(
      try Self.lines(Source(name: "", items: ["a": Self.foods("x"), "b": Self.foods("y")])) {
        try $0.move(from: Self.path(0, 0), to: Self.path(1, 0))
      } == ["delete section a", "move a/0 → b/0"])
    #expect(
      try Self.lines { try $0.move(from: Self.path(0, 0), to: Self.path(0, 1)) }
        == ["move fruit/0 → fruit/1"])
    #expect(try Self.lines { try $0.move(from: Self.path(1, 0), to: Self.path(1, 0)) } == [])
  }

  @Test func whatIsNotThereOrTwiceIsRefused() throws {
    let source = Source(name: "", items: Self.kitchen)
    source.load()
    func code(_ body: () throws -> Void) -> DataSourceError.Code? {
      #expect(throws: DataSourceError.self, performing: body)?.code
    }
    #expect(code { try source.insert(Food(id: "x"), at: Self.path(2, 0)) } == .noSuchPath)
    #expect(code { try source.insert(Food(id: "x"), at: Self.path(0, 3)) } == .noSuchPath)
    #expect(code { try source.remove(at: Self.path(1, 1)) } == .noSuchPath)
    #expect(code { try source.move(from: Self.path(0, 0), to: Self.path(0, 2)) } == .noSuchPath)
    #expect(code { try source.move(from: Self.path(0, 0), to: Self.path(1, -1)) } == .noSuchPath)
    #expect(code { try source.insert(Food(id: "leek"), at: Self.path(0, 0)) } == .duplicateIdentity)
    #expect(
      code { try source.setItems(Self.foods("leek"), inSection: "fruit") } == .duplicateIdentity)
    #expect(
      code { try source.setItems(Self.foods("a", "a"), inSection: "fruit") } == .duplicateIdentity)
    #expect(code { try source.append(Self.foods("pear"), toSection: "q") } == .duplicateIdentity)
    #expect(
      code { try source.replace(at: Self.path(0, 0), with: Food(id: "leek")) }
        == .duplicateIdentity)
    #expect(source.version == 1)
    #expect(try Self.draw(source) == "fruit: apple pear | veg: leek")
  }

  @Test func sourceThatWasRefusedRecoversWhenEverythingIsReplaced() throws {
    let source = Source(name: "", items: ["a": Self.foods("x"), "b": Self.foods("x")])
    let recorder = Recorder()
    source.delegate = recorder
    source.load()
    #expect((recorder.errors.first as? DataSourceError)?.code == .duplicateIdentity)
    #expect(throws: DataSourceError.self) { try source.append(Self.foods("y"), toSection: "a") }
    try source.replace(with: ["a": Self.foods("x")])
    try recorder.check(against: source)
    #expect(try Self.draw(source) == "a: x")
  }

  // MARK: - Against a model

  @Test func randomEditsShowWhatTheModelSays() throws {
    for seed in 0..<1_000 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let keepsEmpty = random.chance(0.3)
      let source = Source(name: "", keepsEmptySections: keepsEmpty)
      let recorder = Recorder()
      source.delegate = recorder
      source.load()
      var model: [String: [Food]] = [:]
      for _ in 0..<10 {
        try source.batch { edit in
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            try Self.change(&model, &edit, keepsEmpty, &random)
          }
        }
        if !keepsEmpty { model = model.filter { !$0.value.isEmpty } }
        let shown = source.snapshot.contents.sections.map { "\($0.header.title): \($0.rows)" }
        let expected = model.sorted { $0.key < $1.key }.map { title, items in
          "\(title): \(items.map { SectionedContents.Row(id: $0.id, item: $0) })"
        }
        try #require(shown == expected, "\(random)")
      }
      #expect(checkSnapshot(source.snapshot) == [], "\(random)")
      try recorder.check(against: source)
    }
  }

  static func change(
    _ model: inout [String: [Food]], _ edit: inout DictionaryEdit<Food>,
    _ keepsEmpty: Bool, _ random: inout SeededRandom
  ) throws {
    let title = ["a", "b", "c"].randomElement(using: &random) ?? "a"
    let used = Set(model.filter { $0.key != title }.values.joined().map(\.id))
    let grade = Int.random(in: 0..<3, using: &random)
    let fresh = (0..<9).map { Food(id: "\($0)", grade: grade) }
      .filter { !used.contains($0.id) }.shuffled(using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let items = Array(fresh.prefix(3))
      model[title] = items
      try edit.setItems(items, inSection: title)
    case 1:
      let present = Set((model[title] ?? []).map(\.id))
      let items = Array(fresh.filter { !present.contains($0.id) }.prefix(2))
      model[title, default: []] += items
      try edit.append(items, toSection: title)
    case 2:
      model[title] = nil
      edit.removeSection(title)
    default:
      guard let item = (model[title] ?? []).randomElement(using: &random),
        let path = edit.path(of: item.id), let offset = model[title]?.firstIndex(of: item),
        let target = model.filter({ !$0.value.isEmpty }).keys.sorted().randomElement(
          using: &random),
        let section = edit.titles.firstIndex(of: target)
      else { return }
      model[title]?.remove(at: offset)
      let place = Int.random(in: 0...(model[target]?.count ?? 0), using: &random)
      model[target]?.insert(item, at: place)
      try edit.move(from: path, to: ItemPath(section: section, item: place))
    }
    if !keepsEmpty { model = model.filter { !$0.value.isEmpty } }
  }
}
