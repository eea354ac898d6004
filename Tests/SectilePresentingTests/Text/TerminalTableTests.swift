import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct TerminalTableTests {
  typealias Dish = Menu.Dish

  static let presenter = CellPresenter<Dish, TextRow> { dish, _ in
    dish.note.isEmpty
      ? [TextCell(dish.id)] : [TextCell(dish.id), TextCell(dish.note, isNumber: true)]
  }

  /// What is written.
  final class Paper: Sendable {
    private let written = Mutex<[String]>([])
    private let failure = Mutex<Bool>(false)

    var texts: [String] { written.withLock { $0 } }

    func refuse(_ refuses: Bool = true) { failure.withLock { $0 = refuses } }

    func write(_ text: String) throws {
      if failure.withLock({ $0 }) { throw Refusal() }
      written.withLock { $0.append(text) }
    }
  }

  @Test func rowsAreAlignedBelowTheTitles() {
    let table = TerminalTable<String>(columns: ["dish", "price"]) { _ in }
    let adapter = Adapter(
      source: Menu.source("soups: 味噌=8 e\u{301}gg=12 | 👍sides: rice=3"),
      presenter: Self.presenter, target: table)
    #expect(
      table.lines == [
        "  dish  price",
        "  ----  -----",
        "soups",
        "  味噌      8",
        "  e\u{301}gg      12",
        "👍sides",
        "  rice      3",
      ])
    withExtendedLifetime(adapter) {}
  }

  @Test func sectionWithoutATitleIsNotIndented() {
    let source = Menu.Source(name: "menu", items: Menu.dishes("a: x y=2"))
    source.load()
    let table = TerminalTable<String> { _ in }
    let adapter = Adapter(source: source, presenter: Self.presenter, target: table)
    #expect(table.lines == ["x", "y  2"])
    withExtendedLifetime(adapter) {}
  }

  @Test func nothingReachesTheTerminalThatItCouldActUpon() {
    let source = Menu.Source(
      name: "menu", items: [Dish(id: "\u{1B}[2J\r\u{202E}", kind: "\u{9B}31m\n", note: "\u{7}")]
    ) { SourceSection(identity: "s", title: $0.kind, footer: "\u{0}end") }
    source.load()
    let paper = Paper()
    let table = TerminalTable<String> { try paper.write($0) }
    let adapter = Adapter(source: source, presenter: Self.presenter, target: table)
    #expect(
      paper.texts == ["\\u{9B}31m\\n\n  \\u{1B}[2J\\r\\u{202E}  \\u{7}\n\\u{0}end\n"])
    withExtendedLifetime(adapter) {}
  }

  @Test func logHoldsATableForEachChange() throws {
    let paper = Paper()
    let source = Menu.source("a: x")
    let adapter = Adapter(
      source: source, presenter: Self.presenter,
      target: TerminalTable<String> { try paper.write($0) })
    try source.replace(with: Menu.dishes("a: x y"))
    #expect(paper.texts == ["a\n  x\n", "a\n  x\n  y\n"])
    withExtendedLifetime(adapter) {}
  }

  @Test func screenIsDrawnOver() throws {
    let paper = Paper()
    let source = Menu.source("section: long-name")
    let table = TerminalTable<String>(on: .screen(width: 9, height: 4)) { try paper.write($0) }
    let adapter = Adapter(source: source, presenter: Self.presenter, target: table)
    try source.replace(with: Menu.dishes("a: x y z"))
    try source.replace(with: [])
    try source.replace(with: Menu.dishes("a: x"))
    #expect(
      paper.texts == [
        "section\n  long-…\n",
        "\u{1B}[2F\u{1B}[Ja\n  x\n… 2 more\n",
        "\u{1B}[3F\u{1B}[J",
        "a\n  x\n",
      ])
    withExtendedLifetime(adapter) {}
  }

  @Test(arguments: 1...8) func tableNeverHasMoreLinesThanThereIsRoom(limit: Int) {
    let table = TerminalTable<String>(columns: ["d"], on: .log(lineLimit: limit)) { _ in }
    let adapter = Adapter(
      source: Menu.source("a: x y | b: z"), presenter: Self.presenter, target: table)
    #expect(table.lines.count == min(limit, 7))
    if limit == 4 { #expect(table.lines.last == "… 3 more") }
    if limit == 5 { #expect(table.lines.suffix(2) == ["  x", "… 2 more"]) }
    withExtendedLifetime(adapter) {}
  }

  @Test func cellsAreMadeForTheRowsThatAreWrittenOnceForEachContents() throws {
    let made = Counter()
    let presenter = CellPresenter<Dish, TextRow> { dish, _ in
      made.add()
      return [TextCell(dish.id + dish.note)]
    }
    let source = Menu.source("a: 1 2 3 4 5 6 7 8 9")
    let table = TerminalTable<String>(on: .log(lineLimit: 4)) { _ in }
    let adapter = Adapter(source: source, presenter: presenter, target: table)
    #expect(made.count == 3, "three lines of rows, one of which makes way for the count")
    #expect(table.lines == ["a", "  1", "  2", "… 7 more"])
    try source.replace(with: Menu.dishes("a: 2 1=b"))
    #expect(table.lines == ["a", "  2", "  1b"])
    #expect(made.count == 4)
    withExtendedLifetime(adapter) {}
  }

  @Test func linesThatWereNeverWrittenAreNotErased() throws {
    let paper = Paper()
    let source = Menu.source("a: x")
    let table = TerminalTable<String>(on: .screen(width: 9, height: 9)) { try paper.write($0) }
    let adapter = Adapter(source: source, presenter: Self.presenter, target: table)
    paper.refuse()
    try source.replace(with: Menu.dishes("a: x y z"))
    #expect(table.lines == ["a", "  x"])
    paper.refuse(false)
    try source.replace(with: Menu.dishes("a: y"))
    #expect(paper.texts == ["a\n  x\n", "\u{1B}[2F\u{1B}[Ja\n  y\n"])
    withExtendedLifetime(adapter) {}
  }

  @Test func tableThatCannotBeWrittenIsWrittenAnewNextTime() throws {
    let paper = Paper()
    let source = Menu.source("a: x")
    let table = TerminalTable<String> { try paper.write($0) }
    let adapter = Adapter(source: source, presenter: Self.presenter, target: table)
    paper.refuse()
    try source.replace(with: Menu.dishes("a: y"))
    #expect(paper.texts == ["a\n  x\n"])
    withExtendedLifetime(adapter) {}
  }
}
