internal import Sectile

/// A store with views, and one-row commits that change it.
struct Commits {
  private let store: Store
  private let views: [View]
  private var changes: TrackChanges

  init(
    views: [FetchRequest<Track>], alsoChanging change: (inout Track) -> Void = { _ in }
  ) throws {
    let (store, tracks) = try TrackStore.make()
    self.store = store
    self.views = try views.map { try View($0, in: store) }
    // The rating that a filter may want is left out: such a view has rows, but not these.
    changes = TrackChanges(
      tracks.filter { $0.rating < 5 }, count: 100, alsoChanging: change)
  }

  /// Commits one changed row.
  mutating func perform() throws {
    let track = changes.next()
    try store.write { try $0.update(track) }
  }

  /// Checks how much every view heard.
  func verify(delivered count: Int) throws {
    for view in views { try view.verify(delivered: count) }
  }
}
