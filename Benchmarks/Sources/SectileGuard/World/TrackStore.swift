internal import Sectile

/// A store in memory with 5,000 tracks, an index, and a table that no view follows.
enum TrackStore {
  static let size = 5_000

  static func make() throws -> (store: Store, tracks: [Track]) {
    var generator = TrackGenerator()
    let tracks = generator.tracks(size)
    let store = try empty()
    try store.write { transaction in
      try transaction.execute("CREATE INDEX track_on_genre_title ON track (genre, title)")
      _ = try transaction.insert(contentsOf: tracks)
    }
    return (store, tracks)
  }

  /// Makes a store with the table alone.
  static func empty() throws -> Store {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(
        """
        CREATE TABLE track (id INTEGER PRIMARY KEY, title TEXT, artist TEXT, genre TEXT,
          rating INTEGER, duration REAL, added_at INTEGER)
        """)
    }
    return store
  }
}
