import SectileCore
import SectileTestSupport
import Testing

@testable import SectileRemote

@Suite struct LayeredPlacesTests {
  @Test(arguments: 0..<50 as Range<UInt64>)
  func placesAreThoseRecordedLast(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var places = LayeredPlaces<Int>()
    var model: [Int: ItemPath] = [:]
    for _ in 0..<40 {
      var changes: [Int: ItemPath?] = [:]
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let path = ItemPath(section: 0, item: Int.random(in: 0..<1_000, using: &random))
        changes.updateValue(
          random.chance(0.3) ? nil : path, forKey: Int.random(in: 0..<80, using: &random))
      }
      let before = places
      let former = model
      places.record(
        Dictionary(uniqueKeysWithValues: changes.map { (IdentityKey($0.key), $0.value) }))
      for (id, path) in changes { model[id] = path }
      for id in 0..<80 {
        #expect(places[id] == model[id], "\(random)")
        #expect(before[id] == former[id], "\(random)")
      }
    }
  }
}
