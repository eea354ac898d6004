import SectileCore
import Testing

@Suite struct SourceSectionTests {
  /// Swift calls them equal.
  private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

  private static func header(
    title: String = "a", indexTitle: String? = "a", footer: String? = nil
  ) -> SourceSection {
    SourceSection(identity: .integer(1), title: title, indexTitle: indexTitle, footer: footer)
  }

  @Test func textsAreComparedByTheirBytes() {
    let (one, two) = (Self.composed, Self.decomposed)
    #expect(one == two)
    #expect(Self.header(title: one) != Self.header(title: two))
    #expect(Self.header(indexTitle: one) != Self.header(indexTitle: two))
    #expect(Self.header(footer: one) != Self.header(footer: two))
    #expect(Self.header(footer: one) != Self.header())
    #expect(Self.header(title: two, footer: one) == Self.header(title: two, footer: one))
  }

  @Test func titleOfOtherBytesIsASectionUpdate() {
    let contents = [Self.composed, Self.decomposed].enumerated().map { version, title in
      SectionedContents<Int, Int>(
        version: version,
        sections: [
          .init(header: Self.header(title: title), rows: [.init(id: 1, item: 1)])
        ])
    }
    let changes = Changeset(from: contents[0], to: contents[1])
    #expect(changes.sectionUpdates.map(\.target) == [0])
    #expect(changes.updates.isEmpty)
  }
}
