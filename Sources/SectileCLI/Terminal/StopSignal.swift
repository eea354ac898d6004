internal import Dispatch
internal import Glibc

/// Waits, and hears of Ctrl-C and of a request to terminate.
final class StopSignal {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private let semaphore = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  /// Takes the signals over from the system's default, which is to end the process at once.
  init() {
    let semaphore = semaphore
    sources = Self.signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { semaphore.signal() }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    for number in Self.signals { signal(number, SIG_DFL) }
  }

  /// Waits, and returns whether a signal ended the wait early.
  func wait(for duration: Duration) -> Bool {
    let nanoseconds = Int(duration / .nanoseconds(1))
    return semaphore.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
  }
}
