internal import Synchronization

/// The streams of a feed that are open, by whom they are for, and what became of others.
final class FeedStreams<Subscriber: Sendable>: Sendable {
  private struct Entry {
    let stream: FeedStream
    let subscriber: Subscriber
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; streams are called and released outside of it.
  private struct State {
    var entries: [Int: Entry] = [:]
    var lastNumber = 0
    /// How often clients were to be asked about again.
    var rechecks = 0
    var statistics = FeedResponse.Statistics()
  }

  private let state = Mutex(State())

  /// Returns the answer to a client.
  ///
  /// - Parameters:
  ///   - subscriber: Whom it is for.
  ///   - options: How it is told.
  ///   - subscribe: Lets it in; returns what it is told, and what says later whether it is still
  ///     allowed.
  /// - Returns: The answer; a stream begins with each reading of it.
  /// - Throws: What `subscribe` throws.
  func response(
    to subscriber: Subscriber, _ options: FeedResponse.Options,
    subscribing subscribe: () async throws -> (
      events: FeedEvents, isStillAuthorized: @Sendable () async throws -> Bool
    )
  ) async throws -> FeedResponse {
    // Before the client is let in: whoever asks for another look meanwhile means this one, too.
    let elapsed = options.stopwatch()
    let rechecks = state.withLock { $0.rechecks }
    let (events, isStillAuthorized) = try await subscribe()
    return FeedResponse { [self] in
      let number = nextNumber()
      let stream = FeedStream(
        events, options, elapsed: elapsed, isStillAuthorized: isStillAuthorized,
        didEnd: { [weak self] in self?.remove(number, $0) })
      add(Entry(stream: stream, subscriber: subscriber), number, knowing: rechecks)
      stream.start()
      return stream
    }
  }

  private func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  private func add(_ entry: Entry, _ number: Int, knowing rechecks: Int) {
    let isOverdue = state.withLock { state in
      state.entries[number] = entry
      return state.rechecks != rechecks
    }
    if isOverdue { entry.stream.requestAnswer() }
  }

  private func remove(_ number: Int, _ outcome: FeedStreamOutcome) {
    let former = state.withLock { state in
      switch outcome {
      case .ended: break
      case .stalled: state.statistics.stalledStreams += 1
      case .refused: state.statistics.refusedStreams += 1
      }
      return state.entries.removeValue(forKey: number)
    }
    withExtendedLifetime(former) {}
  }

  /// How many streams there are, and what became of others.
  var statistics: FeedResponse.Statistics {
    state.withLock { state in
      var statistics = state.statistics
      statistics.openStreams = state.entries.count
      return statistics
    }
  }

  /// Has some clients asked about again, before they are told anything else.
  func recheck(where isConcerned: (Subscriber) -> Bool) {
    let entries = state.withLock { state in
      state.rechecks += 1
      return Array(state.entries.values)
    }
    for entry in entries where isConcerned(entry.subscriber) { entry.stream.requestAnswer() }
  }
}

/// Says that a client is to see another shape of the items than the one that it was let in for.
struct OtherShape: Error {}

extension FeedShape {
  /// Whether a client that goes on in another shape notices nothing.
  func isInterchangeable(with other: FeedShape) -> Bool {
    self === other || name == other.name && isStructural == other.isStructural
  }
}
