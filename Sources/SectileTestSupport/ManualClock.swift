internal import Synchronization

/// A clock that a test moves by hand.
///
/// Time stands still until ``advance(by:)``; who sleeps wakes in the order of the times they asked
/// for, then in the order in which they asked.
///
/// ```swift
/// let clock = ManualClock()
/// let source = RemoteDataSource(
///   name: "songs", configuration: RemoteConfiguration(clock: clock), operation: server.songs)
/// clock.advance(by: .seconds(30))                   // the request times out
/// ```
public final class ManualClock: Clock {
  /// A moment: how long after the clock was created.
  public struct Instant: InstantProtocol {
    /// How long after the clock was created.
    public let offset: Duration

    /// Returns the moment so much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns how much later another moment is.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns whether a moment comes before another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let number: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var lastNumber = 0
  }

  // MARK: - Mutable state
  //
  // Guarded by the mutex; continuations are resumed outside.
  private let state = Mutex(State())

  /// Creates a clock.
  public init() {}

  /// The moment the clock shows.
  public var now: Instant { state.withLock { $0.now } }

  /// Sleeping is exact.
  public var minimumResolution: Duration { .zero }

  /// How many tasks sleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// How long it is until the first sleeper wakes, or nil where nobody sleeps.
  public var untilNextWake: Duration? {
    state.withLock { state in
      state.sleepers.map { state.now.duration(to: $0.deadline) }.min()
    }
  }

  /// Waits until the clock shows a moment.
  ///
  /// - Parameters:
  ///   - deadline: The moment.
  ///   - tolerance: Is not used.
  /// - Throws: `CancellationError` where the task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers.append(
            Sleeper(number: number, deadline: deadline, continuation: continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let place = state.sleepers.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.sleepers.remove(at: place)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves the clock on, and wakes whose time has come.
  ///
  /// - Parameter duration: How far; not negative.
  /// - Returns: How many tasks were woken.
  @discardableResult public func advance(by duration: Duration) -> Int {
    precondition(duration >= .zero, "\(duration) is negative: time does not run backwards")
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let woken = state.sleepers.filter { $0.deadline <= now }
      state.sleepers.removeAll { $0.deadline <= now }
      return woken.sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
    }
    for sleeper in woken { sleeper.continuation.resume() }
    return woken.count
  }
}
