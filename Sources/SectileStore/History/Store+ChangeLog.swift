internal import GRDB

extension Store {
  /// The change log of the store's file: switched on, it names the rows of every commit of every
  /// process.
  ///
  /// Live results then follow commits of other processes at the cost of what these have touched,
  /// whoever writes: the sqlite3 shell, a script, another service. It consists of ordinary tables
  /// and triggers; any tool opens the file as before.
  ///
  /// ```swift
  /// try store.changeLog.enable()
  /// ```
  public var changeLog: ChangeLog { ChangeLog(of: self) }

  /// The change log of a store's file.
  ///
  /// See ``Store/changeLog`` for more information.
  public struct ChangeLog: Sendable {
    let store: Store

    init(of store: Store) { self.store = store }
  }
}

extension Store.ChangeLog {
  /// Switches the log on, or adds tables to it.
  ///
  /// It is one short transaction however large the file is; nothing is read of the rows. Tables are
  /// followed that have a primary key of at most four columns. GRDB's `eraseDatabaseOnSchemaChange`
  /// would take the log's tables for a changed schema: do not use both on one file.
  ///
  /// - Parameters:
  ///   - tables: The tables to follow; nil for all that can be, those to come included.
  ///   - allowsAdopted: Whether the log may be put into the file of an adopted connection, whose
  ///     owner may not expect it.
  /// - Returns: Whether something was changed.
  /// - Throws: A ``StoreError``: `invalidRequest` for a named table that cannot be followed, and
  ///   for an adopted connection; `changeLogNewer`; what `Store.write(_:)` throws.
  @discardableResult
  public func enable(tables: [String]? = nil, allowsAdopted: Bool = false) throws -> Bool {
    try change(allowsAdopted) { try $0.install(tables) }
  }

  /// Changes the log, and has writers take their lock from then on.
  func change(_ allowsAdopted: Bool, by body: (LogInstaller) throws -> Bool) throws -> Bool {
    guard !store.isAdopted || allowsAdopted else {
      throw StoreError(
        .invalidRequest,
        message: "The connection is adopted: its owner may not expect a change log",
        hint:
          "Pass allowsAdopted: true if the owner does not use GRDB's eraseDatabaseOnSchemaChange.")
    }
    let hasChanged = try store.write { transaction in
      try store.commits.log.change(in: transaction.db, by: body)
    }
    store.writerLock.engage()
    return hasChanged
  }

  /// Switches the log off, and removes all of it from the file.
  ///
  /// - Returns: Whether there was a log.
  /// - Throws: What `Store.write(_:)` throws.
  @discardableResult
  public func disable() throws -> Bool {
    let hasChanged = try store.write { transaction in
      try store.commits.log.change(in: transaction.db) { try $0.remove() }
    }
    store.writerLock.disengage()
    return hasChanged
  }

  /// How many rows one transaction removes that was asked for.
  private static var pruningStep: Int { 10_000 }

  /// Removes old rows of the log now, as far as named readers let go of them.
  ///
  /// Commits do it by themselves; see ``StoreConfiguration/changeLogRetention``. Whoever comes with
  /// a token from before what was removed gets everything anew.
  ///
  /// - Parameters:
  ///   - rowCount: How many rows are kept; nil for what the configuration says.
  ///   - progress: Called after each transaction, which removes ten thousand rows, with how many
  ///     were removed so far.
  /// - Returns: How many rows were removed.
  /// - Throws: A ``StoreError``: `noChangeLog`; what `Store.write(_:)` throws.
  @discardableResult
  public func prune(
    keeping rowCount: Int? = nil, progress: (_ removed: Int) -> Void = { _ in }
  ) throws -> Int {
    var retention = store.configuration.changeLogRetention
    if let rowCount { retention.rowCount = max(rowCount, 1) }
    var removed = 0
    while true {
      let count = try store.write { transaction in
        try requireLog(in: transaction.db)
        let pruning = LogPruning(of: transaction.db)
        let before = try pruning.prunedTo()
        let after = try pruning.prune(
          retention, now: LogBookkeeping.milliseconds(), limit: Int64(Self.pruningStep),
          head: LogTail(of: transaction.db).head().sequence)
        return Int(after - before)
      }
      removed += count
      if count > 0 { progress(removed) }
      // Each transaction adds a row or two of its own: what is left then is to stay.
      if count < Self.pruningStep { return removed }
    }
  }

  /// What the log has, and for whom.
  ///
  /// - Returns: Its state; nil where the file has no log.
  /// - Throws: A ``StoreError``: `changeLogNewer`; what reading throws.
  public func status() throws -> Status? {
    try store.read { transaction in
      try LogState.refuseNewer(in: transaction.db)
      guard let state = try LogState(in: transaction.db) else { return nil }
      return try Status(
        of: state, lock: store.writerLock.state, store.configuration.changeLogRetention,
        in: transaction.db)
    }
  }

  func requireLog(in db: Database) throws {
    try LogState.refuseNewer(in: db)
    if try !LogState.isReadable(in: db) { throw StoreError.noChangeLog(file: store.path) }
  }
}
