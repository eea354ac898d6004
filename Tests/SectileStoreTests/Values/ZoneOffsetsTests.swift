import Foundation
import SectileTestSupport
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct ZoneOffsetsTests {
  /// Around each change, and at random moments, Foundation says the same of each zone.
  @Test func eachZoneIsAsFoundationSays() throws {
    var random = SeededRandom(seed: 2060)
    var count = 0
    for identifier in TimeZone.knownTimeZoneIdentifiers {
      let zone = Zones.zone(identifier)
      let offsets = ZoneOffsets.of(zone)
      func expect(_ second: Int64, _ sourceLocation: SourceLocation = #_sourceLocation) {
        let found = offsets.changes.last { $0.start <= second }?.offset ?? offsets.initial
        let date = Date(timeIntervalSince1970: Double(second))
        #expect(
          found == zone.secondsFromGMT(for: date), "\(identifier) at \(second)",
          sourceLocation: sourceLocation)
      }
      for change in offsets.changes {
        expect(change.start)
        expect(change.start - 1)
      }
      for _ in 0..<50 {
        expect(Int64.random(in: ZoneOffsets.first..<ZoneOffsets.last, using: &random))
      }
      expect(ZoneOffsets.first)
      expect(ZoneOffsets.last - 1)
      #expect(zip(offsets.changes, offsets.changes.dropFirst()).allSatisfy { $0.start < $1.start })
      count += offsets.changes.count
    }
    #expect(count > 10_000)
    #expect(ZoneOffsets.of(Zones.zone("Asia/Kathmandu")).changes.count == 1)
    #expect(ZoneOffsets.of(Zones.zone("UTC")).changes.isEmpty)
  }

  /// A statement stays short, and is nested little.
  @Test func theExpressionIsNestedByHalves() {
    let offsets = ZoneOffsets.of(Zones.lisbon)
    let expression = offsets.expression(for: .constant("x")) { .constant("\($0)") }
    #expect(offsets.changes.count > 150)
    #expect(expression.height <= 12)
  }
}
