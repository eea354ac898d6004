import SectileCore
import SectileTestSupport
import Testing

@Suite struct ListViewSimulatorTests {
  typealias List = ListViewSimulator<String, SectionDiagram.Item>
  typealias Batch = Changeset<String, SectionDiagram.Item>

  static let before: SectionDiagram = "a: 1 2 3 | b: 4 | c: 5"

  /// Returns what a list that shows ``before`` says about a batch.
  static func judge(_ batch: Batch, expecting counts: [Int]? = nil) -> [String] {
    let list = List(showing: before.contents())
    let violations = list.perform(batch, expecting: counts)
    if !violations.isEmpty { #expect(list.contents == before.contents()) }
    return violations
  }

  static func header(_ name: String) -> SourceSection {
    SourceSection(identity: .text(name), title: name)
  }

  static func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  static func delete(_ id: String, _ section: Int, _ item: Int) -> ItemDelete<String> {
    ItemDelete(path: path(section, item), id: id)
  }

  static func insert(
    _ id: String, _ section: Int, _ item: Int
  ) -> ItemInsert<String, SectionDiagram.Item> {
    ItemInsert(path: path(section, item), id: id, payload: .value(.init(id: id)))
  }

  static func move(
    _ id: String, _ source: ItemPath, _ target: ItemPath, isContentChanged: Bool = false
  ) -> ItemMove<String, SectionDiagram.Item> {
    ItemMove(
      source: source, target: target, id: id, isContentChanged: isContentChanged,
      payload: .value(.init(id: id, contents: "new")))
  }

  static func update(
    _ id: String, _ source: ItemPath, _ target: ItemPath
  ) -> ItemUpdate<String, SectionDiagram.Item> {
    ItemUpdate(
      source: source, target: target, id: id, payload: .value(.init(id: id, contents: "new")))
  }

  static func batch(
    sectionDeletes: [SectionDelete] = [], sectionInserts: ChangeList<SectionInsert> = [],
    sectionMoves: [SectionMove] = [], sectionUpdates: [SectionUpdate] = [],
    deletes: [ItemDelete<String>] = [],
    inserts: ChangeList<ItemInsert<String, SectionDiagram.Item>> = [],
    moves: [ItemMove<String, SectionDiagram.Item>] = [],
    updates: [ItemUpdate<String, SectionDiagram.Item>] = []
  ) -> Batch {
    Batch(
      sourceVersion: 0, targetVersion: 1, sectionDeletes: sectionDeletes,
      sectionInserts: sectionInserts, sectionMoves: sectionMoves, sectionUpdates: sectionUpdates,
      deletes: deletes, inserts: inserts, moves: moves, updates: updates)
  }

  // MARK: - What a list accepts

  @Test(
    arguments: [
      ("a: 1 2 3 | b: 4 | c: 5", "a: 1 3 9 | b: 4 2 | c: 5=x"),
      ("a: 1 2 3", ""),
      ("", "a: 1 | b: 2"),
      ("a: 1 2 | b: 3", "b: 3 1 | a: 2"),
      ("a: 1 | b: 2 | c: 3", "c(new): 3=x 1 | b: 2 | d: 4"),
      ("a: 1 2 3", "a: 3=x 2 1=y"),
    ] as [(SectionDiagram, SectionDiagram)])
  func stagedBatchesAreAccepted(before: SectionDiagram, after: SectionDiagram) {
    let list = List(showing: before.contents())
    let after = after.contents(version: 1)
    let batches = Changeset(from: before.contents(), to: after).batches
    #expect(list.perform(batches, expecting: ContentsSnapshot(after)) == [])
    #expect(list.contents == after)
  }

  @Test func movedRowKeepsTheCellItHad() {
    let list = List(showing: Self.before.contents())
    #expect(
      list.perform(Self.batch(moves: [Self.move("1", Self.path(0, 0), Self.path(1, 1))])) == [])
    #expect(list.contents[Self.path(1, 1)].item == SectionDiagram.Item("1"))
  }

