import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// The map between keys and handles, in its four forms and on the way from one to another.
@Suite(.timeLimit(.minutes(60))) struct RowKeyMapTests {
  /// Which keys a run draws from.
  enum Keys: CaseIterable {
    case dense
    case queue
    case sparse
    case extreme
    case text
    case lengths
    case pairs
    case mixed
    case textFirst

    func draw(_ step: Int, _ random: inout SeededRandom) -> RowKey {
      let near = Int64.random(in: 0...300, using: &random)
      switch self {
      case .dense: return .integer(near + 5000)
      case .queue: return .integer(Int64(step) * 2 + near)
      case .sparse: return .integer(near * 1_000_003 - 150_000_000)
      case .extreme: return .integer(near % 2 == 0 ? .min + near : .max - near)
      case .text: return RowKey([.text("\(near)")])
      case .lengths:
        return RowKey([.text(String(repeating: "é", count: Int(near) % 40) + "\(near)")])
      case .pairs: return RowKey([.text("\(near)"), .real(0.5)])
      case .textFirst:
        return near % 50 == 0 && step > 1500 ? .integer(near) : RowKey([.text("\(near)")])
      case .mixed:
        return step < 1500 || near % 2 == 0 ? .integer(near) : RowKey([.text("\(near)")])
      }
    }
  }

  /// Asked for all at once, the handles are those that are asked for one by one, or nobody is told
  /// any.
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

  @Test func textsAreToldApartByTheirBytes() {
    var map = RowKeyMap()
    let long = String(repeating: "x", count: 5000)
    let texts = ["", "e\u{301}", "\u{E9}", "a", "a\0", "\0", "A", "ä", long]
    for text in texts { #expect(map.insert(RowKey(of: text, forms: [])).isNew) }
    for (handle, text) in texts.enumerated() {
      #expect(map.handle(of: RowKey(of: text, forms: [])) == Int32(handle))
      #expect(map.key(of: Int32(handle)) == RowKey(of: text, forms: []))
    }
    #expect(
      map.handle(of: RowKey(of: "b", forms: [])) == nil
        && map.handle(of: .value(.blob([97]))) == nil)
    #expect(map.handle(of: .integer(1)) == nil && map.handle(of: .values([.text("a")])) == nil)
  }

  @Test func aTextOfAnyLengthIsAKey() throws {
    let long = RowKey(of: String(repeating: "k", count: 1 << 24), forms: [])
    var map = RowKeyMap()
    let handles = [RowKey(of: "a", forms: []), long, RowKey(of: "b", forms: [])].map {
      map.insert($0).handle
    }
    #expect(handles == [0, 1, 2] && map.handle(of: long) == 1 && map.key(of: 1) == long)
    var builder = RowKeyMapBuilder()
    for key in [RowKey(of: "a", forms: []), long, long] { builder.append(key) }
    #expect(builder.finish().duplicate == long)
  }

  @Test func textsThatAreGoneLeaveNoRoomTaken() {
    var map = TextKeyMap()
    var former: [Int32] = []
    for round in 0..<50 {
      for handle in former { map.remove(handle) }
      // Longer each time, so that no text fits where one was before.
      let texts = (0..<100).map { String(repeating: "t", count: round + 1) + "\($0 + 100)" }
      former = texts.compactMap { map.insert($0)?.handle }
      #expect(former.map { map.key(of: $0) } == texts && map.count == 100)
      #expect(map.capacity == 100 && map.byteCount <= 4 * texts.reduce(0) { $0 + $1.utf8.count })
    }
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
