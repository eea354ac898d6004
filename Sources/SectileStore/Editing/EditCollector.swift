import Synchronization

/// Takes what undoes each edit that a closure makes of rows of stores.
///
/// The edits are asked of lists, which may be compositions of others; nobody knows whose rows they
/// show until an edit arrives there. What undoes an edit is the store's, and nothing is known of it
/// here.
final class EditCollector: Sendable {
  /// Who asks, as long as their closure runs.
  @TaskLocal static var current: EditCollector?

  private struct State {
    var undos: [any Sendable] = []
    /// Whether an edit is under way: what delegates edit when they are told of it is theirs.
    var isEditing = false
    /// Whether the closure has returned: a task that it has started may be in its thread by then.
    var isClosed = false
  }

  /// The closure's thread: a task that it starts has the collector, too, and edits by itself.
  private let thread = CallingThread.id

  // MARK: - Mutable state
  //
  // - `state`: guarded by itself; nobody is called inside it.
  private let state = Mutex(State())

  /// What undoes the edits so far, in their order.
  var undos: [any Sendable] { state.withLock { $0.undos } }

  /// Returns whether the edit that begins is one of the closure's own.
  func begin() -> Bool {
    guard CallingThread.id == thread else { return false }
    return state.withLock { state in
      if state.isEditing || state.isClosed { return false }
      state.isEditing = true
      return true
    }
  }

  /// Takes note that the edit has come to its end.
  func end() { state.withLock { $0.isEditing = false } }

  /// Takes what undoes the edit.
  func add(_ undo: any Sendable) { state.withLock { $0.undos.append(undo) } }

  /// Takes note that the closure has returned.
  func close() { state.withLock { $0.isClosed = true } }
}
