import Dispatch

/// Reasons to look what is new: somebody may have committed, or a while has passed.
///
/// One reason is kept for whoever is busy, however many there were.
final class CommitWakes: Sendable {
  /// Yields a value for each reason; it ends when the task is cancelled.
  let stream: AsyncStream<Void>

  private let listening: CommitListening
  // Dispatch says of its objects that they may be used from any thread.
  nonisolated(unsafe) private let timer: any DispatchSourceTimer

  /// - Parameters:
  ///   - interval: The while.
  ///   - listen: Starts to listen for commits.
  init(every interval: Duration, _ listen: (@escaping @Sendable () -> Void) -> CommitListening) {
    let (stream, wake) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.stream = stream
    listening = listen { wake.yield() }
    timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(every: interval)
    timer.setEventHandler { wake.yield() }
    timer.activate()
  }

  deinit { timer.cancel() }
}
