internal import Foundation
internal import GRDB
internal import SectileCore

extension Store {
  /// Opens the database at a path, creates it if there is none, and migrates it.
  ///
  /// - Parameters:
  ///   - path: Where the file is or shall be; its folder must exist.
  ///   - configuration: How to open it.
  ///   - migrations: What the schema needs; pending ones are applied before `open` returns.
  /// - Returns: The store.
  /// - Throws: ``StoreError`` that names the file: `cannotOpen`, `notADatabase`, `corrupt`, `busy`,
  ///   `readOnly`, `diskFull`, `ioError`; and the codes of migrations. A file that cannot be opened
  ///   is left as it was.
  public static func open(
    at path: String, configuration: StoreConfiguration = StoreConfiguration(),
    migrations: Migrations = .none
  ) throws(StoreError) -> Store {
    try open(
      at: path, configuration: configuration, migrations: migrations, readBy: [])
  }

  /// Opens the database at a path, creates it if there is none, and migrates it, without blocking
  /// the caller's thread.
  ///
  /// Cancelling the task has it throw `CancellationError` where its turn has not come. See
  /// `open(at:configuration:migrations:)` for more information.
  public static func open(
    at path: String, configuration: StoreConfiguration = StoreConfiguration(),
    migrations: Migrations = .none
  ) async throws -> Store {
    try await BlockingCalls.shared.run {
      try open(at: path, configuration: configuration, migrations: migrations)
    }
  }

  /// Opens a database in memory, which disappears with the store.
  ///
  /// - Parameters:
  ///   - name: Stores in one process that are opened with one name share one database while any of
  ///     them lives; without a name the database is the store's own.
  ///   - configuration: How to open it; what concerns files has no meaning here.
  ///   - migrations: What the schema needs.
  /// - Returns: The store.
  /// - Throws: ``StoreError`` with the codes of migrations, and `cannotOpen` for
  ///   ``StoreConfiguration/pragmas`` that it cannot set.
  public static func inMemory(
    named name: String? = nil, configuration: StoreConfiguration = StoreConfiguration(),
    migrations: Migrations = .none
  ) throws(StoreError) -> Store {
    try inMemory(
      named: name, configuration: configuration, migrations: migrations, readBy: [])
  }

  package static func open(
    at path: String, configuration: StoreConfiguration, migrations: Migrations,
    readBy readers: [any CommitReader]
  ) throws(StoreError) -> Store {
    try StorePath.check(path, isReadOnly: configuration.isReadOnly)
    try configuration.checkPragmas()
    let monitor = configuration.makeMonitor()
    let commits = CommitCenter(
      readBy: readers, keeping: configuration.changeLogRetention, monitor)
    let file = OpenedFile(commits.logFiles)
    let opening = OpeningLock()
    let connections = configuration.makeConnectionConfiguration(of: file, monitor) { db in
      try opening.enter(configuration.makeWriterLock(of: file.written, monitor))
      try commits.attach(to: db)
    }
    let store: Store
    do {
      defer { opening.leave() }
      let pool = try DatabasePool(
        path: configuration.isImmutable
          ? StorePath.uri(of: path, isImmutable: true) : StorePath.sqlitePath(path),
        configuration: connections)
      if !configuration.isReadOnly {
        // The pool set NORMAL after our pragmas had run.
        try pool.writeWithoutTransaction { db in
          try db.execute(sql: configuration.synchronousPragma)
          try opening.lock?.engageIfLogged(db)
          try commits.logFiles.check(below: db)
          commits.watch(file.written, in: db)
        }
      }
      store = Store(
        writer: pool, path: path, configuration: configuration, commits: commits, monitor: monitor,
        file: file.written, writerLock: opening.lock)
    } catch {
      throw StorePath.diagnose(error, at: path, isReadOnly: configuration.isReadOnly)
    }
    try store.settleCollations()
    try Migrator(migrations).apply(to: store)
    try store.settleCollations()
    try store.readChangeLog()
    return store
  }

  /// Finds out whether the file has a change log, and repairs its triggers where somebody has
  /// changed the schema below it while nobody looked.
  private func readChangeLog() throws(StoreError) {
    guard !configuration.isReadOnly, writerLock.state != .off else { return }
    do {
      try useWriter { try commits.log.read(in: $0) }
      if commits.log.mayNeedRepair { try write { _ in } }
    } catch {
      throw .wrapping(error, file: path)
    }
  }

  package static func inMemory(
    named name: String?, configuration: StoreConfiguration, migrations: Migrations,
    readBy readers: [any CommitReader]
  ) throws(StoreError) -> Store {
    try configuration.checkPragmas()
    let monitor = configuration.makeMonitor()
    let commits = CommitCenter(
      readBy: readers, keeping: configuration.changeLogRetention, monitor)
    let connections = configuration.makeConnectionConfiguration(monitor) { db in
      try commits.attach(to: db)
    }
    let store: Store
    do {
      let queue = try DatabaseQueue(
        named: name.map(StorePath.memoryName), configuration: connections)
      store = Store(
        writer: queue, path: nil, configuration: configuration, commits: commits, monitor: monitor)
    } catch {
      throw .wrapping(error, file: name.map { "The store in memory \"\($0)\"" })
    }
    try Migrator(migrations).apply(to: store)
    return store
  }
}
