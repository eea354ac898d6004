internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Runs the statements of one input and writes their rows.
struct StatementRunner {
  /// Ends a statement of which enough rows were shown.
  private struct EnoughRows: Error {}

  let session: ShellSession

  /// Runs statements, one after the other, up to the first that fails.
  ///
  /// - Parameter text: The SQL.
  /// - Throws: ``StatementFailure``; ``ClosedPipe``, ``CommandFailure`` for output that fails.
  func run(_ text: ScriptText) throws {
    let connection = session.connection
    let changesBefore = connection.changeCount
    var rest = text.bytes[...]
    var offset = 0
    do {
      while let statement = try connection.nextStatement(of: &rest) {
        try run(statement)
        offset = rest.startIndex
      }
    } catch let error as StoreError {
      throw StatementFailure(
        error, in: text, at: offset, file: session.path, names: session.names)
    }
    let changes = connection.changeCount - changesBefore
    if changes > 0 && session.settings.showsChanges && session.settings.style.mode.isForPeople {
      try session.output.current.line("\(CountText.text(changes, "row")) changed")
    }
  }

  private func run(_ statement: InspectionStatement) throws {
    let values = try session.parameters.values(for: statement)
    if session.settings.showsPlan && !statement.isQueryPlan { try writePlan(of: statement) }
    let start = ContinuousClock.now
    let count: Int
    do {
      let ending = follow(since: start)
      defer { ending() }
      count =
        statement.isQueryPlan && session.settings.style.mode.isForPeople
        ? try writeTree(of: statement, values) : try writeRows(of: statement, values)
    } catch {
      let failure = CommandFailure(error)?.message ?? "\(error)"
      try session.log?.write(statement.sql, failure, after: ContinuousClock.now - start)
      throw error
    }
    try session.log?.write(
      statement.sql, CountText.text(count, "row"), after: ContinuousClock.now - start)
    if session.settings.showsStatistics { try noteStatistics(of: statement) }
    if session.settings.showsTime {
      try session.output.current.flush()
      let rows = statement.columnNames.isEmpty ? "" : ", \(CountText.text(count, "row"))"
      try session.note("Time: \(DurationText.text(ContinuousClock.now - start))\(rows)")
    }
  }

  /// Shows that a statement runs for long; returns what ends that.
  private func follow(since start: ContinuousClock.Instant) -> () -> Void {
    let indicator = session.output.indicator
    guard indicator.isShown else { return {} }
    let connection = session.connection
    indicator.setRunning(since: start)
    connection.setProgress {
      indicator.update()
      return true
    }
    return {
      connection.setProgress(nil)
      indicator.setRunning(since: nil)
    }
  }

  private func writeRows(
    of statement: InspectionStatement, _ parameters: [ExactValue]
  ) throws -> Int {
    let output = session.output.current
    if statement.columnNames.isEmpty {
      try statement.run(exactly: parameters)
      return 0
    }
    // The names are right from the first row on: somebody may have changed the table meanwhile.
    var begun: (any RowWriting)?
    func writer() -> any RowWriting {
      let writer =
        begun
        ?? session.settings.style.makeWriter(
          columns: statement.columnNames, output: output, isTerminal: session.output.isTerminal)
      begun = writer
      return writer
    }
    statement.keepsInvalidText = session.settings.style.mode.isSQL
    let limit = session.settings.rowLimit
    var count = 0
    do {
      try statement.run(exactly: parameters) { values in
        guard limit == 0 || count < limit else {
          // What writes goes on to its end.
          if statement.isReadOnly { throw EnoughRows() }
          return
        }
        try writer().write(values, invalidText: statement.invalidTextColumns)
        count += 1
      }
    } catch is EnoughRows {
      try writer().finish()
      try noteMoreRows(than: count)
      return count
    } catch let error as StoreError {
      // The rows before the failure are an answer, too.
      if count > 0 { try writer().finish() }
      throw error
    }
    try writer().finish()
    return count
  }

  private func noteMoreRows(than count: Int) throws {
    let notice =
      "… more than \(CountText.text(count, "row")); "
      + (session.isInteractive ? ".limit 0 shows all" : "--limit 0 shows all")
    let output = session.output
    if output.isTerminal && session.settings.style.mode.isForPeople {
      try output.current.line(TextStyle.dim.text(notice))
    } else {
      try output.current.flush()
      try session.note(notice)
    }
  }

  private func noteStatistics(of statement: InspectionStatement) throws {
    let statistics = statement.takeStatistics()
    let size = SizeText.text(kibibytes: Int64((statistics.cacheSize + 1023) / 1024))
    try session.output.current.flush()
    try session.note(
      """
      Steps: \(statistics.steps). Rows scanned: \(statistics.scannedRows), sorts: \
      \(statistics.sorts), rows indexed for this alone: \(statistics.indexedRows). Page cache: \
      \(size), \(statistics.cacheHits) hits, \(statistics.cacheMisses) misses.
      """)
  }

  private func writePlan(of statement: InspectionStatement) throws {
    var rest = Array(("EXPLAIN QUERY PLAN " + statement.sql).utf8)[...]
    // A statement without a plan has none to show.
    guard let plan = try? session.connection.nextStatement(of: &rest) else { return }
    _ = try writeTree(of: plan, [])
  }

  private func writeTree(
    of plan: InspectionStatement, _ parameters: [ExactValue]
  ) throws -> Int {
    var lines: [QueryPlanStep.Line] = []
    try plan.run(exactly: parameters) { row in
      guard case .integer(let id) = row[0], case .integer(let parent) = row[1] else { return }
      lines.append(
        QueryPlanStep.Line(id: id, parent: parent, detail: ValueText.plain(row[3])))
    }
    guard !lines.isEmpty else { return 0 }
    let output = session.output.current
    try output.line("QUERY PLAN")
    for line in QueryPlanStep.drawing(of: QueryPlanStep.tree(of: lines)) {
      try output.line(TerminalText.escaped(line))
    }
    return lines.count
  }
}
