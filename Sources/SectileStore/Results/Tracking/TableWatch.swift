import Foundation
import GRDB
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

  // An array of objects: the hook goes through it for every row, and changes them in place.
  private var notes: [RowNotes] = []

  init(table: String, layout: TableLayout) {
    self.table = table
    self.layout = layout
  }

  // MARK: Interests

  /// Returns the notes for an interest, which are kept from now on.
  func addNotes(for interest: KeyInterest) -> RowNotes {
    if let known = notes(for: interest) { return known }
    let added = RowNotes(
      interest,
      columns: layout.rowIDColumn.map { [$0] == interest.keyColumns } == true
        ? nil : interest.keyColumns.map { layout.position(of: $0) ?? -1 },
      observed: observedPositions(interest))
    notes.append(added)
    return added
  }

  /// Forgets the interests nobody has any more, unless an old version of their rows is still read.
  func removeNotes(notIn wanted: Set<KeyInterest>) {
    notes.removeAll { !wanted.contains($0.interest) && !$0.isRead }
  }

  /// Whether anybody wants to know of touched rows.
  var isWanted: Bool { !notes.isEmpty }

  /// The positions of the columns whose change matters.
  ///
  /// Nil where all matter, and where one of them is computed from others and not stored.
  private func observedPositions(_ interest: KeyInterest) -> [Int32]? {
    guard let names = interest.observedColumns?.union(interest.keyColumns) else { return nil }
    let positions = names.compactMap(layout.position)
    return positions.count == names.count ? positions : nil
  }

  /// What is noted for an interest, if somebody has it.
  func notes(for interest: KeyInterest) -> RowNotes? { notes.first { $0.interest == interest } }

  /// How many touched rows are noted.
  var touchedCount: Int { notes.reduce(0) { max($0, $1.images.count) } }

  // MARK: Recording

  /// Records one row about to change.
  ///
  /// Called by the pre-update hook: must not use the connection other than through the pre-update
  /// functions.
  func record(_ row: PreUpdate) {
    isTouched = true
    for notes in notes
    where row.changesAny(of: notes.observed, doubtful: layout.doubtfulColumns) {
      if !notes.note(row, layout: layout) { hasUnknownKeys = true }
    }
  }

  // MARK: Transactions

  /// Links the version before the transaction to the one after it, for each kind of key.
  ///
  /// - Parameter isCertain: Whether nothing happened that was not recorded.
  func beginVersion(isCertain: Bool) {
    for notes in notes where !isCertain || isTouched {
      notes.beginVersion(isCertain: isCertain)
    }
  }

  /// Takes back the versions of a transaction that was rolled back.
  func forgetVersion() {
    for notes in notes { notes.forgetVersion() }
  }

  /// Forgets what the transaction touched.
  func reset() {
    for notes in notes { notes.reset() }
    isTouched = false
    hasUnknownKeys = false
  }
}

/// Where a table's columns stand in the rows that the pre-update functions show.
struct TableLayout {
  /// The column that is another name of the row id, if there is one.
  let rowIDColumn: String?
  private let table: String
  /// Columns of which an old NULL may mean something else: where a column was added with a default,
  /// some versions of SQLite show NULL for rows that were not written since.
  private(set) var doubtfulColumns: Set<Int32> = []
  /// Whether the positions hold for the values before and after alike.
  ///
  /// In a table WITHOUT ROWID with virtual generated columns they do not.
  let isReadable: Bool
  /// Columns that are never NULL.
  private(set) var requiredColumns: Set<String> = []
  private let positions: [String: Int32]

  init(table: String, in db: Database) throws {
    var positions: [String: Int32] = [:]
    var keys: [(name: String, type: String)] = []
    var hasVirtualColumns = false
    let rows = try Row.fetchCursor(
      db,
      sql:
        """
        SELECT name, type, pk, hidden, dflt_value IS NOT NULL, "notnull"
        FROM pragma_table_xinfo(?, 'main')
        """,
      arguments: [table])
    while let row = try rows.next() {
      let name: String = row[0]
      if row[2] as Int > 0 { keys.append((name, row[1])) }
      if row[5] as Bool { requiredColumns.insert(name.lowercased()) }
      // Virtual generated columns (2) are not stored, so they take no position.
      if row[3] as Int == 2 {
        hasVirtualColumns = true
        continue
      }
      if row[4] { doubtfulColumns.insert(Int32(positions.count)) }
      positions[name.lowercased()] = Int32(positions.count)
    }
    self.positions = positions
    self.table = table
    // Only a key without an index of its own is the row id: `INTEGER PRIMARY KEY DESC` and keys of
    // tables WITHOUT ROWID have one.
    let hasKeyIndex =
      try Bool.fetchOne(
        db, sql: "SELECT count(*) > 0 FROM pragma_index_list(?, 'main') WHERE origin = 'pk'",
        arguments: [table]) ?? false
    isReadable = !(hasKeyIndex && hasVirtualColumns)
    rowIDColumn =
      keys.count == 1 && !hasKeyIndex && keys[0].type.uppercased() == "INTEGER" ? keys[0].name : nil
    if let rowIDColumn { requiredColumns.insert(rowIDColumn.lowercased()) }
  }

  func position(of column: String) -> Int32? { positions[column.lowercased()] }

  /// Whether no two rows can have the same values in these columns.
  func isUnique(_ columns: [String], in db: Database) throws -> Bool {
    let names = Set(columns.map { $0.lowercased() })
    if let rowIDColumn, names == [rowIDColumn.lowercased()] { return true }
    let indexes = try Row.fetchAll(
      db,
      sql: """
        SELECT (SELECT json_group_array(lower(name)) FROM pragma_index_info(list.name, 'main'))
        FROM pragma_index_list(?, 'main') AS list WHERE "unique" AND NOT partial
        """,
      arguments: [table])
    return try indexes.contains { row in
      let list = Data((row[0] as String).utf8)
      return try Set(JSONDecoder().decode([String?].self, from: list)) == Set(names.map { $0 })
    }
  }

  /// Whether the hook shows exactly what these columns were.
  func showsOldValues(of columns: [String]) -> Bool {
    isReadable
      && columns.allSatisfy { name in
        position(of: name).map { !doubtfulColumns.contains($0) } ?? false
      }
  }
}
