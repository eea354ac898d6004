internal import GRDB
internal import SectileCore

extension SchemaCopy {
  /// Makes SQLite plan statements on the copy as on the original: by the statistics that ANALYZE
  /// has collected there.
  ///
  /// - Throws: What reading them throws.
  func takeStatistics(of db: Database) throws {
    guard try TableListing(of: "sqlite_stat1", in: db) != nil else { return }
    let statement = try RawStatement.prepare("SELECT tbl, idx, stat FROM sqlite_stat1", on: db)
    var statistics: [[StoredValue]] = []
    while try statement.step() { statistics.append(try statement.rowValues()) }
    guard !statistics.isEmpty else { return }
    try withDatabase { copy in
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

  /// Creates an index, calls `body`, and drops the index.
  func withIndex<Result>(
    _ index: IndexCandidate, _ body: (Database) throws -> Result
  ) throws -> Result {
    try withDatabase { copy in
      try RawStatement.prepare(index.sql, on: copy).run()
      defer {
        try? RawStatement.prepare("DROP INDEX \(SQLName.quote(index.name))", on: copy).run()
      }
      return try body(copy)
    }
  }

  /// Creates an index that stays; false where the copy refuses it, or has one of that name.
  func create(_ index: IndexCandidate) -> Bool {
    (try? withDatabase { try RawStatement.prepare(index.sql, on: $0).run() }) != nil
  }

  /// Drops an index that was created.
  func drop(_ index: IndexCandidate) {
    let sql = "DROP INDEX \(SQLName.quote(index.name))"
    try? withDatabase { try RawStatement.prepare(sql, on: $0).run() }
  }
}
