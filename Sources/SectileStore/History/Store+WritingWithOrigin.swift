extension Store {
  /// Runs a closure in a writing transaction and commits it, with a name in the file's change log.
  ///
  /// ```swift
  /// try store.write(author: "importer", tag: "night run") { try $0.insert(packages) }
  /// ```
  ///
  /// Where the file has no change log, author and tag are lost. See `write(_:)` for more
  /// information.
  ///
  /// - Parameters:
  ///   - author: Who commits.
  ///   - tag: What the transaction is about.
  ///   - body: Works with the transaction it gets. If it throws, everything is undone.
  /// - Returns: What `body` returns.
  /// - Throws: As `write(_:)`.
  @discardableResult
  public func write<T>(
    author: String?, tag: String? = nil, _ body: (StoreTransaction) throws -> T
  ) throws -> T {
    try write { transaction in
      transaction.origin = CommitOrigin(author: author, tag: tag)
      return try body(transaction)
    }
  }

  /// Runs a closure in a writing transaction and commits it, with a name in the file's change log,
  /// without blocking the caller's thread.
  ///
  /// See `write(author:tag:_:)` for more information.
  @discardableResult
  public func write<T: Sendable>(
    author: String?, tag: String? = nil, _ body: @Sendable (StoreTransaction) throws -> T
  ) async throws -> T {
    try await write { transaction in
      transaction.origin = CommitOrigin(author: author, tag: tag)
      return try body(transaction)
    }
  }
}
