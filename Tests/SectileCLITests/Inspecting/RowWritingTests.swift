import Foundation
import Sectile
import Testing

@testable import SectileCLI

@Suite struct RowWritingTests {
  private let columns = ["id", "na,me"]
  private let rows: [[StoredValue]] = [
    [.integer(1), .text("say \"hi\"\n\u{1B}")], [.null, .text("")], [.real(.infinity), .blob([7])],
  ]

  private func text(_ make: (Output) -> any RowWriting) throws -> String {
    let captured = CapturedOutput()
    let output = captured.output
    let writer = make(output)
    for row in rows { try writer.write(row) }
    try writer.finish()
    try output.flush()
    return captured.text
  }

  @Test func listPutsBarsBetweenEscapedValues() throws {
    #expect(
      try text { ListRowWriter(output: $0) }
        == "1|say \"hi\"\\n\\u{1B}\nNULL|\ninf|x'07'\n")
  }

  @Test func csvKeepsTheBytesForPrograms() throws {
    #expect(
      try text { CSVRowWriter(columns: columns, output: $0, isTerminal: false) }
        == "id,\"na,me\"\r\n1,\"say \"\"hi\"\"\n\u{1B}\"\r\n,\"\"\r\ninf,x'07'\r\n")
  }

  @Test func csvEscapesForATerminal() throws {
    #expect(
      try text { CSVRowWriter(columns: columns, output: $0, isTerminal: true) }
        .contains("\\n\\u{1B}"))
  }

  @Test func jsonLinesParse() throws {
    let lines = try text { JSONRowWriter(columns: columns, output: $0) }.split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    #expect(lines[0] == #"{"id":1,"na,me":"say \"hi\"\u000a\u001b"}"#)
    #expect(lines[1] == #"{"id":null,"na,me":""}"#)
  }

  @Test func csvWithoutRowsIsItsHeader() throws {
    let captured = CapturedOutput()
    let output = captured.output
    try CSVRowWriter(columns: ["a", "b"], output: output, isTerminal: false).finish()
    try output.flush()
    #expect(captured.text == "a,b\r\n")
  }
}
