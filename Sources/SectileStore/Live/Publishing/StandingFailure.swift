/// A failure that was met, and that nothing has mended so far once it was delivered.
final class StandingFailure: Sendable {
  let error: any Error
  /// What tells it from others.
  let text: String

  init(_ error: any Error) {
    self.error = error
    text = String(describing: error)
  }
}
