import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Digests tested as hash functions are: what is alike must not look alike, in any process.
@Suite(.timeLimit(.minutes(60))) struct RowDigestQualityTests {
  private static let processCount = 500

  /// Calls `body` with the seeds of many processes.
  private func inManyProcesses(_ body: (RowDigest.Seeds) -> Void) {
    var random = SeededRandom(seed: 26)
    for _ in 0..<Self.processCount {
      body(RowDigest.Seeds(value: random.next(), state: random.next()))
    }
  }

  private func digest(_ row: [StoredValue], _ seeds: RowDigest.Seeds) -> UInt64 {
    func columns(
      _ rest: ArraySlice<StoredValue>, _ taken: [RawColumn]
    ) -> UInt64 {
      guard let value = rest.first else {
        return taken.withUnsafeBufferPointer { RowDigest.of($0, seeds: seeds) }
      }
      let rest = rest.dropFirst()
      switch value {
      case .null: return columns(rest, taken + [.null])
      case .integer(let integer): return columns(rest, taken + [.integer(integer)])
      case .real(let real): return columns(rest, taken + [.real(real)])
      case .text(let text):
        return Array(text.utf8).withUnsafeBytes { columns(rest, taken + [.text($0)]) }
      case .blob(let bytes):
        return bytes.withUnsafeBytes { columns(rest, taken + [.blob($0)]) }
      }
    }
    return columns(row[...], [])
  }

  private func expectApart(_ rows: [[StoredValue]]) {
    inManyProcesses { seeds in
      #expect(Set(rows.map { digest($0, seeds) }).count == rows.count, "\(seeds)")
    }
  }

  @Test func complementsAndNegationsAreToldApart() {
    let numbers: [Int64] = [0, 1, 2, 7, 9, 255, 1 << 31, 1 << 53, 1 << 62, .max]
    let values = Set(numbers.flatMap { [$0, ~$0, -$0] })
    expectApart(values.map { [.integer($0)] })
    expectApart(values.flatMap { [[.text("a"), .integer($0)], [.integer($0), .text("a")]] })
  }

  @Test func complementsOfBytesAreToldApart() {
    for count in [1, 7, 8, 9, 16, 17, 48, 49, 100] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      let rows: [[UInt8]] = [
        bytes, bytes.map { ~$0 }, [UInt8](repeating: 0, count: count),
        [UInt8](repeating: 255, count: count),
      ]
      expectApart(Array(Set(rows)).map { [.blob($0)] })
    }
  }

  @Test func columnsThatAreSwappedAreToldApart() {
    expectApart([
      [.integer(0), .integer(-1)], [.integer(-1), .integer(0)], [.integer(0), .integer(0)],
      [.integer(-1), .integer(-1)], [.integer(1), .integer(-2)], [.integer(-2), .integer(1)],
    ])
  }

  @Test func storageClassesAndLengthsAreToldApart() {
    let zeroes = (0...64).map { [StoredValue.blob([UInt8](repeating: 0, count: $0))] }
    expectApart(
      zeroes + [
        [], [.null], [.null, .null], [.integer(0)], [.real(0)], [.real(-0.0)], [.integer(1)],
        [.real(1)], [.text("")], [.text("0")], [.text("1")], [.text("\u{E9}")],
        [.text("e\u{301}")], [.text("\0")], [.blob([49])], [.text(""), .null], [.null, .text("")],
        [.text("a"), .text("b")], [.text("ab"), .text("")], [.text(""), .text("ab")],
      ])
  }

  /// Each bit of the value flips each bit of the digest in half of all processes.
  @Test func everyBitChangesHalfOfTheDigest() {
    for base: UInt64 in [0, .max, 0x0123_4567_89ab_cdef] {
      for bit in 0..<64 {
        var counts = [Int](repeating: 0, count: 64)
        inManyProcesses { seeds in
          let before = digest([.integer(Int64(bitPattern: base))], seeds)
          let after = digest([.integer(Int64(bitPattern: base ^ 1 << UInt64(bit)))], seeds)
          for position in 0..<64 where (before ^ after) >> UInt64(position) & 1 == 1 {
            counts[position] += 1
          }
        }
        // Half of 500, seven standard deviations of eleven to each side.
        #expect(counts.allSatisfy { (172...328).contains($0) }, "bit \(bit) of \(base)")
      }
    }
  }
}
