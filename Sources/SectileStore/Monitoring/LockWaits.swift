internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Waits for locks of other connections as SQLite does by itself, and remembers how long.
///
/// What a call does, it does on one thread; so waits are told apart by their threads.
final class LockWaits: Sendable {
  /// How long SQLite waits before each try, in milliseconds: `sqliteDefaultBusyCallback` in its
  /// `main.c`.
  private static let delays = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

  // MARK: - Mutable state
  //
  // - `durations`: guarded by its mutex.
  // - `hasAny`: set before a duration is added, and cleared under the mutex.
  private let durations = Mutex<[UInt: Duration]>([:])
  private let hasAny = Atomic(false)
  private let limit: Int

  /// Creates waits that end after so many milliseconds.
  init(limit: Int) { self.limit = limit }

  /// Waits before a lock is tried again.
  ///
  /// - Parameter tries: How often it was tried again before.
  /// - Returns: False where it is not tried again.
  func wait(tries: Int) -> Bool {
    guard let waited = Self.wait(tries: tries, limit: limit) else { return false }
    add(waited)
    return true
  }

  /// Waits before a lock is tried again.
  ///
  /// - Parameters:
  ///   - tries: How often it was tried again before.
  ///   - limit: After how many milliseconds it is tried no more.
  /// - Returns: How long it has waited; nil where the lock is not tried again.
  static func wait(tries: Int, limit: Int) -> Duration? {
    let known = delays.count
    let before = delays.prefix(tries).reduce(0, +) + max(0, tries - known) * delays[known - 1]
    let delay = min(delays[min(tries, known - 1)], limit - before)
    guard delay > 0 else { return nil }
    return ContinuousClock().measure { usleep(UInt32(delay) * 1_000) }
  }

  /// Adds to how long this thread has waited.
  func add(_ waited: Duration) {
    hasAny.store(true, ordering: .relaxed)
    durations.withLock { $0[CallingThread.id, default: .zero] += waited }
  }

  /// Returns how long this thread has waited, and forgets it; nil where it has not.
  func take() -> Duration? {
    guard hasAny.load(ordering: .relaxed) else { return nil }
    return durations.withLock { durations in
      let waited = durations.removeValue(forKey: CallingThread.id)
      if durations.isEmpty { hasAny.store(false, ordering: .relaxed) }
      return waited
    }
  }
}
