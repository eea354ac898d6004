internal import Sectile
internal import Synchronization

/// A condition on its way from the screen to the watch that follows the rows, and the answer on its
/// way back; each side runs on a thread of its own.
final class WatchFilter: Sendable {
  /// What is asked for.
  struct Wish: Hashable, Sendable {
    /// The SQL condition that rows have to meet, besides that of the request; nil for none.
    let condition: String?
  }

  /// What became of a wish.
  enum Answer: Hashable, Sendable {
    /// The rows are those that meet the condition, or all where there is none.
    case met(String?)
    /// The rows are the same as before, for this reason.
    case refused(String)
  }

  private struct State {
    var wish: Wish?
    var answer: Answer?
  }

  private let wakesWatch: @Sendable () -> Void
  private let wakesScreen: @Sendable () -> Void

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; nobody is woken under it.
  private let state = Mutex(State())

  /// Creates a way without a wish.
  ///
  /// - Parameters:
  ///   - wakesWatch: Called when there is a wish.
  ///   - wakesScreen: Called when there is an answer.
  init(wakesWatch: @escaping @Sendable () -> Void, wakesScreen: @escaping @Sendable () -> Void) {
    self.wakesWatch = wakesWatch
    self.wakesScreen = wakesScreen
  }

  /// Asks for a condition; what was asked for before and has no answer yet is forgotten.
  func ask(for wish: Wish) {
    state.withLock { state in
      state.wish = wish
      state.answer = nil
    }
    wakesWatch()
  }

  /// Returns what is asked for; nil for no change.
  func takeWish() -> Wish? {
    state.withLock { state in
      defer { state.wish = nil }
      return state.wish
    }
  }

  /// Asks again for what could not be done now, unless something else was asked for meanwhile.
  func putBack(_ wish: Wish) {
    state.withLock { $0.wish = $0.wish ?? wish }
  }

  /// Answers a wish.
  func answer(_ answer: Answer) {
    state.withLock { $0.answer = answer }
    wakesScreen()
  }

  /// Returns the answer; nil where there is no new one.
  func takeAnswer() -> Answer? {
    state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
  }

  /// Returns the condition that rows meet which meet both; a comment at the end of one does not
  /// swallow the other.
  static func joined(_ given: String?, _ typed: String?) -> String? {
    guard let given, let typed else { return given ?? typed }
    return "(\(given)\n) AND (\(typed)\n)"
  }

  /// Returns why a condition is refused, in a line.
  static func reason(of error: any Error) -> String {
    // The SQL around the person's own is nothing to look at.
    if let error = error as? StoreError, error.code == .statementFailed { return error.plainText }
    guard let failure = CommandFailure(error) else { return "\(error)" }
    return failure.message + (failure.hint.map { ". " + $0 } ?? "")
  }
}