  @Test func batchThatIsNotStagedIsRefused() {
    let after: SectionDiagram = "b: 4 1 | d: 2"
    let list = List(showing: Self.before.contents())
    let violations = list.perform(
      Changeset(from: Self.before.contents(), to: after.contents(version: 1)))
    #expect(
      violations == [
        "the row at [0,0] moves out of a section that is deleted",
        "the row at [0,1] moves out of a section that is deleted",
        "a row moves to [1,0], into a section that is inserted",
      ])
    #expect(list.contents == Self.before.contents())
  }

  // MARK: - The rules, one by one

  @Test func positionsExist() {
    #expect(
      Self.judge(Self.batch(deletes: [Self.delete("9", 0, 3)]))
        == ["the row at [0,3] is deleted, but is not there before the batch"])
    #expect(
      Self.judge(Self.batch(deletes: [Self.delete("2", 0, 0)]))
        == ["the row at [0,0] is deleted as 2, but it is 1"])
    #expect(
      Self.judge(Self.batch(inserts: [Self.insert("9", 3, 0)]))
        == ["a row comes to [3,0], but there is no such section after the batch"])
    #expect(
      Self.judge(Self.batch(sectionDeletes: [SectionDelete(section: 3, header: Self.header("d"))]))
        == ["section 3 is deleted, but there are 3 before the batch"])
    #expect(
      Self.judge(Self.batch(sectionInserts: [SectionInsert(section: 4, header: Self.header("d"))]))
        == ["section 4 is inserted or moved to, but there are 4 after the batch"])
    #expect(
      Self.judge(
        Self.batch(sectionMoves: [SectionMove(source: 0, target: 1, header: Self.header("b"))]))
        == ["section 0 is moved as b, but it is a"])
  }

  @Test func countsAddUp() {
    #expect(
      Self.judge(Self.batch(inserts: [Self.insert("9", 1, 2)]))
        == ["a row comes to [1,2], but its section is shorter after the batch"])
    #expect(
      Self.judge(Self.batch(deletes: [Self.delete("1", 0, 0)]), expecting: [3, 1, 1])
        == ["the batch leads to [2, 1, 1] rows in the sections, but the source has [3, 1, 1]"])
    #expect(Self.judge(Self.batch(deletes: [Self.delete("1", 0, 0)]), expecting: [2, 1, 1]) == [])
  }

  @Test func noPositionIsNamedTwice() {
    #expect(
      Self.judge(Self.batch(deletes: [Self.delete("1", 0, 0), Self.delete("1", 0, 0)]))
        == ["the row at [0,0] is deleted twice"])
    #expect(
      Self.judge(Self.batch(inserts: [Self.insert("8", 1, 0), Self.insert("9", 1, 0)]))
        == ["two rows come to [1,0]"])
    #expect(
      Self.judge(
        Self.batch(
          deletes: [Self.delete("1", 0, 0)],
          moves: [Self.move("1", Self.path(0, 0), Self.path(1, 0))]))
        == ["the row at [0,0] is moved, and deleted or moved again, in one batch"])
    let header = Self.header("b")
    #expect(
      Self.judge(
        Self.batch(
          sectionDeletes: [SectionDelete(section: 1, header: header)],
          sectionMoves: [SectionMove(source: 1, target: 0, header: header)]))
        == ["section 1 is deleted and moved in one batch"])
    #expect(
      Self.judge(
        Self.batch(
          sectionInserts: [
            SectionInsert(section: 0, header: Self.header("d")),
            SectionInsert(section: 0, header: Self.header("e")),
          ]))
        == ["two sections are inserted at, or moved to, 0"])
  }

  @Test func noIdentityIsShownTwice() {
    #expect(
      Self.judge(Self.batch(inserts: [Self.insert("4", 0, 0)]))
        == ["the row 4 is shown twice after the batch"])
    #expect(
      Self.judge(Self.batch(sectionInserts: [SectionInsert(section: 0, header: Self.header("b"))]))
        == ["the section b is shown twice after the batch"])
  }

  @Test func sectionThatMovesHasNoRowChanges() {
    let moves = [SectionMove(source: 0, target: 2, header: Self.header("a"))]
    #expect(Self.judge(Self.batch(sectionMoves: moves)) == [])
    #expect(
      Self.judge(Self.batch(sectionMoves: moves, deletes: [Self.delete("1", 0, 0)]))
        == ["the row at [0,0] changes inside of a section that moves"])
    #expect(
      Self.judge(Self.batch(sectionMoves: moves, inserts: [Self.insert("9", 2, 0)]))
        == ["a row comes to [2,0], inside of a section that moves"])
    #expect(
      Self.judge(
        Self.batch(
          sectionMoves: moves, updates: [Self.update("1", Self.path(0, 0), Self.path(2, 0))]))
        == ["the row at [0,0] changes inside of a section that moves"])
  }

  @Test func rowThatIsUpdatedNeitherMovesNorGoes() {
    let update = Self.update("1", Self.path(0, 0), Self.path(1, 0))
    #expect(
      Self.judge(
        Self.batch(moves: [Self.move("1", Self.path(0, 0), Self.path(1, 0))], updates: [update]))
        == ["the row at [0,0] is updated, and deleted or moved, in one batch"])
    #expect(
      Self.judge(
        Self.batch(
          moves: [Self.move("1", Self.path(0, 0), Self.path(1, 0), isContentChanged: true)]))
        == ["the row at [0,0] is moved and updated in one batch"])
    #expect(
      Self.judge(Self.batch(updates: [Self.update("1", Self.path(0, 0), Self.path(0, 1))]))
        == ["the row 1 is updated at [0,1], but is not there"])
    let header = Self.header("a")
    #expect(
      Self.judge(
        Self.batch(
          sectionMoves: [SectionMove(source: 0, target: 1, header: header)],
          sectionUpdates: [SectionUpdate(source: 0, target: 1, before: header, header: header)]))
        == ["section 0 is updated, and deleted or moved, in one batch"])
  }

  @Test func cellThatCannotBeMadeIsReported() {
    let insert = ItemInsert<String, SectionDiagram.Item>(
      path: Self.path(0, 0), id: "9",
      payload: .deferred { throw NoCell() })
    #expect(
      Self.judge(Self.batch(inserts: [insert])) == ["a cell cannot be made: no cell"])
  }

  @Test func differencesToASnapshotAreNamed() {
    let list = List(showing: Self.before.contents())
    func differences(_ diagram: SectionDiagram) -> [String] {
      list.perform([], expecting: ContentsSnapshot(diagram.contents()))
    }
    #expect(differences(Self.before) == [])
    #expect(
      differences("a: 1") == ["the list shows the sections [\"a\", \"b\", \"c\"], not [\"a\"]"])
    #expect(
      differences("a: 1 2 | b: 4 | c: 5=x") == [
        "section 0 shows the rows [1, 2, 3], not [1, 2]",
        "the cell at [2,0] shows 5, not 5=x",
      ])
  }
}

private struct NoCell: Error, CustomStringConvertible {
  var description: String { "no cell" }
}
