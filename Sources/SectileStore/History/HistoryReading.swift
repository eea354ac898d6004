internal import GRDB
internal import SectileCore

/// Gathers rows of the change log into the transactions they belong to, for one page.
///
/// The row of a commit comes after the rows of its transaction, so these wait until it is seen.
struct HistoryReading {
  typealias ChangeLog = Store.ChangeLog

  /// How many changes are given in one piece at most.
  static let partLimit = 100_000

  private struct Waiting {
    let point: LogPoint
    let change: ChangeLog.RowChange
  }

  private let db: Database
  private let state: LogState
  private let limit: Int
  private let partLimit: Int
  private let rows: HistoryRows
  private var waiting: [Waiting] = []
  private var transactions: [ChangeLog.Transaction] = []
  /// How many changes the transactions have.
  private var count = 0
  private var isFull = false

  /// - Parameters:
  ///   - state: What the log says about itself.
  ///   - db: The connection, inside the transaction in which the state was read.
  ///   - limit: How many changes a page has, but for a transaction that has more.
  ///   - partLimit: How many changes are given in one piece at most.
  ///   - values: Reads old values; nil where they are not wanted.
  init(
    of state: LogState, in db: Database, limit: Int, partLimit: Int = Self.partLimit,
    values: LogValueReading? = nil
  ) {
    self.state = state
    self.db = db
    self.limit = max(1, limit)
    self.partLimit = max(1, partLimit)
    rows = HistoryRows(of: state, in: db, values: values)
  }

  /// Reads a page.
  ///
  /// - Parameter start: The number of the last row that is known.
  /// - Returns: The page.
  /// - Throws: What reading throws.
  /// - Complexity: O(*n*) for *n* rows that are read.
  mutating func page(after start: LogPoint) throws -> ChangeLog.Page {
    var last = start
    try LogTail(of: db).forEach(after: start.sequence) { row in
      last = row.point
      if row.table == 0 {
        if row.operation == .commit { close(HistoryOrigin(row), at: last, startingAfter: start) }
      } else {
        if let change = try rows.change(row) {
          waiting.append(Waiting(point: last, change: change))
        }
        try cutIfTooLong()
      }
      return !isFull
    }
    if !isFull { append(waiting, by: nil, at: last) }
    guard isFull else { return ChangeLog.Page(transactions, token: token(last), isComplete: true) }
    return ChangeLog.Page(
      transactions, token: transactions.last?.token ?? token(start), isComplete: false)
  }

  private func token(_ point: LogPoint) -> ChangeToken {
    ChangeToken(place: state.place(of: point))
  }

  /// Closes the transaction that a commit ends.
  private mutating func close(
    _ origin: HistoryOrigin, at point: LogPoint, startingAfter start: LogPoint
  ) {
    let split = waiting.firstIndex { $0.point.sequence >= origin.first } ?? waiting.endIndex
    let foreign = waiting[..<split]
    if let last = foreign.last, !append(Array(foreign), by: nil, at: last.point) { return }
    // The end of one that was given in parts is told even where no change is left.
    let wasContinued =
      transactions.last.map { $0.isAttributed && $0.isContinued }
      ?? (origin.first <= start.sequence)
    append(Array(waiting[split...]), by: origin, at: point, evenIfEmpty: wasContinued)
    waiting.removeAll(keepingCapacity: true)
  }

  /// Gives what waits in a part, where it is too much to wait for the commit.
  private mutating func cutIfTooLong() throws {
    if !transactions.isEmpty, count + waiting.count > limit { isFull = true }
    guard !isFull, waiting.count >= partLimit, let last = waiting.last else { return }
    let origin = try rows.nextCommit(after: last.point)
    let first = origin?.first ?? .max
    let split = waiting.firstIndex { $0.point.sequence >= first } ?? waiting.endIndex
    if split == 0 {
      append(waiting, by: origin, at: last.point, isContinued: true)
      waiting.removeAll(keepingCapacity: true)
    } else {
      let part = Array(waiting[..<split])
      let goesOn = split == waiting.endIndex && last.point.sequence + 1 < first
      let isContinued = try goesOn && rows.hasChange(after: last.point, before: first)
      append(part, by: nil, at: part[split - 1].point, isContinued: isContinued)
      waiting.removeFirst(split)
    }
  }

  /// Adds an entry, where the page has room for it.
  ///
  /// - Returns: Whether it had.
  @discardableResult
  private mutating func append(
    _ rows: [Waiting], by origin: HistoryOrigin?, at point: LogPoint, isContinued: Bool = false,
    evenIfEmpty: Bool = false
  ) -> Bool {
    if rows.isEmpty && !evenIfEmpty { return true }
    guard transactions.isEmpty || count + rows.count <= limit else {
      isFull = true
      return false
    }
    count += rows.count
    transactions.append(
      ChangeLog.Transaction(
        by: origin, rows.map(\.change), isContinued: isContinued, token: token(point)))
    return true
  }
}
