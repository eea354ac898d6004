/// Reasons to look what is new: somebody may have committed, or a while has passed.
///
/// One reason is kept for whoever is busy, however many there were.
final class CommitWakes: Sendable {
  /// Yields a value for each reason; it ends when the task is cancelled.
  let stream: AsyncStream<Void>

  private let listening: CommitListening
  private let alarm: ProcessTimer.Alarm

  /// - Parameters:
  ///   - interval: The while.
  ///   - listen: Starts to listen for commits.
  init(every interval: Duration, _ listen: (@escaping @Sendable () -> Void) -> CommitListening) {
    let (stream, wake) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.stream = stream
    listening = listen { wake.yield() }
    alarm = ProcessTimer.shared.makeAlarm { wake.yield() }
    alarm.repeat(every: interval)
  }
}
