import Foundation
import Sectile
import SectileInspecting
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
      try text { ListRowWriter(header: [], output: $0) }
        == "1|say \"hi\"\\n\\u{1B}\nNULL|\n9e999|x'07'\n")
  }

  @Test func csvKeepsTheBytesForPrograms() throws {
    #expect(
      try text { SeparatedRowWriter(.comma, header: columns, output: $0, isTerminal: false) }
        == "id,\"na,me\"\r\n1,\"say \"\"hi\"\"\n\u{1B}\"\r\n,\"\"\r\n9e999,x'07'\r\n")
  }

  @Test func csvEscapesForATerminal() throws {
    #expect(
      try text { SeparatedRowWriter(.comma, header: columns, output: $0, isTerminal: true) }
        .contains("\\n\\u{1B}"))
  }

  @Test func jsonLinesParse() throws {
    let lines = try text { JSONRowWriter(columns: columns, isArray: false, output: $0) }.split(
      separator: "\n")
    #expect(lines.count == 3)
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    #expect(lines[0] == #"{"id":1,"na,me":"say \"hi\"\u000a\u001b"}"#)
    #expect(lines[1] == #"{"id":null,"na,me":""}"#)
  }

  @Test func tabsSeparateLikeCommas() throws {
    #expect(
      try text { SeparatedRowWriter(.tab, header: ["a\tb", "c"], output: $0, isTerminal: false) }
        == "\"a\tb\"\tc\n1\t\"say \"\"hi\"\"\n\u{1B}\"\n\t\"\"\n9e999\tx'07'\n")
  }

  @Test func aJSONArrayParses() throws {
    let array = try text { JSONRowWriter(columns: columns, isArray: true, output: $0) }
    let rows = try JSONSerialization.jsonObject(with: Data(array.utf8)) as? [[String: Any]]
    #expect(rows?.count == 3)
  }

  @Test func linesNameEachValue() throws {
    #expect(
      try text { LineRowWriter(columns: columns, output: $0) } == """
           id = 1
        na,me = say "hi"\\n\\u{1B}

           id = NULL
        na,me = 

           id = 9e999
        na,me = x'07'

        """)
  }

  @Test func boxesAndMarkdownAreDrawn() throws {
    #expect(
      try text { TableRowWriter(frame: .box, header: columns, cellWidth: 0, output: $0) } == """
        ┌───────┬──────────────────┐
        │ id    │ na,me            │
        ├───────┼──────────────────┤
        │     1 │ say "hi"\\n\\u{1B} │
        │ NULL  │                  │
        │ 9e999 │ x'07'            │
        └───────┴──────────────────┘

        """)
    let captured = CapturedOutput()
    let output = captured.output
    let writer = TableRowWriter(
      frame: .markdown, header: ["n", "a|b"], cellWidth: 0, output: output)
    try writer.write([.integer(1), .text("x|y")])
    try writer.finish()
    try output.flush()
    #expect(
      captured.text == """
        | n | a\\|b |
        |--:|------|
        | 1 | x\\|y |

        """)
  }

  @Test func longCellsAreShortenedBeforeTheyAreMeasured() throws {
    let captured = CapturedOutput()
    let output = captured.output
    let writer = TableRowWriter(header: ["a", "b"], cellWidth: 10, output: output)
    try writer.write([
      .text(String(repeating: "x", count: 5_000_000)),
      .blob([UInt8](repeating: 255, count: 5_000_000)),
    ])
    try writer.finish()
    try output.flush()
    #expect(captured.text.hasSuffix("xxxxxxxxx…  x'fffffff…\n"))
  }

  @Test func csvWithoutRowsIsItsHeader() throws {
    let captured = CapturedOutput()
    let output = captured.output
    try SeparatedRowWriter(.comma, header: ["a", "b"], output: output, isTerminal: false).finish()
    try output.flush()
    #expect(captured.text == "a,b\r\n")
  }
}
