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
/// help it lets go, and what others commit is fetched again once. Without such a log nothing is
/// held: it would keep everybody from writing.
///
/// Confined to the writer.
final class FormerState {
  /// What a store gives, once it is open.
  struct File {
    let views: HeldViews
    /// How long SQLite's log may be.
    let limit: LogLimit
    /// Under which the log is copied into the file; nil where it may not be.
    let lock: WriterLock?
  }

  /// By what a state is told from others: by the last row of the change log, and, since not all
  /// commits have rows there, by the version that the writer sees.
  struct Mark: Equatable {
    let point: LogPoint
    let version: DatabaseVersion
  }

  /// The file; nil where no state can be held.
  let file = Mutex<File?>(nil)

  /// The state of ``mark``.
  private var held: HeldView? { didSet { noteWhetherHeld() } }
  private var mark: Mark?
  /// The state that the transaction under way reads.
  private var next: HeldView? { didSet { noteWhetherHeld() } }
  /// Whether a state is held, for who is not on the writer.
  let isHeld = Atomic(false)
  /// Whether the file is at its path: a connection that is opened would see another one.
  var isInPlace = true

  /// Whether a state is held, or is about to be.
  var isThere: Bool { held != nil || next != nil }

  private func noteWhetherHeld() { isHeld.store(isThere, ordering: .relaxed) }

  // MARK: Reading

  /// Calls a closure with a connection that shows the state that the results show.
  ///
  /// - Returns: What it returns; nil where no state is held.
  /// - Throws: What it throws.
  func read<Result>(at point: LogPoint?, _ body: (Database) throws -> Result) throws -> Result? {
    guard let held, let point, point == mark?.point else { return nil }
    return try held.read(body)
  }

  // MARK: Stepping

  /// Makes a view for the state that a transaction is about to read, to be begun with it: see
  /// ``HeldView/begin(while:)``.
  ///
  /// - Parameter db: The writer.
  /// - Returns: The view; nil where no state is held.
  func makeNext(in db: Database) -> HeldView? {
    guard held != nil, db.readsNothing else { return nil }
    next?.end()
    next = makeView(in: db)
    return next
  }

  private func makeView(in db: Database) -> HeldView? {
    guard isInPlace, let file = file.withLock({ $0 }), (try? db.hasWriteAheadLog) == true else {
      return nil
    }
    return file.views.makeView(for: ViewUse(kind: .queries, table: ""), in: db)
  }

  private func isLogLong(in db: Database) -> Bool {
    file.withLock { $0 }?.limit.isReached(in: db) == true
  }

  /// Takes note that a transaction has ended, after what it has committed was published.
  ///
  /// - Parameters:
  ///   - outcome: What became of it.
  ///   - isWanted: Whether somebody needs the state.
  ///   - mark: Tells the state that the results show; nil where it is not known.
  ///   - db: The writer, outside of a transaction.
  func transactionDidEnd(
    _ outcome: TransactionOutcome, isWanted: Bool, at mark: Mark?, in db: Database
  ) {
    let reached = exchange(&next, with: nil)
    guard isWanted, isInPlace, let mark, outcome != .unknown else {
      reached?.end()
      return letGo()
    }
    guard outcome == .committed else {
      reached?.end()
      return
    }
    if let reached, reached.isHeld {
      hold(reached, at: mark)
    } else if self.mark != mark || held?.isHeld != true {
      step(to: mark, in: db)
    }
    // Where what was read is published inside the transaction, the next one sees to it.
    if held != nil, db.readsNothing, isLogLong(in: db) { leaveLog(at: mark, in: db) }
  }

  private func hold(_ view: HeldView, at mark: Mark) {
    let former = exchange(&held, with: view)
    former?.end()
    self.mark = mark
  }

  /// Lets go of the state.
  func letGo() {
    exchange(&held, with: nil)?.end()
    mark = nil
  }

  /// Steps to the end, where that is the state that the results show.
  private func step(to mark: Mark, in db: Database) {
    // A writer that reads still would see nobody commit.
    guard db.readsNothing else { return letGo() }
    let view = held?.isHeld == true ? held : makeView(in: db)
    held = view
    self.mark = mark
    let isThere = try? view?.step { state in
      // Its first read; since the results were read, the writer has seen nobody commit.
      try LogTail(of: state).head() == mark.point && DatabaseVersion(db) == mark.version
    }
    // Somebody has committed just then: the next look finds it.
    if isThere != true { letGo() }
  }

  /// Leaves the log, so that it may begin anew; lets go of the state where others keep it.
  private func leaveLog(at mark: Mark, in db: Database) {
    if let lock = file.withLock({ $0 })?.lock, (try? db.copiesItsLog) == true {
      lock.runUnlessTaken { _ = try? db.checkpoint(.passive) }
      step(to: mark, in: db)
    }
    if isLogLong(in: db) { letGo() }
  }
}
