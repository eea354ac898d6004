import GRDB
import SectileCore

/// Keeps the old values of rows that are undone, behind their rows of the change log.
///
/// It writes what the log's triggers would: see ``LogValues``.
struct UndoneValues {
  private let changes: TableChanges
  /// Where columns stand in the table, from 1; nil for those that are computed.
  private let places: [Int64?]
  private let time: RawStatement
  private let value: RawStatement

  /// - Parameters:
  ///   - changes: The changes that are undone.
  ///   - db: The writing connection, inside a transaction.
  /// - Throws: What reading the schema throws.
  init(of changes: TableChanges, in db: Database) throws {
    self.changes = changes
    let columns = try TableSchema(of: changes.rows.table, in: db)?.columns ?? []
    places = changes.rows.columns.map { column in
      guard column.isWritten else { return nil }
      return columns.firstIndex { $0.name == column.name }.map { Int64($0) + 1 }
    }
    let into = "INSERT OR REPLACE INTO main.\(LogTables.values)"
    let row = "(SELECT max(seq) FROM main.\(LogTables.log))"
    time = try RawStatement.prepare(
      "\(into) (seq, place, old) VALUES (\(row), 0, \(LogValues.time))", on: db)
    value = try RawStatement.prepare(
      "\(into) (seq, place, name, old, new) VALUES (\(row), ?, ?, ?, ?)", on: db)
  }

  /// Keeps a whole row, behind the last row of the log.
  ///
  /// - Throws: What writing throws.
  func appendRow(_ row: Range<Int>) throws {
    try time.run()
    try changes.withColumns(of: row) { columns in
      for (index, column) in columns.enumerated() {
        try append(at: index, column, nil)
      }
    }
  }

  /// Keeps the columns that get another value, behind the last row of the log.
  ///
  /// - Parameters:
  ///   - old: The row that is put away; nil where there is none.
  ///   - new: The row that is put back.
  /// - Throws: What writing throws.
  func appendChanges(from old: Range<Int>?, to new: Range<Int>) throws {
    try time.run()
    guard let old else { return }
    try changes.withColumns(of: old) { before in
      try changes.withColumns(of: new) { after in
        for index in before.indices where !before[index].isIdentical(to: after[index]) {
          try append(at: index, before[index], after[index])
        }
      }
    }
  }

  private func append(at index: Int, _ old: RawColumn, _ new: RawColumn?) throws {
    guard places.indices.contains(index), let place = places[index] else { return }
    defer { value.finish() }
    try value.bind([.integer(place), .text(changes.rows.columns[index].name)])
    try value.bindColumn(old, at: 3, isCopied: false)
    try value.bindColumn(new ?? .null, at: 4, isCopied: false)
    while try value.step() {}
  }
}
