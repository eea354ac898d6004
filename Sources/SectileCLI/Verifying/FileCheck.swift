internal import Sectile

/// What SQLite itself can tell of a file: its structure and its foreign keys.
struct FileCheck {
  let connection: InspectionConnection
  /// Whether indexes are left uncompared with their tables.
  let isQuick: Bool

  private static let limit = CheckReport.detailLimit

  /// Reads the whole file.
  ///
  /// - Throws: ``StoreError`` where it is interrupted.
  func integrity() throws -> CheckReport {
    let start = ContinuousClock.now
    let pragma = isQuick ? "quick_check" : "integrity_check"
    let pages = (try? integer("PRAGMA page_count")) ?? 0
    let found: [String]
    var unchecked: [String] = []
    do {
      found = try lines(of: "PRAGMA \(pragma)(\(Self.limit))")
    } catch let error as StoreError where error.code == .statementFailed {
      // The schema needs what only its own program has. The rest can still be checked.
      (found, unchecked) = try tableByTable(pragma)
    }
    let time = DurationText.text(ContinuousClock.now - start)
    let figures = [("pages", pages), ("problems", found.count)]
    if !found.isEmpty {
      let count =
        CountText.text(min(found.count, Self.limit), "problem")
        + (found.count >= Self.limit ? " or more" : "")
      return CheckReport(
        name: "integrity", state: .problem, summary: "\(pragma) found \(count)",
        details: Array((found + unchecked).prefix(Self.limit)), figures: figures)
    }
    return CheckReport(
      name: "integrity", state: unchecked.isEmpty ? .ok : .skipped,
      summary: unchecked.isEmpty
        ? "\(pragma) of \(CountText.text(pages, "page")), in \(time)"
        : "\(pragma) found nothing, but not all tables can be checked here", details: unchecked,
      figures: figures)
  }

  /// Looks for rows whose parents are missing.
  ///
  /// - Throws: ``StoreError`` where it is interrupted.
  func foreignKeys() throws -> CheckReport {
    let keys =
      (try? integer(
        """
        SELECT count(DISTINCT t.name || ' ' || k.id)
        FROM pragma_table_list AS t, pragma_foreign_key_list(t.name) AS k WHERE t.schema = 'main'
        """)) ?? 0
    var count = 0
    var details: [String] = []
    do {
      try connection.run("PRAGMA foreign_key_check") { row in
        count += 1
        guard details.count < Self.limit else { return }
        let values = row.map(ValueText.plain)
        let place = row[1] == .null ? "a row" : "row \(values[1])"
        details.append("\(place) of \(values[0]) has no parent in \(values[2])")
      }
    } catch let error as StoreError where error.code != .interrupted {
      return CheckReport(
        name: "foreign-keys", state: .problem, summary: "cannot be checked",
        details: details + [error.message])
    }
    return CheckReport(
      name: "foreign-keys", state: count == 0 ? .ok : .problem,
      summary: count == 0
        ? "\(CountText.text(keys, "key")), no row without its parent"
        : "\(CountText.text(count, "row")) without \(count == 1 ? "a parent" : "parents")",
      details: details, figures: [("keys", keys), ("orphans", count)])
  }

  private func tableByTable(_ pragma: String) throws -> (found: [String], unchecked: [String]) {
    var tables: [String] = []
    try connection.run("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0") {
      if case .text(let name) = $0[0] { tables.append(name) }
    }
    var found: [String] = []
    var unchecked: [String] = []
    for table in tables where found.count < Self.limit {
      do {
        found += try lines(of: "PRAGMA \(pragma)(\(SQLName.quote(table)))")
      } catch let error as StoreError where error.code == .statementFailed {
        unchecked.append("\(table) is not checked: \(error.message)")
      }
    }
    return (found, unchecked)
  }

  private func lines(of sql: String) throws -> [String] {
    var found: [String] = []
    do {
      try connection.run(sql) { row in
        if row[0] != .text("ok") { found.append(ValueText.plain(row[0])) }
      }
    } catch let error as StoreError where error.code == .corrupt || error.code == .ioError {
      // As far as it got.
      found.append(error.message)
    }
    return found
  }

  private func integer(_ sql: String) throws -> Int {
    var number = 0
    try connection.run(sql) { if case .integer(let value) = $0[0] { number = Int(value) } }
    return number
  }
}
