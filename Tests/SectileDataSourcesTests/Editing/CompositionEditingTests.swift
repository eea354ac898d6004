import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// Edits of what compositions show, in sections that these decide.
@Suite(.timeLimit(.minutes(60))) struct CompositionEditingTests {
  /// A card that says in which column it is.
  struct Card: Identifiable, Hashable, Sendable {
    let id: String
    var column: Int
  }

  /// A board whose columns are always there; a card that moves changes its column.
  final class Board: DataSource, ItemMoving, ItemInserting, ItemRemoving {
    typealias ItemID = String
    typealias Item = Card

    let name = "board"
    private let contents = LiveContents<String, Card>()
    private let columns: Mutex<[[Card]]>

    /// Creates a board: `a b | c |` has three columns.
    init(_ text: String) {
      let columns = text.split(separator: "|", omittingEmptySubsequences: false).enumerated().map {
        number, part in part.split(separator: " ").map { Card(id: String($0), column: number) }
      }
      self.columns = Mutex(columns)
      events.bind(self)
      contents.submit(Self.sections(columns))
      contents.load()
    }

    private static func sections(_ columns: [[Card]]) -> [LiveContents<String, Card>.Section] {
      columns.enumerated().map { number, cards in
        let header = SourceSection(identity: .integer(Int64(number)), title: "column \(number)")
        return .init(header: header, rows: cards.map { .init(id: $0.id, item: $0) })
      }
    }

    var events: DataSourceEvents<String, Card> { contents.events }
    var snapshot: ContentsSnapshot<String, Card> { contents.snapshot }
    func load() { contents.load() }

    private func edit(_ body: (inout [[Card]]) -> Void) {
      columns.withLock { columns in
        body(&columns)
        contents.submit(Self.sections(columns))
      }
      events.flush()
    }

    func move(from path: ItemPath, to target: ItemPath) throws {
      edit { columns in
        var card = columns[path.section].remove(at: path.item)
        card.column = target.section
        columns[target.section].insert(card, at: target.item)
      }
    }

    func insert(_ item: Card, at path: ItemPath) throws {
      edit { $0[path.section].insert(Card(id: item.id, column: path.section), at: path.item) }
    }

    func remove(at path: ItemPath) throws {
      edit { _ = $0[path.section].remove(at: path.item) }
    }

    var text: String {
      columns.withLock { columns in
        columns.map { $0.map(\.id).joined(separator: " ") }.joined(separator: " | ")
      }
    }
  }

  static func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  private static func code(_ body: () throws -> Void) -> DataSourceError.Code? {
    #expect(throws: DataSourceError.self, performing: body)?.code
  }

  // MARK: - Sections that are worked out

  @Test func movingBetweenPartsThatFilterOneSectionIsRefused() throws {
    let cards = ArrayDataSource(
      name: "cards",
      items: [Card(id: "a", column: 0), Card(id: "b", column: 1), Card(id: "c", column: 0)])
    let columns = ArrayDataSource(
      name: "columns", items: (0..<3).map { Card(id: "column \($0)", column: $0) })
    let list = columns.flatMap(keepsEmptyParts: true) { column in
      cards.filter { $0.column == column.column }
    }
    list.load()
    let before = try cards.snapshot.materialized()
    // Beside a card of another part, behind it, and into a part without cards.
    for target in [Self.path(1, 0), Self.path(1, 1), Self.path(2, 0)] {
      let code = Self.code { try list.moveItem(from: Self.path(0, 0), to: target) }
      #expect(code == .sectionIsWorkedOut)
    }
    #expect(try cards.snapshot.materialized() == before)
    // Inside of a part the place alone decides.
    try list.moveItem(from: Self.path(0, 1), to: Self.path(0, 0))
    #expect(try cards.snapshot.materialized().sections[0].rows.map(\.id) == ["c", "a", "b"])
  }

  @Test func movingBetweenSectionsOfAClosureIsRefused() {
    let board = Board("a b | c d")
    let list = board.sectioned { $0.id < "c" ? "early" : "late" }
    list.load()
    #expect(
      Self.code { try list.moveItem(from: Self.path(0, 0), to: Self.path(1, 0)) }
        == .sectionIsWorkedOut)
    #expect(board.text == "a b | c d")
  }

  @Test func movingGoesWhereTheSourceHasASectionOfItsOwn() throws {
    let board = Board("a b | c | d")
    // Parts of the board by column: the column that a moved card gets is that of its new part.
    let columns = FixedDataSource(
      name: "columns", items: (0..<3).map { Card(id: "\($0)", column: $0) })
    let list = columns.flatMap { column in board.filter { $0.column == column.column } }
    list.load()
    try list.moveItem(from: Self.path(0, 0), to: Self.path(1, 1))
    #expect(board.text == "b | c a | d")
    #expect(list.numberOfItems(in: 1) == 2)
  }

  @Test func movingGoesWherePlacesAloneDecide() throws {
    let board = Board("a b c d")
    let list = board.prefix(2).concatenated(with: board.dropFirst(2))
    list.load()
    try list.moveItem(from: Self.path(0, 0), to: Self.path(1, 1))
    #expect(board.text == "b c a d")
  }

  // MARK: - Sections without items

  typealias Composed = @Sendable (Board) -> any DataSource

  static let compositions: [Composed] = [
    { $0.mapSections { $0 } }, { $0.map(\.id) }, { $0.sorted { $0.id < $1.id } },
    { $0.filter(keepsEmptySections: true) { $0.id != "x" } },
    { $0.sortedSections(by: { header, _ in header.title }) },
    { $0.inserting(Card(id: "banner", column: 9), at: CompositionEditingTests.path(0, 1)) },
    { AnyDataSource($0).mapSections(counting: { header, _ in header }) },
    { board in
      FixedDataSource(name: "boards", items: [Card(id: "one", column: 0)]).flatMap { _ in board }
    },
  ]

  @Test(arguments: compositions.indices)
  func anEmptySectionTakesAMovedItem(_ number: Int) throws {
    let board = Board("a b | x |")
    let list = Self.compositions[number](board)
    try list.load()
    try list.moveItem(from: Self.path(0, 0), to: Self.path(2, 0))
    #expect(board.text == "b | x | a")
    try list.insertItem(Card(id: "y", column: 0), at: Self.path(2, 1))
    #expect(board.text == "b | x | a y")
  }

  @Test func anEmptySectionTakesANewItem() throws {
    let board = Board("a b | x |")
    let list = board.filter(keepsEmptySections: true) { $0.id != "x" }
    list.load()
    // Behind what the filter hides.
    try list.insertItem(Card(id: "c", column: 0), at: Self.path(1, 0))
    try list.moveItem(from: Self.path(0, 0), to: Self.path(2, 0))
    #expect(board.text == "b | x c | a")
    #expect(
      Self.code { try list.moveItem(from: Self.path(0, 0), to: Self.path(3, 0)) } == .noSuchPath)
  }

  @Test func aNewItemGoesToTheEndOfASection() throws {
    let board = Board("a b | x |")
    let list = board.filter(keepsEmptySections: true) { $0.id != "b" }
    list.load()
    try list.insertItem(Card(id: "y", column: 0), toSection: .integer(2))
    #expect(board.text == "a b | x | y")
    // Behind what is shown there.
    try list.insertItem(Card(id: "n", column: 2), toSection: .integer(0))
    #expect(board.text == "a n b | x | y")
    try board.insertItem(Card(id: "z", column: 0), toSection: .integer(1))
    #expect(board.text == "a n b | x z | y")
    #expect(
      Self.code { try list.insertItem(Card(id: "q", column: 0), toSection: .integer(3)) }
        == .noSuchSection)
  }

  @Test func aPathThatIsNotThereTakesNoNewItem() {
    let board = Board("a b | x |")
    let list = board.filter(keepsEmptySections: true) { $0.id != "x" }
    list.load()
    let paths = [(3, 0), (3, 1), (-1, 0), (0, -1), (0, 4), (2, -1), (2, 1)]
    for (section, item) in paths {
      let path = Self.path(section, item)
      #expect(
        Self.code { try list.insertItem(Card(id: "n", column: 0), at: path) } == .noSuchPath,
        "\(path)")
    }
    // It shows no section at all.
    let empty = ArrayDataSource<Card>(name: "none", items: []).filter { _ in true }
    empty.load()
    #expect(
      Self.code { try empty.insertItem(Card(id: "n", column: 0), at: Self.path(0, 0)) }
        == .noSuchPath)
    #expect(board.text == "a b | x | ")
  }

  @Test func aReversedListHasItsEmptySectionsToo() throws {
    let board = Board("a b | |c")
    let list = board.reversed()
    list.load()
    try list.moveItem(from: Self.path(2, 0), to: Self.path(1, 0))
    #expect(board.text == "a | b | c")
  }

  @Test func anEmptySectionOfAnotherSourceIsRefused() {
    let (left, right) = (Board("a"), Board("b |"))
    let list = left.concatenated(with: right)
    list.load()
    #expect(
      Self.code { try list.moveItem(from: Self.path(0, 0), to: Self.path(2, 0)) }
        == .differentSources)
  }

  // MARK: - Filters and sections

  @Test func aFilterKeepsEmptySectionsWhereThatIsSaid() throws {
    let board = Board("a b | c |")
    let recorder = ChangeRecorder<String, Card>()
    let list = board.filter(keepsEmptySections: true) { $0.id > "a" }
    list.delegate = recorder
    list.load()
    #expect(list.sections.map(\.title) == ["column 0", "column 1", "column 2"])
    try board.move(from: Self.path(1, 0), to: Self.path(2, 0))
    #expect(list.numberOfSections == 3)
    #expect(list.numberOfItems(in: 1) == 0)
    #expect(recorder.changesets.last?.sectionDeletes.isEmpty == true)
    #expect(recorder.verify(against: list) == [])
    let searched = board.filter { $0.id > "a" }
    searched.load()
    #expect(searched.sections.map(\.title) == ["column 0", "column 2"])
  }
}
