internal import Sectile
internal import SectileInspecting

/// Writes rows with a text in the place of NULL.
final class NullTextWriter: RowWriting {
  private let text: StoredValue
  private let writer: any RowWriting

  init(_ text: String, _ writer: any RowWriting) {
    self.text = .text(text)
    self.writer = writer
  }

  func write(_ values: [StoredValue]) throws {
    try writer.write(values.map { $0 == .null ? text : $0 })
  }

  func write(_ values: [StoredValue], invalidText: [Int]) throws {
    try writer.write(values.map { $0 == .null ? text : $0 }, invalidText: invalidText)
  }

  func finish() throws {
    try writer.finish()
  }
}
