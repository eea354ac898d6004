internal import Foundation
internal import GRDB
internal import GRDBSQLite

extension StoreConfiguration {
  /// The statements each new connection runs first.
  ///
  /// `foreign_keys` and the refusal of double-quoted strings are set through
  /// GRDB's configuration, which runs before these.
  func pragmaStatements(isWriter: Bool) -> [String] {
    var statements = [
      "PRAGMA trusted_schema = \(trustsSchema ? "ON" : "OFF")",
      // A negative size counts KiB; a positive one would count pages.
      "PRAGMA cache_size = -\(max(cacheByteCount, 0) / 1024)",
      "PRAGMA mmap_size = 0", "PRAGMA journal_size_limit = 67108864",
    ]
    if isWriter && !isReadOnly {
      statements += [
        synchronousPragma,
        "PRAGMA wal_autocheckpoint = \(max(automaticCheckpointPageCount, 0))",
      ]
    }
    return statements
      + pragmas.sorted { $0.key < $1.key }.map { "PRAGMA \($0.key) = \($0.value)" }
  }

  /// Checks that ``pragmas`` has nothing but settings, and none that the store relies on.
  ///
  /// - Throws: `cannotOpen`.
  func checkPragmas() throws(StoreError) {
    let own: Set = [
      "busy_timeout", "cache_size", "foreign_keys", "journal_mode", "locking_mode", "query_only",
      "synchronous", "trusted_schema", "wal_autocheckpoint",
    ]
    func isWord(_ text: some StringProtocol) -> Bool {
      !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
    for (name, value) in pragmas
    where own.contains(name.lowercased()) || !isWord(name)
      || !isWord(value.hasPrefix("-") ? value.dropFirst() : value[...])
    {
      throw StoreError(
        .cannotOpen, message: "The configuration of the store cannot set the pragma \(name).",
        hint: "Use its property, where there is one. A value is a word or an integer.")
    }
  }

  var busyMilliseconds: Int {
    let limit = Duration.milliseconds(Int(Int32.max))
    return Int(min(max(busyTimeout, .zero), limit) / .milliseconds(1))
  }

  /// The pragma that has to be repeated after GRDB's pool switched to WAL, because the pool sets
  /// `synchronous` to NORMAL.
  var synchronousPragma: String { "PRAGMA synchronous = \(synchronous.keyword)" }

  /// Returns what counts the work of a new store.
  func makeMonitor() -> StoreMonitor {
    StoreMonitor(
      telling: onEvent, slowStatementThreshold: slowStatementThreshold,
      busyMilliseconds: busyMilliseconds)
  }

  /// Returns the lock that those who write to a file take; nobody does who only reads.
  func makeWriterLock(of file: WrittenFile?, _ monitor: StoreMonitor) -> WriterLock {
    WriterLock(of: isReadOnly ? nil : file, waiting: busyMilliseconds, monitor.waits)
  }

  /// Returns GRDB's configuration with everything of this one.
  ///
  /// - Parameters:
  ///   - file: What all connections must have open.
  ///   - monitor: What counts the store's work.
  ///   - prepareWriter: Called once, with the writing connection, before any other statement is
  ///     prepared on it.
  /// - Returns: A configuration for a queue or a pool.
  func makeConnectionConfiguration(
    of file: OpenedFile? = nil, _ monitor: StoreMonitor,
    prepareWriter: @escaping @Sendable (Database) throws -> Void
  ) -> Configuration {
    var configuration = Configuration()
    configuration.label = label
    configuration.readonly = isReadOnly
    configuration.foreignKeysEnabled = enforcesForeignKeys
    if let waits = monitor.waits {
      configuration.busyMode = .callback { waits.wait(tries: $0) }
    } else {
      configuration.busyMode = .timeout(TimeInterval(busyMilliseconds) / 1_000)
    }
    configuration.maximumReaderCount = max(readerCount, 1)
    configuration.acceptsDoubleQuotedStringLiterals = false
    configuration.publicStatementArguments = false
    // A pool opens its writer first and its readers on demand, so the first one is the writer.
    let isFirst = FirstCall()
    configuration.prepareDatabase { [self] db in
      let isWriter = isFirst.take()
      try file?.admit(db)
      if monitor.waits == nil {
        // GRDB set it from its own configuration, but gives a pool's readers ten seconds.
        try db.execute(sql: "PRAGMA busy_timeout = \(busyMilliseconds)")
      }
      db.tellOfSlowStatements(to: monitor)
      for pragma in pragmaStatements(isWriter: isWriter) {
        try db.execute(sql: pragma)
      }
      if let valueByteCountLimit {
        sqlite3_limit(
          db.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(clamping: valueByteCountLimit))
      }
      if boundsTextWork, let connection = db.sqliteConnection { TextWork.bound(on: connection) }
      try FirstLetter.register(on: db)
      for collation in collations {
        db.register(collation)
      }
      if isWriter {
        try prepareWriter(db)
      }
      if trustsHarmlessSchema, !trustsSchema, let connection = db.sqliteConnection {
        try SchemaTrust.settle(on: connection)
      }
    }
    return configuration
  }
}
