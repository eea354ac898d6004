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

  private struct KeyRecord {
    /// Positions for the pre-update functions; nil where the key is the row id.
    let columns: [Int32]?
    let observed: [Int32]?
    var touched: Set<RowKey> = []
  }

  /// The most rows of one transaction whose old values are kept for readers of older versions.
  static let preImageLimit = 100_000

  let table: String
  private(set) var isTouched = false
  /// Whether the old values of every touched row are at hand.
  private(set) var hasAllPreImages = true
  private(set) var preImages: [RowKey: [StoredValue]] = [:]
  private(set) var preImageColumns: [String] = []

  private let layout: TableLayout
  private var records: [KeyInterest: KeyRecord] = [:]
  private var preImageKey: KeyInterest?
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
    preImageKey = preImageKey ?? key
    for column in columns where !preImageColumns.contains(column) {
      preImageColumns.append(column)
      preImagePositions.append(layout.position(of: column) ?? -1)
    }
  }

  func touchedKeys(_ interest: KeyInterest) -> Set<RowKey> { records[interest]?.touched ?? [] }

  // MARK: Recording

  /// Records one row about to change. Called by the pre-update hook: must not use the connection
  /// other than through the pre-update functions.
  func record(_ row: PreUpdate) {
    isTouched = true
    for (interest, record) in records {
      guard row.changesAny(of: record.observed) else { continue }
      if let before = row.key(.before, columns: record.columns) {
        records[interest]?.touched.insert(before)
        if interest == preImageKey { keepPreImage(of: row, key: before) }
      }
      if let after = row.key(.after, columns: record.columns) {
        records[interest]?.touched.insert(after)
      }
    }
  }

  private func keepPreImage(of row: PreUpdate, key: RowKey) {
    guard preImages[key] == nil else { return }
    guard preImages.count < Self.preImageLimit, let values = row.valuesBefore(preImagePositions)
    else {
      hasAllPreImages = false
      return
    }
    preImages[key] = values
  }

  /// Forgets the transaction.
  func reset() {
    guard isTouched else { return }
    isTouched = false
    hasAllPreImages = true
    preImages = [:]
    for interest in records.keys { records[interest]?.touched.removeAll() }
  }
}

/// Where a table's columns stand in the rows that the pre-update functions show.
struct TableLayout {
  /// The column that is another name of the row id, if there is one.
  let rowIDColumn: String?
  private let positions: [String: Int32]

  init(table: String, in db: Database) throws {
    rowIDColumn = try db.primaryKey(table).rowIDColumn
    var positions: [String: Int32] = [:]
    let rows = try Row.fetchCursor(
      db, sql: "SELECT name, hidden FROM pragma_table_xinfo(?)", arguments: [table])
    while let row = try rows.next() {
      // Virtual generated columns (2) are not stored, so they take no position.
      if row[1] as Int == 2 { continue }
      positions[(row[0] as String).lowercased()] = Int32(positions.count)
    }
    self.positions = positions
  }

  func position(of column: String) -> Int32? { positions[column.lowercased()] }
}
