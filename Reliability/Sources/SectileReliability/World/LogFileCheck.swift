/// Compares the change log of a file with its ledger, with the eyes of a program that knows
/// neither.
struct LogFileCheck {
  private static let followed = ["entry", "pair"]

  let connection: PlainConnection

  /// Throws where the file is damaged, the log is there in part, or a transaction that was
  /// acknowledged is missing.
  ///
  /// - Parameter acknowledged: The last transaction that each writer has heard of.
  /// - Throws: ``Finding``; what reading throws.
  func checkWhole(_ acknowledged: [Int: Int]) throws {
    let found = try connection.texts("PRAGMA integrity_check")
    if found != [["ok"]] { throw Finding("integrity_check: \(found.prefix(5))") }
    for (writer, number) in acknowledged {
      let sum = try connection.texts(
        """
        SELECT count(*), coalesce(max(number), 0) FROM ledger
        WHERE writer = \(writer) AND tbl = '\(Ledger.beginning)'
        """)[0]
      guard let count = Int(sum[0]), let last = Int(sum[1]), count == last,
        (number...number + 1).contains(last)
      else {
        throw Finding("writer \(writer) was told of \(number) commits; there are \(sum)")
      }
    }
    try expectNone(
      "a transaction that is there in part", "SELECT * FROM ledger WHERE \"after\" IS NULL")
    try checkParts()
  }

  /// Tables, state and triggers of the log: all of them, or none.
  private func checkParts() throws {
    let tables = try connection.texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'sectile\\_log%' ESCAPE '\\'"
    )
    let triggers = try connection.texts(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'sectile\\_log%' ESCAPE '\\'"
    )
    guard !tables.isEmpty else {
      if !triggers.isEmpty { throw Finding("there is no log, and there are triggers: \(triggers)") }
      return
    }
    let ends = try connection.texts(
      """
      SELECT (SELECT count(*) FROM sectile_log_state), count(*), min(seq), max(seq),
        (SELECT pruned_to FROM sectile_log_state) FROM sectile_log
      """)[0]
    let numbers = ends.compactMap { Int($0) }
    guard tables.count == 4, numbers.count == 5, numbers[0] == 1, numbers[1] > 0,
      numbers[2] == numbers[4] + 1, numbers[3] - numbers[2] + 1 == numbers[1]
    else { throw Finding("the log is there in part: \(tables) \(ends)") }
    for table in Self.followed {
      let kinds = try connection.texts(
        """
        SELECT t.id, count(s.name), \(Self.isPending("t")) FROM sectile_log_table t
        LEFT JOIN sqlite_schema s
          ON s.type = 'trigger' AND s.name LIKE 'sectile\\_log\\_' || t.id || '\\_%' ESCAPE '\\'
        WHERE t.name = '\(table)' GROUP BY t.id
        """)
      guard kinds.count == 1, let count = Int(kinds[0][1]), count >= 4 || kinds[0][2] == "1" else {
        throw Finding("\(table) is followed in part: \(kinds)")
      }
    }
  }

  /// Throws where a row was committed that the log does not name at its place, or the log names one
  /// of a statement that was not.
  ///
  /// To be called when a store has written, which repairs what other programs did to the schema.
  ///
  /// - Returns: How many rows of the ledger were compared.
  func checkCoverage() throws -> Int {
    guard try connection.run(Ledger.hasLog) > 0 else { return 0 }
    let live = """
      FROM ledger l JOIN sectile_log_state s ON l.store = s.store AND l."before" >= s.pruned_to
      JOIN sectile_log_table t ON t.name = l.tbl
      """
    // Between the rebuild of a table and the repair, by the next store that writes or at the end of
    // the transaction, nobody logs; the row `reset` tells.
    try expectNone(
      "committed rows that the log does not name",
      """
      SELECT l.rowid, l.writer, l.number, l."before", l."after", l.tbl, quote(l.k0), quote(l.k1) \(live)
      WHERE NOT EXISTS (
        SELECT 1 FROM sectile_log g
        WHERE g.seq > l."before" AND g.seq <= l."after" AND g.tbl = t.id AND g.op BETWEEN 1 AND 4
          AND g.k0 IS l.k0 AND g.k1 IS l.k1)
      AND NOT coalesce(l."before" < (
        SELECT min(g.seq) FROM sectile_log g
        WHERE g.op = 7 AND g.tbl = t.id AND g.seq > (
          SELECT max(r."before") FROM ledger r
          WHERE r.tbl = '\(Ledger.rebuilding)' || l.tbl AND r.store = l.store AND r.rowid < l.rowid
            AND (r.writer < 0 OR (r.writer = l.writer AND r.number = l.number)))), 0)
      LIMIT 5
      """)
    try expectNone(
      "rows of the log that nobody has committed",
      """
      SELECT g.seq, t.name, g.op, quote(g.k0), quote(g.k1)
      FROM sectile_log g JOIN sectile_log_table t ON t.id = g.tbl JOIN sectile_log_state s
      WHERE t.name IN ('entry', 'pair') AND g.op BETWEEN 1 AND 4 AND NOT EXISTS (
        SELECT 1 FROM ledger l WHERE l.store = s.store AND l."after" >= g.seq AND l."before" < g.seq
          AND l.k0 IS g.k0 AND l.k1 IS g.k1)
      LIMIT 5
      """)
    return Int(try connection.texts("SELECT count(*) \(live)")[0][0]) ?? 0
  }

  /// The transactions of stores that the log must have, in the order in which they were committed:
  /// who, and the number.
  func loggedCommits() throws -> [String] {
    try connection.texts(
      """
      SELECT 'w' || l.writer || ' ' || l.number FROM ledger l
      JOIN sectile_log_state s ON l.store = s.store AND l."before" >= s.pruned_to
      WHERE l.writer > 0 AND l."after" > l."before" AND l.tbl IN ('entry', 'pair')
      GROUP BY l.writer, l.number ORDER BY min(l.rowid)
      """
    ).map { $0[0] }
  }

  private func expectNone(_ what: String, _ sql: String) throws {
    let rows = try connection.texts(sql)
    if !rows.isEmpty { throw Finding("\(what): \(rows)") }
  }

  /// Whether another program may have rebuilt a table of the log, and no store has repaired it
  /// since.
  private static func isPending(_ table: String) -> String {
    """
    EXISTS (
      SELECT 1 FROM ledger r JOIN sectile_log_state s ON r.store = s.store
      WHERE r.tbl = '\(Ledger.rebuilding)' || \(table).name AND r.writer < 0
        AND r."before" >= s.pruned_to AND NOT EXISTS (
          SELECT 1 FROM sectile_log g
          WHERE g.op = 7 AND g.tbl = \(table).id AND g.seq > r."before"))
    """
  }
}
