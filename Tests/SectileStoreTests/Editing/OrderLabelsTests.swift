import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

struct OrderLabelsTests {
  @Test(
    arguments: [
      (nil, nil, 1024), (1024, nil, 2048), (nil, 4096, 3072), (nil, 1024, 512), (nil, 2, 1),
      (nil, 1, nil), (nil, 0, nil), (nil, -5, -1029), (10, 12, 11), (10, 11, nil), (7, 7, nil),
      (9, 3, nil), (-3, -1, -2), (.max, nil, nil), (.max - 1, nil, nil), (.min, .max, -1),
      (nil, .min, nil), (nil, .min + 1, nil), (.max - 2, nil, .max - 1),
    ] as [(Int64?, Int64?, Int64?)])
  func aNumberBetweenTwoOthers(lower: Int64?, upper: Int64?, label: Int64?) {
    #expect(OrderLabels.label(above: lower, below: upper) == label)
  }

  @Test func numbersAreSpreadBetweenOthers() throws {
    var random = SeededRandom(seed: 1)
    let ends: [Int64?] = [nil, .min, .min + 1, -7, 0, 1, 9, 5000, .max - 1, .max]
    for _ in 0..<2_000 {
      let count = Int.random(in: 1...40, using: &random)
      let (lower, upper) = (
        ends.randomElement(using: &random)!, ends.randomElement(using: &random)!
      )
      for isLast in [false, true] {
        guard
          let labels = OrderLabels.labels(count, above: lower, below: upper, isLast: isLast)
        else { continue }
        #expect(labels.count == count)
        #expect(zip(labels, labels.dropFirst()).allSatisfy { $0 < $1 })
        if let lower { #expect(labels[0] > lower) }
        if let upper { #expect(labels[count - 1] < upper) }
        // No column that forbids negative numbers is surprised.
        if lower ?? 0 >= 0, upper ?? 1 >= Int64(count) { #expect(labels[0] >= 0) }
      }
    }
  }

  @Test func rowsMayStandCloselyOnlyWhereThereAreNoOthers() {
    #expect(OrderLabels.labels(3, above: 0, below: 4, isLast: true) == [1, 2, 3])
    #expect(OrderLabels.labels(3, above: 0, below: 4, isLast: false) == nil)
    #expect(OrderLabels.labels(3, above: 0, below: 3, isLast: true) == nil)
    #expect(OrderLabels.labels(2, above: nil, below: nil, isLast: true) == [1024, 2048])
    #expect(OrderLabels.labels(3, above: nil, below: 3, isLast: true) == [0, 1, 2])
  }

  @Test func valuesOfOtherKindsHaveNumbersBesideThem() {
    #expect(OrderLabels.bound(above: .real(1.5)) == .number(1))
    #expect(OrderLabels.bound(below: .real(1.5)) == .number(2))
    #expect(OrderLabels.bound(above: .real(-1e300)) == .none)
    #expect(OrderLabels.bound(above: .real(1e300)) == .unreachable)
    #expect(OrderLabels.bound(below: .real(-1e300)) == .unreachable)
    #expect(OrderLabels.bound(below: .real(.infinity)) == .none)
    #expect(OrderLabels.bound(above: .null) == .none)
    #expect(OrderLabels.bound(below: .null) == .unreachable)
    #expect(OrderLabels.bound(above: .text("1")) == .unreachable)
    #expect(OrderLabels.bound(below: .blob([])) == .none)
  }
}
