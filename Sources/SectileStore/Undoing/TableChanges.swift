import SectileCore

/// Rows of one table as they were before a transaction, and as it left them.
struct TableChanges: Sendable {
  /// A row that is not what it was; one side may be missing.
  struct Change: Sendable {
    let key: RowKey
    /// Where the row's columns stand in ``TableChanges/bytes``; nil where there was none.
    let before: Range<Int>?
    let after: Range<Int>?
  }

  let rows: WholeRows
  let changes: [Change]
  /// The columns, one row after another: see ``RowImage``.
  let bytes: [UInt8]

  /// Calls a closure with the columns of a row, valid inside it.
  func withColumns<Result>(
    of row: Range<Int>, _ body: (UnsafeBufferPointer<RawColumn>) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBytes { bytes in
      try withUnsafeTemporaryAllocation(of: RawColumn.self, capacity: rows.columns.count) {
        RowImage.read(bytes, from: row.lowerBound, into: $0)
        return try body(UnsafeBufferPointer($0))
      }
    }
  }

  /// Whether a row has these bytes; nil for none.
  func holds(_ row: Range<Int>?, _ other: UnsafeRawBufferPointer?) -> Bool {
    guard let row, let other else { return (row == nil) == (other == nil) }
    return bytes.withUnsafeBytes {
      UnsafeRawBufferPointer(rebasing: $0[row]).hasSameBytes(as: other)
    }
  }

  /// These changes without rows that are what they were.
  var withoutEqualRows: TableChanges {
    TableChanges(
      rows: rows,
      changes: changes.filter { change in
        bytes.withUnsafeBytes { bytes in
          !holds(change.before, change.after.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) })
        }
      }, bytes: bytes)
  }

  /// Whether some columns are the same before and after; false where a side is missing.
  func keeps(_ columns: [Int], in change: Change) -> Bool {
    guard let before = change.before, let after = change.after else { return false }
    return withColumns(of: before) { before in
      withColumns(of: after) { after in
        columns.allSatisfy { before[$0].isIdentical(to: after[$0]) }
      }
    }
  }

  /// The key of a row that other changes do not lead back; nil where they lead all of them back,
  /// and do nothing else.
  func keyLeftChanged(by other: TableChanges) -> RowKey? {
    var others: [RowKey: Change] = [:]
    for change in other.changes { others[change.key] = change }
    for change in changes {
      guard let back = others.removeValue(forKey: change.key) else { return change.key }
      let isBack = other.bytes.withUnsafeBytes { bytes in
        let rows = [back.after, back.before].map { row in
          row.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
        }
        return holds(change.before, rows[0]) && holds(change.after, rows[1])
      }
      if !isBack { return change.key }
    }
    return others.keys.first
  }
}
