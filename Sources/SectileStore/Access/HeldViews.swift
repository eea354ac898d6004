import Dispatch
import GRDB
import Synchronization

/// The connections on which a store holds states of its file.
///
/// To open one takes a millisecond, several times what a small load takes: as many are kept as a
/// load uses.
final class HeldViews: Sendable {
  private struct State {
    /// All that are open: whoever closes the store must find those, too, that a view has just let
    /// go of.
    var connections: [ObjectIdentifier: DatabaseQueue] = [:]
    var free: [DatabaseQueue] = []
    var views: [ObjectIdentifier: HeldView] = [:]
    /// When the last one ended that could have been done without.
    var lastEnd: ContinuousClock.Instant?
    var isClosed = false
  }

  private static let freeLimit = 2
  /// How long a view is held that can be done without, while the log is long.
  private static let patience = Duration.seconds(1)
  /// How long there is none then, before it is taken that others keep the log: a commit in between
  /// begins it anew.
  private static let pause = Duration.milliseconds(250)

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; no connection is used under it.
  private let state = Mutex(State())
  private let pool: DatabasePool
  /// What connections have to learn that the pool's own are not told at their opening.
  private let collations: [TextCollation]
  private let limit: LogLimit

  /// Creates a list of no views.
  ///
  /// - Parameters:
  ///   - pool: The pool whose file is seen.
  ///   - limit: Where the log is too long for a view to be held.
  ///   - collations: What its configuration does not make known: those of a store that adopts it.
  init(of pool: DatabasePool, _ limit: LogLimit, collations: [TextCollation]) {
    self.pool = pool
    self.limit = limit
    self.collations = collations
  }

  /// How many views are held.
  var count: Int { state.withLock { $0.views.count } }

  /// The view that was begun first.
  var oldest: Holder? {
    state.withLock { state in
      state.views.values.min { $0.start < $1.start }.map {
        Holder(use: $0.use, age: ContinuousClock.now - $0.start, count: state.views.count)
      }
    }
  }

  /// Who holds a view, and for how long.
  struct Holder: CustomStringConvertible {
    let use: ViewUse
    let age: Duration
    /// How many views there are.
    let count: Int

    var description: String { "\(use), for \(age)" }
  }

  // MARK: The log

  /// Whether a view may begin: one that can be done without must not be what keeps a long log from
  /// beginning anew.
  private func mayBegin(_ use: ViewUse, in db: Database) -> Bool {
    guard use.isDispensable, limit.isExceeded(in: db) else { return true }
    endOld(in: db)
    return state.withLock { state in
      guard !state.views.values.contains(where: \.use.isDispensable) else { return false }
      return state.lastEnd.map { ContinuousClock.now - $0 >= Self.pause } ?? true
    }
  }

  /// Ends the views that can be done without, and are held for a while, where the log is long.
  ///
  /// - Parameters:
  ///   - db: The writer.
  ///   - patience: How long the while is.
  func endOld(in db: Database, after patience: Duration = HeldViews.patience) {
    let now = ContinuousClock.now
    let old = state.withLock { state in
      state.views.values.filter { $0.use.isDispensable && now - $0.start >= patience }
    }
    guard !old.isEmpty, limit.isExceeded(in: db) else { return }
    // Ending one waits for who reads it just then.
    DispatchQueue.global().async { for view in old { view.end() } }
  }

  // MARK: Views

  /// Makes a view that shows nothing yet; nil where no connection can be had, or the log is too
  /// long, and reading goes on without.
  ///
  /// - Parameters:
  ///   - use: What it is for.
  ///   - db: The writer.
  /// - Returns: The view.
  func makeView(for use: ViewUse, in db: Database) -> HeldView? {
    guard mayBegin(use, in: db) else { return nil }
    let (free, isClosed) = state.withLock { ($0.free.popLast(), $0.isClosed) }
    guard !isClosed, let connection = free ?? openConnection() else { return nil }
    let view = HeldView(connection, for: use, of: self)
    let isKept = state.withLock { state in
      state.connections[ObjectIdentifier(connection)] = connection
      // Somebody may have closed the store since.
      if !state.isClosed { state.views[ObjectIdentifier(view)] = view }
      return !state.isClosed
    }
    if isKept { return view }
    view.end()
    close(connection)
    return nil
  }

  private func openConnection() -> DatabaseQueue? {
    var configuration = pool.configuration
    configuration.readonly = true
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { [collations] db in
      try FirstLetter.register(on: db)
      collations.forEach(db.register)
    }
    return try? DatabaseQueue(path: pool.path, configuration: configuration)
  }

  /// Takes a connection back whose view has ended.
  ///
  /// - Parameters:
  ///   - connection: The connection, which may be in use by whoever ended the view.
  ///   - isReusable: Whether it is outside of a transaction.
  ///   - view: The view.
  func takeBack(_ connection: DatabaseQueue, isReusable: Bool, from view: HeldView) {
    let isLeft = state.withLock { state in
      state.views[ObjectIdentifier(view)] = nil
      if view.use.isDispensable { state.lastEnd = .now }
      // Whoever closes the store closes all.
      if state.isClosed { return false }
      guard isReusable, state.free.count < Self.freeLimit else { return true }
      state.free.append(connection)
      return false
    }
    if isLeft { DispatchQueue.global().async { [self] in close(connection) } }
  }

  /// Closes a connection that no view has any more.
  private func close(_ connection: DatabaseQueue) {
    try? connection.close()
    state.withLock { $0.connections[ObjectIdentifier(connection)] = nil }
  }

  /// Ends the statements that run.
  func interrupt() {
    for view in state.withLock({ Array($0.views.values) }) { view.interrupt() }
  }

  /// Ends all views, closes the connections, and makes no more views until ``reopen()``.
  func close() {
    let views = state.withLock { state in
      state.isClosed = true
      state.free = []
      return Array(state.views.values)
    }
    for view in views { view.end() }
    for connection in state.withLock({ Array($0.connections.values) }) { close(connection) }
  }

  /// Makes views again: the store could not be closed.
  func reopen() { state.withLock { $0.isClosed = false } }
}
