internal import SectileCore
internal import SectileStore

/// Which rows the waiting entries of the outbox touch, so that those are found which hang together.
///
/// A row stands here by its number among the ``ConfirmedRows`` of its table.
enum WaitingRows {
  /// A row that entries touch.
  struct Row: Hashable {
    let table: String
    let number: Int64
  }

  /// Entries that hang together, and all rows that they touch: no other entry touches one of them.
  struct Group {
    var entries: Set<Int64> = []
    var rows: Set<Row> = []
  }

  private static let name = "sectile_outbox_row"

  static let statements = """
    CREATE TABLE IF NOT EXISTS \(name) (
      table_name TEXT, number INTEGER, entry INTEGER, PRIMARY KEY (table_name, number, entry)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS \(name)_entry ON \(name) (entry, table_name, number);
    """

  /// Notes that an entry touches a row.
  static func add(_ row: Row, of entry: Int64, in transaction: StoreTransaction) throws {
    try transaction.run(
      prepared: "INSERT OR IGNORE INTO \(name) VALUES (?, ?, ?)",
      [.text(row.table), .integer(row.number), .integer(entry)])
  }

  /// Forgets the rows of a group.
  static func remove(_ group: Group, in transaction: StoreTransaction) throws {
    for entry in group.entries {
      try transaction.run(prepared: "DELETE FROM \(name) WHERE entry = ?", [.integer(entry)])
    }
  }

  /// Forgets the rows of a table.
  static func remove(table: String, in transaction: StoreTransaction) throws {
    try transaction.run(prepared: "DELETE FROM \(name) WHERE table_name = ?", [.text(table)])
  }

  // MARK: - Reading

  /// The tables that have such rows.
  static func tables(
    among names: some Sequence<String>, in transaction: StoreReadTransaction
  ) throws -> Set<String> {
    let first = "SELECT 1 FROM \(name) WHERE table_name = ? LIMIT 1"
    return Set(try names.filter { try !transaction.rows(prepared: first, [.text($0)]).isEmpty })
  }

  /// The rows of a table.
  static func rows(of table: String, in transaction: StoreReadTransaction) throws -> [Row] {
    try transaction.rows(
      prepared: "SELECT DISTINCT number FROM \(name) WHERE table_name = ?", [.text(table)]
    ).compactMap(firstInteger).map { Row(table: table, number: $0) }
  }

  /// What hangs together with entries and rows.
  ///
  /// - Complexity: O(*n* log *m*), where *n* is how many rows the group's entries touch, of *m* in
  ///   all.
  static func group(
    of entries: some Sequence<Int64>, _ rows: some Sequence<Row>,
    in transaction: StoreReadTransaction
  ) throws -> Group {
    var group = Group(entries: Set(entries), rows: Set(rows))
    var (newEntries, newRows) = (Array(group.entries), Array(group.rows))
    while !newEntries.isEmpty || !newRows.isEmpty {
      let foundRows = try newEntries.flatMap { try self.rows(of: $0, in: transaction) }
      let foundEntries = try newRows.flatMap { try self.entries(of: $0, in: transaction) }
      newRows = foundRows.filter { group.rows.insert($0).inserted }
      newEntries = foundEntries.filter { group.entries.insert($0).inserted }
    }
    return group
  }

  private static func rows(of entry: Int64, in transaction: StoreReadTransaction) throws -> [Row] {
    try transaction.rows(
      prepared: "SELECT table_name, number FROM \(name) WHERE entry = ?", [.integer(entry)]
    ).compactMap { values in
      guard case (.text(let table), .integer(let number)) = (values[0], values[1]) else {
        return nil
      }
      return Row(table: table, number: number)
    }
  }

  /// The entries that touch a row.
  static func entries(of row: Row, in transaction: StoreReadTransaction) throws -> [Int64] {
    try transaction.rows(
      prepared: "SELECT entry FROM \(name) WHERE table_name = ? AND number = ?",
      [.text(row.table), .integer(row.number)]
    ).compactMap(firstInteger)
  }

  private static func firstInteger(_ values: [StoredValue]) -> Int64? {
    if case .integer(let number)? = values.first { number } else { nil }
  }
}
