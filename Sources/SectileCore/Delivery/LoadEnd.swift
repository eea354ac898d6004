internal import Synchronization

/// Tells the end of a load from those of the changes that are delivered before it.
///
/// ```text
/// queue of the hub   change ─ change ─ what load() submitted ─ mark        the load is over
///                    change ─ change ─ the load begins ─ mark ─ … ─ end    it ends with that
/// ```
///
/// Where another thread delivers, `load()` returns while all of that waits, and each of the changes
/// before ends with an event like the load's own.
final class LoadEnd: Sendable {
  private struct State {
    var hasHeardEnd = false
    var failure: (any Error)?
    /// The next end is that of the load.
    var isNext = false
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex, under which nobody is called.
  private let state = Mutex(State())
  private let finish: @Sendable ((any Error)?) -> Void

  /// - Parameter finish: Called when the load has ended, with the error that it ended with.
  init(_ finish: @escaping @Sendable ((any Error)?) -> Void) { self.finish = finish }

  /// Takes note that a load or a change ended, and what with.
  func noteEnd(_ error: (any Error)?) {
    let isLoad = state.withLock { state in
      state.hasHeardEnd = true
      state.failure = state.failure ?? error
      return state.isNext
    }
    if isLoad { finish(error) }
  }

  /// Takes note that everything is delivered that the load submitted when it was called.
  ///
  /// - Parameter isLoading: Whether a load is open, which ends later.
  func reach(isLoading: Bool) {
    let (isOver, failure) = state.withLock { state in
      state.isNext = isLoading || !state.hasHeardEnd
      return (!state.isNext, state.failure)
    }
    if isOver { finish(failure) }
  }
}
