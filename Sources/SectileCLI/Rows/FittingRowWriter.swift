internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Writes aligned columns where they fit on the terminal, and otherwise one value a line.
///
/// The first rows are kept back until it is clear which of both it will be: as many as decide about
/// the widths of a table, but not more than ``sizeLimit`` bytes of them.
final class FittingRowWriter: RowWriting {
  /// How many bytes of rows are kept back.
  static let sizeLimit = 1 << 20

  private let columns: [String]
  private let cellWidth: Int
  private let width: Int
  private let output: Output
  private let table: TableRowWriter
  private var waiting: [[StoredValue]] = []
  private var waitingSize = 0
  private var measured: TextColumns
  private var chosen: (any RowWriting)?

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - columns: The columns' names.
  ///   - header: Those of them that a table shows.
  ///   - cellWidth: How wide a cell of a table gets at most; zero for any width.
  ///   - width: How many columns the terminal has.
  ///   - output: Where the rows go.
  init(columns: [String], header: [String], cellWidth: Int, width: Int, output: Output) {
    self.columns = columns
    self.cellWidth = cellWidth
    self.width = width
    self.output = output
    table = TableRowWriter(header: header, cellWidth: cellWidth, output: output)
    measured = TextColumns(heads: header)
  }

  func write(_ values: [StoredValue]) throws {
    if let chosen { return try chosen.write(values) }
    waiting.append(values)
    measured.measure(values.map { ValueText.cell($0, width: cellWidth).escaped })
    for value in values { waitingSize += Self.size(of: value) }
    let isWide = !isFitting
    if isWide || waiting.count >= TextTable.measuredRows || waitingSize >= Self.sizeLimit {
      try choose()
    }
  }

  func finish() throws {
    try choose().finish()
  }

  private var isFitting: Bool { measured.lineWidth <= width }

  @discardableResult
  private func choose() throws -> any RowWriting {
    if let chosen { return chosen }
    let writer: any RowWriting =
      isFitting || waiting.isEmpty ? table : VerticalRowWriter(columns: columns, output: output)
    chosen = writer
    for values in waiting { try writer.write(values) }
    waiting = []
    return writer
  }

  private static func size(of value: StoredValue) -> Int {
    switch value {
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    case .null, .integer, .real: 8
    }
  }
}
