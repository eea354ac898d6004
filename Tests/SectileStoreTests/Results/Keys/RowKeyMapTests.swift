import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// The map between keys and handles, in its three forms and on the way from one to another.
@Suite struct RowKeyMapTests {
  /// Which keys a run draws from.
  enum Keys: CaseIterable {
    case dense
    case queue
    case sparse
    case extreme
    case text
    case mixed

    func draw(_ step: Int, _ random: inout SeededRandom) -> RowKey {
      let near = Int64.random(in: 0...300, using: &random)
      switch self {
      case .dense: return .integer(near + 5000)
      case .queue: return .integer(Int64(step) * 2 + near)
      case .sparse: return .integer(near * 1_000_003 - 150_000_000)
      case .extreme: return .integer(near % 2 == 0 ? .min + near : .max - near)
      case .text: return RowKey([.text("\(near)")])
      case .mixed:
        return step < 1500 || near % 2 == 0 ? .integer(near) : RowKey([.text("\(near)")])
      }
    }
  }

  /// Asked for all at once, the handles are those that are asked for one by one, or nobody is told any.
  private func expectHandlesOfAll(in map: RowKeyMap, _ model: [RowKey: Int32]) {
    var integers = ContiguousArray<Int64>()
    for case .integer(let integer) in model.keys { integers.append(integer) }
    if let handles = map.handles(ofAll: integers) {
      #expect(handles.elementsEqual(integers.map { model[.integer($0)] ?? -1 }))
    }
    let missing = (0...).first { model[.integer($0)] == nil } ?? 0
    #expect(map.handles(ofAll: integers + [missing]) == nil)
  }

  @Test func handlesOfAllAreToldWhereKeysAreDense() {
    var map = RowKeyMap()
    for key in 40..<140 as Range<Int64> { _ = map.insert(.integer(key)) }
    let keys = ContiguousArray((40..<140 as Range<Int64>).reversed())
    #expect(map.handles(ofAll: keys)?.count == 100)
    var seen = SeenHandles()
    let isUnique = seen.insert(all: [3, 0, 64, 199], below: 200)
    #expect(isUnique && seen.contains(199) && !seen.contains(1) && !seen.contains(200))
    let isUniqueAgain = seen.insert(all: [3, 0, 3], below: 200)
    #expect(!isUniqueAgain)
  }

  @Test(arguments: Keys.allCases)
  func everyFormAnswersLikeADictionary(keys: Keys) {
    var random = SeededRandom(seed: 5)
    var map = RowKeyMap()
    var model: [RowKey: Int32] = [:]
    var drawn: Set<RowKey> = []
    var copies: [(map: RowKeyMap, model: [RowKey: Int32])] = []
    for step in 0..<4000 {
      let key = keys.draw(step, &random)
      drawn.insert(key)
      if Int.random(in: 0...4, using: &random) > (step % 1000 < 500 ? 1 : 2) {
        let (handle, isNew) = map.insert(key)
        #expect(isNew == (model[key] == nil))
        #expect(model[key] == nil || model[key] == handle)
        model[key] = handle
      } else if let handle = model.removeValue(forKey: key) {
        map.remove(handle)
      }
      if step % 500 == 0 {
        copies.append((map, model))
        expectHandlesOfAll(in: map, model)
      }
    }
    copies.append((map, model))
    for (map, model) in copies { expect(map, equals: model, among: drawn) }
  }

  private func expect(
    _ map: RowKeyMap, equals model: [RowKey: Int32], among keys: Set<RowKey>
  ) {
    #expect(map.count == model.count)
    #expect(Set(model.values).count == model.count, "a handle was handed out twice")
    for (key, handle) in model {
      #expect(map.key(of: handle) == key)
      #expect(handle >= 0 && Int(handle) < map.capacity)
    }
    for key in keys { #expect(map.handle(of: key) == model[key]) }
  }

  @Test func handlesStayWhenTheFormChanges() {
    var map = RowKeyMap()
    var handles: [RowKey: Int32] = [:]
    for key in 10..<600 as Range<Int64> { handles[.integer(key)] = map.insert(integer: key).handle }
    for key in 20..<30 as Range<Int64> {
      if let handle = handles.removeValue(forKey: .integer(key)) { map.remove(handle) }
    }
    let farAway: [Int64] = [.max, .min, -1, 1 << 40]
    for key in farAway { handles[.integer(key)] = map.insert(integer: key).handle }
    #expect(map.capacity < 5000)
    for (key, handle) in handles { #expect(map.handle(of: key) == handle) }
    for name in ["a", "b"] {
      handles[RowKey([.text(name)])] = map.insert(RowKey([.text(name)])).handle
    }
    for (key, handle) in handles {
      #expect(map.handle(of: key) == handle && map.key(of: handle) == key)
    }
    #expect(Set(handles.values).count == handles.count && map.count == handles.count)
    #expect(map.handle(of: .integer(25)) == nil && map.handle(of: .integer(.max - 1)) == nil)
  }

  @Test func freedHandlesAreHandedOutAgain() {
    var map = RowKeyMap()
    // A queue: the front goes, the end grows.
    for key in 0..<20_000 as Range<Int64> {
      _ = map.insert(integer: key)
      if key >= 100, let handle = map.handle(ofInteger: key - 100) { map.remove(handle) }
    }
    #expect(map.count == 100 && map.capacity < 3000)
  }

  @Test func reservedRoomIsOfNoConsequence() {
    for keys in [[1, 2, 3], [1, 1 << 50, -9], [.min, .max, 0]] as [[Int64]] {
      var map = RowKeyMap()
      map.reserve(count: 100)
      for key in keys { #expect(map.insert(integer: key).isNew) }
      map.reserve(count: 1000)
      for key in keys { #expect(!map.insert(integer: key).isNew) }
      #expect(map.count == 3)
    }
  }
}
