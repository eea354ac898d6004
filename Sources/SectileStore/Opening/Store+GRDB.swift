public import GRDB

extension Store {
  /// Adopts a GRDB queue: its connection becomes the store's, and stays its owner's.
  ///
  /// Writes through GRDB are followed like the store's own as far as GRDB reports them. Collations
  /// of the configuration are registered; pragmas are left as they are.
  ///
  /// A queue has one connection, which holds no state of the file for a load. Where another process
  /// writes meanwhile, reading a row of a changeset that it has changed throws
  /// `itemChangedElsewhere`; a row of the first batch of a first load is read as it is by then, and
  /// the rest of the load tells of it. Adopt a pool to read what the load has read.
  ///
  /// - Parameters:
  ///   - queue: An open queue, not used by the calling thread at this moment.
  ///   - configuration: What concerns the store beyond the connection.
  ///   - migrations: What the schema needs.
  /// - Throws: ``StoreError`` with the codes of migrations.
  public convenience init(
    adopting queue: DatabaseQueue, configuration: StoreConfiguration = StoreConfiguration(),
    migrations: Migrations = .none
  ) throws(StoreError) {
    try self.init(
      adopting: queue, path: Self.file(of: queue.path), configuration: configuration,
      migrations: migrations, readBy: [])
  }

  /// Adopts a GRDB pool.
  ///
  /// Its writer becomes the store's, as a queue's connection does.
  ///
  /// - Parameters:
  ///   - pool: An open pool, not used by the calling thread at this moment.
  ///   - configuration: What concerns the store beyond the connections.
  ///   - migrations: What the schema needs.
  /// - Throws: ``StoreError`` with the codes of migrations.
  public convenience init(
    adopting pool: DatabasePool, configuration: StoreConfiguration = StoreConfiguration(),
    migrations: Migrations = .none
  ) throws(StoreError) {
    try self.init(
      adopting: pool, path: pool.path, configuration: configuration, migrations: migrations,
      readBy: [])
  }

  package convenience init(
    adopting writer: any DatabaseWriter, path: String?, configuration: StoreConfiguration,
    migrations: Migrations, readBy readers: [any CommitReader]
  ) throws(StoreError) {
    var configuration = configuration
    configuration.isReadOnly = configuration.isReadOnly || writer.configuration.readonly
    let monitor = configuration.makeMonitor()
    let commits = CommitCenter(
      readBy: readers, keeping: configuration.changeLogRetention, monitor)
    let file: WrittenFile?
    do {
      file = try writer.writeWithoutTransaction { db in
        commits.recorder.isOnAdoptedConnection = true
        try commits.attach(to: db)
        db.expirePreparedStatements()
        try FirstLetter.register(on: db)
        configuration.collations.forEach(db.register)
        let file = try WrittenFile(below: db)
        try commits.logFiles.check(below: db)
        commits.watch(file, in: db)
        return file
      }
    } catch {
      throw .wrapping(error, file: path)
    }
    self.init(
      writer: writer, path: path, configuration: configuration, commits: commits, monitor: monitor,
      file: file, isAdopted: true)
    do {
      try writer.writeWithoutTransaction { try writerLock.engageIfLogged($0) }
    } catch {
      throw .wrapping(error, file: path)
    }
    try settleCollations()
    try Migrator(migrations).apply(to: self)
    try settleCollations()
  }

  /// GRDB's connections, for GRDB's own tools: backup, observation, maintenance.
  ///
  /// Sectile follows what is written through it, after a refetch where it cannot follow row by row,
  /// and tells of it from a thread of its own, or when `checkForExternalChanges()` is called. What
  /// SQL writes outside of every transaction that GRDB knows of, such as a function called by a
  /// SELECT, is found by the next look: in a store in memory nobody looks but the next commit and
  /// that call.
  public var databaseWriter: any DatabaseWriter {
    exposeWriter()
    return writer
  }

  private static func file(of path: String) -> String? {
    path == ":memory:" || path.hasPrefix("file:") || path.isEmpty ? nil : path
  }
}

extension StoreReadTransaction {
  /// GRDB's connection, for everything GRDB offers inside this transaction.
  ///
  /// Valid until the closure returns. Do not end the transaction through it.
  public var database: Database {
    get throws(StoreError) {
      try checkActive()
      exposeDatabase()
      return db
    }
  }
}

extension Database {
  /// Makes every statement prepared on this connection compile again before it runs next.
  ///
  /// A statement compiled before the pre-update hook was installed may delete all rows of a table
  /// without calling it.
  func expirePreparedStatements() {
    clearSchemaCache()
    // Redefining a function expires all statements, also those that GRDB does not know of.
    let marker = DatabaseFunction("sectile_expire", argumentCount: 0) { _ in nil }
    add(function: marker)
    add(function: marker)
    remove(function: marker)
  }
}
