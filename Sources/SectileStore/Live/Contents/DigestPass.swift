import Dispatch
import Synchronization

/// A pass over the rows of some results that runs beside everything else.
final class DigestPass: Sendable {
  /// How long a reader waits for digests to compare with, so that a row that others have just
  /// changed is not taken for what it was.
  ///
  /// A pass over some hundred thousand rows takes longer; until it has ended such a row is shown as
  /// it is.
  private static let patience = DispatchTimeInterval.milliseconds(50)

  private struct Result {
    let table: DigestTable?
  }

  // MARK: - Mutable state
  //
  // - `result`: guarded by the mutex; set once.
  private let result = Mutex<Result?>(nil)
  private let group = DispatchGroup()

  init() { group.enter() }

  /// Ends the pass, unless it has ended.
  ///
  /// - Parameter table: The digests; nil where they could not be taken.
  func end(with table: DigestTable?) {
    let isFirst = result.withLock { result in
      guard result == nil else { return false }
      result = Result(table: table)
      return true
    }
    if isFirst { group.leave() }
  }

  func wait() { group.wait() }

  func waitBriefly() { _ = group.wait(timeout: .now() + Self.patience) }

  func digest(of handle: Int32) -> UInt64? { result.withLock { $0?.table?[handle] } }
}
