import GRDBSQLite
import SectileCore

/// The rows of one table that a transaction touched, by one kind of key, and the table's versions.
///
/// Confined to the writer's serial queue.
final class RecordedRows {
  let interest: TableWatch.KeyInterest
  /// Positions for the pre-update functions; nil where the key is the row id.
  private let keyPositions: [Int32]?
  /// The columns whose change matters; nil for all.
  private let observed: [Int32]?

  // What every commit changes is not checked at run time for accesses inside one another: there are
  // none.
  /// What the transaction touched so far.
  @exclusivity(unchecked) private(set) var preImages = PreImages(columns: [])
  /// What a small transaction before touched, whose memory is used again.
  @exclusivity(unchecked) private var formerPreImages = PreImages(columns: [])
  /// The newest version of the table.
  @exclusivity(unchecked) private(set) var node = VersionNode()
  /// The version before, while the transaction that made the newest one has not ended.
  @exclusivity(unchecked) private(set) var formerNode: VersionNode?
  @exclusivity(unchecked) private var budget = ImageBudget()
  /// Whether others have changed rows since the version before, and nobody knows which.
  @exclusivity(unchecked) private(set) var isUncertain = false
  /// Where the key's columns stand among those that the change log has; nil where it lacks one of
  /// them.
  private var loggedPositions: [Int]?
  /// Whether somebody needs to know what rows were that others change.
  private(set) var wantsFormerRows = false
  /// Whether somebody reads old values; where not, there are no versions.
  private var keepsValues = false
  /// The columns whose values are kept; more are added behind, none is taken away.
  @exclusivity(unchecked) private(set) var columns: [String] = []
  @exclusivity(unchecked) private var positions: [Int32] = []

  init(_ interest: TableWatch.KeyInterest, columns: [Int32]?, observed: [Int32]?) {
    self.interest = interest
    keyPositions = columns
    self.observed = observed
  }

  /// Asks for the old values of touched rows.
  ///
  /// Nothing must have been noted of the transaction yet.
  func keepValues(of names: [String], layout: TableLayout) {
    keepsValues = true
    // What is computed is computed again of all the columns that are stored.
    let isComputed = names.contains { layout.position(of: $0) == nil }
    for name in names + (isComputed ? layout.storedColumns : []) where !columns.contains(name) {
      columns.append(name)
      positions.append(layout.trustedPosition(of: name) ?? -1)
    }
    preImages = PreImages(columns: columns)
    formerPreImages = PreImages(columns: columns)
  }

  /// Asks for the old values of rows that others change, too.
  func keepFormerRows() { wantsFormerRows = true }

  /// The column that is the key, where that is the row id.
  var rowIDColumn: String? { keyPositions == nil ? interest.keyColumns.first : nil }

  /// Where a column stands among those whose values are kept.
  func position(of column: String) -> Int? {
    columns.firstIndex { $0.lowercased() == column.lowercased() }
  }

  /// Whether somebody holds on to a version.
  var isRead: Bool { !isKnownUniquelyReferenced(&node) }

  // MARK: Recording

  /// Notes a row about to change, if the change matters; returns false where its key cannot be
  /// told.
  ///
  /// Such a row is in nobody's contents, which refuse it, unless the hook shows another key than
  /// the row has.
  @inline(__always)
  func record(_ row: PreUpdate, layout: TableLayout) -> Bool {
    let isChanged =
      row.changesAny(of: observed, doubtful: layout.doubtfulColumns)
      || (keyPositions == nil && row.newRowID != row.oldRowID)
    return !isChanged || note(row, layout: layout)
  }

  @inline(__always)
  private func note(_ row: PreUpdate, layout: TableLayout) -> Bool {
    guard layout.isReadable else {
      preImages.loseTrack()
      return false
    }
    if let keyPositions, !layout.untrustedColumns.isDisjoint(with: keyPositions) {
      preImages.loseTrack()
      return false
    }
    guard let keyPositions else {
      if row.exists(.before) { note(.integer(row.oldRowID), row, layout) }
      if row.exists(.after), !row.exists(.before) || row.newRowID != row.oldRowID {
        preImages.noteAbsent(.integer(row.newRowID))
      }
      return true
    }
    var isKnown = true
    if row.exists(.before) {
      if let key = row.key(.before, columns: keyPositions, doubtful: layout.doubtfulColumns) {
        note(key, row, layout)
      } else {
        isKnown = false
      }
    }
    if row.exists(.after) {
      if let key = row.key(.after, columns: keyPositions, doubtful: layout.doubtfulColumns) {
        preImages.noteAbsent(key)
      } else {
        isKnown = false
      }
    }
    // A query may count it all the same.
    if !isKnown, wantsFormerRows || keyPositions.contains(where: layout.doubtfulColumns.contains) {
      preImages.loseTrack()
    }
    return isKnown
  }

