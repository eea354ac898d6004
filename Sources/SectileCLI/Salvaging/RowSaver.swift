internal import Sectile

/// Reads rows of a damaged table and writes them into the copy.
final class RowSaver {
  /// How reading a range of rows ended.
  enum Ending: Equatable {
    /// All rows of the range were read.
    case complete
    /// A page is damaged.
    case damaged
  }

  /// What became of the table so far.
  private(set) var report: SalvageReport.Table

  private let columns: [String]
  private let keyCount: Int
  private let source: InspectionConnection
  private let insertion: InspectionStatement
  private let checkpoint: () throws -> Void

  /// Creates a saver.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - key: The columns that rows are found by, among them the row id.
  ///   - columns: The other columns.
  ///   - source: The damaged file.
  ///   - target: The copy, which has the table.
  ///   - checkpoint: Is called for each row; what it throws ends the work.
  /// - Throws: ``StoreError`` where the copy refuses the statement.
  init(
    table: String, key: [String], columns: [String], from source: InspectionConnection,
    into target: InspectionConnection, checkpoint: @escaping () throws -> Void
  ) throws {
    report = SalvageReport.Table(name: table)
    keyCount = key.count
    self.columns = key + columns
    self.source = source
    self.checkpoint = checkpoint
    let names = self.columns.map(SQLName.quote).joined(separator: ", ")
    let marks = self.columns.map { _ in "?" }.joined(separator: ", ")
    insertion = try target.prepare(
      "INSERT OR ABORT INTO main.\(SQLName.quote(table))(\(names)) VALUES (\(marks))")
  }

  /// Prepares a query for rows of the table.
  ///
  /// - Parameter clauses: What follows the table's name.
  /// - Returns: The query.
  /// - Throws: ``StoreError`` where the file refuses it.
  func query(_ clauses: String) throws -> InspectionStatement {
    let names = columns.map(SQLName.quote).joined(separator: ", ")
    let statement = try source.prepare(
      "SELECT \(names) FROM main.\(SQLName.quote(report.name)) NOT INDEXED \(clauses)")
    statement.keepsInvalidText = true
    return statement
  }

  /// Saves the rows of a query, up to the first that cannot be read.
  ///
  /// - Parameters:
  ///   - statement: What ``query(_:)`` returned.
  ///   - values: What is bound.
  ///   - key: Hears the key of each row; false where it makes no sense, as where damage led back.
  /// - Returns: How it ended.
  /// - Throws: What writing throws, and the checkpoint.
  func save(
    _ statement: InspectionStatement, _ values: [StoredValue],
    key: (_ key: [StoredValue]) -> Bool
  ) throws -> Ending {
    defer { statement.reset() }
    do {
      try statement.start(values)
      while let row = try statement.next() {
        try checkpoint()
        guard key(Array(row.prefix(keyCount))) else { return .damaged }
        try insert(row, invalidText: statement.invalidTextColumns)
      }
      return .complete
    } catch let error as StoreError where Self.isDamage(error) {
      return .damaged
    }
  }

  /// Notes where rows cannot be read.
  func add(_ gap: SalvageReport.Gap) {
    report.gaps.append(gap)
  }

  private func insert(_ row: [StoredValue], invalidText: [Int]) throws {
    do {
      try insertion.run(row, invalidText: invalidText)
      report.savedCount += 1
    } catch let error as StoreError where Self.isRefusal(error) {
      report.refusedCount += 1
    }
  }

  private static func isRefusal(_ error: StoreError) -> Bool {
    error.isConstraint || error.code == .statementFailed
  }

  private static func isDamage(_ error: StoreError) -> Bool {
    switch error.code {
    // A read that fails is of a bad block, or of a file that was cut.
    case .corrupt, .notADatabase, .ioError, .tooBig, .outOfMemory: true
    default: false
    }
  }
}
