import Testing

@testable import SectileCore

@Suite struct ObserverListTests {
  @Test func observersAreFoundByTheirNumbers() {
    var list = ObserverList()
    var model: [(number: Int, observer: SourceObserver)] = []
    var state: UInt64 = 7
    for _ in 0..<2_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      if state >> 33 & 3 != 0 || model.isEmpty {
        let observer = SourceObserver(delivery: .immediate) { _ in }
        model.append((list.append(observer), observer))
      } else {
        let removed = model.remove(at: Int(state >> 40) % model.count)
        #expect(list.remove(removed.number) === removed.observer)
        #expect(list.remove(removed.number) == nil)
      }
    }
    #expect(list.map(ObjectIdentifier.init) == model.map { ObjectIdentifier($0.observer) })
  }

  @Test func newcomersAreThoseSinceACopy() {
    var list = ObserverList()
    let first = list.append(SourceObserver(delivery: .immediate) { _ in })
    let second = list.append(SourceObserver(delivery: .immediate) { _ in })
    _ = list.remove(second)
    let copy = list
    #expect(list.newer(than: copy).isEmpty)
    let newcomer = SourceObserver(delivery: .immediate) { _ in }
    _ = list.append(newcomer)
    _ = list.remove(first)
    #expect(list.newer(than: copy).map(ObjectIdentifier.init) == [ObjectIdentifier(newcomer)])
    #expect(list.newer(than: ObserverList()).count == 1)
  }
}
