import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Positions worked out without a list, against a list.
@Suite(.timeLimit(.minutes(60))) struct SectionEditsTests {
  private struct Row: Hashable { var section: Int; var key: Int; var id: Int }

  /// Comparing each new section with all before it would take minutes.
  @Test(.timeLimit(.minutes(60))) func manyNewSectionsArePlacedOneBehindTheOther() throws {
    let count = 60_000
    let insertions = (0..<count).map { section in
      SectionEdits.Insertion(
        home: .new(PlanSectionRow(header: header(section), order: UInt64(section))), gap: 0...0)
    }
    let edits = try #require(
      SectionEdits(
        index: emptyIndex(), removed: [],
        insertions: insertions, keepsEmptySections: false))
    #expect(edits.insertedPaths == (0..<count).map { ItemPath(section: $0, item: 0) })
  }

  @Test func sectionWhoseRowsAreNotTogetherIsRefused() {
    let sections = [0, 1, 0].map { section in
      SectionEdits.Insertion(
        home: .new(PlanSectionRow(header: header(section), order: UInt64(section))), gap: 0...0)
    }
    #expect(
      SectionEdits(
        index: emptyIndex(), removed: [], insertions: sections, keepsEmptySections: false) == nil)
  }

  @Test(arguments: [false, true])
  func randomEditsComeToTheSameList(keepsEmptySections: Bool) throws {
    for seed in 0..<3000 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let sectionCount = Int.random(in: 1...4, using: &random)
      func randomRow(_ id: Int) -> Row {
        Row(
          section: Int.random(in: 0..<(keepsEmptySections ? sectionCount : 5), using: &random),
          key: Int.random(in: 0...4, using: &random), id: id)
      }
      func ordered(_ rows: [Row]) -> [Row] {
        rows.sorted { ($0.section, $0.key, $0.id) < ($1.section, $1.key, $1.id) }
      }
      func sections(_ rows: [Row]) -> [Int] {
        keepsEmptySections ? Array(0..<sectionCount) : Set(rows.map(\.section)).sorted()
      }
      let before = ordered((0..<Int.random(in: 0...10, using: &random)).map(randomRow))
      let removed = Set(before.filter { _ in Bool.random(using: &random) })
      let staying = before.filter { !removed.contains($0) }
      // Some of them come back elsewhere, and others are new.
      let ids =
        removed.map(\.id).sorted().filter { _ in Bool.random(using: &random) }
        + (0..<Int.random(in: 0...4, using: &random)).map { 100 + $0 }
      let inserted = ordered(ids.map(randomRow))
      let after = ordered(staying + inserted)

      var builder = SectionedIndexBuilder(blockCapacity: 4)
      var handle: Int32 = 0
      for section in sections(before) {
        builder.appendSection(header(section), order: UInt64(section))
        for _ in before.filter({ $0.section == section }) {
          builder.appendRow(handle)
          handle += 1
        }
      }
      let index = builder.finish()
      func path(of row: Row, in rows: [Row]) -> ItemPath {
        let section = sections(rows).firstIndex(of: row.section) ?? -1
        let item = rows.filter { $0.section == row.section }.firstIndex(of: row) ?? -1
        return ItemPath(section: section, item: item)
      }
      let insertions = inserted.map { row in
        let low = before.lastIndex { staying.contains($0) && isBefore($0, row) }.map { $0 + 1 } ?? 0
        let high = before.firstIndex { staying.contains($0) && isBefore(row, $0) } ?? before.count
        let existing = index.sectionOrdinal(of: .integer(Int64(row.section)))
        return SectionEdits.Insertion(
          home: existing.map { .existing($0) }
            ?? .new(PlanSectionRow(header: header(row.section), order: UInt64(row.section))),
          gap: low...high)
      }
      let edits = try #require(
        SectionEdits(
          index: index, removed: before.filter(removed.contains).map { path(of: $0, in: before) },
          insertions: insertions, keepsEmptySections: keepsEmptySections))
      let paths = inserted.map { path(of: $0, in: after) }
      #expect(edits.insertedPaths == paths, "seed \(seed)")
      for row in staying {
        #expect(
          edits.pathAfter(of: path(of: row, in: before)) == path(of: row, in: after), "seed \(seed)"
        )
      }
      let old = sections(before)
      let new = sections(after)
      let deleted = old.indices.filter { !new.contains(old[$0]) }
      #expect(edits.deletedSections == deleted, "seed \(seed)")
      let created = new.filter { !old.contains($0) }.map { StoredValue.integer(Int64($0)) }
      #expect(edits.newSections.map(\.header.identity) == created, "seed \(seed)")
      for (ordinal, section) in old.enumerated() where new.contains(section) {
        #expect(edits.ordinalAfter(of: ordinal) == new.firstIndex(of: section), "seed \(seed)")
      }
    }
  }

  private func isBefore(_ left: Row, _ right: Row) -> Bool {
    (left.section, left.key, left.id) < (right.section, right.key, right.id)
  }

  private func emptyIndex() -> SectionedIndex {
    var builder = SectionedIndexBuilder(blockCapacity: 4)
    return builder.finish()
  }

  private func header(_ section: Int) -> SourceSection {
    SourceSection(identity: .integer(Int64(section)), title: "\(section)")
  }
}
