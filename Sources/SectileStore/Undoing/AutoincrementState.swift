import GRDB
import SectileCore

/// What SQLite remembers for tables with AUTOINCREMENT: the largest row id that each of them has
/// given away.
struct AutoincrementState {
  /// What one transaction made of a row of the table in which it is remembered.
  struct Change: Sendable {
    let rowID: Int64
    /// Name and number; nil where there was no row.
    let before: [StoredValue]?
    let after: [StoredValue]?
  }

  private var rows: [Int64: [StoredValue]] = [:]

  /// Reads the state as it is.
  init(in db: Database) throws {
    let exists = try db.schemaRows(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'sqlite_sequence'", [])
    guard !exists.isEmpty else { return }
    for row in try db.schemaRows("SELECT rowid, name, seq FROM main.sqlite_sequence", []) {
      if case .integer(let rowID) = row[0] { rows[rowID] = [row[1], row[2]] }
    }
  }

  /// What has changed since an earlier state.
  func changes(since before: AutoincrementState) -> [Change] {
    Set(rows.keys).union(before.rows.keys).sorted().compactMap { rowID in
      let (former, now) = (before.rows[rowID], rows[rowID])
      return former == now ? nil : Change(rowID: rowID, before: former, after: now)
    }
  }

  /// Puts back what a transaction changed, unless others have gone on since: numbers that they were
  /// given are not given again.
  ///
  /// - Parameters:
  ///   - changes: What the transaction changed.
  ///   - db: The writing connection. The state is what there was before rows were put back.
  /// - Throws: What writing throws.
  func putBack(_ changes: [Change], in db: Database) throws {
    for change in changes where rows[change.rowID] == change.after {
      try run(
        "DELETE FROM main.sqlite_sequence WHERE rowid = ?", [.integer(change.rowID)], in: db)
      if let row = change.before {
        try run(
          "INSERT INTO main.sqlite_sequence (rowid, name, seq) VALUES (?, ?, ?)",
          [.integer(change.rowID)] + row, in: db)
      }
    }
  }

  private func run(_ sql: String, _ values: [StoredValue], in db: Database) throws {
    let statement = try RawStatement.prepare(sql, on: db)
    try statement.bindAll(values)
    try statement.run()
  }
}
