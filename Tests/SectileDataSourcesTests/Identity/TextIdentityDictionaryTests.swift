import SectileCore
import SectileDataSources
import Testing

/// Items of texts that Swift calls equal, in dictionaries.
@Suite(.timeLimit(.minutes(60))) struct TextIdentityDictionaryTests {
  struct Entry: Identifiable, Equatable, Sendable {
    let id: String
    var grade: Int
  }

  private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

  private static func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }

  @Test func sectionsOfADictionaryKeepBothItems() throws {
    let (one, other) = (Entry(id: Self.composed, grade: 1), Entry(id: Self.decomposed, grade: 2))
    let source = DictionaryDataSource<Entry>(name: "entries", items: ["a": [one, other]])
    source.load()
    try source.setItems([other], inSection: "a")
    #expect(source.path(of: Self.composed) == nil && source.path(of: Self.decomposed) != nil)
    try source.append([one], toSection: "b")
    try source.replace(at: Self.path(0), with: Entry(id: "x", grade: 3))
    #expect(source.numberOfItems == 2 && source.path(of: Self.composed) != nil)
  }
}
