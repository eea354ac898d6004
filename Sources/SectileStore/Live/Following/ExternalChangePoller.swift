import SectileCore
import Synchronization

/// Looks again and again whether another process has written to the file.
///
/// SQLite tells nobody that another connection has committed; `PRAGMA data_version` answers who
/// asks, in about a microsecond.
final class ExternalChangePoller: Sendable {
  // MARK: - Mutable state
  //
  // - `task`: guarded by the mutex; started once, cancelled on release.
  private static let shortestInterval = Duration.milliseconds(1)

  private let task = Mutex<Task<Void, Never>?>(nil)

  deinit {
    task.withLock { $0?.cancel() }
  }

  /// Starts looking, if it has not been started.
  ///
  /// - Parameters:
  ///   - interval: How long to wait between two looks.
  ///   - look: Looks once; answers false when there is nothing left to look at.
  func start(every interval: Duration, look: @escaping @Sendable () async -> Bool) {
    task.withLock { task in
      guard task == nil else { return }
      task = Task.detached(priority: .utility) {
        while !Task.isCancelled {
          try? await Task.sleep(for: max(interval, Self.shortestInterval).waitable)
          guard await look() else { return }
        }
      }
    }
  }
}
