import SectileCore
import SectileDataSources
import Testing

/// Sections by index title, title and identity, of any source.
@Suite struct SectionLookupTests {
  private struct Name: Identifiable, Hashable, Sendable {
    let id: Int
    let text: String
  }

  private static func names(_ texts: String...) -> ArrayDataSource<Name> {
    ArrayDataSource(
      name: "names", items: texts.enumerated().map { Name(id: $0.offset, text: $0.element) }
    ) { name in
      SourceSection(
        identity: .text(name.text), title: name.text,
        indexTitle: name.text.isEmpty ? nil : String(name.text.prefix(1)))
    }
  }

  @Test func sectionsAreFoundByTitlesAndIdentities() {
    let source = Self.names("alma", "anna", "", "bob", "alice")
    source.load()
    // Neighbours share an entry of the index; an entry may come again.
    #expect(source.sectionIndexTitles == ["a", "b", "a"])
    #expect(source.section(forIndexTitle: "b") == 3)
    #expect(source.section(forIndexTitle: "a") == 0)
    #expect(source.section(forIndexTitle: "z") == nil)
    #expect(source.section(withTitle: "anna") == 1)
    #expect(source.section(withTitle: "zoe") == nil)
    #expect(source.section(withIdentity: "alice") == 4)
    #expect(source.section(withIdentity: "zoe") == nil)
    #expect(source.aggregates.isEmpty)
  }

  @Test func compositionsAndSnapshotsFindThemToo() throws {
    let source = Self.names("alma", "anna", "bob")
    let list = source.reversed().mapSections { section in
      SourceSection(identity: section.identity, title: section.title.uppercased())
    }
    let before = list.snapshot
    list.load()
    #expect(before.section(withTitle: "BOB") == nil)
    #expect(list.section(withTitle: "BOB") == 0)
    #expect(list.snapshot.section(withTitle: "ALMA") == 2)
    #expect(list.section(withIdentity: "alma") == 2)
    #expect(list.snapshot.sectionIndexTitles.isEmpty)
    let contents = ContentsSnapshot(try source.snapshot.materialized())
    #expect(contents.sectionIndexTitles == ["a", "b"])
    #expect(contents.section(forIndexTitle: "b") == 2)
  }
}
