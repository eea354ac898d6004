internal import GRDB
internal import SectileCore

/// Gathers rows of the change log into the transactions they belong to, from the newest to the
/// oldest, for one page.
///
/// The row of a commit comes before the rows of its transaction, and says which is the first:
///
/// ```text
///   log    … 40 41 42 │ 43 44 45 c46 │ 47 48 │
///                     │              └── of nobody: as they stand between two commits
///                     └── of the commit c46, which says that 43 is the first
/// ```
///
/// The entries are those of ``HistoryReading``, in the other order. An entry is not cut unless it
/// has more rows than the limit of a part.
struct BackwardHistoryReading {
  typealias ChangeLog = Store.ChangeLog

  /// How many rows a page looks at before it leaves the rest to the next one; the entry that it
  /// stands in then is read to its end.
  static let lookLimit = 10_000

  private struct Entry {
    let origin: HistoryOrigin?
    /// The place after it; nil where none of its rows was seen.
    var end: LogPoint?
    /// Whether what comes after it was given by itself.
    var isContinued = false
    /// What is told of it, the newest first.
    var changes: [ChangeLog.RowChange] = []
    var rowCount = 0

    /// Whether a row is older than all of the entry.
    func begins(after point: LogPoint) -> Bool {
      origin.map { point.sequence < $0.first } ?? false
    }
  }

  private let db: Database
  private let state: LogState
  private let limit: Int
  private let partLimit: Int
  private let lookLimit: Int
  private let rows: HistoryRows
  private let tables: Set<Int64>?
  private let key: [StoredValue]?
  private var transactions: [ChangeLog.Transaction] = []
  /// How many changes the transactions have.
  private var count = 0
  /// How many rows were looked at before the one that the statement stands on.
  private var looked = 0

  /// - Parameters:
  ///   - state: What the log says about itself.
  ///   - db: The connection, inside the transaction in which the state was read.
  ///   - table: The table whose changes are told; nil for all.
  ///   - key: The key whose changes are told; nil for all.
  ///   - limit: How many changes a page has, but for a transaction that has more.
  ///   - partLimit: How many rows are given in one piece at most.
  ///   - lookLimit: See ``lookLimit``.
  ///   - values: Reads old values; nil where they are not wanted.
  init(
    of state: LogState, in db: Database, table: String? = nil, key: [StoredValue]? = nil,
    limit: Int, partLimit: Int = HistoryReading.partLimit, lookLimit: Int = Self.lookLimit,
    values: LogValueReading? = nil
  ) {
    self.state = state
    self.db = db
    self.limit = max(1, limit)
    self.partLimit = max(1, partLimit)
    self.lookLimit = max(1, lookLimit)
    let rows = HistoryRows(of: state, in: db, values: values)
    self.rows = rows
    tables = table.map(rows.numbers(ofTable:))
    self.key = key
  }

  /// Reads a page.
  ///
  /// - Parameter start: The last row that may be told.
  /// - Returns: The page.
  /// - Throws: What reading throws.
  /// - Complexity: O(*n*) for *n* rows that are looked at.
  mutating func page(before start: LogPoint) throws -> ChangeLog.Page {
    var entry = try self.entry(at: start)
    let statement = try RawStatement.cached(
      """
      SELECT \(LogRow.columns) FROM main.sectile_log WHERE seq <= ? AND seq > ? ORDER BY seq DESC
      """, on: db)
    defer { statement.finish() }
    try statement.bind(.integer(start.sequence), at: 1)
    try statement.bind(.integer(state.pruned.sequence), at: 2)
    var isCut = false
    while try statement.step() {
      let row = LogRow(statement)
      // Behind it: a page ends before a row, so it has to be past one.
      defer { looked += 1 }
      let isCommit = row.table == 0 && row.operation == .commit
      if row.table == 0 && !isCommit { continue }
      let point = row.point
      if isCut && isFull { return page(to: point) }
      isCut = false
      if isCommit || entry?.begins(after: point) ?? false {
        guard append(entry) else { return page(to: entry?.end ?? point) }
        if isFull { return page(to: point) }
        entry = nil
      }
      if isCommit {
        entry = Entry(origin: HistoryOrigin(row), end: point)
        continue
      }
      // In its place: a copy would copy all of its changes, for each row.
      if entry == nil { entry = Entry(origin: nil) }
      if entry?.end == nil { entry?.end = point }
      entry?.rowCount += 1
      if tables?.contains(row.table) ?? true, let change = try rows.change(row, of: key) {
        entry?.changes.append(change)
      }
      guard let part = entry, part.rowCount >= partLimit else { continue }
      guard append(part) else { return page(to: part.end ?? point) }
      entry = Entry(origin: part.origin, isContinued: true)
      isCut = true
    }
    guard append(entry, isOldest: true) else { return page(to: entry?.end ?? state.pruned) }
    return ChangeLog.Page(transactions, token: token(state.pruned), isComplete: true)
  }

  private var isFull: Bool { count >= limit || looked >= lookLimit }

  private func page(to point: LogPoint) -> ChangeLog.Page {
    ChangeLog.Page(transactions, token: token(point), isComplete: false)
  }

  private func token(_ point: LogPoint) -> ChangeToken {
    ChangeToken(place: state.place(of: point))
  }

  /// The entry in whose midst a place is; nil where it is between two.
  private func entry(at place: LogPoint) throws -> Entry? {
    let row = try rows.row(numbered: place.sequence) { row in
      (isCommit: row.table == 0 && row.operation == .commit, isChange: row.table != 0)
    }
    guard let row, !row.isCommit else { return nil }
    let commit = try rows.nextCommit(after: place)
    if let commit, commit.first <= place.sequence {
      return Entry(origin: commit, end: place, isContinued: true)
    }
    guard row.isChange else { return nil }
    return Entry(
      origin: nil,
      isContinued: try rows.hasChange(after: place, before: commit?.first ?? .max))
  }

  /// Gives an entry, where the page has room for it.
  ///
  /// - Returns: Whether it had.
  private mutating func append(_ entry: Entry?, isOldest: Bool = false) -> Bool {
    guard let entry, let end = entry.end else { return true }
    if entry.changes.isEmpty {
      // The end of a transaction whose rows were removed is told, as HistoryReading does.
      let isRest = entry.origin.map { $0.first <= state.pruned.sequence } ?? false
      guard isOldest, isRest, !entry.isContinued, tables == nil, key == nil else { return true }
    }
    guard transactions.isEmpty || count + entry.changes.count <= limit else { return false }
    count += entry.changes.count
    transactions.append(
      ChangeLog.Transaction(
        by: entry.origin, entry.changes.reversed(), isContinued: entry.isContinued,
        token: token(end)))
    return true
  }
}
