import GRDB
import SectileCore
import Synchronization

// What the center of commits does about the change log of the file.
extension CommitCenter {
  /// Whether the file has a change log, as far as known.
  var hasLog: Bool { recorder.hasLog }

  /// Whether the triggers of the change log are not those that the schema asks for.
  ///
  /// Called inside a writing transaction that has written nothing yet.
  ///
  /// - Throws: What reading the schema throws.
  func logNeedsRepair(in db: Database) throws -> Bool {
    // Where somebody follows, what others did was read by now.
    if recorder.hasLog, !readers.contains(where: \.isFollowing) {
      try recorder.noticeNewSchema(in: db)
    }
    return recorder.logNeedsRepair
  }

  /// Takes note of what others have done to the change log, where nobody follows commits, which
  /// would tell.
  ///
  /// Called outside of a transaction.
  ///
  /// - Throws: What reading the schema throws.
  func noticeLogOfOthers(in db: Database) throws {
    guard recorder.hasLog, !readers.contains(where: \.isFollowing) else { return }
    try inReadTransaction(of: db) { try recorder.noticeNewSchema(in: db) }
    needsLogRepair.store(recorder.logNeedsRepair, ordering: .relaxed)
  }

  /// Whether a writing transaction has to repair the change log.
  ///
  /// To be called from any thread.
  var mayNeedLogRepair: Bool { needsLogRepair.load(ordering: .relaxed) }

  /// Takes note of how far the change log is known, after whatever it leads to was published.
  func noteLogPlace() {
    let newPlace = recorder.publishLogPlace()
    place.withLock { $0 = newPlace }
  }

  /// Writes what belongs to the transaction into the change log, where there is one.
  func keepLog(by origin: CommitOrigin, in db: Database) throws {
    if try recorder.mayNeedLogRepair(in: db) { try repairLog(in: db) }
    guard let first = recorder.firstOwnLogRow, try recorder.readLog(in: db) else { return }
    recorder.logWillClose()
    try bookkeeping.close(rowsFrom: first, by: origin, in: db)
  }

  /// Makes the triggers of the change log those that the schema asks for.
  ///
  /// Called inside a writing transaction.
  func repairLog(in db: Database) throws {
    if try !changeLog(in: db, by: { try $0.repair() }) { try readLog(in: db) }
  }

  /// Reads what the file says about its change log, before anybody follows it.
  ///
  /// - Throws: What reading throws.
  func readLog(in db: Database) throws {
    _ = try recorder.readLog(in: db)
    needsLogRepair.store(recorder.logNeedsRepair, ordering: .relaxed)
  }

  /// Makes the triggers of the change log, where there is one, those that a new schema asks for.
  ///
  /// Called inside the transaction that has changed the schema.
  ///
  /// - Throws: What reading the schema and writing throw.
  func repairLogOfNewSchema(in db: Database) throws { _ = try LogInstaller(in: db).repair() }

  /// Installs the change log in the transaction under way, or removes or repairs it: its triggers,
  /// and nothing that results read.
  ///
  /// - Parameters:
  ///   - db: The writing connection, inside a transaction.
  ///   - body: Returns whether it has changed something.
  /// - Returns: What the closure returns.
  /// - Throws: What reading and the closure throw.
  func changeLog(in db: Database, by body: (LogInstaller) throws -> Bool) throws -> Bool {
    let isOutdated = try recorder.isOutdated(in: db)
    guard try body(LogInstaller(in: db)) else { return false }
    try recorder.changeLogDidChange(in: db, isOutdated: isOutdated)
    return true
  }

  /// Up to where everything that the log has is in what the readers have, or will have once they
  /// have delivered; nil where there is no log.
  ///
  /// To be called from any thread.
  var logPlace: LogPlace? { place.withLock { $0 } }
}
