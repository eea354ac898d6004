internal import CFaultVFS
internal import Dispatch
internal import Foundation
internal import GRDBSQLite
internal import Sectile
internal import Synchronization

/// A file whose log is begun anew while a checkpoint begins: what SQLite's WAL-reset bug needs.
enum ResetLog {
  /// How many pages there are that can be written one by one, with a row each.
  static let pageCount = 80

  /// Whether this SQLite has the bug.
  static var isPossible: Bool {
    let number = sqlite3_libversion_number()
    let isCorrected =
      (3_044_006..<3_045_000).contains(number) || (3_050_007..<3_051_000).contains(number)
    return (3_007_000..<3_051_003).contains(number) && !isCorrected
  }

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - path: Where it is to be.
  ///   - hasLog: Whether it gets the table by which a store knows that its writers take a lock.
  /// - Throws: ``StoreError``.
  static func make(at path: String, hasLog: Bool) throws {
    let store = try open(path)
    try store.write { transaction in
      try transaction.execute("CREATE TABLE page (id INTEGER PRIMARY KEY, n INTEGER, rest BLOB)")
      for id in 1...pageCount {
        // One row fills a page.
        try transaction.execute("INSERT INTO page VALUES (?, 0, zeroblob(3000))", id)
      }
      if hasLog {
        try transaction.execute("CREATE TABLE sectile_log_state (one INTEGER PRIMARY KEY)")
      }
    }
    try store.close()
    // From now on the lock is there, as where a log is enabled: whoever opens the file takes it.
    if hasLog { try open(path).close() }
  }

  /// Opens a store that makes no checkpoint by itself.
  static func open(_ path: String, busyTimeout: Duration = .seconds(60)) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.externalChangePolling = nil
    configuration.synchronous = .off
    configuration.automaticCheckpointPageCount = 0
    configuration.busyTimeout = busyTimeout
    return try Store.open(at: path, configuration: configuration)
  }

  /// Adds one to the row of a page, in a transaction that writes this page and no other.
  static func add(to page: Int, in store: Store) throws {
    try store.write { try $0.execute("UPDATE page SET n = n + 1 WHERE id = ?", page) }
  }

  /// The second process: stops in the middle of a checkpoint, until it is told to go on.
  static func checkpointInSteps(at path: String) throws {
    fault_watch(path)
    let store = try open(path)
    Child.say("open")
    _ = readLine()
    let gate = fault_gate("checkpointer", Int32(FAULT_UNFETCH), 1)
    let result = Mutex("nothing")
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      fault_actor("checkpointer")
      let text: String
      do {
        let counts = try store.checkpoint(.passive)
        text = "copied \(counts.copiedPageCount) of \(counts.logPageCount)"
      } catch {
        text = "failed: \(error)"
      }
      result.withLock { $0 = text }
      end.signal()
    }
    Child.say(fault_gate_wait(gate, 10_000) != 0 ? "stands" : "does not stand")
    _ = readLine()
    fault_gate_release(gate)
    end.wait()
    Child.say(result.withLock { $0 })
    // Closing copies the log, too; this process only ends when everything was looked at.
    _ = readLine()
    try store.close()
  }
}
