internal import CSQLite
internal import GRDB
internal import GRDBSQLite

/// How much the log of a database holds at a moment.
struct LogLength: Equatable {
  let pageCount: Int
  /// How many of the pages are in the file, too.
  let copiedPageCount: Int
  let byteCount: Int

  /// Reads it from the index of the log, whoever has written; nil where there is no log.
  ///
  /// - Parameters:
  ///   - db: A connection that has the log open, on its queue.
  ///   - logFiles: What the connections have open.
  /// - Complexity: O(1); no file is read.
  init?(in db: Database, _ logFiles: LogFiles) {
    // Without a log this would create its index.
    guard logFiles.areOpen, !logFiles.isLost, let connection = db.sqliteConnection else {
      return nil
    }
    var log = sectile_log()
    guard sectile_log_length(connection, &log) != 0 else { return nil }
    pageCount = Int(log.pageCount)
    copiedPageCount = Int(log.copiedPageCount)
    // Each page has a head of 24 bytes, and the log one of 32.
    byteCount = pageCount == 0 ? 0 : 32 + pageCount * (24 + Int(log.pageSize))
  }

  /// Whether there are pages that are in the log only: it cannot begin anew then.
  var isNeeded: Bool { copiedPageCount < pageCount }
}

/// How long the log of a store may get before it is kept from growing.
struct LogLimit: Sendable {
  private let logFiles: LogFiles
  /// With how many pages a commit copies the log into the file; nil where none does, and who opened
  /// the store looks after the log.
  private let automaticPageCount: Int?

  init(_ logFiles: LogFiles, _ configuration: StoreConfiguration) {
    self.logFiles = logFiles
    let count = configuration.automaticCheckpointPageCount
    automaticPageCount = count > 0 ? count : nil
  }

  /// Returns whether the log is so long that each commit copies it into the file.
  func isReached(in db: Database) -> Bool {
    guard let automaticPageCount, let length = LogLength(in: db, logFiles) else { return false }
    return length.isNeeded && length.pageCount >= automaticPageCount
  }

  /// Returns whether the log is longer than a commit leaves it, where nobody keeps an older state.
  func isExceeded(in db: Database) -> Bool {
    guard let automaticPageCount, let length = LogLength(in: db, logFiles) else { return false }
    return length.isNeeded && length.pageCount > automaticPageCount + automaticPageCount / 4
  }

  /// Returns the log's length where somebody keeps it from beginning anew for long, and whether it
  /// has begun anew; nil where it is neither.
  func news(in db: Database) -> (blocked: LogLength?, isShort: Bool) {
    guard let automaticPageCount, let length = LogLength(in: db, logFiles) else {
      return (nil, true)
    }
    let isLong = length.isNeeded && length.pageCount > 2 * automaticPageCount
    return (isLong ? length : nil, length.pageCount <= automaticPageCount)
  }
}

extension Database {
  /// Whether no statement reads: then the next one sees what was committed last.
  var readsNothing: Bool {
    sqliteConnection.map { sqlite3_txn_state($0, "main") == SQLITE_TXN_NONE } ?? false
  }

  /// Whether commits go to a write-ahead log.
  var hasWriteAheadLog: Bool {
    get throws { try String.fetchOne(cachedStatement(sql: "PRAGMA journal_mode")) == "wal" }
  }

  /// Whether commits of the connection copy the log into the file where it gets long.
  var copiesItsLog: Bool {
    get throws { try Int.fetchOne(cachedStatement(sql: "PRAGMA wal_autocheckpoint")) ?? 0 > 0 }
  }
}
