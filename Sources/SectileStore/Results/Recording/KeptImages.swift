import Synchronization

/// The old rows of one commit, as long as there is room for them.
final class KeptImages: Sendable {
  // MARK: - Mutable state
  //
  // - `kept`: guarded by the mutex; emptied at most once.
  private let kept: Mutex<PreImages>
  let byteCount: Int

  init(_ images: PreImages) {
    kept = Mutex(images)
    byteCount = images.byteCount
  }

  var images: PreImages { kept.withLock { $0 } }

  /// Gives the memory back; whoever asks for a row is told that it is lost.
  func drop() {
    kept.withLock { $0 = .unknown }
  }
}

/// Keeps the old rows of a table's commits within a limit, by dropping the oldest.
struct ImageBudget {
  /// How many bytes of old rows are kept of one table, for all snapshots together.
  static let byteLimit = 64 << 20

  private struct WeakImages {
    weak var value: KeptImages?
  }

  private var kept: [WeakImages] = []
  private var byteCount = 0
  /// How many commits are remembered before those that nobody reads any more are looked for.
  private var sweepCount = Self.leastSweepCount

  private static let leastSweepCount = 1024

  /// Counts the old rows of one more commit, and drops what is too much.
  mutating func add(_ images: KeptImages) {
    guard images.byteCount > 0 else { return }
    kept.append(WeakImages(value: images))
    byteCount += images.byteCount
    if byteCount > Self.byteLimit || kept.count > sweepCount { makeRoom() }
  }

  private mutating func makeRoom() {
    kept.removeAll { $0.value == nil }
    byteCount = kept.reduce(0) { $0 + ($1.value?.byteCount ?? 0) }
    var dropped = 0
    while byteCount > Self.byteLimit, dropped < kept.count - 1 {
      if let images = kept[dropped].value {
        byteCount -= images.byteCount
        images.drop()
      }
      dropped += 1
    }
    kept.removeFirst(dropped)
    sweepCount = max(Self.leastSweepCount, 2 * kept.count)
  }
}
