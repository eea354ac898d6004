import SectileCore
import Testing

@testable import SectileRemote

@Suite struct ChunkedRowsTests {
  typealias Rows = ChunkedRows<Int, Int>

  static func rows(_ count: Int) -> Rows {
    Rows((0..<count).map { Rows.Row(id: $0, item: $0) })
  }

  @Test(arguments: [0, 1, 127, 128, 129, 256, 300])
  func rowsStandInTheOrderInWhichTheyCame(_ count: Int) {
    let rows = Self.rows(count)
    #expect(rows.count == count)
    #expect(rows.all.map(\.id) == Array(0..<count))
    #expect((0..<count).allSatisfy { rows[$0].item == $0 })
  }

  @Test func everyTruncationLeavesTheBeginningAndMayGrowAgain() {
    for count in [0, 1, 127, 128, 129, 256, 300] {
      for left in Set([0, 1, 127, 128, 129, 255, 256, count]) {
        var rows = Self.rows(count)
        rows.truncate(to: left)
        #expect(rows.all.map(\.id) == Array(0..<min(left, count)))
        rows.append(Rows.Row(id: -1, item: -1))
        #expect(rows[min(left, count)].id == -1)
        #expect(rows.count == min(left, count) + 1)
      }
    }
  }

  @Test func changingACopyLeavesTheOriginal() {
    let rows = Self.rows(200)
    var copy = rows
    copy[130] = Rows.Row(id: -1, item: -1)
    copy.append(Rows.Row(id: 200, item: 200))
    #expect(rows[130].id == 130)
    #expect(rows.count == 200)
    #expect(copy[130].id == -1)
  }
}
