import Testing

@testable import SectileCLI

@Suite struct TextTableTests {
  private func lines(
    headers: [String], _ rows: [[TextTable.Cell]], indentation: String = ""
  ) throws -> [String] {
    let captured = CapturedOutput()
    let output = captured.output
    var table = TextTable(headers: headers, indentation: indentation, output: output)
    for row in rows { try table.append(row) }
    try table.finish()
    try output.flush()
    return captured.text.split(separator: "\n").map(String.init)
  }

  @Test func columnsLineUpByWidthOnTheTerminal() throws {
    let lines = try lines(
      headers: ["name", "n"],
      [[.init("日本"), .init("1", isNumber: true)], [.init("a"), .init("100", isNumber: true)]])
    #expect(
      lines == [
        "name    n",
        "----  ---",
        "日本    1",
        "a     100",
      ])
  }

  @Test func cellsAreEscaped() throws {
    let lines = try lines(headers: [], [[.init("a\u{1B}[1m"), .init("b\nc")]])
    #expect(lines == ["a\\u{1B}[1m  b\\nc"])
  }

  @Test func headersAloneAreStillShown() throws {
    #expect(try lines(headers: ["id", "name"], []) == ["id  name", "--  ----"])
  }

  @Test func rowsAfterTheMeasuredOnesAreWrittenAtOnce() throws {
    let captured = CapturedOutput()
    let output = captured.output
    var table = TextTable(headers: ["n"], output: output)
    for _ in 0..<TextTable.measuredRows - 1 { try table.append([.init("x")]) }
    try output.flush()
    #expect(captured.text.isEmpty)
    try table.append([.init("x")])
    try table.append([.init("wider than all before")])
    try output.flush()
    #expect(captured.text.split(separator: "\n").count == TextTable.measuredRows + 3)
    try table.finish()
    try output.flush()
    #expect(captured.text.hasSuffix("x\nwider than all before\n"))
  }
}
