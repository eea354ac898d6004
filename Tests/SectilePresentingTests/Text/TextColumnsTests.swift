import Testing

@testable import SectilePresenting

@Suite struct TextColumnsTests {
  @Test func columnsAreAsWideAsTheirWidestCell() {
    let rows: [[TextCell]] = [["日本", TextCell(1)], ["e\u{301}", TextCell(100)], ["👍"]]
    let columns = TextColumns(rows: rows)
    #expect(columns.widths == [4, 3])
    #expect(columns.headLines == [])
    #expect(rows.map { columns.line($0) } == ["日本    1", "e\u{301}     100", "👍"])
  }

  @Test func headsLineUpWithNumbers() {
    let columns = TextColumns(heads: ["name", "n"], rows: [["a", TextCell(100)]])
    #expect(columns.headLines == ["name    n", "----  ---"])
    #expect(TextColumns(heads: ["n"], rows: []).headLines == ["n", "-"])
    #expect(TextColumns(heads: ["a\u{1B}"], rows: []).headLines[0] == "a\\u{1B}")
  }

  @Test func rowsAreMeasuredOneByOne() {
    var columns = TextColumns(heads: ["name", "n"])
    #expect(columns.lineWidth == 7)
    columns.measure(["a", TextCell(100)])
    #expect(columns.heads.map(\.isNumber) == [false, true])
    #expect(columns.lineWidth == 9)
    columns.measure(["longer"])
    #expect(columns.heads.map(\.isNumber) == [false, false])
    #expect(columns.lineWidth == 11)
  }

  @Test func cellsThatWereNotMeasuredPushTheOthersAside() {
    let columns = TextColumns(rows: [["a", "b"]])
    #expect(columns.line(["wide", "b", "third"]) == "wide  b  third")
  }
}
