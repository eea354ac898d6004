internal import Synchronization

/// How many streams of events are open.
final class StreamCount: Sendable {
  private let count = Atomic(0)

  var now: Int { count.load(ordering: .relaxed) }

  /// Counts one more while a closure runs.
  func counting(_ body: () async throws -> Void) async rethrows {
    count.wrappingAdd(1, ordering: .relaxed)
    defer { count.wrappingSubtract(1, ordering: .relaxed) }
    try await body()
  }
}
