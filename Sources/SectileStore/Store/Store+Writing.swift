internal import GRDB

extension Store {
  /// Runs a closure in a writing transaction and commits it.
  ///
  /// The closure runs on the calling thread, after the writes that came before. Its changes are
  /// visible to others when `write` returns, and whoever follows the store was told by then, as far
  /// as they asked to be told at once. Where another thread is telling of an earlier commit at that
  /// moment, it goes on with this one, and nobody waits for it: `checkForExternalChanges()` does.
  ///
  /// - Parameter body: Works with the transaction it gets. If it throws, everything is undone.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or ``StoreError``: `reentrantAccess` inside another closure of
  ///   this store, `storeClosed`, `readOnly`, `busy`, and what COMMIT may meet, such as `diskFull`,
  ///   `ioError` or `foreignKeyConstraint` for a deferred key. `fileReplaced` where the file is no
  ///   longer at its path or its log no longer beside it, and `fileLinked` where it has another
  ///   name besides: then everything is undone. A folder may be moved with the file and its log in
  ///   it. The store looks at the beginning and before COMMIT; a file that is replaced *during*
  ///   COMMIT is beyond what SQLite can prevent, and so is what is written through GRDB's
  ///   connection.
  @discardableResult
  public func write<T>(_ body: (StoreTransaction) throws -> T) throws -> T {
    let call = try beginWriting()
    defer { commits.transactionFinished() }
    do {
      return try writer.unsafeReentrantWrite { db in
        try call.run { try runTransaction(on: db, body) }
      }
    } catch {
      throw StoreError.translating(error, file: path)
    }
  }

  /// Runs a closure in a writing transaction and commits it, without blocking the caller's thread.
  ///
  /// Cancelling the task interrupts the closure's statement and rolls back, or has the call throw
  /// at once where its turn has not come; it throws `CancellationError`. A closure whose result is
  /// not `Sendable` is one for the form that blocks. See ``write(_:)`` for more information.
  @discardableResult
  public func write<T: Sendable>(
    _ body: @Sendable (StoreTransaction) throws -> T
  ) async throws -> T {
    try await writeAlone(body)
  }

  /// Runs a closure that returns one value in a writing transaction, without blocking the caller's
  /// thread.
  ///
  /// It is preferred where the result may be discarded: in a task group of `Void` the compiler
  /// could not tell otherwise whether `store.write { try $0.insert(x) }` drops the row id inside of
  /// the closure or outside. See ``write(_:)`` for more information.
  @discardableResult
  public func write<T: StorableValue>(
    _ body: @Sendable (StoreTransaction) throws -> T
  ) async throws -> T {
    try await writeAlone(body)
  }

  private func writeAlone<T: Sendable>(
    _ body: @Sendable (StoreTransaction) throws -> T
  ) async throws -> T {
    let begun = try beginWriting()
    defer { commits.transactionFinished() }
    do {
      // Ended before anything is delivered: a delegate may close the store, which waits for it.
      let call = begun
      return try await withoutActuallyEscaping(body) { body in
        let access = AwaitedAccess<T> { db in
          try call.run { try self.runTransaction(on: db, body) }
        }
        return try await access.run { [writer] body in
          try await writer.writeWithoutTransaction(body)
        }
      }
    } catch {
      throw Self.cancellation(of: error) ?? StoreError.translating(error, file: path)
    }
  }

  /// Begins a call that writes.
  func beginWriting() throws(StoreError) -> AccessRegistry.Call {
    let call = try accesses.begin()
    guard !configuration.isReadOnly else {
      throw StoreError(
        .readOnly, message: "\(path ?? "The store") was opened read-only",
        hint: "Open the store without StoreConfiguration.isReadOnly to write.")
    }
    return call
  }

  private func runTransaction<T>(
    on db: Database, _ body: (StoreTransaction) throws -> T
  ) throws -> T {
    guard !db.isInsideTransaction else {
      throw StoreError(
        .reentrantAccess,
        message: "\(path ?? "The store"): the connection is inside a transaction of GRDB's",
        hint: "Call write outside of GRDB's write closures, or use GRDB's connection there.")
    }
    let isLocked = try writerLock.enter(before: db)
    defer { if isLocked { writerLock.leave() } }
    let measurement = WriteMeasurement(of: db, monitor)
    try commits.begin(db)
    let transaction = StoreTransaction(db: db, file: path)
    transaction.holdsFormerStates = holdsFormerStates
    transaction.commits = commits
    let value: T
    do {
      defer { transaction.invalidate() }
      try commits.transactionDidBegin(in: db)
      value = try body(transaction)
      try transaction.checkActive()
      try commits.transactionWillCommit(by: transaction.origin, in: db)
    } catch {
      rollBack(transaction)
      measurement.didRollBack()
      throw error
    }
    do {
      try commit(db)
    } catch {
      measurement.didRollBack()
      throw error
    }
    measurement.didCommit(db)
    growth.tell(in: db)
    // Another process may have switched the log on.
    if commits.log.isThere, !writerLock.isWanted { writerLock.engage() }
    return value
  }

  private func rollBack(_ transaction: StoreTransaction) {
    let db = transaction.db
    // Whoever had GRDB's connection may have committed a part and begun anew.
    let isCertain = db.isInsideTransaction && !transaction.isDatabaseExposed
    // The error of the closure is the one to report. SQLite's ROLLBACK fails only where there is
    // no transaction any more.
    try? db.rollback()
    commits.transactionDidEnd(isCertain ? .rolledBack : .unknown, in: db)
  }

  private func commit(_ db: Database) throws {
    do {
      try db.cachedStatement(sql: "COMMIT TRANSACTION").execute()
    } catch {
      // A COMMIT that leaves the transaction open, for a lock or a deferred foreign key, has
      // stored nothing. One that ended it with an error may have: after a failed fsync the
      // transaction can be there when the file is opened again.
      let isCertain = db.isInsideTransaction
      try? db.rollback()
      commits.transactionDidEnd(isCertain ? .rolledBack : .unknown, in: db)
      throw error
    }
    commits.transactionDidEnd(.committed, in: db)
  }

  /// Returns the error a cancelled task throws, if that is why its statement was interrupted.
  static func cancellation(of error: any Error) -> CancellationError? {
    guard Task.isCancelled else {
      return nil
    }
    switch error {
    case let error as StoreError where error.code == .interrupted:
      return CancellationError()
    case let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT:
      return CancellationError()
    default:
      return nil
    }
  }
}
