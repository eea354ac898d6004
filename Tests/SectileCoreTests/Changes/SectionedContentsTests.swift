import SectileCore
import SectileTestSupport
import Testing

@Suite struct SectionedContentsTests {
  @Test func descriptionShowsSectionsAndIdentities() {
    var drawn = contents("A: 1 2 | B: 3")
    #expect(drawn.description == "A:[#1 #2]; B:[#3]")
    drawn.sections[0].header = SourceSection(identity: .null, title: "")
    drawn.sections[1].header = SourceSection(identity: "", title: "")
    #expect(drawn.description == "NULL:[#1 #2]; '':[#3]")
    #expect(TestContents().description == "(empty)")
  }

  @Test func otherVersionIsAnErrorValue() {
    let changes = Changeset(from: contents("A: 1"), to: contents("A: 2", version: 1))
    var later = contents("A: 1", version: 3)
    let error = #expect(throws: ChangesetError.self) { try later.apply(changes) }
    #expect(error?.code == .versionMismatch)
    #expect(error?.message.contains("version 3") == true)
    #expect(error?.hint != nil)
  }

  /// Contents that a changeset does not fit: before, after, and what it is applied to.
  @Test(
    arguments: [
      ("A: 1 2", "A: 1", "A: 1"),
      ("A: 1 2", "A: 1", "A: 1 3"),
      ("A: 1 | B: 2", "A: 1", "A: 1"),
      ("A: 1 2", "A: 1 2 3", "A: 1"),
      ("A: 1 2", "A: 1 2=y", "A: 1"),
      ("A: 1 2", "A: 1 2=y", "A: 2 1"),
      ("A: 1", "A: 1 | B: 2 | C: 3", ""),
      ("A: 1 | B: 2", "B: 2 | A: 1", "A: 1"),
      ("A(x): 1", "A(y): 1", ""),
      ("A: 1 | B: 2", "A: 1 | B: 2 3", "A: 1"),
      // A section goes, and has a row that the changeset does not know.
      ("A: 1 | B: 2", "A: 1", "A: 1 | B: 2 3"),
    ] as [(SectionDiagram, SectionDiagram, SectionDiagram)])
  func changesThatDoNotFitAreErrorValues(
    before: SectionDiagram, after: SectionDiagram, other: SectionDiagram
  ) {
    let changes = Changeset(from: contents(before), to: contents(after, version: 1))
    var target = contents(other)
    let error = #expect(throws: ChangesetError.self) { try target.apply(changes) }
    #expect(error?.code == .inconsistentChanges)
    #expect(target == contents(other))
  }

  @Test func rowsAndCountsAreFound() {
    let drawn = contents("A: 1 2 | B: 3=y")
    #expect(drawn.count == 3)
    #expect(drawn[ItemPath(section: 1, item: 0)] == .init(id: 3, item: "y"))
  }

  @Test func hundredThousandRowsAreAppliedAndCompared() throws {
    var old = TestContents()
    for section in 0..<100 {
      old.sections.append(
        .init(
          header: SourceSection(identity: .integer(Int64(section)), title: ""),
          rows: (0..<1_000).map { .init(id: section * 1_000 + $0, item: "x") }))
    }
    var new = old
    new.version = 1
    var random = SplitMix(seed: 3)
    for _ in 0..<500 {
      let row = new.sections[random.number(below: 100)].rows.remove(at: random.number(below: 900))
      new.sections[random.number(below: 100)].rows.insert(
        .init(id: row.id, item: "y"), at: random.number(below: 900))
    }
    let changes = Changeset(from: old, to: new)
    #expect(changes.moves.count > 450)
    #expect(try old.applying(changes) == new)
  }
}
