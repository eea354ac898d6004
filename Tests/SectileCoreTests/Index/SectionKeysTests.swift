import Testing

@testable import SectileCore

@Suite struct SectionKeysTests {
  private static func identity(_ number: Int) -> StoredValue {
    number.isMultiple(of: 3) ? .text("section \(number)") : .integer(Int64(number))
  }

  private static func keys(_ count: Int, isReserved: Bool = false) -> SectionKeys {
    var keys = SectionKeys()
    if isReserved { keys.reserveCapacity(count) }
    for number in 0..<count {
      #expect(keys.updateValue(Int32(number), forKey: identity(number)) == nil)
    }
    return keys
  }

  @Test(arguments: [1, 40, 700]) func anyStepsEqualADictionary(_ limit: Int) {
    var random = SplitMix(seed: UInt64(limit))
    var (keys, model) = (SectionKeys(), [StoredValue: Int32]())
    var (kept, keptModel) = (keys, model)
    for step in 0..<6_000 {
      let identity = Self.identity(Int.random(in: 0..<limit, using: &random))
      // Grows for a while, then shrinks.
      if Int.random(in: 0..<10, using: &random) < (step % 3_000 < 1_500 ? 7 : 2) {
        let number = Int32(step)
        #expect(
          keys.updateValue(number, forKey: identity)
            == model.updateValue(number, forKey: identity))
      } else {
        keys.removeValue(forKey: identity)
        model[identity] = nil
      }
      #expect(keys[identity] == model[identity])
      #expect(keys.count == model.count)
      if step % 500 == 0 {
        for number in 0..<limit {
          let identity = Self.identity(number)
          #expect(keys[identity] == model[identity])
          // A copy stays as it was.
          #expect(kept[identity] == keptModel[identity])
        }
        (kept, keptModel) = (keys, model)
      }
    }
  }

  @Test func changeOfACopyCopiesAFewEntries() {
    for (count, isReserved) in [(10, false), (1_000, true), (100_000, false), (100_000, true)] {
      let keys = Self.keys(count, isReserved: isReserved)
      #expect(keys.count == count && keys[Self.identity(count - 1)] == Int32(count - 1))
      let shape = keys.shape
      #expect(shape.largestLeaf <= SectionKeys.leafLimit)
      // Sixteen times as many sections are one more branch; a full leaf here and there, another.
      #expect(shape.depth <= 6, "\(count)")
    }
  }

  @Test func leavesJoinWhenSectionsGo() {
    var keys = Self.keys(2_000)
    for number in 1..<2_000 { keys.removeValue(forKey: Self.identity(number)) }
    #expect(keys.count == 1)
    #expect(keys[Self.identity(0)] == 0)
    #expect(keys.shape.depth <= 1)
    keys.removeValue(forKey: Self.identity(0))
    keys.removeValue(forKey: Self.identity(0))
    #expect(keys.count == 0)
    #expect(keys[Self.identity(0)] == nil)
  }
}
