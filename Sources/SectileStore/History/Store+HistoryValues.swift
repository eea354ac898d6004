internal import GRDB
public import SectileCore

extension Store {
  /// What happened in the file since a token, with what columns held before, where that is kept.
  ///
  /// ```swift
  /// try store.changeLog.keepValues(of: ["album"])
  /// let page = try store.history(since: token, includingValues: true)
  /// for change in page.transactions.flatMap(\.changes) { show(change.key, change.values) }
  /// ```
  ///
  /// See `history(since:limit:)` for more information. Values are read as they are: a page of large
  /// ones takes as much memory as they have bytes.
  ///
  /// - Parameters:
  ///   - token: The place after which it begins; nil for the oldest row that is there.
  ///   - limit: How many changes a page has; a first transaction that has more is given
  ///     nevertheless.
  ///   - includingValues: Whether ``ChangeLog/RowChange/values`` and ``ChangeLog/RowChange/date``
  ///     are read.
  /// - Returns: A page of one state of the file. Where the token does not lead on, it tells why.
  /// - Throws: A ``StoreError``: `noChangeLog`, `changeLogNewer`; what `read(_:)` throws. Never for
  ///   a token.
  /// - Complexity: O(*n*) for *n* rows of the log that are read; with values, O(log *m*) more for
  ///   each of them, *m* being the number of values that are kept.
  public func history(
    since token: ChangeToken?, limit: Int = 1_000, includingValues: Bool
  ) throws -> ChangeLog.Page {
    try readHistory(from: token, otherwise: { state, _ in state.pruned }) { state, start, db in
      var reading = HistoryReading(
        of: state, in: db, limit: limit, values: try reader(of: db, isWanted: includingValues))
      return try reading.page(after: start)
    }
  }

  /// What happened in the file since a token, with what columns held before, without blocking the
  /// caller's thread.
  ///
  /// See `history(since:limit:includingValues:)` for more information.
  public func history(
    since token: ChangeToken?, limit: Int = 1_000, includingValues: Bool
  ) async throws -> ChangeLog.Page {
    try await blockingCalls.run {
      try history(since: token, limit: limit, includingValues: includingValues)
    }
  }

  /// What happened in the file before a token, the newest transaction first.
  ///
  /// ```swift
  /// var page = try store.history(before: nil, table: "album", key: [.integer(7)])
  /// while page.transactions.isEmpty && !page.isComplete {
  ///   page = try store.history(before: page.token, table: "album", key: [.integer(7)])
  /// }
  /// ```
  ///
  /// The transactions are those of `history(since:limit:)`; the changes of each are in the order in
  /// which they happened. The token of a page leads to the next older one, and that of a
  /// transaction to the transaction itself and all before it.
  ///
  /// A page looks at ten thousand rows of the log, and then to the end of the transaction it is in.
  /// So a page may be empty, or have less than `limit` changes, though there are more:
  /// ``ChangeLog/Page/isComplete`` tells whether the oldest row was reached.
  ///
  /// - Parameters:
  ///   - token: The place before which it begins; nil for the end of the log.
  ///   - limit: How many changes a page has; a first transaction that has more is given
  ///     nevertheless.
  ///   - table: The table whose changes are told, by its name now, in any case; nil for all. A
  ///     table that the log no longer follows is `table 7`, by its number.
  ///   - key: The values of the key whose changes are told, of the types in which they are stored;
  ///     nil for all. A ``ChangeLog/Operation/reset`` concerns each key.
  ///   - includingValues: Whether what columns held before is read; see
  ///     `history(since:limit:includingValues:)`.
  /// - Returns: A page of one state of the file. Where the token does not lead back, it tells why.
  /// - Throws: A ``StoreError``: `noChangeLog`, `changeLogNewer`; what `read(_:)` throws. Never for
  ///   a token, nor for a table that is not there.
  /// - Complexity: O(*n*) for *n* rows that are looked at: at most 10,000, and then at most 100,000
  ///   up to the end of the transaction. Where the token is not that of a commit, the rows behind
  ///   it are looked at as well, up to the next commit. How long the log is does not matter.
  public func history(
    before token: ChangeToken?, limit: Int = 1_000, table: String? = nil,
    key: [StoredValue]? = nil, includingValues: Bool = false
  ) throws -> ChangeLog.Page {
    try readHistory(from: token, otherwise: { _, db in try LogTail(of: db).head() }) {
      state, start, db in
      var reading = BackwardHistoryReading(
        of: state, in: db, table: table, key: key, limit: limit,
        values: try reader(of: db, isWanted: includingValues))
      return try reading.page(before: start)
    }
  }

  /// What happened in the file before a token, the newest transaction first, without blocking the
  /// caller's thread.
  ///
  /// See `history(before:limit:table:key:includingValues:)` for more information.
  public func history(
    before token: ChangeToken?, limit: Int = 1_000, table: String? = nil,
    key: [StoredValue]? = nil, includingValues: Bool = false
  ) async throws -> ChangeLog.Page {
    try await blockingCalls.run {
      try history(
        before: token, limit: limit, table: table, key: key, includingValues: includingValues)
    }
  }

  /// Reads a page from the place of a token, in one reading transaction.
  private func readHistory(
    from token: ChangeToken?, otherwise end: (LogState, Database) throws -> LogPoint,
    _ page: (LogState, LogPoint, Database) throws -> ChangeLog.Page
  ) throws -> ChangeLog.Page {
    try read { transaction in
      let db = transaction.db
      try LogState.refuseNewer(in: db)
      guard let state = try LogState(in: db, tables: commits.loggedTables.read) else {
        throw StoreError.noChangeLog(file: path)
      }
      guard let place = token?.place else { return try page(state, end(state, db), db) }
      if let reason = try state.reasonAgainst(place, in: db) {
        let head = try LogTail(of: db).head()
        return ChangeLog.Page(
          [], token: ChangeToken(place: state.place(of: head)), isComplete: true, reset: reason)
      }
      let start = LogPoint(
        sequence: Int64(bitPattern: place.sequence), salt: Int64(bitPattern: place.salt))
      return try page(state, start, db)
    }
  }

  private func reader(of db: Database, isWanted: Bool) throws -> LogValueReading? {
    try isWanted ? LogValueReading(in: db) : nil
  }
}
