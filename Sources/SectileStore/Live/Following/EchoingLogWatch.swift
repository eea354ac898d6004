import Dispatch

/// Tells that somebody has written to the log of a file, and tells it again for a while.
///
/// The last write of a commit comes before the commit can be seen, by as long as the disk takes; of what makes it
/// visible the system tells nothing.
///
/// ```text
/// pages are written   0     1     5     21     85     341 ms later
///        tells        │     │     │     │      │      │
/// ```
final class EchoingLogWatch: Sendable {
  /// After how many milliseconds it is told once more, one after the other.
  private static let echoes = [1, 4, 16, 64, 256]

  // MARK: - Mutable state
  //
  // All of it is confined to the queue.
  private let queue = DispatchQueue(label: "sectile.log-echoes", qos: .utility)
  nonisolated(unsafe) private var watch: LogFileWatch?
  nonisolated(unsafe) private var next = 0
  // Dispatch says of its objects that they may be used from any thread.
  nonisolated(unsafe) private let timer: any DispatchSourceTimer
  private let wake: @Sendable () -> Void

  /// Watches the log of a file; nil where the system offers no further watch.
  ///
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - wake: Called on a queue of its own.
  init?(of path: String, wake: @escaping @Sendable () -> Void) {
    self.wake = wake
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .distantFuture)
    timer.setEventHandler { [weak self] in self?.tellAgain() }
    timer.activate()
    watch = LogFileWatch(of: path, on: queue) { [weak self] in
      self?.next = 0
      self?.tellAgain()
    }
    if watch == nil { return nil }
  }

  deinit { timer.cancel() }

  private func tellAgain() {
    wake()
    guard next < Self.echoes.count else { return }
    timer.schedule(deadline: .now() + .milliseconds(Self.echoes[next]))
    next += 1
  }
}
