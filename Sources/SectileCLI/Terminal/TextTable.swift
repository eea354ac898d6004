/// Rows of cells in aligned columns, safe to show on a terminal.
///
/// The first ``measuredRows`` rows are kept back to learn how wide the columns are; from then on
/// rows are written as they come, so that a large result needs no memory.
struct TextTable {
  /// One cell: its text, and whether it lines up on the right.
  struct Cell {
    let text: String
    let isNumber: Bool

    init(_ text: String, isNumber: Bool = false) {
      self.text = text
      self.isNumber = isNumber
    }
  }

  /// How many rows decide about the widths.
  static let measuredRows = 1000

  private let headers: [String]
  private let indentation: String
  private let output: Output
  private var waiting: [[Cell]] = []
  private var widths: [Int]?

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - headers: The names of the columns; empty for a table without a head.
  ///   - indentation: What each line begins with.
  ///   - output: Where the lines go.
  init(headers: [String] = [], indentation: String = "", output: Output) {
    self.headers = headers.map(TerminalText.escaped)
    self.indentation = indentation
    self.output = output
  }

  /// Adds a row.
  mutating func append(_ cells: [Cell]) throws {
    let safe = cells.map { Cell(TerminalText.escaped($0.text), isNumber: $0.isNumber) }
    if let widths {
      try write(safe, widths: widths)
      return
    }
    waiting.append(safe)
    if waiting.count >= Self.measuredRows { try writeWaiting() }
  }

  /// Writes what is still kept back.
  ///
  /// To be called once, after the last row.
  mutating func finish() throws {
    if widths == nil { try writeWaiting() }
  }

  private mutating func writeWaiting() throws {
    let columns = max(headers.count, waiting.map(\.count).max() ?? 0)
    let measured = (0..<columns).map { column in
      let rows = waiting.map { $0.count > column ? TerminalText.width(of: $0[column].text) : 0 }
      let header = headers.count > column ? TerminalText.width(of: headers[column]) : 0
      return max(header, rows.max() ?? 0)
    }
    widths = measured
    if !headers.isEmpty {
      let numbers = (0..<columns).map { column in
        !waiting.isEmpty && waiting.allSatisfy { $0.count > column && $0[column].isNumber }
      }
      try write(
        zip(headers, numbers).map { Cell($0, isNumber: $1) }, widths: measured)
      try write(measured.map { Cell(String(repeating: "-", count: $0)) }, widths: measured)
    }
    for row in waiting { try write(row, widths: measured) }
    waiting = []
  }

  private func write(_ cells: [Cell], widths: [Int]) throws {
    var line = indentation
    for (column, cell) in cells.enumerated() {
      if column > 0 { line += "  " }
      let isLast = column == cells.count - 1
      if isLast && !cell.isNumber {
        line += cell.text
      } else {
        line += TerminalText.padded(cell.text, to: widths[column], right: cell.isNumber)
      }
    }
    try output.line(line)
  }
}
