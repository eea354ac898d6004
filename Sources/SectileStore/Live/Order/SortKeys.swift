import SectileCore

/// The values of the complete order of many rows, kept outside of a statement.
///
/// ```text
/// columns    'Jazz' 'Blue' 7   'Jazz' 'Sky' 3   …     as many for each row
///              ↓      ↓          ↓      ↓
/// bytes      JazzBlueJazzSky…                         in blocks that do not move
/// ```
///
/// Rows are sorted and searched for by these values, so nothing is retained or allocated for one of
/// them: kept in arrays of their own they took a third of the time of a large transaction.
final class SortKeys {
  private static let blockSize = 1 << 16

  /// Where the values stand in a row that is read.
  private let positions: [Int]
  private var columns: ContiguousArray<RawColumn> = []
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  /// What is left of the last block.
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Creates a list of no rows.
  ///
  /// - Parameter positions: Where the values stand in a row that is read.
  init(positions: [Int]) { self.positions = positions }

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// Appends the values of the row a statement stands on.
  func append(_ statement: RawStatement) {
    for position in positions { columns.append(statement.column(position).keepingBytes(keep)) }
  }

  /// Returns the numbers of the rows, counted as they were appended, in their order.
  func sorted(by rule: RowOrdering) -> [Int] {
    let width = positions.count
    let count = width == 0 ? 0 : columns.count / width
    return columns.withUnsafeBufferPointer { columns in
      (0..<count).sorted { left, right in
        rule.areInOrder(
          UnsafeBufferPointer(rebasing: columns[left * width..<(left + 1) * width]),
          UnsafeBufferPointer(rebasing: columns[right * width..<(right + 1) * width]))
      }
    }
  }

  /// Calls `body` with the values of the row with a number, valid inside it.
  func withRow<Result>(
    _ number: Int, _ body: (UnsafeBufferPointer<RawColumn>) throws -> Result
  ) rethrows -> Result {
    let width = positions.count
    return try columns.withUnsafeBufferPointer { columns in
      try body(UnsafeBufferPointer(rebasing: columns[number * width..<(number + 1) * width]))
    }
  }

  private func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard bytes.count > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    if room.count < bytes.count {
      room = .allocate(byteCount: max(Self.blockSize, bytes.count), alignment: 1)
      blocks.append(room)
    }
    let kept = UnsafeMutableRawBufferPointer(rebasing: room[..<bytes.count])
    kept.copyMemory(from: bytes)
    room = UnsafeMutableRawBufferPointer(rebasing: room[bytes.count...])
    return UnsafeRawBufferPointer(kept)
  }
}
