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

  // MARK: - Mutable state
  //
  // - `table`: guarded by the mutex; set once.
  private let table = Mutex<DigestTable?>(nil)
  private let group = DispatchGroup()

  init() { group.enter() }

  func end(with table: DigestTable?) {
    self.table.withLock { $0 = table }
    group.leave()
  }

  func wait() { group.wait() }

  func waitBriefly() { _ = group.wait(timeout: .now() + Self.patience) }

  func digest(of handle: Int32) -> UInt64? { table.withLock { $0?[handle] } }
}
