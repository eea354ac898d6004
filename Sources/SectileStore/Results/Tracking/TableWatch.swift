import CSQLite
import GRDB
import GRDBSQLite
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

  /// The touched rows of the transaction that one interest is about.
  final class Notes {
    fileprivate let interest: KeyInterest
    /// Positions for the pre-update functions; nil where the key is the row id.
    fileprivate let columns: [Int32]?
    fileprivate let observed: [Int32]?
    fileprivate(set) var touched: Set<RowKey> = []
    /// What the rows were before; nil where nobody asks for that.
    fileprivate(set) var preImages: [RowKey: [StoredValue]]?

    fileprivate init(_ interest: KeyInterest, columns: [Int32]?, observed: [Int32]?) {
      self.interest = interest
      self.columns = columns
      self.observed = observed
    }
  }

  /// The most rows of one transaction whose old values are kept for readers of older versions.
  static let preImageLimit = 100_000

  let table: String
  private(set) var isTouched = false
  /// Whether rows were touched whose keys cannot be told.
  private(set) var hasUnknownKeys = false
  private(set) var preImageColumns: [String] = []

  private let layout: TableLayout
  // An array of objects: the hook goes through it for every row, and changes them in place.
  private var notes: [Notes] = []
  private var preImagePositions: [Int32] = []

  init(table: String, in db: Database) throws {
    self.table = table
    layout = try TableLayout(table: table, in: db)
  }

  // MARK: Interests

  func add(_ interest: KeyInterest) {
    guard notes(for: interest) == nil else { return }
    notes.append(
      Notes(
        interest,
        columns: layout.rowIDColumn.map { [$0] == interest.keyColumns } == true
          ? nil : interest.keyColumns.map { layout.position(of: $0) ?? -1 },
        observed: observedPositions(interest)))
  }

  /// The positions of the columns whose change matters.
  ///
  /// Nil where all matter, and where one of them is computed from others and not stored.
  private func observedPositions(_ interest: KeyInterest) -> [Int32]? {
    guard let names = interest.observedColumns?.union(interest.keyColumns) else { return nil }
    let positions = names.compactMap(layout.position)
    return positions.count == names.count ? positions : nil
  }

  /// Asks for the old values of touched rows, by the values of `key`.
  func addPreImages(of columns: [String], by key: KeyInterest) {
    notes(for: key)?.preImages = [:]
    for column in columns where !preImageColumns.contains(column) {
      preImageColumns.append(column)
      preImagePositions.append(layout.position(of: column) ?? -1)
    }
  }

  /// What is noted for an interest, if somebody has it.
  func notes(for interest: KeyInterest) -> Notes? { notes.first { $0.interest == interest } }

  /// What the touched rows were before, by the key values somebody wants.
  func preImages(by key: KeyInterest) -> [RowKey: [StoredValue]] {
    notes(for: key)?.preImages ?? [:]
  }

  /// How many touched rows are noted.
  var touchedCount: Int { notes.reduce(0) { max($0, $1.touched.count) } }

  // MARK: Recording

  /// Records one row about to change.
  ///
  /// Called by the pre-update hook: must not use the connection other than through the pre-update
  /// functions.
  func record(_ row: PreUpdate) {
    isTouched = true
    for notes in notes
    where row.changesAny(of: notes.observed, doubtful: layout.doubtfulColumns) {
      if let key = key(of: row, .before, for: notes) {
        notes.touched.insert(key)
        keepPreImage(of: row, key: key, in: notes)
      }
      if let key = key(of: row, .after, for: notes) { notes.touched.insert(key) }
    }
  }

  private func key(of row: PreUpdate, _ side: PreUpdate.Side, for notes: Notes) -> RowKey? {
    guard row.exists(side) else { return nil }
    guard layout.isReadable,
      let key = row.key(side, columns: notes.columns, doubtful: layout.doubtfulColumns)
    else {
      hasUnknownKeys = true
      return nil
    }
    return key
  }

  private func keepPreImage(of row: PreUpdate, key: RowKey, in notes: Notes) {
    guard let known = notes.preImages?.count, known < Self.preImageLimit,
      notes.preImages?[key] == nil
    else { return }
    notes.preImages?[key] = row.valuesBefore(preImagePositions)
  }

  /// Forgets the transaction.
  func reset() {
    guard isTouched else { return }
    isTouched = false
    hasUnknownKeys = false
    for notes in notes {
      notes.touched.removeAll(keepingCapacity: notes.touched.count < 64)
      if notes.preImages != nil { notes.preImages = [:] }
    }
  }
}

/// Where a table's columns stand in the rows that the pre-update functions show.
struct TableLayout {
  /// The column that is another name of the row id, if there is one.
  let rowIDColumn: String?
  /// Columns of which an old NULL may mean something else: where a column was added with a default,
  /// some versions of SQLite show NULL for rows that were not written since.
  private(set) var doubtfulColumns: Set<Int32> = []
  /// Whether the positions hold for the values before and after alike.
  ///
  /// In a table WITHOUT ROWID with virtual generated columns they do not.
  let isReadable: Bool
  private let positions: [String: Int32]

  init(table: String, in db: Database) throws {
    var positions: [String: Int32] = [:]
    var keys: [(name: String, type: String)] = []
    var hasVirtualColumns = false
    let rows = try Row.fetchCursor(
      db,
      sql:
        "SELECT name, type, pk, hidden, dflt_value IS NOT NULL FROM pragma_table_xinfo(?, 'main')",
      arguments: [table])
    while let row = try rows.next() {
      let name: String = row[0]
      if row[2] as Int > 0 { keys.append((name, row[1])) }
      // Virtual generated columns (2) are not stored, so they take no position.
      if row[3] as Int == 2 {
        hasVirtualColumns = true
        continue
      }
      if row[4] { doubtfulColumns.insert(Int32(positions.count)) }
      positions[name.lowercased()] = Int32(positions.count)
    }
    self.positions = positions
    // Only a key without an index of its own is the row id: `INTEGER PRIMARY KEY DESC` and keys of
    // tables WITHOUT ROWID have one.
    let hasKeyIndex =
      try Bool.fetchOne(
        db, sql: "SELECT count(*) > 0 FROM pragma_index_list(?, 'main') WHERE origin = 'pk'",
        arguments: [table]) ?? false
    isReadable = !(hasKeyIndex && hasVirtualColumns)
    rowIDColumn =
      keys.count == 1 && !hasKeyIndex && keys[0].type.uppercased() == "INTEGER" ? keys[0].name : nil
  }

  func position(of column: String) -> Int32? { positions[column.lowercased()] }
}
