import GRDB
import Synchronization

/// One state of a store's file, seen for as long as it is held, whatever others write meanwhile.
///
/// It has a connection of its own with an open reading transaction. The log cannot begin anew as
/// long: so a view is held for the length of a load, not for that of a snapshot. One that is held
/// on and on steps from state to state, and out of the log: see ``FormerState``.
final class HeldView: Sendable {
  /// How often a state is looked for again where somebody commits between two looks at the file.
  ///
  /// The looks are some ten microseconds apart.
  static let attemptLimit = 64

  // MARK: - Mutable state
  //
  // - `connection`: guarded by the mutex; nil once the view has ended. It ends on the connection's
  //   own queue, so that no read comes after it.
  // - `correction`: guarded by its mutex; called once.
  // - `heldSince`: guarded by its mutex.
  private let connection: Mutex<DatabaseQueue?>
  private let correction = Mutex<(@Sendable () -> Void)?>(nil)
  private let owner: HeldViews
  /// What it is held for.
  let use: ViewUse
  private let heldSince = Mutex(ContinuousClock.now)
  /// Since when it holds its state.
  var start: ContinuousClock.Instant { heldSince.withLock { $0 } }

  init(_ connection: DatabaseQueue, for use: ViewUse, of owner: HeldViews) {
    self.connection = Mutex(connection)
    self.use = use
    self.owner = owner
  }

  /// Whether it has not ended.
  var isHeld: Bool { connection.withLock { $0 != nil } }

  /// Holds the state of a transaction that another connection has begun, in which it has read
  /// nothing.
  ///
  /// - Parameter look: Reads in that transaction.
  /// - Returns: False where somebody has committed just then; nothing is held then.
  /// - Throws: What reading throws.
  func begin(while look: () throws -> Void) throws -> Bool {
    let before = try read { try DatabaseVersion.data(of: $0) }
    try look()
    // Two equal versions of one connection: nobody has committed in between.
    return try read { db in
      // Compiled once: looks at the file are close to each other.
      try RawStatement.runCached("BEGIN DEFERRED", on: db)
      if try DatabaseVersion.data(of: db) == before { return true }
      try RawStatement.runCached("COMMIT", on: db)
      return false
    } ?? false
  }

  /// Lets go of the state, and holds the newest one.
  ///
  /// - Parameter isRight: Reads in it; returns whether it is to be held.
  /// - Returns: What `isRight` returns; nothing is held where that is false.
  /// - Throws: What reading throws.
  func step(where isRight: (Database) throws -> Bool) throws -> Bool {
    try read { db in
      if db.isInsideTransaction { try RawStatement.runCached("COMMIT", on: db) }
      try RawStatement.runCached("BEGIN DEFERRED", on: db)
      heldSince.withLock { $0 = .now }
      if try isRight(db) { return true }
      try RawStatement.runCached("COMMIT", on: db)
      return false
    } ?? false
  }

  /// Reads what the view shows.
  ///
  /// - Parameter body: Reads; not inside another read of the view.
  /// - Returns: What `body` returns; nil where the view has ended.
  /// - Throws: What `body` throws.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result? {
    guard let connection = connection.withLock({ $0 }) else { return nil }
    return try connection.unsafeRead { db in isHeld ? try body(db) : nil }
  }

  /// Reads what the view shows on another thread, and ends it no sooner.
  ///
  /// - Parameter body: Reads; it is handed nil where the view has ended.
  func readLater(_ body: @escaping @Sendable (Database?) -> Void) {
    guard let connection = connection.withLock({ $0 }) else { return body(nil) }
    connection.asyncUnsafeRead { [self] db in body(isHeld ? try? db.get() : nil) }
  }

  /// Sets what is done where results are found to show a row that is not there in this very state.
  func whenARowIsGone(_ correction: @escaping @Sendable () -> Void) {
    self.correction.withLock { $0 = correction }
  }

  /// Notes that a row was not found; where that was in this state, those who show it are wrong.
  func noteGoneRow() {
    guard isHeld else { return }
    correction.withLock { $0.take() }?()
  }

  /// Ends the statement that runs.
  func interrupt() { connection.withLock { $0 }?.interrupt() }

  /// Lets go of the state, after the reads that were asked for before.
  func end() {
    guard let connection = connection.withLock({ $0 }) else { return }
    // Whoever ends it may stand inside a read: what decodes an item may cancel its results.
    connection.unsafeReentrantWrite { db in
      guard self.connection.withLock({ $0.take() }) != nil else { return }
      // One that follows commits is needed again at once.
      if use.kind != .queries { try? db.execute(sql: "PRAGMA shrink_memory") }
      let isFree = !db.isInsideTransaction || (try? RawStatement.runCached("COMMIT", on: db)) != nil
      owner.takeBack(connection, isReusable: isFree, from: self)
    }
  }
}

/// What a view is held for.
struct ViewUse: Sendable, CustomStringConvertible {
  enum Kind {
    /// A load, until its last callback was made.
    case load
    /// Reading all contents at once.
    case contents
    /// Clients that read contents part by part, as slowly as they like.
    case clients
    /// What rows were that others change: see ``FormerState``.
    case queries
  }

  let kind: Kind
  let table: String

  /// Whether it can be done without: then none begins while the log is long, and none is held for
  /// long.
  var isDispensable: Bool { kind == .clients }

  var description: String {
    switch kind {
    case .load: "a load of \(table)"
    case .contents: "reading all of \(table)"
    case .clients: "clients that read \(table)"
    case .queries: "live results of queries"
    }
  }
}

/// The views that a load holds until its last callback was made: of its first batch, and of all; or
/// those that a snapshot holds.
///
/// The load's cycle or the snapshot holds them, and nobody else.
final class LoadViews: Sendable {
  // MARK: - Mutable state
  //
  // - `views`: guarded by its mutex.
  private let views = Mutex<[HeldView]>([])
  let use: ViewUse

  init(for kind: ViewUse.Kind, of table: String) { use = ViewUse(kind: kind, table: table) }

  deinit { end() }

  /// Ends them after a while, unless nobody holds them any more by then.
  func end(after duration: Duration) {
    Task.detached { [weak self] in
      try? await Task.sleep(for: duration)
      self?.end()
    }
  }

  func append(_ view: HeldView) { views.withLock { $0.append(view) } }

  func end() { for view in views.withLock({ exchange(&$0, with: []) }) { view.end() } }
}
