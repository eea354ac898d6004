import SectileTestSupport
import Testing

@testable import SectilePresenting

extension SelectionDraft {
  /// A draft that begins with some items, oldest first.
  init(
    _ ids: [ItemID], group: (ItemID) -> Group?, mode: @escaping (Group) -> SelectionMode
  ) {
    var items = SelectedItems<ItemID>()
    for id in ids { items.append(id, to: group(id), version: 0) }
    self.init(items, version: 1, mode: mode)
  }

  var ids: [ItemID] { items.ids }
}

@Suite struct SelectionDraftTests {
  typealias Draft = SelectionDraft<Int>

  private static func draft(_ ids: [Int] = [], _ mode: SelectionMode) -> Draft {
    Draft(ids, group: { _ in .everything }, mode: { _ in mode })
  }

  @Test func modeOfAGroupIsAskedForOnce() {
    var asked = 0
    var draft = Draft([1, 2], group: { _ in .everything }) { _ in
      asked += 1
      return .single
    }
    for id in 3...6 { draft.select(id, in: .everything) }
    #expect(draft.ids == [6])
    #expect(asked == 1)
  }

  @Test func itemThatIsAboutToLeaveCountsNowhere() {
    var draft = Draft([1, 2], group: { $0 == 1 ? nil : .everything }, mode: { _ in .range(1...2) })
    draft.select(3, in: .everything)
    #expect(draft.ids == [1, 2, 3])
    #expect(draft.count(of: .everything) == 2)
    draft.deselectAll()
    #expect(draft.ids == [2, 3])
  }

  @Test func changeNamesWhatIsDifferentInTheOrderOfSelection() {
    var draft = Self.draft([5, 1, 4, 2], .multiple)
    for id in [2, 5, 1] { draft.deselect(id) }
    for id in [9, 1, 7] { draft.select(id, in: .everything) }
    draft.deselect(9)
    #expect(draft.ids == [4, 1, 7])
    #expect(draft.change == SelectionChange(selected: [7], deselected: [5, 2]))
    // What was deselected in between was selected in the version it was before.
    #expect([1, 4, 7].map { draft.items.version(of: $0) } == [0, 0, 1])
  }

  /// Any steps, against a model that walks arrays.
  @Test(arguments: 0..<50) func draftEqualsASimpleModel(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let minimum = Int.random(in: 0...2, using: &random)
    let maximum = minimum + Int.random(in: 1...3, using: &random)
    var model: [Int] = []
    var draft = Self.draft([], .range(minimum...maximum))
    for _ in 0..<60 {
      let id = Int.random(in: 0..<8, using: &random)
      if random.chance(0.6) {
        draft.select(id, in: .everything)
        if !model.contains(id) { model.append(id) }
        if model.count > maximum { model.removeFirst() }
      } else {
        draft.deselect(id)
        if model.count > minimum { model.removeAll { $0 == id } }
      }
      #expect(draft.ids == model, "\(random)")
      #expect(draft.count(of: .everything) == model.count)
    }
  }
}
