import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct RowKeyMapBuilderTests {
  static let cases: [[RowKey]] = [
    [],
    [.integer(7)],
    (0..<3000).map { .integer(Int64($0 * 7919 % 3000) + 1) },
    (0..<3000).map { .integer(Int64($0 * 7919 % 3000) - 1_000_000_000_000) },
    (0..<3000).map { .integer(Int64($0 - 1500) * 1_000_000_007) },
    [.integer(.min), .integer(.max), .integer(0)],
    [.integer(.max), .integer(.max - 1)],
    (0..<3000).map { RowKey(of: "key \($0 * 7919 % 3000)", forms: []) },
    (0..<100).map { $0 < 50 ? RowKey(of: "\($0)", forms: []) : .integer(Int64($0)) },
    (0..<100).map { $0 < 50 ? .integer(Int64($0)) : RowKey(of: "\($0)", forms: []) },
    [RowKey(of: "", forms: [])],
    (0..<100).map { $0 < 50 ? .integer(Int64($0)) : RowKey([.text("\($0)"), .integer(1)]) },
  ]

  @Test(arguments: cases)
  func everyKeyKeepsThePositionOrGetsAnotherHandle(keys: [RowKey]) {
    var builder = RowKeyMapBuilder()
    for key in keys { builder.append(key) }
    #expect(builder.count == keys.count && builder.duplicate == nil)
    var listed: [RowKey] = []
    builder.forEach { listed.append($0) }
    #expect(listed == keys)
    var finished = builder.finish()
    #expect(finished.duplicate == nil && finished.keys.count == keys.count)
    for (position, key) in keys.enumerated() {
      let handle = finished.handles?[position] ?? Int32(position)
      #expect(finished.keys.handle(of: key) == handle && finished.keys.key(of: handle) == key)
      #expect(Int(handle) < finished.keys.capacity)
    }
    #expect(finished.keys.handle(of: RowKey([.text("absent")])) == nil)
    #expect(finished.keys.handle(of: .integer(123_456_789)) == nil)
    #expect(finished.keys.insert(.integer(123_456_789)).isNew)
    #expect(finished.keys.capacity <= 2 * keys.count + 1025)
    #expect(builder.count == 0)
  }

  @Test func aKeyThatComesTwiceIsFound() {
    let second: [RowKey] = [.integer(3), .integer(1 << 40), RowKey([.text("b")])]
    for key in second {
      var builder = RowKeyMapBuilder()
      for first in [.integer(1), key, .integer(5), key, .integer(4)] as [RowKey] {
        builder.append(first)
      }
      #expect(builder.finish().duplicate == key)
    }
    var builder = RowKeyMapBuilder()
    for key in [.integer(1), .integer(1), RowKey([.text("b")])] as [RowKey] {
      builder.append(key)
    }
    #expect(builder.finish().duplicate == .integer(1))
    for last in [[], [.integer(1)]] as [[RowKey]] {
      for key in ["a", "b", "a"].map({ RowKey(of: $0, forms: []) }) + last { builder.append(key) }
      #expect(builder.finish().duplicate == RowKey(of: "a", forms: []))
    }
  }
}
