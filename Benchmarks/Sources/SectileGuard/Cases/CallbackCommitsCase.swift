internal import Sectile
internal import Synchronization

/// Commits of one callback, whose delivery waits until it returns.
struct CallbackCommitsCase: GuardCase {
  static let name = "callback-commits"
  static let summary = "commit 50 rows in a callback, under filter and sort, and deliver them"
  static let counts = Counts.long

  private static let size = 50

  private let store: Store
  private let results: SectionedResults<Track>
  private let composed: ComposedDataSource<Int64, Track>
  private let firstVersion: Int
  private var changes: TrackChanges

  init() throws {
    let tracks: [Track]
    (store, tracks) = try TrackStore.make()
    results = try store.results(of: .indexed)
    composed = results.filter { $0.rating > 0 }.sorted(by: \.title)
    composed.load()
    firstVersion = results.version
    changes = TrackChanges(tracks.filter { $0.rating > 0 }, count: 100)
  }

  mutating func perform() throws {
    let first = changes.next()
    let rest = (1..<Self.size).map { _ in changes.next() }
    let waiting = Waiting(rest)
    let store = store
    let writer = results.observe { event in
      guard case .didFinishLoading = event else { return }
      for track in waiting.take() {
        try? store.write { try $0.update(track) }
      }
    }
    try store.write { try $0.update(first) }
    withExtendedLifetime(writer) {}
  }

  func verify(performed count: Int) throws {
    let version = results.version
    try check(version == firstVersion + count * Self.size, "\(version) is not the version")
    try check(composed.numberOfSections > 0, "nothing is shown")
  }
}

/// Tracks that are to be written, once.
private final class Waiting: Sendable {
  private let tracks: Mutex<[Track]>

  init(_ tracks: [Track]) { self.tracks = Mutex(tracks) }

  func take() -> [Track] { tracks.withLock { exchange(&$0, with: []) } }
}
