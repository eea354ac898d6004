#if Server
  internal import Synchronization

  /// The port that a server listens at; zero until it does.
  final class BoundPort: Sendable {
    private let port = Atomic(0)

    var value: Int {
      get { port.load(ordering: .relaxed) }
      set { port.store(newValue, ordering: .relaxed) }
    }
  }
#endif
