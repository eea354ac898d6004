import GRDB
import SectileCore

/// Reads what rows were, in a state of the file before others have changed them.
///
/// Confined to the writer, for one look.
final class FormerRowReader {
  /// More rows of one look are not read: to fetch everything again is cheaper by then.
  static let rowLimit = 10_000

  /// The state before, and the one that the transaction reads.
  private let former: Database
  private let present: Database
  /// Rows that are there now, by whom they are recorded.
  private var presentRows: [(rows: RecordedRows, key: RowKey)] = []

  init(former: Database, present: Database) {
    (self.former, self.present) = (former, present)
  }

  /// Where a row is looked for.
  struct Place {
    let table: String
    /// The columns by which it is named.
    let names: [String]
    /// The columns that are wanted as its key, as SQL.
    let key: [String]
  }

  /// Returns the rows of a name, as they are: one, where the name is unique.
  ///
  /// - Parameters:
  ///   - values: The name.
  ///   - place: Where the rows are.
  ///   - columns: The columns that are wanted.
  /// - Returns: The values by key; nil in place of those that hold text that is not UTF-8.
  /// - Throws: What reading throws.
  func present(
    _ values: [StoredValue], at place: Place, columns: [String]
  ) throws -> [RowKey: [StoredValue]?] {
    var rows: [RowKey: [StoredValue]?] = [:]
    let list = place.key + columns.map(SQLName.quote)
    try forEachRow(values, at: place, list, on: present) { statement in
      let wanted = columns.indices.map { statement.column(place.key.count + $0).value }
      let row = wanted.contains(nil) ? nil : wanted.compactMap(\.self)
      rows.updateValue(row, forKey: try statement.key(at: place.key.indices))
    }
    return rows
  }

  /// Calls a closure with each row of a name, as it was.
  ///
  /// - Parameters:
  ///   - values: The name.
  ///   - place: Where the rows are.
  ///   - columns: The columns that are wanted.
  ///   - body: Called with a row's key, and what gives its values column by column, valid inside
  ///     the call.
  /// - Throws: What reading throws.
  func forEachFormerRow(
    _ values: [StoredValue], at place: Place, columns: [String],
    _ body: (RowKey, (Int) -> RawColumn) -> Void
  ) throws {
    let list = place.key + columns.map(SQLName.quote)
    try forEachRow(values, at: place, list, on: former) { statement in
      let key = try statement.key(at: place.key.indices)
      body(key) { statement.column(place.key.count + $0) }
    }
  }

  /// Takes note of rows that are there now.
  func found(_ keys: some Sequence<RowKey>, of rows: RecordedRows) {
    presentRows += keys.map { (rows, $0) }
  }

  /// Notes that rows were not there before, of which nothing else was noted.
  ///
  /// Called behind the last row of the log: where the log names rows by other columns than their
  /// keys, a row may have been there by another name, and the name may have been another row's.
  func noteNewRows() {
    for (rows, key) in presentRows { rows.noteNew(key) }
  }

  private func forEachRow(
    _ values: [StoredValue], at place: Place, _ list: [String], on db: Database,
    _ body: (RawStatement) throws -> Void
  ) throws {
    let condition = place.names.map { "\(SQLName.quote($0)) IS ?" }.joined(separator: " AND ")
    let statement = try RawStatement.cached(
      "SELECT \(list.joined(separator: ", ")) FROM \(SQLName.table(place.table)) WHERE \(condition)",
      on: db)
    defer { statement.finish() }
    try statement.bindAll(values)
    while try statement.step() { try body(statement) }
  }
}
