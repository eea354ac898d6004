import Dispatch
import GRDB
import Synchronization

/// The connections on which a store holds states of its file.
///
/// To open one takes a millisecond, several times what a small load takes: as many are kept as a load uses.
final class HeldViews: Sendable {
  private struct State {
    /// All that are open: whoever closes the store must find those, too, that a view has just let go of.
    var connections: [ObjectIdentifier: DatabaseQueue] = [:]
    var free: [DatabaseQueue] = []
    var views: [ObjectIdentifier: HeldView] = [:]
    var isClosed = false
  }

  private static let freeLimit = 2

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; no connection is used under it.
  private let state = Mutex(State())
  private let pool: DatabasePool
  /// What connections have to learn that the pool's own are not told at their opening.
  private let collations: [TextCollation]

  /// Creates a list of no views.
  ///
  /// - Parameters:
  ///   - pool: The pool whose file is seen.
  ///   - collations: What its configuration does not make known: those of a store that adopts it.
  init(of pool: DatabasePool, collations: [TextCollation]) {
    self.pool = pool
    self.collations = collations
  }

  /// How many views are held.
  var count: Int { state.withLock { $0.views.count } }

  /// Makes a view that shows nothing yet; nil where no connection can be had, and reading goes on without.
  func makeView() -> HeldView? {
    let (free, isClosed) = state.withLock { ($0.free.popLast(), $0.isClosed) }
    guard !isClosed, let connection = free ?? openConnection() else { return nil }
    let view = HeldView(connection, of: self)
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
    configuration.prepareDatabase { [collations] db in collations.forEach(db.register) }
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
