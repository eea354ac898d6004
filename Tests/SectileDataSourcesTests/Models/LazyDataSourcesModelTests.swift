import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// The capabilities of lazy data sources, one by one: a table as a sequence of models and what
/// makes cells of them, put together from parts.
@Suite(.timeLimit(.minutes(60))) struct LazyDataSourcesModelTests {
  struct Story: Identifiable, Hashable, Sendable {
    let id: Int
  }

  /// A model, and what makes a cell of it.
  struct Line: Sendable {
    let text: String
    let kind: String
    let makeCell: @Sendable () -> String
  }

  static func stories(_ ids: Int...) -> ArrayDataSource<Story> {
    ArrayDataSource(name: "stories", items: ids.map { Story(id: $0) })
  }

  static func line(_ story: Story) -> Line {
    Line(text: "story \(story.id)", kind: "story") { "[story \(story.id)]" }
  }

  static func texts<ID>(_ source: some DataSource<ID, Line>) throws -> [String] {
    try source.snapshot.materialized().sections.flatMap { $0.rows.map(\.item.text) }
  }

  @Test func aTableIsASequenceOfModelsAndCellFactories() throws {
    let table = Self.stories(1, 2).map(Self.line)
    table.load()
    #expect(try table[0, 1].makeCell() == "[story 2]")
  }

  @Test func takeSkipAndConcatenate() throws {
    let stories = Self.stories(1, 2, 3, 4, 5)
    let table = stories.prefix(2).concatenated(with: stories.dropFirst(4)).map(Self.line)
    table.load()
    #expect(try Self.texts(table) == ["story 1", "story 2", "story 5"])
    try stories.insert(Story(id: 0), at: ItemPath(section: 0, item: 0))
    #expect(try Self.texts(table) == ["story 0", "story 1", "story 4", "story 5"])
  }

  @Test func aBannerInTheMiddleOfASection() throws {
    let stories = Self.stories(1, 2, 3)
    let banner = Line(text: "banner", kind: "banner") { "[banner]" }
    let table = stories.map(Self.line).inserting(banner, at: ItemPath(section: 0, item: 2))
    let recorder = ChangeRecorder<AnyItemID, Line>()
    table.delegate = recorder
    table.load()
    #expect(try Self.texts(table) == ["story 1", "story 2", "banner", "story 3"])
    recorder.reset()
    try stories.remove(at: ItemPath(section: 0, item: 0))
    #expect(try Self.texts(table) == ["story 2", "story 3", "banner"])
    let changes = try #require(recorder.changesets.first)
    #expect(changes.deletes.map(\.id) == [AnyItemID(1, ofSource: 0)])
    #expect(changes.moves.map(\.id) == [AnyItemID(0, ofSource: 1)])  // The banner, and no story.
  }

  @Test func oneItemOfOneSourceBetweenTwoOfAnother() throws {
    let stories = Self.stories(1, 2, 3)
    let rules = ArrayDataSource(name: "rules", items: (0..<9).map { Story(id: $0) })
    let table = stories.map(Self.line).interleaved(
      with: rules.map { Line(text: "rule \($0.id)", kind: "rule") { "---" } })
    table.load()
    #expect(try Self.texts(table) == ["story 1", "rule 0", "story 2", "rule 1", "story 3"])
    try stories.remove(at: ItemPath(section: 0, item: 1))
    #expect(try Self.texts(table) == ["story 1", "rule 0", "story 3"])
  }

  @Test func severalCellKindsInOneSection() throws {
    let banner = Line(text: "banner", kind: "banner") { "[banner]" }
    let table = Self.stories(1, 2).map(Self.line)
      .inserting(banner, at: ItemPath(section: 0, item: 1))
    table.load()
    let kinds = try table.snapshot.materialized().sections[0].rows.map(\.item.kind)
    #expect(kinds == ["story", "banner", "story"])
  }

  @Test func cellsAreMadeOnlyWhenAskedFor() throws {
    let made = Mutex<[Int]>([])
    let table = Self.stories(1, 2, 3).map { story in
      Line(text: "\(story.id)", kind: "story") {
        made.withLock { $0.append(story.id) }
        return "[\(story.id)]"
      }
    }
    table.load()
    #expect(made.withLock { $0 } == [])
    _ = try table[0, 2].makeCell()
    #expect(made.withLock { $0 } == [3])
  }

  @Test func nobodyTransformsAnIndexPath() throws {
    let (first, second) = (Self.stories(1, 2), Self.stories(3, 4))
    let banner = Line(text: "banner", kind: "banner") { "[banner]" }
    let table = first.map(Self.line).concatenated(with: second.reversed().map(Self.line))
      .flattened().inserting(banner, at: ItemPath(section: 0, item: 1)).dropFirst()
    table.load()
    #expect(try Self.texts(table) == ["banner", "story 2", "story 4", "story 3"])
    let tapped = table.origin(at: ItemPath(section: 0, item: 2))
    #expect(tapped.source === second && tapped.path == ItemPath(section: 0, item: 1))
  }

  @Test func editingReachesTheItemsOwnSource() throws {
    let (first, second) = (Self.stories(1, 2), Self.stories(3, 4))
    let table = first.concatenated(with: second).flattened()
    table.load()
    try table.removeItem(at: ItemPath(section: 0, item: 2))
    #expect(second.numberOfItems == 1)
    #expect(try table.map(Self.line).loaded() == ["story 1", "story 2", "story 4"])
    #expect(throws: DataSourceError.self) {
      try Self.stories(1).map(Self.line).inserting(
        Line(text: "banner", kind: "banner") { "" }, at: ItemPath(section: 0, item: 0)
      ).loaded(removing: ItemPath(section: 0, item: 0))
    }
  }

  @Test func reorderingReachesTheItemsOwnSource() throws {
    let stories = Self.stories(1, 2, 3)
    let table = stories.filter { $0.id != 2 }
    table.load()
    try table.moveItem(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 1))
    #expect(try table.map(Self.line).loaded() == ["story 3", "story 1"])
    let reversed = Self.stories(1, 2, 3)
    let backwards = reversed.reversed()
    backwards.load()
    try backwards.moveItem(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 2))
    #expect(try backwards.map(Self.line).loaded() == ["story 2", "story 1", "story 3"])
  }

  @Test func insertingReachesTheNeighboursSourceAlsoWhereItIsReversed() throws {
    let stories = Self.stories(1, 2, 3)
    let table = stories.reversed()
    table.load()
    try table.insertItem(Story(id: 4), at: ItemPath(section: 0, item: 1))
    #expect(try table.map(Self.line).loaded() == ["story 3", "story 4", "story 2", "story 1"])
    try table.insertItem(Story(id: 5), at: ItemPath(section: 0, item: 4))
    #expect(stories.snapshot.numberOfItems == 5)
    #expect(
      try table.map(Self.line).loaded()
        == ["story 3", "story 4", "story 2", "story 1", "story 5"])
  }
}

extension ComposedDataSource where Item == LazyDataSourcesModelTests.Line {
  /// The texts of all lines, after loading.
  fileprivate func loaded() throws -> [String] {
    load()
    return try LazyDataSourcesModelTests.texts(self)
  }

  fileprivate func loaded(removing path: ItemPath) throws {
    load()
    try removeItem(at: path)
  }
}
