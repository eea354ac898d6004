import SectileCore
import SectileTestSupport
import Testing

@Suite struct ChangesetMergingTests {
  @Test(arguments: 0..<20)
  func mergedEqualsTheDirectDifference(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    for _ in 0..<40 {
      var models = [ContentsModel()]
      for _ in 0..<4 { models[0].mutate(&random) }
      for _ in 0..<3 {
        var next = models[models.count - 1]
        next.mutate(&random)
        models.append(next)
      }
      let steps = (0..<3).map { models[$0].changeset(to: models[$0 + 1]) }
      let early = try steps[0].merging(steps[1])
      try check(early, from: models[0], to: models[2], seed)
      try check(early.merging(steps[2]), from: models[0], to: models[3], seed)
      try check(
        steps[0].merging(steps[1].merging(steps[2])), from: models[0], to: models[3], seed)
    }
  }

  /// Every triple of arrangements of two rows in two sections, without fingerprints.
  @Test func everySmallTripleIsReplayed() throws {
    let all = arrangements(rowCount: 2, sections: ["A", "B"])
    for first in all {
      for second in all {
        for third in all {
          var (second, third) = (second, third)
          second.version = 1
          third.version = 2
          let merged = try Changeset(from: first, to: second).merging(
            Changeset(from: second, to: third))
          #expect(try first.applying(merged) == third)
        }
      }
    }
  }

  @Test func insertedAndDeletedIsNothing() throws {
    let merged = try changeset("A: 1", "A: 1 | B: 2").merging(
      changeset("A: 1 | B: 2", "A: 1", version: 1))
    #expect(merged.isEmpty)
    #expect(merged.sourceVersion == 0 && merged.targetVersion == 2)
  }

  @Test func emptiedAndRefilledWithAnotherTitleIsASectionUpdate() throws {
    let merged = try changeset("A(x): 1", "").merging(changeset("", "A(y): 2", version: 1))
    #expect(merged.lines == ["S~ 0→0 (A)", "R- [0,0] #1", "R+ [0,0] #2"])
  }

  @Test func updatedTwiceWithoutFingerprintsIsAnUpdate() throws {
    let merged = try changeset("A: 1", "A: 1=y").merging(changeset("A: 1=y", "A: 1", version: 1))
    #expect(merged.lines == ["R~ [0,0]→[0,0] #1"])
  }

  @Test func otherVersionIsRefused() {
    let changes = changeset("A: 1", "A: 2")
    #expect {
      try changes.merging(changes)
    } throws: {
      ($0 as? ChangesetError)?.code == .versionMismatch
    }
  }

  @Test func changesThatCannotFollowEachOtherAreRefused() {
    #expect {
      try changeset("A: 1", "A: 1 2").merging(changeset("A: 2", "A: 3", version: 1))
    } throws: {
      ($0 as? ChangesetError)?.code == .inconsistentChanges
    }
  }

  // MARK: - Helpers

  private func changeset(
    _ before: SectionDiagram, _ after: SectionDiagram, version: Int = 0
  ) -> TestChangeset {
    Changeset(
      from: contents(before, version: version), to: contents(after, version: version + 1))
  }

  private func check(
    _ merged: TestChangeset, from old: ContentsModel, to new: ContentsModel, _ seed: Int
  ) throws {
    let direct = old.changeset(to: new)
    guard merged.lines == direct.lines else {
      Issue.record(
        """
        seed \(seed): \(old.contents) → \(new.contents)
        merged
        \(merged)
        direct
        \(direct)
        """)
      return
    }
    #expect(try old.contents.applying(merged) == new.contents, "seed \(seed)")
  }
}
