internal import Sectile
internal import SectileInspecting

/// Writes the rows of all sections one after the other, each with its section before it.
final class ExportSectionWriter: SectionWriting {
  private let writer: any RowWriting
  private var identity: StoredValue = .null
  private var isInvalidText = false

  /// Creates a writer on top of one for rows with a first column for the section.
  init(_ writer: any RowWriting) {
    self.writer = writer
  }

  /// Returns the names of the columns: that of the section is one that no column has.
  static func columns(_ columns: [String]) -> [String] {
    let taken = Set(columns.map { $0.lowercased() })
    var name = "section"
    while taken.contains(name) { name += "_" }
    return [name] + columns
  }

  func begin() throws {}

  func begin(_ section: SectionHead) throws {
    switch section.identity {
    case .value(let value): (identity, isInvalidText) = (value, false)
    case .invalidText(let bytes): (identity, isInvalidText) = (.blob(bytes), true)
    }
  }

  func write(_ row: [StoredValue], invalidText: [Int]) throws {
    if invalidText.isEmpty && !isInvalidText {
      return try writer.write([identity] + row, invalidText: [])
    }
    let columns = (isInvalidText ? [0] : []) + invalidText.map { $0 + 1 }
    try writer.write([identity] + row, invalidText: columns)
  }

  func endSection(leftOut: Int) throws {}

  func finish() throws {
    try writer.finish()
  }
}
