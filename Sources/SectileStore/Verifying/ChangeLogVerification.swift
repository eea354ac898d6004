import GRDB
import SectileCore

/// Compares the change log of a file with itself, and with the data.
///
/// What it finds in the data is what was written past the triggers, with `enable_trigger off` or
/// while they were away, as far as it contradicts the log: the *last* thing that the log says of a
/// key is that its row came or changed, and there is no row; or that it went, and there is one.
/// Other values of a row contradict nothing, nor do keys that the log does not name.
struct ChangeLogVerification {
  private let db: Database
  private let state: LogState
  private let limit: Int
  private var findings = ChangeLogFindings()

  /// - Parameters:
  ///   - state: What the log says about itself.
  ///   - db: The connection, inside the transaction in which the state was read.
  ///   - limit: How many problems are told at most.
  init(of state: LogState, in db: Database, limit: Int) {
    (self.state, self.db, self.limit) = (state, db, limit)
  }

  /// Looks.
  ///
  /// - Returns: What was found.
  /// - Throws: What reading throws.
  /// - Complexity: O(*n* log *n*) for *n* rows of the log.
  mutating func run() throws -> ChangeLogFindings {
    findings.tableCount = state.tables.count
    try checkRows()
    try checkPlaces()
    try checkTriggers()
    let triggers = try ownTriggers()
    for table in state.tables where table.isIntact && findings.problems.count < limit {
      if triggers.contains(where: { Self.mayWrite($0, to: table.name) }) {
        findings.notes.append(
          "the rows of \(table.name) are not compared: triggers of the schema write to it, in the midst of"
            + " other changes")
        continue
      }
      do {
        try checkKeys(of: table)
      } catch let error as StoreError where error.code == .statementFailed {
        findings.notes.append("the rows of \(table.name) are not compared: \(error.message)")
      }
    }
    return findings
  }

  private mutating func note(problem: String) {
    if findings.problems.count < limit { findings.problems.append(problem) }
  }

  // MARK: The log itself

  /// Whether all rows are there, in one piece.
  private mutating func checkRows() throws {
    let row = try numbers(
      """
      SELECT (SELECT count(*) FROM main.sectile_log_state), count(*), min(seq), max(seq),
        sum(typeof(salt) <> 'integer'), sum(tbl = 0 AND op = \(LogOperation.commit.rawValue)
          AND coalesce(k3 > seq, 1))
      FROM main.sectile_log
      """)
    let (states, count, first, last) = (row[0], row[1], row[2], row[3])
    findings.rowCount = Int(count)
    if states != 1 { note(problem: "the log says \(states) times what it is, instead of once") }
    guard count > 0 else {
      return note(problem: "the log is empty: somebody has deleted all of its rows")
    }
    if first <= state.pruned.sequence {
      note(
        problem: "row \(first) is there, and all up to \(state.pruned.sequence) are said to be gone"
      )
    }
    let missing = last - state.pruned.sequence - count
    if missing > 0 {
      note(
        problem: "rows after \(state.pruned.sequence) that are missing: \(missing); somebody has"
          + " deleted them")
    }
    if row[4] > 0 { note(problem: "rows without a salt: \(row[4])") }
    if row[5] > 0 {
      note(problem: "commits that do not say where they begin: \(row[5])")
    }
    guard try LogAudit.isThere(in: db) else { return }
    let strays = try numbers(
      """
      SELECT count(DISTINCT seq) FROM main.sectile_log_value AS v
      WHERE NOT EXISTS (SELECT 1 FROM main.sectile_log AS l WHERE l.seq = v.seq)
      """)[0]
    if strays > 0 {
      note(problem: "rows of the log that are missing, and whose old values are there: \(strays)")
    }
  }

  /// Whether what the log says of places in it can be true.
  private mutating func checkPlaces() throws {
    let head = try LogTail(of: db).head()
    if state.pruned.sequence == 0, state.pruned != .origin {
      note(problem: "nothing was removed, and yet there is a salt of what was")
    }
    for table in state.tables where table.since > head.sequence {
      note(problem: "\(table.name) is followed from row \(table.since) on, behind the last one")
    }
    for reader in try LogReaders(of: db).all() where reader.sequence > head.sequence {
      note(
        problem: "the reader \(reader.name) has read up to \(reader.sequence), behind the last row")
    }
  }

