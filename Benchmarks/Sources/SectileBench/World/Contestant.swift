internal import Sectile

/// A store with views, and the row changes it goes through.
final class Contestant {
  enum Change {
    /// Every column is written, the title is new: the row moves.
    case title
    /// The same with SQL text for the title alone.
    case titleAsSQL
    /// Every column is written, the rating is new: the row stays in place.
    case rating
  }

  let store: Store
  let views: [View<Track>]
  private var changes: TrackChanges
  private let storage: Storage

  convenience init(_ bench: Bench, _ requests: [FetchRequest<Track>]) throws {
    try self.init(bench, mixed: requests.map { ($0, { _ in true }) })
  }

  /// Makes a store with a view for each request and what its filter wants.
  init(
    _ bench: Bench,
    mixed requests: [(request: FetchRequest<Track>, isWanted: @Sendable (Track) -> Bool)]
  ) throws {
    let store = try bench.store()
    self.store = store
    views = try requests.map { try View($0.request, in: store, where: $0.isWanted) }
    changes = TrackChanges(bench.world.tracks)
    storage = bench.storage
  }

  /// Commits one changed row after the other, and returns the time of one commit.
  ///
  /// On a file with its part of a checkpoint: see ``Bench/commitCount``.
  func commit(_ count: Int, _ change: Change = .title) throws -> Sample {
    let tracks = change == .rating ? changes.ratings(count) : changes.titles(count)
    let (time, _) = try Stopwatch.time {
      switch change {
      case .title, .rating:
        for track in tracks { try store.write { try $0.update(track) } }
      case .titleAsSQL:
        for track in tracks {
          try store.write {
            try $0.execute("UPDATE track SET title = ? WHERE id = ?", track.title, track.id)
          }
        }
      }
      if storage == .file { try store.checkpoint() }
    }
    for view in views { try view.verifyDelivered(tracks) }
    return time / count
  }

  func verifyViews() throws {
    for view in views { try view.verifyContents(in: store) }
  }
}
