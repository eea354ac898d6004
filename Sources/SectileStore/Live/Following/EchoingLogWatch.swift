import Dispatch
import Synchronization

/// Tells that somebody has written to the log of a file, and tells it again for a while.
///
/// The last write of a commit comes before the commit can be seen, by as long as the disk takes; of
/// what makes it visible the system tells nothing.
///
/// ```text
/// pages are written   0     1     5     21     85     341 ms later
///        tells        │     │     │     │      │      │
/// ```
final class EchoingLogWatch: Sendable {
  /// After how many milliseconds it is told once more, one after the other.
  private static let echoes: [Int64] = [1, 4, 16, 64, 256]
  /// Where it is told: together on as many threads as the machine has processors.
  private static let threads = DispatchQueue(
    label: "sectile.log-echoes", qos: .utility, attributes: .concurrent)

  // MARK: - Mutable state
  //
  // - `alarm`, `watch`: guarded by their mutexes.
  // - `next`: confined to the queue.
  private let queue = DispatchQueue(
    label: "sectile.log-echoes-of-store", target: EchoingLogWatch.threads)
  private let alarm = Mutex<ProcessTimer.Alarm?>(nil)
  private let watch = Mutex<LogFileWatch?>(nil)
  private let next: Confined<Int>
  private let wake: @Sendable () -> Void

  /// Watches the log of a file; nil where the system offers no further watch.
  ///
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - wake: Called on a queue of its own.
  init?(of path: String, wake: @escaping @Sendable () -> Void) {
    self.wake = wake
    next = Confined(0, to: .queue(queue))
    let watch = LogFileWatch(of: path, on: queue) { [weak self] in
      self?.next.value = 0
      self?.tellAgain()
    }
    guard let watch else { return nil }
    self.watch.withLock { $0 = watch }
    let alarm = ProcessTimer.shared.makeAlarm { [weak self] in
      guard let self else { return }
      queue.async { self.tellAgain() }
    }
    self.alarm.withLock { $0 = alarm }
  }

  private func tellAgain() {
    wake()
    let echo = next.value
    guard echo < Self.echoes.count else { return }
    alarm.withLock { $0 }?.set(at: ProcessTimer.now + 1_000 * Self.echoes[echo])
    next.value += 1
  }
}
