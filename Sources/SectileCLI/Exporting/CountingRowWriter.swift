internal import Sectile
internal import SectileInspecting

/// Counts the rows on their way to a writer, and shows how many there were.
final class CountingRowWriter: RowWriting {
  private let writer: any RowWriting
  private var progress: Progress?
  /// How many rows were written.
  private(set) var count = 0

  /// Creates a writer on top of another one.
  init(_ writer: any RowWriting, progress: Progress?) {
    self.writer = writer
    self.progress = progress
  }

  func write(_ values: [StoredValue]) throws {
    try write(values, invalidText: [])
  }

  func write(_ values: [StoredValue], invalidText: [Int]) throws {
    try writer.write(values, invalidText: invalidText)
    count += 1
    if count & 0xFF == 0 { try progress?.advance(to: count) }
  }

  func finish() throws {
    try progress?.finish()
    try writer.finish()
  }
}
