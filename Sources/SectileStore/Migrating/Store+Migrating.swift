internal import GRDB

extension Store {
  /// Compares files with the ledger.
  func plan(for files: [Migration]) throws(StoreError) -> MigrationPlan {
    MigrationPlan(files: files, applied: try readLedger())
  }

  /// Reads the ledger.
  func readLedger() throws(StoreError) -> [MigrationStatus.AppliedMigration] {
    do {
      return try read { try Ledger.read(on: $0.db) }
    } catch {
      throw .wrapping(error, file: path)
    }
  }

  /// Writes the files of a baseline into the ledger, where nothing is in it and the schema is
  /// theirs; does nothing for a new file.
  func record(_ baseline: MigrationBaseline) throws(StoreError) {
    try migrate { db in
      _ = try runSchemaTransaction(on: db) { () throws -> Bool? in
        // Another process may have done it meanwhile.
        guard try Ledger.read(on: db).isEmpty, try baseline.isThere(in: db) else { return nil }
        commits.schemaWillChange(in: db)
        try Ledger.create(on: db)
        for file in baseline.files { try Ledger.append(file, on: db) }
        return true
      }
    }
  }

  /// Applies the first pending file in a transaction; returns its name, or `nil` if none is left.
  func applyNext(of run: MigrationRun) throws(StoreError) -> String? {
    try migrate { try applyNext(of: run, on: $0) }
  }

  /// Calls `body` with the writing connection, outside of a transaction, while no other process
  /// that takes the lock of writers writes.
  private func migrate<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
    let call = try accesses.begin()
    defer { commits.transactionFinished() }
    do {
      return try writer.unsafeReentrantWrite { db in
        try call.run {
          guard !db.isInsideTransaction else {
            throw StoreError(
              .reentrantAccess,
              message: "\(path ?? "The store"): migrations cannot run in a transaction",
              hint: "Apply them outside of GRDB's write closures.")
          }
          let isLocked = try writerLock.enter(before: db)
          defer { if isLocked { writerLock.leave() } }
          return try body(db)
        }
      }
    } catch {
      throw .wrapping(error, file: path)
    }
  }

  private func applyNext(of run: MigrationRun, on db: Database) throws -> String? {
    // The pragma does nothing inside a transaction, so it has to come before.
    let checksForeignKeys = try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") ?? false
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    defer {
      if checksForeignKeys {
        // It cannot fail outside of a transaction; the next commit would be refused anyway.
        try? db.execute(sql: "PRAGMA foreign_keys = ON")
      }
    }
    return try applyNext(of: run, on: db, checksForeignKeys: checksForeignKeys)
  }

  private func applyNext(
    of run: MigrationRun, on db: Database, checksForeignKeys: Bool
  ) throws -> String? {
    let next = try runSchemaTransaction(on: db) { () throws -> Migration? in
      try Ledger.create(on: db)
      guard let next = try run.next(on: db) else { return nil }
      commits.schemaWillChange(in: db)
      try next.run(on: db)
      if checksForeignKeys {
        try next.checkForeignKeys(on: db)
      }
      try Ledger.append(next, on: db)
      return next
    }
    if let next { run.didApply(next) }
    return next?.name
  }

  /// Runs a closure that may change the schema in a transaction, and commits it.
  ///
  /// - Parameters:
  ///   - db: The writing connection, outside of a transaction.
  ///   - body: Returns nil where it has left the schema as it was.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` and COMMIT throw; everything is undone then.
  func runSchemaTransaction<Result>(
    on db: Database, _ body: () throws -> Result?
  ) throws -> Result? {
    try db.beginTransaction(.immediate)
    let result: Result?
    var isCertain = true
    do {
      try file?.check(commits.logFiles, of: db.sqliteConnection)
      result = try body()
      // The triggers of the change log, where there is one, are those of the schema before.
      if result != nil { _ = try LogInstaller(in: db).repair() }
      try file?.check(commits.logFiles, of: db.sqliteConnection)
      do {
        try db.commit()
      } catch {
        // As in `write`: a COMMIT that ended the transaction with an error may have stored it.
        isCertain = db.isInsideTransaction
        throw error
      }
    } catch {
      // The first error is the one to report.
      try? db.rollback()
      commits.transactionDidEnd(isCertain ? .rolledBack : .unknown, in: db)
      throw error
    }
    // No row events lead from one schema to another: whoever follows refetches.
    commits.transactionDidEnd(result == nil ? .committed : .unknown, in: db)
    return result
  }
}
