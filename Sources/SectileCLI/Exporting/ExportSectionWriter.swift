internal import Sectile
internal import SectileInspecting

/// Writes the rows of all sections one after the other, each with its section and the section's
/// aggregates before it.
final class ExportSectionWriter: SectionWriting {
  private let writer: any RowWriting
  private var head: (values: [StoredValue], invalidText: [Int]) = ([], [])

  /// Creates a writer on top of one for rows with the columns ``columns(_:aggregates:)``.
  init(_ writer: any RowWriting) {
    self.writer = writer
  }

  /// Returns the names of the columns: those of the section and its aggregates are ones that no
  /// column has.
  static func columns(_ columns: [String], aggregates: [String] = []) -> [String] {
    var taken = Set(columns.map { $0.lowercased() })
    let heads = (["section"] + aggregates).map { name in
      var name = name
      while !taken.insert(name.lowercased()).inserted { name += "_" }
      return name
    }
    return heads + columns
  }

  /// Returns values as a row, and where in it the blobs are that are text which is not UTF-8.
  static func row(of values: [ExactValue]) -> (values: [StoredValue], invalidText: [Int]) {
    var row: (values: [StoredValue], invalidText: [Int]) = ([], [])
    for (column, value) in values.enumerated() {
      switch value {
      case .value(let value): row.values.append(value)
      case .invalidText(let bytes):
        row.values.append(.blob(bytes))
        row.invalidText.append(column)
      }
    }
    return row
  }

  func begin() throws {}

  func begin(_ section: SectionHead) throws {
    head = Self.row(of: [section.identity] + section.aggregates)
  }

  func write(_ row: [StoredValue], invalidText: [Int]) throws {
    try writer.write(
      head.values + row, invalidText: head.invalidText + invalidText.map { $0 + head.values.count })
  }

  func endSection(leftOut: Int) throws {}

  func finish(_ totals: SectionTotals) throws {
    try writer.finish()
  }
}
