import Testing

@testable import SectileCore

@Suite struct RowHandleTests {
  /// Each handle is found, and no other, in blocks of every length.
  @Test func handlesAreFound() {
    for count in [0, 1, 15, 16, 17, 31, 32, 33, 200, 256, 300] {
      let block = ContiguousArray((0..<Int32(count)).map { RowHandle(key: 7 * $0) })
      let found = block.map { RowHandle.offset(of: $0.key, in: block) }
      #expect(found == Array(block.indices), "\(count) handles")
      #expect(RowHandle.offset(of: 3, in: block) == nil)
      #expect(RowHandle.offset(of: -1, in: block) == nil)
    }
  }
}
