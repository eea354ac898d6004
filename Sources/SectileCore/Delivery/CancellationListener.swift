/// Who is to be told of cancellations, or of an end.
final class CancellationListener: Sendable {
  let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = action
  }
}
