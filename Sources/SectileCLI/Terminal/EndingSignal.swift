internal import Glibc
internal import Synchronization

/// The signal that made a command stop, and the end that it would have been without anybody's care.
///
/// A shell that runs a loop ends it at Ctrl-C only where the command ended by the signal itself.
enum EndingSignal {
  private static let number = Atomic<Int32>(SIGINT)

  /// Takes note of a signal.
  static func note(_ number: Int32) {
    Self.number.store(number, ordering: .relaxed)
  }

  /// Ends the process by the signal; shells call that 130 for Ctrl-C, 143 for a request to
  /// terminate.
  static func endProcess() -> Never {
    let number = number.load(ordering: .relaxed)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    signal(number, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    _exit(128 + number)
  }
}
