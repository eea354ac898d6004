internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Writes the rows of a table in HTML, without the table's own tags.
final class HTMLRowWriter: RowWriting {
  private let output: Output
  private let isTerminal: Bool
  private var header: [String]

  init(header: [String], output: Output, isTerminal: Bool) {
    self.header = header
    self.output = output
    self.isTerminal = isTerminal
  }

  func write(_ values: [StoredValue]) throws {
    try writeHeader()
    try row(values.map(ValueText.plain), tag: "td")
  }

  func finish() throws {
    try writeHeader()
  }

  private func writeHeader() throws {
    if header.isEmpty { return }
    try row(header, tag: "th")
    header = []
  }

  private func row(_ texts: [String], tag: String) throws {
    let cells = texts.map { "<\(tag)>\(escaped($0))</\(tag)>" }
    try output.line("<tr>" + cells.joined() + "</tr>")
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in (isTerminal ? TerminalText.escaped(text) : text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
