import Foundation
import GRDB
import GRDBSQLite
import SectileCore

/// Puts a row together again of which the hook did not show everything: columns that are computed when
/// they are read, and a NULL that may stand for a column's default.
///
/// The values that are known are written into a copy of the table, in memory, and SQLite computes the
/// others there. Where more than one row is possible, whoever asks knows the right one by its digest.
struct RowRestoration {
  /// More columns that may be NULL or their default are not tried out: there are two rows for each.
  private static let triedGapLimit = 8

  private let queue: DatabaseQueue
  private let table: String
  /// The columns that are stored and can be written.
  private let writable: Set<String>

  /// Makes a copy of a table; nil where there is no such table, or it cannot be made anew.
  init?(of table: String, like db: Database) throws {
    guard
      let sql = try String.fetchOne(
        db,
        sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
        arguments: [table])
    else { return nil }
    queue = try DatabaseQueue()
    self.table = table
    let names = try? queue.inDatabase { copy in
      // Collations of any name: how text compares makes no difference here.
      sqlite3_collation_needed(copy.sqliteConnection, nil) { _, connection, encoding, name in
        sqlite3_create_collation_v2(
          connection, name, encoding, nil, { _, left, _, right, _ in left - right }, nil)
      }
      try copy.execute(sql: "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF")
      try copy.execute(sql: sql)
      return try String.fetchSet(
        copy, sql: "SELECT lower(name) FROM pragma_table_xinfo(?) WHERE hidden = 0",
        arguments: [table])
    }
    guard let names else { return nil }
    writable = names
  }

  /// Calls `body` with the copy, which holds one possible row after the other, until it returns something.
  ///
  /// - Parameters:
  ///   - images: What is known of the row.
  ///   - offset: Where.
  ///   - body: Looks at the copy.
  /// - Returns: What `body` returned; nil where that was nothing.
  /// - Throws: What `body` throws.
  func forEachCandidate<Result>(
    _ images: PreImages, at offset: Int, _ body: (Database) throws -> Result?
  ) throws -> Result? {
    let columns = images.columns.indices.filter {
      writable.contains(images.columns[$0].lowercased())
    }
    let gaps = images.gaps(at: offset).filter(columns.contains)
    guard gaps.count <= Self.triedGapLimit else { return nil }
    return try queue.inDatabase { copy in
      for choice in 0..<(1 << gaps.count) {
        // A column that is left out gets its default.
        let omitted = Set(gaps.indices.filter { choice >> $0 & 1 == 1 }.map { gaps[$0] })
        let written = columns.filter { !omitted.contains($0) }
        guard (try? write(written, of: images, at: offset, to: copy)) != nil else { continue }
        if let result = try body(copy) { return result }
      }
      return nil
    }
  }

  private func write(
    _ columns: [Int], of images: PreImages, at offset: Int, to copy: Database
  ) throws {
    let name = SQLName.table(table)
    try copy.execute(sql: "DELETE FROM \(name)")
    let names = columns.map { SQLName.quote(images.columns[$0]) }.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let statement = try RawStatement.prepare(
      columns.isEmpty
        ? "INSERT INTO \(name) DEFAULT VALUES" : "INSERT INTO \(name) (\(names)) VALUES (\(marks))",
      on: copy)
    defer { statement.finish() }
    try images.withImage(at: offset) { values in
      // A gap is read as NULL.
      for (position, column) in columns.enumerated() {
        try statement.bindColumn(values[column], at: position + 1)
      }
      while try statement.step() {}
    }
  }
}
