import SectileTestSupport
import Testing

@testable import SectileDataSources

@Suite struct IdentityTableTests {
  /// A key whose hash a test chooses.
  struct Key: Hashable {
    let name: Int
    let bucket: Int

    static func == (left: Key, right: Key) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(bucket) }
  }

  @Test(arguments: [1, 7, 100_000])
  func tableDoesWhatADictionaryDoes(_ buckets: Int) {
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var table = IdentityTable<Key>()
      var model: [Key: Int32] = [:]
      for _ in 0..<400 {
        let name = Int.random(in: 0..<150, using: &random)
        let key = Key(name: name, bucket: name % buckets)
        if random.chance(0.6) {
          let number = Int32.random(in: 0..<1000, using: &random)
          #expect(table.set(number, for: key) == model.updateValue(number, forKey: key))
        } else {
          #expect(table.remove(key) == model.removeValue(forKey: key))
        }
        #expect(table.count == model.count)
      }
      for name in 0..<150 {
        let key = Key(name: name, bucket: name % buckets)
        #expect(table[key] == model[key], "\(random)")
      }
    }
  }

  @Test func copyKeepsWhatTheOriginalForgets() {
    var table = IdentityTable<Int>()
    for key in 0..<5_000 { table.set(Int32(key), for: key) }
    let copy = table
    for key in 0..<5_000 { table.remove(key) }
    #expect(table.count == 0)
    #expect((0..<5_000).allSatisfy { copy[$0] == Int32($0) && table[$0] == nil })
  }
}
