import Testing

@testable import SectileCore

@Suite struct ListShiftTests {
  /// Every choice of what leaves a list of five, and of where three others enter.
  @Test func everyShiftAgreesWithDoingIt() {
    for leaving in 0..<32 {
      let removed = (0..<5).filter { leaving & (1 << $0) != 0 }
      for entering in 0..<256 {
        let inserted = (0..<8).filter { entering & (1 << $0) != 0 }
        var list = (0..<5).filter { !removed.contains($0) }.map(Int?.some)
        guard inserted.allSatisfy({ $0 < list.count + inserted.count }) else { continue }
        for position in inserted { list.insert(nil, at: min(position, list.count)) }
        let shift = ListShift(removed: removed, inserted: inserted)
        for source in 0..<5 {
          #expect(shift.target(of: source) == list.firstIndex(of: source))
        }
        for (target, source) in list.enumerated() {
          #expect(shift.source(of: target) == source)
        }
      }
    }
  }
}