  // MARK: Triggers

  private mutating func checkTriggers() throws {
    for table in state.tables where !table.isIntact {
      if try TableListing(of: table.name, in: db) == nil {
        findings.notes.append("\(table.name) is gone; the next commit of a store takes note of it")
      } else {
        note(
          problem:
            "the triggers of \(table.name) are not those that it needs: what is written now may be"
            + " missing, until a store commits")
      }
    }
    let known = Set(state.tables.map(\.id))
    for (trigger, table) in try LogTrigger.inFile(db) {
      let number = LogTrigger.tableNumber(ofTriggerNamed: trigger.name)
      if number.map(known.contains) != true {
        note(
          problem:
            "the trigger \(trigger.name) of \(table) is for a table that the log does not know")
      }
    }
    guard state.followsAllTables, try state.needsRepair(in: db),
      state.tables.allSatisfy(\.isIntact)
    else { return }
    findings.notes.append("there are new tables, which the next commit of a store will follow")
  }

  private struct Trigger {
    let table: String
    /// The words of its statement, in upper case.
    let words: [String]
  }

  private func ownTriggers() throws -> [Trigger] {
    let logged = Set(try LogTrigger.inFile(db).map(\.trigger.name))
    return try db.schemaRows(
      "SELECT name, tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger'", []
    ).compactMap { row in
      guard !logged.contains(row[0].schemaText) else { return nil }
      return Trigger(
        table: row[1].schemaText.uppercased(), words: SQLPiece.essence(of: row[2].schemaText))
    }
  }

  /// Whether a trigger may write to a table: then what it does to a row is logged before what it
  /// was called for.
  private static func mayWrite(_ trigger: Trigger, to table: String) -> Bool {
    let name = table.uppercased()
    // Its own table is named once to say where it is.
    return trigger.words.count(where: { $0 == name }) > (trigger.table == name ? 1 : 0)
  }

  // MARK: The data

  private mutating func checkKeys(of table: LoggedTable) throws {
    let names = LogTables.keyColumns.prefix(table.keys.count)
    let groups = names.map { "\($0), typeof(\($0))" }.joined(separator: ", ")
    // The table's own collation and type find the row by an index, and may find others.
    let isSame = zip(table.keys, names).map { key, name in
      let column = "r.\(SQLName.quote(key))"
      return "\(column) = l.\(name) AND \(column) IS l.\(name) COLLATE BINARY"
        + " AND typeof(\(column)) = typeof(l.\(name))"
    }
    let condition = isSame.joined(separator: " AND ")
    let statement = try RawStatement.prepare(
      """
      SELECT op, last, EXISTS (SELECT 1 FROM main.\(SQLName.quote(table.name)) AS r WHERE \(condition)),
        \(names.map { "quote(\($0))" }.joined(separator: " || ', ' || "))
      FROM (
        SELECT \(names.joined(separator: ", ")), op, max(seq) AS last FROM main.sectile_log
        WHERE tbl = ?1 AND op BETWEEN \(LogOperation.insert.rawValue) AND \(LogOperation.touched.rawValue)
          AND \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
          AND seq > max(?2, coalesce((SELECT max(seq) FROM main.sectile_log
            WHERE tbl = ?1 AND op = \(LogOperation.reset.rawValue)), 0))
        GROUP BY \(groups)) AS l
      """, on: db)
    try statement.bindAll([.integer(table.id), .integer(table.since)])
    while findings.problems.count < limit, try statement.step() {
      findings.keyCount += 1
      guard let operation = LogOperation(rawValue: statement.castInteger(at: 0)),
        operation != .touched
      else { continue }
      let isThere = statement.castInteger(at: 2) != 0
      guard isThere == (operation == .delete) else { continue }
      let key = statement.withTextBytes(at: 3) { String(decoding: $0, as: UTF8.self) }
      let last = "row \(statement.castInteger(at: 1)) of the log"
      note(
        problem: isThere
          ? "\(table.name) \(key) is there, and was deleted last by \(last)"
          : "\(table.name) \(key) is not there, and was written last by \(last)")
    }
  }

  private func numbers(_ sql: String) throws -> [Int64] {
    try db.schemaRows(sql, []).first?.map {
      if case .integer(let number) = $0 { number } else { 0 }
    }
      ?? []
  }
}
