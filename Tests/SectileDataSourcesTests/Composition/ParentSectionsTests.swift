import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

/// Sections that are items of another source.
@Suite(.timeLimit(.minutes(60))) struct ParentSectionsTests {
  struct Column: Identifiable, Hashable, Sendable {
    let id: Int
    var name: String
  }

  struct Card: Identifiable, Hashable, Sendable {
    let id: Int
    var name: String
    var column: Int
  }

  private struct Board {
    let columns: ArrayDataSource<Column>
    let cards: ArrayDataSource<Card>
    let board: ComposedDataSource<Int, Card>
    let recorder = ChangeRecorder<Int, Card>()

    init(_ columns: [Column], _ cards: [Card]) {
      self.columns = ArrayDataSource(name: "columns", items: columns)
      self.cards = ArrayDataSource(name: "cards", items: cards) {
        SourceSection(identity: .integer(Int64($0.column)), title: "\($0.column)")
      }
      board = self.cards.sectioned(
        by: { SourceSection(identity: .integer(Int64($0.id)), title: $0.name) }, of: self.columns)
    }

    func load() {
      board.delegate = recorder
      board.load()
    }

    /// The sections, each with its cards.
    func drawing() throws -> [String] {
      try board.snapshot.materialized().sections.map { section in
        ([section.header.title + ":"] + section.rows.map(\.item.name)).joined(separator: " ")
      }
    }
  }

  private func example(isLoaded: Bool = true) throws -> Board {
    let board = Board(
      [Column(id: 2, name: "doing"), Column(id: 1, name: "to do"), Column(id: 3, name: "done")],
      [
        Card(id: 1, name: "paint", column: 1), Card(id: 2, name: "ask", column: 1),
        Card(id: 3, name: "wall", column: 3), Card(id: 4, name: "lost", column: 9),
      ])
    if isLoaded { board.load() }
    board.recorder.reset()
    return board
  }

  @Test func sectionsAreThereWithoutRows() throws {
    let board = try example()
    #expect(try board.drawing() == ["doing:", "to do: paint ask", "done: wall"])
    #expect(board.board.numberOfItems == 3)
    #expect(board.board.path(of: 4) == nil)
    #expect(checkSnapshot(board.board.snapshot) == [])
  }

  @Test func itKeepsThePromisesOfDataSource() async throws {
    let board = try example(isLoaded: false)
    #expect(await checkDataSource(board.board) == [])
  }

  @Test func rowsComeIntoEmptySectionsAndLeaveThemEmpty() throws {
    let board = try example()
    try board.cards.replace(with: [
      Card(id: 1, name: "paint", column: 2), Card(id: 2, name: "ask", column: 1),
      Card(id: 4, name: "lost", column: 9), Card(id: 5, name: "new", column: 2),
    ])
    try board.recorder.expect(["delete 3/0", "insert 2/1", "move 1/0 → 2/0 *"])
    #expect(try board.drawing() == ["doing: paint new", "to do: ask", "done:"])
  }

  @Test func parentsComeGoMoveAndAreRenamed() throws {
    let board = try example()
    try board.columns.move(
      from: ItemPath(section: 0, item: 2), to: ItemPath(section: 0, item: 0))
    try board.recorder.expect(["move section 3 2 → 0"])
    try board.columns.append(Column(id: 9, name: "lost and found"))
    try board.recorder.expect(["insert section 9", "insert 9/0"])
    try board.columns.replace(
      at: ItemPath(section: 0, item: 1), with: Column(id: 2, name: "in hand"))
    try board.recorder.expect(["update section 2 “doing” → “in hand”"])
    try board.columns.remove(at: ItemPath(section: 0, item: 2))
    try board.recorder.expect(["delete section 1", "delete 1/0", "delete 1/1"])
    #expect(try board.drawing() == ["done: wall", "in hand:", "lost and found: lost"])
    try board.recorder.check(against: board.board)
  }

  /// Two parents of one identity: the first counts, and the second follows it.
  @Test func theFirstOfParentsWithOneIdentityCounts() throws {
    let cards = ArrayDataSource(name: "cards", items: [Card(id: 1, name: "a", column: 1)]) {
      SourceSection(identity: .integer(Int64($0.column)), title: "")
    }
    let columns = ArrayDataSource(
      name: "columns", items: ["x", "y", "z"].enumerated().map { Column(id: $0, name: $1) })
    let board = cards.sectioned(
      by: { SourceSection(identity: .integer($0.name == "y" ? 2 : 1), title: $0.name) },
      of: columns)
    let recorder = ChangeRecorder<Int, Card>()
    board.delegate = recorder
    board.load()
    #expect(board.sections.map(\.title) == ["x", "y"])
    try columns.remove(at: ItemPath(section: 0, item: 0))
    #expect(board.sections.map(\.title) == ["y", "z"])
    try recorder.check(against: board)
  }

  /// Two parents whose identities Swift finds equal, and which have other bytes.
  @Test func parentsDifferByTheBytesOfTheirIdentities() throws {
    struct Letter: Identifiable, Hashable {
      let id: String
      var number: Int
    }
    let cards = ArrayDataSource(name: "cards", items: [Card(id: 1, name: "a", column: 1)]) {
      SourceSection(identity: .integer(Int64($0.column)), title: "")
    }
    let letters = ArrayDataSource(
      name: "letters",
      items: [Letter(id: "\u{E9}", number: 1), Letter(id: "e\u{301}", number: 2)])
    let board = cards.sectioned(
      by: { SourceSection(identity: .integer(Int64($0.number)), title: "\($0.number)") },
      of: letters)
    let recorder = ChangeRecorder<Int, Card>()
    board.delegate = recorder
    board.load()
    #expect(board.sections.map(\.title) == ["1", "2"])
    try letters.remove(at: ItemPath(section: 0, item: 1))
    #expect(board.sections.map(\.title) == ["1"])
    try recorder.check(against: board)
  }

  /// One commit that changes parents and rows is one changeset.
  @Test func aCommitOfBothIsOneChangeset() throws {
    let all = ArrayDataSource(
      name: "all",
      items: [
        Card(id: 1, name: "one", column: 0), Card(id: 11, name: "a", column: 1),
        Card(id: 12, name: "b", column: 1),
      ])
    let cards = all.filter { $0.column > 0 }.sectioned {
      SourceSection(identity: .integer(Int64($0.column)), title: "")
    }
    let board = cards.sectioned(
      by: { SourceSection(identity: .integer(Int64($0.id)), title: $0.name) },
      of: all.filter { $0.column == 0 })
    let recorder = ChangeRecorder<Int, Card>()
    board.delegate = recorder
    board.load()
    recorder.reset()
    try all.replace(with: [
      Card(id: 2, name: "two", column: 0), Card(id: 1, name: "one", column: 0),
      Card(id: 11, name: "a", column: 2), Card(id: 12, name: "b", column: 1),
    ])
    try recorder.expect(["insert section 2", "move 1/0 → 2/0 *"])
    try recorder.check(against: board)
  }

  // MARK: - At random

  @Test(arguments: SeededRandom.batches(debug: 100, release: 1_000))
  func everyChangesetIsExact(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let board = Board(Self.columns(&random), Self.cards(&random))
      board.load()
      for _ in 0..<12 {
        if random.chance(0.4) {
          try board.columns.replace(with: Self.columns(&random))
        } else {
          try board.cards.replace(with: Self.cards(&random))
        }
        let problem = "seed \(seed)"
        #expect(throws: Never.self, "\(problem)") { try board.recorder.check(against: board.board) }
        #expect(checkSnapshot(board.board.snapshot) == [], "\(problem)")
        #expect(try board.drawing() == Self.expected(board), "\(problem)")
      }
    }
  }

  private static func columns(_ random: inout SeededRandom) -> [Column] {
    (0..<6).shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)).map {
      Column(id: $0, name: "\($0)\(["a", "b"].randomElement(using: &random) ?? "")")
    }
  }

  private static func cards(_ random: inout SeededRandom) -> [Card] {
    (0..<12).shuffled(using: &random).prefix(Int.random(in: 0...12, using: &random)).map {
      Card(
        id: $0, name: "\($0)\(Int.random(in: 0..<3, using: &random))",
        column: Int.random(in: 0..<7, using: &random))
    }
  }

  private static func expected(_ board: Board) throws -> [String] {
    let cards = try board.cards.snapshot.materialized().sections.flatMap { $0.rows.map(\.item) }
    return try board.columns.snapshot.materialized().sections.flatMap(\.rows).map { column in
      let names = cards.filter { $0.column == column.item.id }.map(\.name)
      return ([column.item.name + ":"] + names).joined(separator: " ")
    }
  }
}
