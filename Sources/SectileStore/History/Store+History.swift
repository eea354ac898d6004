internal import SectileCore

extension Store {
  /// What happened in the file since a token, whoever did it, as far as the change log reaches
  /// back.
  ///
  /// ```swift
  /// var page = try store.history(since: token)
  /// if let reason = page.reset { readEverything(because: reason) }
  /// for transaction in page.transactions {
  ///   print(transaction.author ?? "?", transaction.changes.count)
  /// }
  /// token = page.token
  /// ```
  ///
  /// A transaction is never cut, unless it has more than 100,000 changes.
  ///
  /// - Parameters:
  ///   - token: The place after which it begins; nil for the oldest row that is there.
  ///   - limit: How many changes a page has; a first transaction that has more is given
  ///     nevertheless.
  /// - Returns: A page of one state of the file. Where the token does not lead on, it tells why.
  /// - Throws: A ``StoreError``: `noChangeLog`, `changeLogNewer`; what `read(_:)` throws. Never for
  ///   a token.
  /// - Complexity: O(*n*) for *n* rows of the log that are read.
  public func history(since token: ChangeToken? = nil, limit: Int = 1_000) throws -> ChangeLog.Page
  {
    try history(since: token, limit: limit, includingValues: false)
  }

  /// What happened in the file since a token, without blocking the caller's thread.
  ///
  /// See `history(since:limit:)` for more information.
  public func history(since token: ChangeToken? = nil, limit: Int = 1_000) async throws
    -> ChangeLog.Page
  {
    try await blockingCalls.run { try history(since: token, limit: limit) }
  }

  /// What happens in the file from a token on, whoever does it: it goes on until the store is
  /// closed, or the task is cancelled.
  ///
  /// Commits are told at once, those of other processes too, where the system tells of writes to
  /// the log. It looks as often as ``StoreConfiguration/externalChangePolling`` says as well, four
  /// times a second where that is nil, and keeps the store.
  ///
  /// ```swift
  /// for try await news in store.changes(since: token) {
  ///   switch news {
  ///   case .transaction(let transaction): print(transaction.changes)
  ///   case .reset(let reason, _): readEverything(because: reason)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter token: The place after which it begins; nil for the oldest row that is there.
  /// - Returns: The sequence. It throws what `history(since:limit:)` throws.
  public func changes(since token: ChangeToken?) -> ChangeLog.Changes {
    ChangeLog.Changes(of: self, since: token)
  }
}
