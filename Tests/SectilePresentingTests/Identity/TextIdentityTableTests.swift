import SectileCore
import SectileDataSources
import SectilePresenting
import Testing

/// Items of texts that Swift calls equal, on screens.
@Suite(.timeLimit(.minutes(60))) struct TextIdentityTableTests {
  struct Entry: Identifiable, Equatable, Sendable {
    let id: String
    var grade: Int
  }

  private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

  private static func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }

  @Test func tableShowsTheCellOfEachItem() throws {
    let (one, other) = (Entry(id: Self.composed, grade: 1), Entry(id: Self.decomposed, grade: 2))
    let source = ArrayDataSource<Entry>(name: "entries", items: [one, other])
    source.load()
    let presenter = CellPresenter<Entry, TextRow> { entry, _ in [TextCell(entry.grade)] }
    let table = TerminalTable<String> { _ in }
    let adapter = Adapter(source: source, presenter: presenter, target: table)
    #expect(table.lines == ["1", "2"])
    try source.replace(at: Self.path(1), with: Entry(id: Self.decomposed, grade: 3))
    #expect(table.lines == ["1", "3"])
    adapter.refresh([Self.composed, Self.decomposed])
    #expect(table.lines == ["1", "3"])
  }
}
