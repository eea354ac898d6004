import SectileCore
import Testing

@Suite struct SectionCorrespondenceTests {
  @Test func sectionsThatAreNotListedShift() {
    let sections = SectionCorrespondence(oldCount: 4, newCount: 4, deleted: [1], inserted: [0])
    #expect((0..<4).map { sections.target(of: $0) } == [1, nil, 2, 3])
    #expect((0..<4).map { sections.source(of: $0) } == [nil, 0, 2, 3])
    #expect(sections.moves.isEmpty)
  }

  @Test func onlyEligibleSectionsMove() {
    let sections = SectionCorrespondence(
      oldCount: 3, newCount: 3, eligible: [.init(source: 0, target: 2)])
    #expect(sections.moves == [.init(source: 0, target: 2)])
    #expect((0..<3).map { sections.target(of: $0) } == [2, 0, 1])
    #expect((0..<3).map { sections.source(of: $0) } == [1, 2, 0])
  }

  @Test func earliestOfTwoEligibleStays() {
    let sections = SectionCorrespondence(
      oldCount: 2, newCount: 2,
      eligible: [.init(source: 0, target: 1), .init(source: 1, target: 0)])
    #expect(sections.moves == [.init(source: 1, target: 0)])
    #expect(sections.stationary == [.init(source: 0, target: 1)])
  }
}
