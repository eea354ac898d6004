import SectileCore
import SectileTestSupport
import Testing

@Suite struct ContentsDifferTests {
  /// Worked examples: contents before, contents after, the changeset.
  @Test(
    arguments: [
      ("", "A: 1", "S+ 0 (A), R+ [0,0] #1"),
      ("A: 1 2", "A: 1 3 2", "R+ [0,1] #3"),
      ("B: 1", "A: 2 | B: 1", "S+ 0 (A), R+ [0,0] #2"),
      ("A: 1", "", "S- 0 (A), R- [0,0] #1"),
      ("A: 1 | B: 2", "B: 2", "S- 0 (A), R- [0,0] #1"),
      ("A: 1", "A: 1", ""),
      ("A: 1 2 3 4 5", "A: 2 4 5", "R- [0,0] #1, R- [0,2] #3"),
      ("A: 1 2 3", "A: 5 1 2 4 3", "R+ [0,0] #5, R+ [0,3] #4"),
      ("A: 1 2 3", "A: 2 3 1=y", "R> [0,0]→[0,2] #1*"),
      ("A: 1 2", "A: 2 1=y", "R> [0,0]→[0,1] #1*"),
      ("A: 1 2 3", "A: 1 2=y 3", "R~ [0,1]→[0,1] #2"),
      ("A: 1 2", "A: 3 1 2=y", "R+ [0,0] #3, R~ [0,1]→[0,2] #2"),
      ("A: 1", "A: 2 1=y", "R+ [0,0] #2, R~ [0,0]→[0,1] #1"),
      ("A: 1 | B: 2", "B: 2 1=y", "S- 0 (A), R> [0,0]→[0,1] #1*"),
      ("A: 1 | C: 2", "A: 1 | B: 2=y", "S- 1 (C), S+ 1 (B), R> [1,0]→[1,0] #2*"),
      ("A: 1 | B: 2", "A: 2=y | B: 1=y", "R> [0,0]→[1,0] #1*, R> [1,0]→[0,0] #2*"),
      ("A: 1 | B: 2", "B: 2=y", "S- 0 (A), R- [0,0] #1, R~ [1,0]→[0,0] #2"),
      ("A: 1 | C: 2", "A: 1 | B: 3", "S- 1 (C), S+ 1 (B), R- [1,0] #2, R+ [1,0] #3"),
      ("A: 1 2", "A: 9 2", "R- [0,0] #1, R+ [0,0] #9"),
      ("A: 1", "B: 1=y", "S- 0 (A), S+ 0 (B), R> [0,0]→[0,0] #1*"),
      ("A: 1 2 | B: 3 | C: 4", "B: 3 | C: 4 | A: 1 2=y", "S> 0→2 (A), R~ [0,1]→[2,1] #2"),
      ("R(x): 1 2 | G: 4", "R(y): 1 2 | G: 4", "S~ 0→0 (R)"),
      ("A: 1 2 3", "A: 3 2 1", "R> [0,1]→[0,1] #2, R> [0,2]→[0,0] #3"),
      ("A: 1", "A: | B: 1", "S+ 1 (B), R> [0,0]→[1,0] #1"),
    ] as [(SectionDiagram, SectionDiagram, String)])
  func changesAreTheExpected(
    before: SectionDiagram, after: SectionDiagram, changes: String
  ) {
    let changeset = Changeset(from: contents(before), to: contents(after))
    #expect(changeset.lines.joined(separator: ", ") == changes)
  }

  @Test func onlyTheSectionWhoseOrderChangedMoves() {
    let changeset = Changeset(
      from: contents("1: 1 2 | 2: 3 | 3: 4"), to: contents("2: 3 | 3: 4 | 1: 1 2=y"),
      isEqual: ==, isSectionOrderChanged: { $0 == "1" })
    #expect(changeset.lines == ["S> 0→2 (1)", "R~ [0,1]→[2,1] #2"])
  }

