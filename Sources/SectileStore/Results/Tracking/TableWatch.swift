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

  /// The notes for one interest. An object, so that noting a row never copies the notes.
  private final class KeyRecord {
    /// Positions for the pre-update functions; nil where the key is the row id.
    let columns: [Int32]?
    let observed: [Int32]?
    var touched: Set<RowKey> = []
    var keepsPreImages = false
    var preImages: [RowKey: [StoredValue]] = [:]

    init(columns: [Int32]?, observed: [Int32]?) {
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
  private var records: [KeyInterest: KeyRecord] = [:]
  private var preImagePositions: [Int32] = []

  init(table: String, in db: Database) throws {
    self.table = table
    layout = try TableLayout(table: table, in: db)
  }

  // MARK: Interests

  func add(_ interest: KeyInterest) {
    guard records[interest] == nil else { return }
    records[interest] = KeyRecord(
      columns: layout.rowIDColumn.map { [$0] == interest.keyColumns } == true
        ? nil : interest.keyColumns.map { layout.position(of: $0) ?? -1 },
      observed: interest.observedColumns.map { names in
        names.union(interest.keyColumns).compactMap(layout.position)
      })
  }

  /// Asks for the old values of touched rows, by the values of `key`.
  func addPreImages(of columns: [String], by key: KeyInterest) {
    records[key]?.keepsPreImages = true
    for column in columns where !preImageColumns.contains(column) {
      preImageColumns.append(column)
      preImagePositions.append(layout.position(of: column) ?? -1)
    }
  }

  func touchedKeys(_ interest: KeyInterest) -> Set<RowKey> { records[interest]?.touched ?? [] }

  /// What the touched rows were before, by the key values somebody wants.
  func preImages(by key: KeyInterest) -> [RowKey: [StoredValue]] {
    records[key]?.preImages ?? [:]
  }

  /// How many touched rows are noted.
  var touchedCount: Int { records.values.reduce(0) { max($0, $1.touched.count) } }

  // MARK: Recording

  /// Records one row about to change. Called by the pre-update hook: must not use the connection
  /// other than through the pre-update functions.
  func record(_ row: PreUpdate) {
    isTouched = true
    for record in records.values
    where row.changesAny(of: record.observed, doubtful: layout.doubtfulColumns) {
      note(row, .before, in: record)
      note(row, .after, in: record)
    }
  }

  private func note(_ row: PreUpdate, _ side: PreUpdate.Side, in record: KeyRecord) {
    guard row.exists(side) else { return }
    guard layout.isReadable,
      let key = row.key(side, columns: record.columns, doubtful: layout.doubtfulColumns)
    else {
      hasUnknownKeys = true
      return
    }
    record.touched.insert(key)
    guard side == .before, record.keepsPreImages, record.preImages[key] == nil,
      record.preImages.count < Self.preImageLimit,
      let values = row.valuesBefore(preImagePositions)
    else { return }
    record.preImages[key] = values
  }

  /// Forgets the transaction.
  func reset() {
    guard isTouched else { return }
    isTouched = false
    hasUnknownKeys = false
    for record in records.values {
      record.touched = []
      record.preImages = [:]
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
  /// Whether the positions hold for the values before and after alike. In a table WITHOUT ROWID with
  /// virtual generated columns they do not.
  let isReadable: Bool
  private let positions: [String: Int32]

  init(table: String, in db: Database) throws {
    var positions: [String: Int32] = [:]
    var keys: [(name: String, type: String)] = []
    var hasVirtualColumns = false
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT name, type, pk, hidden, dflt_value IS NOT NULL FROM pragma_table_xinfo(?, 'main')",
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