  @inline(__always)
  private func note(_ key: RowKey, _ row: PreUpdate, _ layout: TableLayout) {
    preImages.note(key) { column in
      let position = positions[column]
      guard position >= 0, let value = row.value(.before, position) else { return nil }
      let column = layout.stored(RawColumn(value, isUTF8: layout.isUTF8), at: position)
      return column.isNull && layout.doubtfulColumns.contains(position) ? nil : column
    }
  }

  // MARK: Commits of others

  /// Prepares for rows of the change log.
  ///
  /// - Parameter keys: The columns by which the log names rows of the table; nil where it does not.
  func follow(_ keys: [String]?) {
    loggedPositions = keys.flatMap { LoggedTable.positions(of: interest.keyColumns, in: $0) }
  }

  /// Notes a row that others have changed.
  ///
  /// - Parameter key: Returns the values at some positions of the log's key; nil where they cannot
  ///   be read.
  func record(_ key: (_ positions: [Int]) -> RowKey?) {
    guard let loggedPositions, let key = key(loggedPositions) else { return loseTrack() }
    preImages.noteLost(key)
  }

  /// Notes a row that others have changed, and what it was.
  ///
  /// - Parameters:
  ///   - row: The row of the change log.
  ///   - keys: The columns by which it names rows.
  ///   - table: The table.
  ///   - rowID: What reads the row id, where no column is one.
  ///   - reader: Reads what the row was.
  /// - Throws: What reading throws.
  func record(
    _ row: LogRow, namedBy keys: [String], of table: String, rowID: String?,
    _ reader: FormerRowReader
  ) throws {
    let names = keys.indices.compactMap { try? row.value($0) }
    let isRowID = interest.keyColumns == TableWatch.KeyInterest.rowIDs
    guard names.count == keys.count, !isRowID || rowID != nil else { return loseTrack() }
    let own = isRowID ? [rowID ?? ""] : interest.keyColumns.map(SQLName.quote)
    let place = FormerRowReader.Place(table: table, names: keys, key: own)
    // Where all columns matter, a row that the log names counts as changed.
    let compared = observed == nil ? [] : (interest.observedColumns ?? []).sorted()
    var present = try reader.present(names, at: place, columns: compared)
    try reader.forEachFormerRow(names, at: place, columns: columns + compared) { key, value in
      if observed != nil, let now = present[key] ?? nil,
        now.indices.allSatisfy({ value(columns.count + $0).holds(now[$0]) })
      {
        present[key] = nil
      } else {
        preImages.note(key, value: value)
      }
    }
    reader.found(present.keys, of: self)
  }

  /// Notes that a row was not there, unless it is known what it was.
  func noteNew(_ key: RowKey) { preImages.noteAbsent(key) }

  /// Takes note that others have changed rows, and nobody knows which.
  func loseTrack() {
    isUncertain = true
    preImages.loseTrack()
  }

  // MARK: Versions

  /// What the rows were at a version.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - positions: See ``RowsBefore/positions``.
  /// - Returns: The rows.
  func rowsBefore(since version: VersionNode, positions: [Int]) -> RowsBefore {
    // Mostly the version before the transaction that is about to end.
    version === formerNode
      ? RowsBefore(preImages, positions: positions)
      : RowsBefore(since: version, upTo: node, columns: columns, positions: positions)
  }

  // MARK: Transactions

  func beginVersion(isCertain: Bool) {
    if !isCertain { preImages.loseTrack() }
    guard keepsValues, !preImages.isEmpty else { return }
    let byteCount = preImages.byteCount
    let next = VersionNode()
    let former = exchange(&node, with: next)
    former.connect(to: next, before: preImages)
    budget.add(byteCount, since: former)
    formerNode = former
  }

  /// Takes the version back that ``beginVersion(isCertain:)`` made: the transaction was rolled
  /// back.
  func forgetVersion() {
    guard let formerNode else { return }
    formerNode.disconnect()
    node = formerNode
    self.formerNode = nil
    // Whoever followed the link may still read the rows, and more may be noted.
    preImages = preImages.copy()
  }

  /// Forgets what the transaction touched.
  func reset() {
    formerNode = nil
    isUncertain = false
    guard !preImages.isEmpty else { return }
    guard preImages.isSmall else {
      preImages = PreImages(columns: columns)
      return
    }
    // What the transaction touched is read until it is delivered, what the one before touched
    // mostly not any more.
    swap(&preImages, &formerPreImages)
    if isKnownUniquelyReferenced(&preImages) {
      preImages.clear()
    } else {
      preImages = PreImages(columns: columns)
    }
  }
}
