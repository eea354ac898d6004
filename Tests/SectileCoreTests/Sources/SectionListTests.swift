import SectileCore
import Testing

@Suite struct SectionListTests {
  static let sections = (0..<4).map {
    SourceSection(identity: .integer(Int64($0)), title: "section \($0)")
  }

  @Test func listAtHandAndListLookedUpAreEqual() {
    let sections = Self.sections
    let computed = SectionList(count: 4) { sections[$0] }
    #expect(computed == SectionList(sections))
    #expect(Array(computed) == sections)
    #expect(computed != SectionList(count: 3) { sections[$0] })
    #expect(computed[2].title == "section 2")
  }

  @Test func emptyListHasNoSections() {
    let list: SectionList = []
    #expect(list.isEmpty)
    #expect(list == SectionList(count: 0) { _ in Self.sections[0] })
  }
}
