internal import GRDB
internal import SectileCore

/// Makes changes of rows of the change log, and finds the commits that they belong to.
struct HistoryRows {
  typealias ChangeLog = Store.ChangeLog

  private let db: Database
  private let tables: [Int64: LoggedTable]
  private let values: LogValueReading?

  /// - Parameters:
  ///   - state: What the log says about itself.
  ///   - db: The connection, inside the transaction in which the state was read.
  ///   - values: Reads old values; nil where they are not wanted.
  init(of state: LogState, in db: Database, values: LogValueReading?) {
    self.db = db
    self.values = values
    tables = Dictionary(state.tables.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
  }

  /// Makes a change of a row.
  ///
  /// - Parameters:
  ///   - row: The row, which is about a table.
  ///   - wanted: The key; nil for all. A reset concerns each.
  /// - Returns: What the row tells; nil where it is about another key.
  /// - Throws: What reading old values throws.
  func change(_ row: LogRow, of wanted: [StoredValue]? = nil) throws -> ChangeLog.RowChange? {
    let operation: ChangeLog.Operation =
      switch row.operation {
      case .insert: .insert
      case .update: .update
      case .delete: .delete
      case .touched: .touched
      case .reset, .commit, .note, nil: .reset
      }
    let table = tables[row.table]
    var key: [StoredValue] = []
    if operation != .reset {
      key = (0..<(table?.keys.count ?? 4)).prefix(4).map { row.exactValue($0) }
      // How many values the key of a table has that is gone is not known.
      if table == nil { while key.last == .null { key.removeLast() } }
      if let wanted, wanted != key { return nil }
    }
    let kept = try values?.kept(beside: row.point.sequence, operation)
    return ChangeLog.RowChange(
      table: table?.name ?? "table \(row.table)", operation: operation, key: key,
      date: kept?.date, values: kept?.values)
  }

  /// The numbers of the tables of a name, in any case, as changes tell it.
  func numbers(ofTable name: String) -> Set<Int64> {
    let name = name.lowercased()
    var numbers = Set(tables.values.filter { $0.name.lowercased() == name }.map(\.id))
    if name.hasPrefix("table "), let number = Int64(name.dropFirst(6)), tables[number] == nil {
      numbers.insert(number)
    }
    return numbers
  }

  /// The row of a number; nil where it is not there.
  func row<Result>(numbered sequence: Int64, _ body: (LogRow) -> Result) throws -> Result? {
    let statement = try RawStatement.cached(
      "SELECT \(LogRow.columns) FROM main.sectile_log WHERE seq = ?", on: db)
    defer { statement.finish() }
    try statement.bind(.integer(sequence), at: 1)
    return try statement.step() ? body(LogRow(statement)) : nil
  }

  /// The next commit whose row is behind a row.
  ///
  /// - Complexity: O(*n*) for *n* rows between.
  func nextCommit(after point: LogPoint) throws -> HistoryOrigin? {
    let statement = try RawStatement.cached(
      """
      SELECT \(LogRow.columns) FROM main.sectile_log
      WHERE seq > ? AND tbl = 0 AND op = \(LogOperation.commit.rawValue) ORDER BY seq LIMIT 1
      """, on: db)
    defer { statement.finish() }
    try statement.bind(.integer(point.sequence), at: 1)
    return try statement.step() ? HistoryOrigin(LogRow(statement)) : nil
  }

  /// Whether a table was changed between two rows.
  func hasChange(after point: LogPoint, before end: Int64) throws -> Bool {
    let statement = try RawStatement.cached(
      "SELECT 1 FROM main.sectile_log WHERE seq > ? AND seq < ? AND tbl <> 0 LIMIT 1", on: db)
    defer { statement.finish() }
    try statement.bind(.integer(point.sequence), at: 1)
    try statement.bind(.integer(end), at: 2)
    return try statement.step()
  }
}
