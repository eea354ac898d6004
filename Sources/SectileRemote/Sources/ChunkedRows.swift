internal import SectileCore

/// The rows of one section, in chunks that copies share: appending a page copies the list of chunks
/// and the last chunk, not the rows.
struct ChunkedRows<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Row = SectionedContents<ItemID, Item>.Row

  private static var chunkSize: Int { 128 }

  /// All chunks but the last one are full.
  private var chunks: [[Row]] = []
  private(set) var count = 0

  init(_ rows: [Row] = []) {
    for row in rows { append(row) }
  }

  mutating func append(_ row: Row) {
    if count % Self.chunkSize == 0 {
      chunks.append([row])
    } else {
      chunks[chunks.count - 1].append(row)
    }
    count += 1
  }

  /// Removes rows from the end until so many are left.
  mutating func truncate(to newCount: Int) {
    guard newCount < count else { return }
    count = newCount
    let full = newCount / Self.chunkSize
    let rest = newCount % Self.chunkSize
    chunks.removeSubrange((rest == 0 ? full : full + 1)...)
    if rest > 0 { chunks[full].removeSubrange(rest...) }
  }

  subscript(offset: Int) -> Row {
    get {
      precondition(offset >= 0 && offset < count, "offset \(offset) is outside 0..<\(count)")
      return chunks[offset / Self.chunkSize][offset % Self.chunkSize]
    }
    set {
      precondition(offset >= 0 && offset < count, "offset \(offset) is outside 0..<\(count)")
      chunks[offset / Self.chunkSize][offset % Self.chunkSize] = newValue
    }
  }

  /// All rows, in order.
  var all: [Row] { Array(chunks.joined()) }
}
