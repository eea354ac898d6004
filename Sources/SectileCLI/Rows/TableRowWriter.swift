internal import Sectile
internal import SectileInspecting

/// Writes aligned columns, plain or in a frame.
final class TableRowWriter: RowWriting {
  private let cellWidth: Int
  private var table: TextTable

  init(
    frame: TextTable.Frame = .none, header: [String], cellWidth: Int, output: Output
  ) {
    self.cellWidth = cellWidth
    table = TextTable(frame: frame, headers: header, output: output)
  }

  func write(_ values: [StoredValue]) throws {
    try table.append(values.map { ValueText.cell($0, width: cellWidth) })
  }

  func finish() throws {
    try table.finish()
  }
}
