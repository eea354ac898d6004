import SectileCore

/// What the recorder keeps about one observed table: who wants which key values of touched rows,
/// and, within one transaction, those values and what the rows were before.
///
/// Confined to the writer's serial queue, like the recorder that owns it.
final class TableWatch {
  /// Key values somebody wants of each touched row.
  struct KeyInterest: Hashable {
    var keyColumns: [String]
    /// The columns whose change matters; nil for all.
    var observedColumns: Set<String>?

    /// The key of rows by their ids, in a table where no column is that id.
    static let rowIDs = ["sectile row id"]
  }

  let table: String
  let layout: TableLayout
  private(set) var isTouched = false
  /// Whether rows were touched whose keys cannot be told.
  private(set) var hasUnknownKeys = false

  // An array of objects: the hook goes through it for every row, and changes them in place. Not
  // checked at run time: no access is inside another.
  @exclusivity(unchecked) private var recordedRows: [RecordedRows] = []

  init(table: String, layout: TableLayout) {
    self.table = table
    self.layout = layout
  }

  // MARK: Interests

  /// Returns the rows for an interest, which are recorded from now on.
  func startRecording(_ interest: KeyInterest) -> RecordedRows {
    if let known = recordedRows.first(where: { $0.interest == interest }) { return known }
    let added = RecordedRows(
      interest,
      columns: layout.rowIDColumn.map { [$0] == interest.keyColumns } == true
        || (layout.hasRowIDs && interest.keyColumns == KeyInterest.rowIDs)
        ? nil : interest.keyColumns.map { layout.position(of: $0) ?? -1 },
      observed: observedPositions(interest))
    recordedRows.append(added)
    return added
  }

  /// Forgets rows that nobody else holds, unless an old version of their rows is still read.
  func forgetUnheld() {
    var position = 0
    while position < recordedRows.count {
      if isKnownUniquelyReferenced(&recordedRows[position]), !recordedRows[position].isRead {
        recordedRows.remove(at: position)
      } else {
        position += 1
      }
    }
  }

  /// Whether anybody wants to know of touched rows.
  var isWanted: Bool { !recordedRows.isEmpty }

  /// The positions of the columns whose change matters.
  ///
  /// Nil where all matter, and where one of them is computed and not stored, or not to be trusted.
  private func observedPositions(_ interest: KeyInterest) -> [Int32]? {
    let keyColumns = interest.keyColumns == KeyInterest.rowIDs ? [] : interest.keyColumns
    guard let names = interest.observedColumns?.union(keyColumns) else { return nil }
    let positions = names.compactMap(layout.trustedPosition)
    return positions.count == names.count ? positions : nil
  }

  /// How many touched rows are recorded.
  var touchedCount: Int { recordedRows.reduce(0) { max($0, $1.preImages.count) } }

  // MARK: Recording

  /// Records one row about to change.
  ///
  /// Called by the pre-update hook: must not use the connection other than through the pre-update
  /// functions.
  @inline(__always)
  func record(_ row: PreUpdate) {
    isTouched = true
    // By position: to go through the list itself is to retain it.
    for position in recordedRows.indices {
      if !recordedRows[position].record(row, layout: layout) { hasUnknownKeys = true }
    }
  }

  // MARK: Commits of others

  /// Prepares for rows of the change log.
  ///
  /// - Parameter keys: The columns by which the log names rows of the table; nil where it does not.
  func follow(_ keys: [String]?) {
    for rows in recordedRows { rows.follow(keys) }
  }

  /// Whether somebody needs to know what rows were that others change.
  var wantsFormerRows: Bool { recordedRows.contains { $0.wantsFormerRows } }

  /// Records a row that others have changed.
  ///
  /// - Parameters:
  ///   - row: The row of the change log.
  ///   - keys: The columns by which it names rows.
  ///   - reader: Reads what the row was; nil where that is not known.
  /// - Throws: What reading throws.
  func record(_ row: LogRow, namedBy keys: [String], _ reader: FormerRowReader?) throws {
    isTouched = true
    for rows in recordedRows {
      if let reader, rows.wantsFormerRows {
        try rows.record(row, namedBy: keys, of: table, rowID: layout.hiddenRowID, reader)
      } else {
        rows.record { positions in try? row.key(at: positions) }
      }
    }
  }

  /// Takes note that others have changed rows, and nobody knows which.
  func loseTrack() {
    isTouched = true
    for rows in recordedRows { rows.loseTrack() }
  }

  // MARK: Transactions

  /// Links the version before the transaction to the one after it, for each kind of key.
  ///
  /// - Parameter isCertain: Whether nothing happened that was not recorded.
  func beginVersion(isCertain: Bool) {
    guard !isCertain || isTouched else { return }
    for position in recordedRows.indices {
      recordedRows[position].beginVersion(isCertain: isCertain)
    }
  }

  /// Takes back the versions of a transaction that was rolled back.
  func forgetVersion() {
    for rows in recordedRows { rows.forgetVersion() }
  }

  /// Forgets what the transaction touched.
  func reset() {
    for position in recordedRows.indices { recordedRows[position].reset() }
    isTouched = false
    hasUnknownKeys = false
  }
}

/// A table that is recorded, and the rows that are recorded of it for somebody.
struct WatchedTable {
  private let watch: TableWatch
  let recordedRows: RecordedRows

  init(watch: TableWatch, recordedRows: RecordedRows) {
    self.watch = watch
    self.recordedRows = recordedRows
  }

  /// Whether rows were touched of which it is not known which ones.
  var hasUnknownKeys: Bool { watch.hasUnknownKeys }

  var isTouched: Bool {
    watch.isTouched
      && (watch.hasUnknownKeys || recordedRows.preImages.count > 0 || recordedRows.isUncertain)
  }

  /// Whether others have changed rows, and nobody knows which.
  var isUncertain: Bool { recordedRows.isUncertain }
}
