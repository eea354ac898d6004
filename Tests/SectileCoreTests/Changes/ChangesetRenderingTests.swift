import SectileCore
import Testing

/// The renderings of a changeset lead to the same contents as the changeset itself.
@Suite struct ChangesetRenderingTests {
  @Test(arguments: 0..<20)
  func renderingsOfRandomChangesAreReplayed(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    var old = ContentsModel()
    for _ in 0..<50 {
      var new = old
      for _ in 0..<3 { new.mutate(&random) }
      try check(old.changeset(to: new), from: old.contents, to: new.contents)
      old = new
    }
  }

  @Test func renderingsOfEverySmallPairAreReplayed() throws {
    let all = arrangements(rowCount: 3, sections: ["A", "B"])
    for old in all {
      for new in all {
        var new = new
        new.version = 1
        try check(Changeset(from: old, to: new), from: old, to: new)
        new.sections.reverse()
        try check(Changeset(from: old, to: new), from: old, to: new)
      }
    }
  }

  @Test func sequentialStepsSupposeEarlierOnes() {
    let changes = Changeset(
      from: contents("A: 1 | B: 2 3"), to: contents("B: 3 2=y | C: 1 4"))
    #expect(
      changes.sequentialEdits.map(\.description) == [
        "S+ 2 (C)", "R> [0,0]→[2,0] #1", "R> [1,0]→[1,1] #2*", "R+ [2,1] #4", "S- 0 (A)",
      ])
  }

  @Test func stagedDividesMovesThatStrictListsRefuse() {
    let changes = Changeset(
      from: contents("A: 1 | B: 2 | C: 3"), to: contents("C(t): 3=y | B: 2 | D: 1"), isEqual: ==,
      isSectionOrderChanged: { $0 == "C" })
    #expect(
      changes.batches.map(\.lines) == [
        ["S> 2→1 (C)"],
        ["S- 0 (A)", "S+ 2 (D)", "R- [0,0] #1", "R+ [2,0] #1"],
        ["S~ 0→0 (C)", "R~ [0,0]→[0,0] #3"],
      ])
    #expect(changes.batches.map(\.targetVersion) == [0, 0, 0])
  }

  @Test func stagedUpdatesARowThatMovedInABatchOfItsOwn() {
    let changes = Changeset(from: contents("A: 1 2 3"), to: contents("A: 2 3 1=y"))
    #expect(changes.lines == ["R> [0,0]→[0,2] #1*"])
    #expect(changes.batches.map(\.lines) == [["R> [0,0]→[0,2] #1"], ["R~ [0,2]→[0,2] #1"]])
  }

  // MARK: - Helpers

  private func check(
    _ changeset: TestChangeset, from old: TestContents, to new: TestContents
  ) throws {
    var stepped = old
    for edit in changeset.sequentialEdits { try apply(edit, to: &stepped) }
    stepped.version = new.version
    guard stepped == new else {
      Issue.record("\(old) → \(new): \(changeset)\nsteps \(changeset.sequentialEdits)\n\(stepped)")
      return
    }
    var staged = old
    for batch in changeset.batches {
      guard isStrict(batch) else {
        Issue.record("\(old) → \(new): a strict list refuses \(batch)")
        return
      }
      try staged.apply(batch)
    }
    if changeset.isEmpty { staged.version = new.version }
    guard staged == new else {
      Issue.record("\(old) → \(new): \(changeset)\nstaged \(changeset.batches)\n\(staged)")
      return
    }
  }

  private func isStrict(_ batch: TestChangeset) -> Bool {
    let deleted = Set(batch.sectionDeletes.map(\.section))
    let inserted = Set(batch.sectionInserts.map(\.section))
    let isMoving = !batch.sectionMoves.isEmpty
    let hasRows = !(batch.deletes.isEmpty && batch.inserts.isEmpty && batch.moves.isEmpty)
    return !(isMoving && (hasRows || !batch.updates.isEmpty))
      && batch.moves.allSatisfy {
        !deleted.contains($0.source.section) && !inserted.contains($0.target.section)
          && !$0.isContentChanged
      }
  }

  private func apply(
    _ edit: SequentialEdit<Int, String>, to contents: inout TestContents
  ) throws {
    switch edit {
    case .insertSection(let section, let change):
      contents.sections.insert(.init(header: change.header), at: section)
    case .moveSection(let from, let to, _):
      contents.sections.insert(contents.sections.remove(at: from), at: to)
    case .deleteRow(let path, let change):
      let row = contents.sections[path.section].rows.remove(at: path.item)
      #expect(row.id == change.id)
    case .moveRow(let from, let to, let change):
      let row = contents.sections[from.section].rows.remove(at: from.item)
      #expect(row.id == change.id)
      contents.sections[to.section].rows.insert(
        .init(id: row.id, item: try change.item), at: to.item)
    case .insertRow(let path, let change):
      contents.sections[path.section].rows.insert(
        .init(id: change.id, item: try change.item), at: path.item)
    case .deleteSection(let section, _):
      #expect(contents.sections.remove(at: section).rows.isEmpty)
    case .updateRow(let path, let change):
      #expect(contents[path].id == change.id)
      contents.sections[path.section].rows[path.item].item = try change.item
    case .updateSection(let section, let change):
      contents.sections[section].header = change.header
    }
  }
}
