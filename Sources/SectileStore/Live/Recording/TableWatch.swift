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
  }

  let table: String
  let layout: TableLayout
  private(set) var isTouched = false
  /// Whether rows were touched whose keys cannot be told.
  private(set) var hasUnknownKeys = false

  // An array of objects: the hook goes through it for every row, and changes them in place. Not
  // checked at run time: no access is inside another.
  @exclusivity(unchecked) private var notes: [RowNotes] = []

  init(table: String, layout: TableLayout) {
    self.table = table
    self.layout = layout
  }

  // MARK: Interests

  /// Returns the notes for an interest, which are kept from now on.
  func addNotes(for interest: KeyInterest) -> RowNotes {
    if let known = notes.first(where: { $0.interest == interest }) { return known }
    let added = RowNotes(
      interest,
      columns: layout.rowIDColumn.map { [$0] == interest.keyColumns } == true
        ? nil : interest.keyColumns.map { layout.position(of: $0) ?? -1 },
      observed: observedPositions(interest))
    notes.append(added)
    return added
  }

  /// Forgets notes that nobody else holds, unless an old version of their rows is still read.
  func forgetUnheld() {
    var position = 0
    while position < notes.count {
      if isKnownUniquelyReferenced(&notes[position]), !notes[position].isRead {
        notes.remove(at: position)
      } else {
        position += 1
      }
    }
  }

  /// Whether anybody wants to know of touched rows.
  var isWanted: Bool { !notes.isEmpty }

  /// The positions of the columns whose change matters.
  ///
  /// Nil where all matter, and where one of them is computed and not stored, or not to be trusted.
  private func observedPositions(_ interest: KeyInterest) -> [Int32]? {
    guard let names = interest.observedColumns?.union(interest.keyColumns) else { return nil }
    let positions = names.compactMap(layout.trustedPosition)
    return positions.count == names.count ? positions : nil
  }

  /// How many touched rows are noted.
  var touchedCount: Int { notes.reduce(0) { max($0, $1.images.count) } }

  // MARK: Recording

  /// Records one row about to change.
  ///
  /// Called by the pre-update hook: must not use the connection other than through the pre-update
  /// functions.
  @inline(__always)
  func record(_ row: PreUpdate) {
    isTouched = true
    // By position: to go through the list itself is to retain it.
    for position in notes.indices {
      if !notes[position].record(row, layout: layout) { hasUnknownKeys = true }
    }
  }

  // MARK: Commits of others

  /// Prepares for rows of the change log.
  ///
  /// - Parameter keys: The columns by which the log names rows of the table; nil where it does not.
  func follow(_ keys: [String]?) {
    for notes in notes { notes.follow(keys) }
  }

  /// Records a row that others have changed.
  ///
  /// - Parameter key: See ``RowNotes/record(_:)-(_)``.
  func record(_ key: (_ positions: [Int]) -> RowKey?) {
    isTouched = true
    for notes in notes { notes.record(key) }
  }

  /// Takes note that others have changed rows, and nobody knows which.
  func loseTrack() {
    isTouched = true
    for notes in notes { notes.loseTrack() }
  }

  // MARK: Transactions

  /// Links the version before the transaction to the one after it, for each kind of key.
  ///
  /// - Parameter isCertain: Whether nothing happened that was not recorded.
  func beginVersion(isCertain: Bool) {
    guard !isCertain || isTouched else { return }
    for position in notes.indices { notes[position].beginVersion(isCertain: isCertain) }
  }

  /// Takes back the versions of a transaction that was rolled back.
  func forgetVersion() {
    for notes in notes { notes.forgetVersion() }
  }

  /// Forgets what the transaction touched.
  func reset() {
    for position in notes.indices { notes[position].reset() }
    isTouched = false
    hasUnknownKeys = false
  }
}

/// A table that is recorded, and what is noted of it for somebody.
struct WatchedTable {
  private let watch: TableWatch
  let notes: RowNotes

  init(watch: TableWatch, notes: RowNotes) { (self.watch, self.notes) = (watch, notes) }

  /// Whether rows were touched of which it is not known which ones.
  var hasUnknownKeys: Bool { watch.hasUnknownKeys }

  var isTouched: Bool {
    watch.isTouched && (watch.hasUnknownKeys || notes.images.count > 0 || notes.isUncertain)
  }

  /// Whether others have changed rows, and nobody knows which.
  var isUncertain: Bool { notes.isUncertain }
}
