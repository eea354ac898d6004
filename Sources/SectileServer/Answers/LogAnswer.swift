#if Server
  internal import Sectile
  internal import SectileInspecting

  /// A page of what happened in a file, as far as its change log reaches back.
  struct LogAnswer {
    let store: Store

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - token: The place after which it begins; nil for the newest page.
    ///   - table: The table whose changes are told; nil for all.
    ///   - count: How many transactions it has at most.
    /// - Returns: The document.
    /// - Throws: ``Refusal`` where the file has no log; `StoreError`.
    func document(since token: ChangeToken?, table: String?, count: Int) throws -> JSONValue {
      guard let status = try store.changeLog.status() else {
        throw Refusal(
          .noLog, "the file has no change log", hint: "Switch it on: sectile log FILE enable")
      }
      var page = try store.history(since: token, limit: 1_000)
      let reset = page.reset
      var transactions: [JSONValue] = []
      while true {
        transactions += page.transactions.compactMap { Self.document(of: $0, table: table) }
        // Of a page from a token the first count; of the newest page the last.
        if token != nil, transactions.count >= count { break }
        if transactions.count > 4 * count { transactions.removeFirst(transactions.count - count) }
        if page.isComplete { break }
        page = try store.history(since: page.token, limit: 1_000)
      }
      if token == nil { transactions = transactions.suffix(count) }
      return [
        "format": 2, "head": .value(.integer(status.head)),
        "oldest": .value(.integer(status.oldest)),
        "reset": JSONValue(reset?.name), "transactions": .array(transactions),
        "next": .string("\(page.token)"), "isComplete": .bool(page.isComplete),
      ]
    }

    private static func document(
      of transaction: Store.ChangeLog.Transaction, table: String?
    ) -> JSONValue? {
      let changes = transaction.changes.filter { change in
        table.map { $0.lowercased() == change.table.lowercased() } ?? true
      }
      if table != nil, changes.isEmpty { return nil }
      return transaction.document(changes)
    }
  }
#endif
