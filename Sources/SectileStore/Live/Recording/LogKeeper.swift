import GRDB
import SectileCore
import Synchronization

/// Keeps the change log of the file, where it has one: has its triggers repaired, writes down who
/// commits, and takes note of how far the log is known.
///
/// Confined to the writer's serial queue, but for what says that it may be called from any thread.
final class LogKeeper: Sendable {
  // MARK: - Mutable state
  //
  // - `place`: guarded by its mutex.
  // - `needsRepair`: whether the triggers are not those that the schema asks for, as far as known.
  // - `confined`: to the writer's serial queue.
  private let place = Mutex<LogPlace?>(nil)
  private let needsRepair = Atomic(false)
  nonisolated(unsafe) private let confined: State

  private final class State {
    let recorder: CommitRecorder
    let bookkeeping: LogBookkeeping

    init(_ recorder: CommitRecorder, _ bookkeeping: LogBookkeeping) {
      (self.recorder, self.bookkeeping) = (recorder, bookkeeping)
    }
  }

  /// - Parameters:
  ///   - recorder: Notes what transactions touch, rows of the log included.
  ///   - retention: What is kept of the log.
  init(_ recorder: CommitRecorder, keeping retention: StoreConfiguration.ChangeLogRetention) {
    confined = State(recorder, LogBookkeeping(retention))
  }

  private var recorder: CommitRecorder { confined.recorder }
  private var log: LogWatch { confined.recorder.log }

  /// Up to where everything that the log has is in what live results have, or will have once they
  /// have delivered; nil where there is no log.
  ///
  /// To be called from any thread.
  var publishedPlace: LogPlace? { place.withLock { $0 } }

  /// Whether a writing transaction has to repair the log.
  ///
  /// To be called from any thread.
  var mayNeedRepair: Bool { needsRepair.load(ordering: .relaxed) }

  // MARK: The file

  /// Whether the file has a change log, as far as known.
  var isThere: Bool { log.isThere }

  /// Whether others may have committed since the record before, and the log tells what.
  ///
  /// Where there is no log, what they did is a part of the transaction that comes next: all is read
  /// once.
  ///
  /// Called inside a writing transaction that has written nothing yet.
  @inline(__always)
  func mayLag(in db: Database) -> Bool {
    log.mayBeThere && recorder.isFollowed
      && (log.isInDoubt || recorder.mayBeOutdated(in: db))
  }

  /// Reads what the file says about its log, before anybody follows it.
  ///
  /// - Throws: What reading throws.
  func read(in db: Database) throws {
    try log.readState(in: db)
    noteNeedOfRepair()
  }

  /// Takes note of what others have done to the log, where nobody follows commits, which would
  /// tell.
  ///
  /// Called inside a transaction.
  ///
  /// - Throws: What reading the schema throws.
  func noticeNewSchema(in db: Database) throws {
    guard isThere, !recorder.isFollowed else { return }
    if log.mayHaveOtherSchema(in: db), try log.isOutdated(in: db) {
      log.forgetState()
      try log.readState(in: db)
    }
    noteNeedOfRepair()
  }

  /// Takes note of how far the log is known, after whatever it leads to was published.
  func notePlace() {
    let newPlace = log.publishPlace()
    place.withLock { $0 = newPlace }
  }

  private func noteNeedOfRepair() {
    needsRepair.store(log.mayNeedRepair, ordering: .relaxed)
  }

  // MARK: Installing

  /// Installs the change log in the transaction under way, or removes or repairs it: its triggers,
  /// and nothing that results read.
  ///
  /// - Parameters:
  ///   - db: The writing connection, inside a transaction.
  ///   - body: Returns whether it has changed something.
  /// - Returns: What the closure returns.
  /// - Throws: What reading and the closure throw.
  func change(in db: Database, by body: (LogInstaller) throws -> Bool) throws -> Bool {
    let isOutdated = try recorder.isOutdated(in: db)
    guard try body(LogInstaller(in: db)) else { return false }
    try recorder.changeLogDidChange(in: db, isOutdated: isOutdated)
    return true
  }

  /// Makes the triggers of the log those that the schema asks for.
  ///
  /// Called inside a writing transaction.
  private func repair(in db: Database) throws {
    if try !change(in: db, by: { try $0.repair() }) { try read(in: db) }
  }
}

// MARK: - CommitParticipant

extension LogKeeper: CommitParticipant {
  func transactionDidBegin(in db: Database) throws {
    log.wantsSalts = false
    guard log.mayBeThere else { return }
    try noticeNewSchema(in: db)
    if log.mayNeedRepair { try repair(in: db) }
  }

  /// Writes what belongs to the transaction into the log.
  func transactionWillCommit(by origin: CommitOrigin?, in db: Database) throws {
    guard let origin else { return }
    if recorder.mayHaveNewSchema, try log.isOutdated(in: db) { try repair(in: db) }
    guard let own = log.own else { return }
    // Another process may have switched it on.
    try log.readState(in: db)
    guard isThere else { return }
    log.wantsSalts = true
    try confined.bookkeeping.close(rowsFrom: own.first, by: origin, in: db)
  }

  func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) -> Bool {
    guard log.isConcerned || outcome != .committed || mayNeedRepair else {
      log.wantsSalts = true
      return false
    }
    if outcome != .committed { confined.bookkeeping.forget() }
    log.transactionDidEnd(outcome)
    log.countCommit(outcome, in: db)
    // Behind what was published: a place may lag behind contents, never be ahead of them.
    notePlace()
    noteNeedOfRepair()
    return false
  }
}
