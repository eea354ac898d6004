#if Postgres
  import SectileCore
  import SectileHub
  import SectileTestSupport
  import Testing

  @testable import SectilePostgres

  @Suite struct CopyDecoderTests {
    private static let head: [UInt8] =
      Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 2, 9, 9]
    private static let first: [UInt8] = [0, 2, 0, 0, 0, 2, 1, 2, 0, 0, 0, 3, 0x61, 0x62, 0x63]
    private static let second: [UInt8] = [0, 2, 0, 0, 0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    private static let copy = head + first + second + [0xFF, 0xFF]
    private static let rows: [[StoredValue]] = [[258, "abc"], [-1, .null]]

    @Test(arguments: 1...copy.count) func copyMayBeCutAnywhere(_ size: Int) throws {
      var decoder = CopyDecoder(types: [.int2, .text], key: [0, 1])
      var rows: [[StoredValue]] = []
      for start in stride(from: 0, to: Self.copy.count, by: size) {
        rows += try decoder.take(Array(Self.copy[start..<min(start + size, Self.copy.count)]))
      }
      #expect(rows == Self.rows)
      #expect(decoder.isComplete)
    }

    private static let wrong: [[UInt8]] = [
      [0x50, 0x48], Array(head.dropLast(10)) + [0, 0, 0, 1, 0, 0, 0, 0], head + [0, 3],
      head + [0, 2, 0xFF, 0xFF, 0xFF, 0xFE], copy + [0, 2],
      Array(head.dropLast(6)) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0],
    ]

    @Test(arguments: wrong)
    func whatIsNoCopyIsMalformed(_ bytes: [UInt8]) {
      var decoder = CopyDecoder(types: [.int2, .text], key: [0, 1])
      let error = #expect(throws: HubError.self) { _ = try decoder.take(bytes) }
      #expect(error?.code == .malformedMessage)
    }

    @Test(arguments: SeededRandom.batches())
    func changedBytesAreReadOrMalformed(_ seeds: Range<UInt64>) {
      for seed in seeds {
        var random = SeededRandom(seed: seed)
        var bytes = Self.copy
        for _ in 0..<3 {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
        var decoder = CopyDecoder(types: [.int2, .text], key: [0, 1])
        var rows: [[StoredValue]] = []
        do {
          rows = try decoder.take(bytes)
        } catch {
          #expect([.malformedMessage, .unsupportedValue].contains(error.code), "\(random)")
        }
        #expect(rows.allSatisfy { $0.count == 2 }, "\(random)")
      }
    }
  }
#endif
