internal import GRDB
internal import SectileCore

/// What the change log of a file has after a row of it.
struct LogTail {
  private static let selection =
    "SELECT \(LogRow.columns) FROM main.sectile_log WHERE seq >= ? ORDER BY seq"

  private let db: Database
  private let statements: HeldStatements

  /// - Parameters:
  ///   - db: The connection, inside a transaction.
  ///   - statements: Where the connection's statements for it are held.
  init(of db: Database, _ statements: HeldStatements = HeldStatements()) {
    self.db = db
    self.statements = statements
  }

  /// The last row; ``LogPoint/origin`` where there is none.
  ///
  /// - Throws: What reading throws.
  /// - Complexity: O(log *n*) for *n* rows.
  func head() throws -> LogPoint {
    let statement = try statements.statement(
      "SELECT seq, salt FROM main.sectile_log ORDER BY seq DESC LIMIT 1", number: 0, on: db)
    defer { statement.reset() }
    guard try statement.step() else { return .origin }
    return LogPoint(sequence: statement.castInteger(at: 0), salt: statement.castInteger(at: 1))
  }

  /// Reads the rows after a number, in order.
  ///
  /// - Parameters:
  ///   - sequence: The number.
  ///   - body: Called with each row, in order; returns whether to go on.
  /// - Throws: What reading and the closure throw.
  func forEach(after sequence: Int64, _ body: (LogRow) throws -> Bool) throws {
    let statement = try RawStatement.cached(
      "SELECT \(LogRow.columns) FROM main.sectile_log WHERE seq > ? ORDER BY seq", on: db)
    defer { statement.finish() }
    try statement.bind(.integer(sequence), at: 1)
    while try statement.step(), try body(LogRow(statement)) {}
  }

  /// Reads the rows after one that is known.
  ///
  /// - Parameters:
  ///   - point: The row; where it is not in the log, or is another one, nothing is read.
  ///   - body: Called with each row, in order.
  /// - Returns: The last row; nil where the log does not lead on from the point.
  /// - Throws: What reading and the closure throw.
  func read(after point: LogPoint, _ body: (LogRow) throws -> Void) throws -> LogPoint? {
    let statement = try statements.statement(Self.selection, number: 1, on: db)
    defer { statement.finish() }
    try statement.bind(.integer(point.sequence), at: 1)
    var last = point
    if point != .origin {
      guard try statement.step(), LogRow(statement).point == point else { return nil }
    }
    while try statement.step() {
      let row = LogRow(statement)
      last = row.point
      try body(row)
    }
    return last
  }
}
