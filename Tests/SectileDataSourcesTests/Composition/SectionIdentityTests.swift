import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

/// What sections are called where several sources stand side by side.
@Suite struct SectionIdentityTests {
  private static let identities: [StoredValue] = [
    .null, 5, "5", "05", "+5", -5, .real(1.5), "1.5", .real(.infinity), "inf", "nan", .real(1e300),
    "", "NULL", "null", "'", "''", "'a'", "it's", "a/b", "/", "0/a", "x'00'", "x'", "x'zz'",
    .blob([0]), .blob([]), .blob([1, 255]), "e\u{301}", "\u{E9}", "'\u{301}", "Grüße", " 5",
    .integer(.max), .integer(.min), .real(0x1p63), "true",
  ]

  @Test(
    arguments: [
      (.null, "1"), ("admin", "1/admin"), (5, "1/5"), ("5", "1/'5'"), (.real(1.5), "1/1.5"),
      (.real(2), "1/2"), ("", "1/''"), ("it's", "1/it's"), ("'", "1/''''"), ("a/b", "1/a/b"),
      (.blob([0, 255]), "1/x'00ff'"), ("NULL", "1/'NULL'"),
    ] as [(StoredValue, StoredValue)])
  func identityIsATextThatPeopleCanRead(_ identity: StoredValue, _ text: StoredValue) {
    #expect(StoredValue(section: identity, ofSource: 1) == text)
  }

  @Test(
    arguments: [
      ("ada", .null, "ada"), ("ada", "today", "ada/today"), ("/var/log", 5, "'/var/log'/5"),
      ("", .null, "''"), ("it's", .null, "it's"), ("'it", .null, "'''it'"),
    ] as [(String, StoredValue, StoredValue)])
  func identityBeginsWithThePart(_ part: String, _ identity: StoredValue, _ text: StoredValue) {
    #expect(StoredValue(section: identity, ofPart: part) == text)
  }

  @Test func partIsPrintedAsItIsDescribed() {
    #expect(StoredValue(ofPart: 7) == "7")
    #expect(StoredValue(ofPart: Int?.some(7)) == "7")
    #expect(StoredValue(section: "x", ofPart: -7) == "-7/x")
  }

  private static func contents(
    _ identities: [StoredValue], from first: Int
  ) -> SectionedContents<Int, Int> {
    SectionedContents(
      sections: identities.enumerated().map { number, identity in
        SectionedContents.Section(
          header: SourceSection(identity: identity, title: ""),
          rows: [SectionedContents.Row(id: first + number, item: 0)])
      })
  }

  @Test func differentSectionsAreCalledDifferentlyAndFound() throws {
    let inputs = (0..<12).map { number in
      ContentsSource(name: "\(number)", Self.contents(Self.identities, from: 0))
    }
    let list = AnyDataSource<Int>.concatenating(inputs.map { AnyDataSource($0) })
    list.load()
    let snapshot = list.snapshot
    #expect(snapshot.numberOfSections == 12 * Self.identities.count)
    #expect(Set(snapshot.sections.map(\.identity)).count == snapshot.numberOfSections)
    for (ordinal, header) in snapshot.sections.enumerated() {
      #expect(snapshot.section(withIdentity: header.identity) == ordinal)
      let (source, place) = ordinal.quotientAndRemainder(dividingBy: Self.identities.count)
      #expect(
        header.identity == StoredValue(section: Self.identities[place], ofSource: source))
    }
    for unknown in [
      "", "x", "01", "01/5", "0/05", "0/+5", "0/5.0", "0/", "0/NULL", "12", "-1", "0/none", "'0'",
      "0/x'0'", "0/'a", 5, .null, .blob([0x30]),
    ] as [StoredValue] {
      #expect(snapshot.section(withIdentity: unknown) == nil, "\(unknown)")
    }
  }

  @Test func differentSectionsOfPartsAreCalledDifferentlyAndFound() throws {
    let parts = ["a", "a/b", "'a'", "", "'", "a'", "'a'/b", "/", "\u{E9}", "e\u{301}", "5", "x"]
    let list = DataSourceList<String, Int>(name: "list", keepsEmptyParts: true)
    for part in parts {
      try list.append(ContentsSource(Self.contents(Self.identities, from: 0)), as: part)
    }
    try list.append(ContentsSource<Int, Int>(), as: "empty")
    list.load()
    let snapshot = list.snapshot
    #expect(snapshot.numberOfSections == parts.count * Self.identities.count + 1)
    #expect(Set(snapshot.sections.map(\.identity)).count == snapshot.numberOfSections)
    for (ordinal, header) in snapshot.sections.enumerated() {
      #expect(snapshot.section(withIdentity: header.identity) == ordinal, "\(header.identity)")
    }
    #expect(snapshot.section(withIdentity: "empty") == snapshot.numberOfSections - 1)
    #expect(snapshot.section(withIdentity: "empty/x") == nil)
    #expect(checkSnapshot(snapshot) == [])
  }
}
