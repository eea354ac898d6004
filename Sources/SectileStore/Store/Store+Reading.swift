internal import GRDB
internal import Synchronization

extension Store {
  /// Runs a closure in a reading transaction: it sees one state of the database throughout.
  ///
  /// In a store on a file, reads run beside each other and beside the writer; in memory they take
  /// turns with it.
  ///
  /// - Parameter body: Works with the transaction it gets.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or ``StoreError``: `reentrantAccess` inside another closure of
  ///   this store, `storeClosed`.
  public func read<T>(_ body: (StoreReadTransaction) throws -> T) throws -> T {
    let call = try accesses.begin()
    do {
      return try writer.read { db in
        try call.run { try runRead(on: db, body) }
      }
    } catch {
      throw StoreError.translating(error, file: path)
    }
  }

  /// Runs a closure in a reading transaction, without blocking the caller's thread.
  ///
  /// Cancelling the task interrupts the closure's statement; the call then throws
  /// `CancellationError`. See ``read(_:)`` for more information.
  public func read<T: Sendable>(
    _ body: @Sendable (StoreReadTransaction) throws -> T
  ) async throws -> T {
    let call = try accesses.begin()
    do {
      return try await writer.read { db in
        try call.run { try self.runRead(on: db, body) }
      }
    } catch {
      throw Self.cancellation(of: error) ?? StoreError.translating(error, file: path)
    }
  }

  private func runRead<T>(
    on db: Database, _ body: (StoreReadTransaction) throws -> T
  ) throws -> T {
    monitor.readCount.add(1, ordering: .relaxed)
    if isAdopted {
      // The readers of an adopted pool were not prepared by our configuration.
      try FirstLetter.registerIfMissing(on: db)
      try db.registerMissing(configuration.collations)
    }
    let transaction = StoreReadTransaction(db: db, file: path)
    transaction.holdsFormerStates = holdsFormerStates
    defer { transaction.invalidate() }
    return try body(transaction)
  }
}
