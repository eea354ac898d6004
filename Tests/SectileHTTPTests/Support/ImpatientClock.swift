#if HTTP
  import Synchronization

  /// A clock on which every wait is over at once; it remembers how long it would have been.
  final class ImpatientClock: Clock {
    typealias Instant = ContinuousClock.Instant
    typealias Duration = Swift.Duration

    private let start = ContinuousClock.now
    private let elapsed = Mutex<[Swift.Duration]>([])

    /// The waits so far.
    var waits: [Swift.Duration] { elapsed.withLock { $0 } }
    var now: Instant { start + waits.reduce(.zero, +) }
    var minimumResolution: Swift.Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
      try Task.checkCancellation()
      let wait = now.duration(to: deadline)
      elapsed.withLock { $0.append(wait) }
    }
  }
#endif
