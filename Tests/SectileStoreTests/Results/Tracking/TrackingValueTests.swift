import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// The small structures of tracking: key map, cache, versions, the choice of the cheaper way.
@Suite struct TrackingValueTests {
  @Test func keyMapHandsOutHandlesOnce() {
    var map = RowKeyMap()
    var model: [RowKey: Int32] = [:]
    var random = SeededRandom(seed: 3)
    for step in 0..<5000 {
      let key = RowKey([.integer(Int64.random(in: 0...40, using: &random))])
      if Bool.random(using: &random) {
        let (handle, isNew) = map.insert(key)
        #expect(isNew == (model[key] == nil), "step \(step)")
        #expect(model[key] == nil || model[key] == handle)
        #expect(!isNew || !model.values.contains(handle))
        model[key] = handle
      } else if let handle = model.removeValue(forKey: key) {
        map.remove(handle)
      }
      #expect(map.count == model.count)
      #expect(map.capacity <= 41)
    }
    let copy = map
    for (key, handle) in model { map.remove(handle); #expect(copy.handle(of: key) == handle) }
    for (key, handle) in model { #expect(copy.key(of: handle) == key) }
  }

  @Test func wholeNumbersAreOneKeyInBothForms() {
    #expect(RowKey([.real(1)]) == RowKey([.integer(1)]))
    #expect(RowKey([.real(1.5)]) != RowKey([.integer(1)]))
    #expect(RowKey([.text("1")]) != RowKey([.integer(1)]))
    #expect(RowKey([.text("\u{E9}")]) != RowKey([.text("e\u{301}")]))
    #expect(RowKey([.null]).hasNull && !RowKey([.integer(0)]).hasNull)
  }

  @Test func cacheForgetsWhatWasNotAskedForLately() {
    var cache = ItemCache<Int>(limit: 10)
    for key in 0..<1000 as Range<Int64> {
      cache.insert(Int(key), for: .integer(key))
      #expect(cache.item(.integer(key)) == Int(key))
      #expect(cache.item(.integer(0)) == 0)
    }
    let kept = (0..<1000 as Range<Int64>).filter { cache.item(.integer($0)) != nil }
    #expect(kept.count <= 11)
    cache.insert(-1, for: .integer(0))
    #expect(cache.item(.integer(0)) == -1)
    cache.remove(.integer(0))
    #expect(cache.item(.integer(0)) == nil)
  }

  /// What is replaced must not come back from the older generation.
  @Test func cacheNeverAnswersWithAnOlderItem() {
    var cache = ItemCache<Int>(limit: 4)
    var model: [Int64: Int] = [:]
    var random = SeededRandom(seed: 11)
    for step in 0..<5000 {
      let key = Int64.random(in: 0...6, using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0:
        cache.insert(step, for: .integer(key))
        model[key] = step
      case 1:
        cache.remove(.integer(key))
        model[key] = nil
      default:
        if let item = cache.item(.integer(key)) { #expect(item == model[key]) }
      }
    }
  }

  @Test func oldRowsAreFoundAlongTheLinks() {
    let nodes = (0..<4).map { _ in VersionNode() }
    func images(_ rows: [Int64: StoredValue], columns: [Int]? = nil) -> PreImages {
      PreImages(
        columns: columns,
        rows: Dictionary(uniqueKeysWithValues: rows.map { (.integer($0.key), [$0.value, "z"]) }))
    }
    nodes[0].connect(to: nodes[1], before: images([1: "a"]))
    nodes[1].connect(to: nodes[2], before: images([1: "b", 2: "c"], columns: [1, 0]))
    #expect(nodes[0].rowBeforeLaterCommits(.integer(1)) == ["a", "z"])
    #expect(nodes[0].rowBeforeLaterCommits(.integer(2)) == ["z", "c"])
    #expect(nodes[2].rowBeforeLaterCommits(.integer(1)) == nil)
    nodes[0].connectEnd(to: nodes[3])
    #expect(nodes[0].newest === nodes[3])
    nodes[3].connectEnd(to: nodes[3])
    #expect(nodes[0].newest === nodes[3])
    nodes[1].disconnect()
    #expect(nodes[0].rowBeforeLaterCommits(.integer(2)) == nil)
  }

  @Test func smallCommitsAreWorkedOutRowByRow() {
    guard !InternalChecks.isOn else { return }
    #expect(!MaintenanceCost.prefersRebuild(touched: 48, of: 0))
    #expect(MaintenanceCost.prefersRebuild(touched: 49, of: 0))
    #expect(!MaintenanceCost.prefersRebuild(touched: 3000, of: 100_000))
    #expect(MaintenanceCost.prefersRebuild(touched: 3001, of: 100_000))
  }
}
