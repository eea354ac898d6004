import GRDB
import SectileCore

/// The rows of one table that a transaction touched, as they were before it and as they are now.
///
/// Read once, for all results that might want one of them.
struct WrittenRows {
  /// More rows are not read.
  ///
  /// Each result would look all of them up again, for ten times what it takes to compare them here.
  static let limit = 4_096

  // The columns of `versions` point to their bytes.
  private let before: PreImages
  private let after: PreImages
  private let versions: [[RawColumn]]
  /// The rows that others have written: what they were before is not known, and not among what is
  /// compared.
  let lostKeys: [RowKey]

  /// Reads the rows inside the transaction.
  ///
  /// Nil where not all are known, where they are too many, and where they are known by something
  /// else than the row id.
  ///
  /// - Parameters:
  ///   - recordedRows: What was recorded of the table.
  ///   - table: Its name.
  ///   - db: The writing connection.
  /// - Throws: What reading throws.
  init?(_ recordedRows: RecordedRows, of table: String, in db: Database) throws {
    let before = recordedRows.preImages
    guard let rowID = recordedRows.rowIDColumn, before.isComplete, before.count <= Self.limit,
      !recordedRows.columns.isEmpty
    else { return nil }
    let after = PreImages(columns: recordedRows.columns)
    let columns = recordedRows.columns.map { SQLName.quote($0) }.joined(separator: ", ")
    let statement = try RawStatement.cached(
      "SELECT \(columns) FROM \(SQLName.table(table)) WHERE \(SQLName.quote(rowID)) = ?", on: db)
    defer { statement.finish() }
    var versions: [[RawColumn]] = []
    for position in 0..<before.count {
      let key = before.key(at: position)
      guard case .integer(let id) = key else { return nil }
      try statement.bind(.integer(id), at: 1)
      if try statement.step() {
        after.note(key) { RawColumn(statement.handle, Int32($0)) }
      } else {
        after.noteAbsent(key)
      }
      statement.reset()
    }
    var lostKeys: [RowKey] = []
    for preImages in [before, after] {
      for position in 0..<before.count {
        let key = before.key(at: position)
        switch preImages.entry(of: key, columns: recordedRows.columns) {
        case .absent: continue
        case .image(let offset): versions.append(preImages.columns(at: offset))
        case .lost where preImages === before: lostKeys.append(key)
        case .untouched, .partial, .lost: return nil
        }
      }
    }
    (self.before, self.after, self.versions) = (before, after, versions)
    self.lostKeys = lostKeys
  }

  /// Whether none of the rows, as it was or as it is, is one that a filter wants; ``lostKeys`` as
  /// they are.
  ///
  /// - Parameter isExcluded: Whether the filter certainly does not want a row of these columns,
  ///   which stand as in the recorded rows.
  /// - Returns: True where all are excluded.
  func allAreExcluded(by isExcluded: ([RawColumn]) -> Bool) -> Bool {
    withExtendedLifetime((before, after)) { versions.allSatisfy(isExcluded) }
  }
}
