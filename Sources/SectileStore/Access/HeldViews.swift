import GRDB
import Synchronization

/// The connections on which a store holds states of its file.
///
/// To open one takes a millisecond, several times what a small load takes: as many are kept as a load uses.
final class HeldViews: Sendable {
  private struct State {
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

  init(of pool: DatabasePool) { self.pool = pool }

  /// Makes a view that shows nothing yet; nil where no connection can be had, and reading goes on without.
  func makeView() -> HeldView? {
    let (free, isClosed) = state.withLock { ($0.free.popLast(), $0.isClosed) }
    guard !isClosed, let connection = free ?? openConnection() else { return nil }
    let view = HeldView(connection, of: self)
    state.withLock { $0.views[ObjectIdentifier(view)] = view }
    return view
  }

  private func openConnection() -> DatabaseQueue? {
    var configuration = pool.configuration
    configuration.readonly = true
    configuration.allowsUnsafeTransactions = true
    return try? DatabaseQueue(path: pool.path, configuration: configuration)
  }

  /// Takes a connection back whose view has ended.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - isReusable: Whether it is outside of a transaction.
  ///   - view: The view.
  func takeBack(_ connection: DatabaseQueue, isReusable: Bool, from view: HeldView) {
    state.withLock { state in
      state.views[ObjectIdentifier(view)] = nil
      if isReusable, !state.isClosed, state.free.count < Self.freeLimit {
        state.free.append(connection)
      }
    }
  }

  /// Ends the statements that run.
  func interrupt() {
    for view in state.withLock({ Array($0.views.values) }) { view.interrupt() }
  }

  /// Ends all views, closes the connections, and makes no more views until ``reopen()``.
  func close() {
    let views = state.withLock { state in
      state.isClosed = true
      return Array(state.views.values)
    }
    for view in views { view.close() }
    for connection in state.withLock({ exchange(&$0.free, with: []) }) { try? connection.close() }
  }

  /// Makes views again: the store could not be closed.
  func reopen() { state.withLock { $0.isClosed = false } }
}