  @Test func orderKeyElsewhereMovesWithoutContentChange() {
    let changeset = Changeset(
      from: contents("A: 1 2 3"), to: contents("A: 2 3 1"), isEqual: ==,
      isOrderKeyChanged: { $0 == 1 })
    #expect(changeset.lines == ["R> [0,0]→[0,2] #1"])
  }

  /// Every pair of arrangements of three rows in two sections, with every set of changed rows.
  @Test func everySmallPairIsReplayedWithTheFewestMoves() throws {
    let all = arrangements(rowCount: 3, sections: ["A", "B"])
    for old in all {
      for target in all {
        for changed in 0..<8 {
          var new = changing(target, changed)
          new.version = 1
          try check(old: old, new: new)
        }
      }
    }
  }

  @Test func everyOrderOfFourRowsHasTheFewestMoves() throws {
    let all = arrangements(rowCount: 4, sections: ["A"])
    for old in all where old.count >= 3 {
      for target in all where target.count >= 3 {
        for changed in [0, 1, 6, 9, 15] {
          var new = changing(target, changed)
          new.version = 1
          try check(old: old, new: new)
        }
      }
    }
  }

  // MARK: - Helpers

  private func changing(_ contents: TestContents, _ changed: Int) -> TestContents {
    var contents = contents
    for section in contents.sections.indices {
      for item in contents.sections[section].rows.indices
      where changed & (1 << (contents.sections[section].rows[item].id - 1)) != 0 {
        contents.sections[section].rows[item].item = "y"
      }
    }
    return contents
  }

  private func check(old: TestContents, new: TestContents) throws {
    let changeset = Changeset(from: old, to: new)
    let replayed = try old.applying(changeset)
    guard replayed == new else {
      Issue.record("\(diagram(old)) → \(diagram(new)): \(changeset) gives \(diagram(replayed))")
      return
    }
    let ids =
      changeset.deletes.map(\.id) + changeset.inserts.map(\.id) + changeset.moves.map(\.id)
      + changeset.updates.map(\.id)
    let movers = changeset.moves.filter {
      old.sections[$0.source.section].header == new.sections[$0.target.section].header
    }.map(\.id)
    let expected = expectedMovers(old: old, new: new)
    guard Set(ids).count == ids.count, Set(movers) == expected else {
      Issue.record("\(diagram(old)) → \(diagram(new)): \(changeset), movers \(expected)")
      return
    }
  }

  /// Tries every set of stationary rows.
  private func expectedMovers(old: TestContents, new: TestContents) -> Set<Int> {
    var movers: Set<Int> = []
    for section in old.sections {
      guard let after = new.sections.first(where: { $0.header == section.header }) else { continue }
      let survivors = section.rows.filter { row in after.rows.contains { $0.id == row.id } }
      let targets = survivors.map { row in after.rows.firstIndex { $0.id == row.id } ?? 0 }
      var changed = survivors.indices.filter { after.rows[targets[$0]].item != survivors[$0].item }
      let fixed = survivors.indices.filter { !changed.contains($0) }
      if fixed.map({ targets[$0] }) != fixed.map({ targets[$0] }).sorted() {
        changed = Array(survivors.indices)
      }
      var best: [Int] = []
      for choice in 0..<(1 << survivors.count) {
        let staying = survivors.indices.filter { choice & (1 << $0) != 0 }
        let kept = staying.map { targets[$0] }
        let isPossible =
          kept == kept.sorted()
          && survivors.indices.allSatisfy { staying.contains($0) || changed.contains($0) }
        guard isPossible else { continue }
        if staying.count > best.count
          || (staying.count == best.count && staying.lexicographicallyPrecedes(best))
        {
          best = staying
        }
      }
      for offset in survivors.indices where !best.contains(offset) {
        movers.insert(survivors[offset].id)
      }
    }
    return movers
  }
}
