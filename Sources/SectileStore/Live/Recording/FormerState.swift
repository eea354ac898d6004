import GRDB
import SectileCore
import Synchronization

/// The state of the file that live results show, held from one commit to the next: what was in the
/// rows that others change.
///
/// The change log names rows of others by their keys. Where queries are followed row by row, a
/// question needs what a row was, too. A connection stays where the results are, and steps forward
/// with them:
///
/// ```text
///   commits of others   ──── c1 ─────────── c2 ───▶
///   results                │    ╰─ look ─╮     ╰─ look
///   former state           ├─────────────┤ rows that c1 touched are read in it
///                          │             ├─────────── …
/// ```
///
/// A state that is held keeps SQLite's log from beginning anew, also where it steps after each
/// commit: it is always in the log. So where the log gets long, it steps to the end, the log is
/// copied into the file, and it steps once more, which takes it out of the log. Where that does not
/// help it lets go, and what others commit is fetched again once.
///
/// Confined to the writer.
final class FormerState {
  /// What a store gives, once it is open.
  struct File {
    let views: HeldViews
    /// How long SQLite's log may be.
    let limit: LogLimit
    /// Whether the log may be copied into the file.
    let mayCheckpoint: Bool
  }

  /// The file; nil where no state can be held.
  let file = Mutex<File?>(nil)

  /// The state as of ``point``.
  private var held: HeldView?
  private var point: LogPoint?
  /// The state that the transaction under way reads.
  private var next: HeldView?

  // MARK: Reading

  /// Calls a closure with a connection that shows the state that the results show.
  ///
  /// - Returns: What it returns; nil where no state is held.
  /// - Throws: What it throws.
  func read<Result>(at point: LogPoint?, _ body: (Database) throws -> Result) throws -> Result? {
    guard let held, let point, point == self.point else { return nil }
    return try held.read(body)
  }

  // MARK: Stepping

  /// Makes a view for the state that a transaction is about to read, to be begun with it: see
  /// ``HeldView/begin(while:)``.
  ///
  /// - Parameter db: The writer.
  /// - Returns: The view; nil where no state is held.
  func makeNext(in db: Database) -> HeldView? {
    guard held != nil else { return nil }
    next?.end()
    next = makeView(in: db)
    return next
  }

  private func makeView(in db: Database) -> HeldView? {
    file.withLock { $0 }?.views.makeView(for: ViewUse(kind: .queries, table: ""), in: db)
  }

  private func isLogLong(in db: Database) -> Bool {
    file.withLock { $0 }?.limit.isExceeded(in: db) == true
  }

  /// Takes note that a transaction has ended, after what it has committed was published.
  ///
  /// - Parameters:
  ///   - outcome: What became of it.
  ///   - isWanted: Whether somebody needs the state.
  ///   - point: The last row of the change log that is known.
  ///   - db: The writer, outside of a transaction.
  func transactionDidEnd(
    _ outcome: TransactionOutcome, isWanted: Bool, at point: LogPoint?, in db: Database
  ) {
    let reached = exchange(&next, with: nil)
    guard isWanted, let point, outcome != .unknown else {
      reached?.end()
      return letGo()
    }
    guard outcome == .committed else {
      reached?.end()
      return
    }
    if let reached, reached.isHeld {
      hold(reached, at: point)
    } else if self.point != point || held?.isHeld != true {
      step(to: point, in: db)
    }
    // Where what was read is published inside the transaction, the next one sees to it.
    if held != nil, !db.isInsideTransaction, isLogLong(in: db) { leaveLog(at: point, in: db) }
  }

  private func hold(_ view: HeldView, at point: LogPoint) {
    let former = exchange(&held, with: view)
    former?.end()
    self.point = point
  }

  /// Lets go of the state.
  func letGo() {
    exchange(&held, with: nil)?.end()
    point = nil
  }

  /// Steps to the end, where that is the state that the results show.
  private func step(to point: LogPoint, in db: Database) {
    let view = held?.isHeld == true ? held : makeView(in: db)
    held = view
    self.point = point
    let isThere = try? view?.step { try LogTail(of: $0).head() == point }
    // Somebody has committed just then: the next look finds it.
    if isThere != true { letGo() }
  }

  /// Leaves the log, so that it may begin anew; lets go of the state where others keep it.
  private func leaveLog(at point: LogPoint, in db: Database) {
    if file.withLock({ $0 })?.mayCheckpoint == true {
      _ = try? db.checkpoint(.passive)
      step(to: point, in: db)
    }
    if isLogLong(in: db) { letGo() }
  }
}

// MARK: - CommitParticipant

/// Steps with the transactions of a store.
final class FormerStateKeeper: CommitParticipant {
  private let recorder: CommitRecorder

  init(_ recorder: CommitRecorder) { self.recorder = recorder }

  func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) -> Bool {
    recorder.former.transactionDidEnd(
      outcome, isWanted: recorder.wantsFormerRows, at: recorder.log.knownPoint, in: db)
    return false
  }

  func detach(from db: Database) { recorder.former.letGo() }
}
