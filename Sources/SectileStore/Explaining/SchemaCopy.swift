internal import Foundation
internal import GRDB
internal import SectileCore

/// An empty copy of a database's schema, in memory, to try indexes on.
///
/// SQLite plans statements there as it does on the original: by the same statistics, where ANALYZE
/// has collected some, and by collations of the same names, whose rules make no difference to a plan.
struct SchemaCopy {
  private let queue: DatabaseQueue

  init(of db: Database) throws {
    queue = try DatabaseQueue()
    let collations = try Self.texts("SELECT name FROM pragma_collation_list", in: db)
    let schema = try Self.texts(
      """
      SELECT sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND type <> 'trigger' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
      ORDER BY type NOT IN ('table', 'view'), rowid
      """, in: db)
    let statistics = try Self.statistics(in: db)
    try queue.inDatabase { copy in
      let known = Set(try Self.texts("SELECT name FROM pragma_collation_list", in: copy))
      for name in collations where !known.contains(name) {
        copy.add(collation: DatabaseCollation(name) { _, _ in .orderedSame })
      }
      for sql in schema {
        // What needs a module or function that only the original has is not in the copy; a
        // statement that reads it cannot be tried.
        try? RawStatement.prepare(sql, on: copy).run()
      }
      try Self.add(statistics, to: copy)
    }
  }

  /// Creates an index, calls `body`, and drops the index.
  func withIndex<Result>(
    _ index: IndexCandidate, _ body: (Database) throws -> Result
  ) throws -> Result {
    try queue.inDatabase { copy in
      try RawStatement.prepare(index.sql, on: copy).run()
      defer {
        try? RawStatement.prepare("DROP INDEX \(SQLName.quote(index.name))", on: copy).run()
      }
      return try body(copy)
    }
  }

  private static func texts(_ sql: String, in db: Database) throws -> [String] {
    let statement = try RawStatement.prepare(sql, on: db)
    var texts: [String] = []
    while try statement.step() {
      if case .text(let text) = try statement.columnValue(at: 0) { texts.append(text) }
    }
    return texts
  }

  private static func statistics(in db: Database) throws -> [[StoredValue]] {
    let table = try texts(
      "SELECT name FROM sqlite_schema WHERE name = 'sqlite_stat1'", in: db)
    guard !table.isEmpty else { return [] }
    let statement = try RawStatement.prepare("SELECT tbl, idx, stat FROM sqlite_stat1", on: db)
    var rows: [[StoredValue]] = []
    while try statement.step() { rows.append(try statement.rowValues()) }
    return rows
  }

  private static func add(_ statistics: [[StoredValue]], to copy: Database) throws {
    guard !statistics.isEmpty else { return }
    try RawStatement.prepare("ANALYZE", on: copy).run()
    for row in statistics {
      let insertion = try RawStatement.prepare(
        "INSERT INTO sqlite_stat1 VALUES (?, ?, ?)", on: copy)
      try insertion.bindAll(row)
      try insertion.run()
    }
    try RawStatement.prepare("ANALYZE sqlite_schema", on: copy).run()
  }
}
