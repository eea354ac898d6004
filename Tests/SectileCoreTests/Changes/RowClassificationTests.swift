import SectileCore
import Testing

@Suite struct RowClassificationTests {
  private func row(_ source: (Int, Int)?, _ target: (Int, Int)?, _ isChanged: Bool = true)
    -> TouchedRow
  {
    TouchedRow(
      source: source.map { ItemPath(section: $0.0, item: $0.1) },
      target: target.map { ItemPath(section: $0.0, item: $0.1) }, isContentChanged: isChanged)
  }

  @Test func gapsDecideWhoMoved() {
    let kinds = RowClassification(
      [row((0, 1), (0, 3)), row((0, 3), (0, 1)), row((0, 4), (0, 4))],
      sections: SectionCorrespondence())
    #expect(kinds.moves == [0, 1] && kinds.updates == [2])
  }

  @Test func oneRowIsClassifiedLikeMany() {
    let sections = SectionCorrespondence()
    #expect(RowClassification([row((0, 2), (0, 2))], sections: sections).updates == [0])
    #expect(RowClassification([row((0, 2), (0, 2), false)], sections: sections).unchanged == [0])
    #expect(RowClassification([row((0, 2), (0, 3))], sections: sections).moves == [0])
    #expect(RowClassification([row((0, 2), (1, 2))], sections: sections).moves == [0])
    #expect(RowClassification([row((0, 2), nil)], sections: sections).deletes == [0])
    #expect(RowClassification([row(nil, (0, 2))], sections: sections).inserts == [0])
  }

  @Test func numericallyEqualPathsInOtherSectionsAreMoves() {
    let sections = SectionCorrespondence(oldCount: 1, newCount: 1, deleted: [0], inserted: [0])
    #expect(RowClassification([row((0, 0), (0, 0))], sections: sections).moves == [0])
  }

  @Test func listsAreInTheOrderOfAChangeset() {
    let kinds = RowClassification(
      [row((1, 0), nil), row(nil, (1, 1)), row((0, 0), nil), row(nil, (0, 0)), row(nil, nil)],
      sections: SectionCorrespondence())
    #expect(kinds.deletes == [2, 0] && kinds.inserts == [3, 1])
  }
}
