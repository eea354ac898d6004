import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

@testable import SectilePresenting

@Suite struct SelectedItemsTests {
  private typealias Items = SelectedItems<Int>

  /// The same by the plainest means: items oldest first, with their groups.
  private struct Model {
    var rows: [(id: Int, group: Int?)] = []

    func ids(of group: Int) -> [Int] { rows.filter { $0.group == group }.map(\.id) }
  }

  private static func group(_ number: Int?) -> SelectionGroup? {
    number.map { .section(.integer(Int64($0))) }
  }

  private func check(_ items: Items, _ model: Model, _ words: String) {
    #expect(items.ids == model.rows.map(\.id), "\(words)")
    #expect(items.count == model.rows.count, "\(words)")
    #expect(items.isEmpty == model.rows.isEmpty, "\(words)")
    for number in 0..<3 {
      let group = SelectionGroup.section(.integer(Int64(number)))
      #expect(items.count(of: group) == model.ids(of: number).count, "\(words)")
      #expect(items.oldest(of: group) == model.ids(of: number).first, "\(words)")
    }
    let ages = model.rows.compactMap { items.age(of: $0.id) }
    #expect(ages.count == model.rows.count && ages == ages.sorted(), "\(words)")
    for row in model.rows {
      #expect(items.group(of: row.id) == Self.group(row.group), "\(words)")
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>) func anyStepsEqualASimpleModel(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var (items, model) = (Items(), Model())
    var (kept, keptModel) = (items, model)
    func anyGroup() -> Int? { random.chance(0.1) ? nil : Int.random(in: 0..<3, using: &random) }
    for step in 0..<120 {
      let id = Int.random(in: 0..<12, using: &random)
      let place = model.rows.firstIndex { $0.id == id }
      let group = anyGroup()
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5 where place == nil:
        items.append(id, to: Self.group(group), version: step)
        model.rows.append((id, group))
        #expect(items.version(of: id) == step)
      case 0..<3:
        items.remove(id)
        if let place { model.rows.remove(at: place) }
      case 3..<9:
        items.move(id, to: Self.group(group))
        if let place { model.rows[place].group = group }
      default:
        var groups: [Int: Int?] = [:]
        for row in model.rows { groups[row.id] = anyGroup() }
        items.regroup { Self.group(groups[$0] ?? nil) }
        for place in model.rows.indices {
          model.rows[place].group = groups[model.rows[place].id] ?? nil
        }
      }
      #expect(items.contains(id) == model.rows.contains { $0.id == id })
      check(items, model, "step \(step), \(random)")
      if step % 20 == 0 {
        check(kept, keptModel, "a copy, step \(step), \(random)")
        (kept, keptModel) = (items, model)
      }
    }
  }
}
