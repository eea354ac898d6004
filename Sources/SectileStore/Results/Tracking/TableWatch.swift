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
  private(set) var preImages: [RowKey: [StoredValue]] = [:]
  private(set) var preImageColumns: [String] = []

  private let layout: TableLayout
  // An array of objects: the hook goes through it for every row, and changes them in place.
  private var notes: [Notes] = []
  private var preImageNotes: Notes?
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
        observed: interest.observedColumns.map { names in
          names.union(interest.keyColumns).compactMap(layout.position)
        }))
  }

  /// Asks for the old values of touched rows, by the values of `key`.
  func addPreImages(of columns: [String], by key: KeyInterest) {
    preImageNotes = preImageNotes ?? notes(for: key)
    for column in columns where !preImageColumns.contains(column) {
      preImageColumns.append(column)
      preImagePositions.append(layout.position(of: column) ?? -1)
    }
  }

  /// What is noted for an interest, if somebody has it.
  func notes(for interest: KeyInterest) -> Notes? { notes.first { $0.interest == interest } }

  // MARK: Recording

  /// Records one row about to change. Called by the pre-update hook: must not use the connection
  /// other than through the pre-update functions.
  func record(_ row: PreUpdate) {
    isTouched = true
    for notes in notes where row.changesAny(of: notes.observed) {
      let before = row.key(.before, columns: notes.columns)
      if let before {
        notes.touched.insert(before)
        if notes === preImageNotes { keepPreImage(of: row, key: before) }
      }
      if let after = row.key(.after, columns: notes.columns), after != before {
        notes.touched.insert(after)
      }
    }
  }

  private func keepPreImage(of row: PreUpdate, key: RowKey) {
    guard preImages[key] == nil else { return }
    guard preImages.count < Self.preImageLimit else { return }
    preImages[key] = row.valuesBefore(preImagePositions)
  }

  /// Forgets the transaction.
  func reset() {
    guard isTouched else { return }
    isTouched = false
    preImages = [:]
    for notes in notes { notes.touched.removeAll(keepingCapacity: notes.touched.count < 64) }
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
