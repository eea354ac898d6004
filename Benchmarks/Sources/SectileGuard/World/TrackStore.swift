internal import Sectile

/// A store with 5,000 tracks and an index; in memory, unless a case is about files.
enum TrackStore {
  static let size = 5_000

  /// Makes a store with all rows.
  ///
  /// - Parameter folder: Where its file is; nil for a store in memory.
  /// - Returns: The store and its rows.
  /// - Throws: What opening and writing throw.
  static func make(in folder: TemporaryFolder? = nil) throws -> (store: Store, tracks: [Track]) {
    var generator = TrackGenerator()
    let tracks = generator.tracks(size)
    let store = try empty(in: folder)
    try store.write { transaction in
      try transaction.execute("CREATE INDEX track_on_genre_title ON track (genre, title)")
      _ = try transaction.insert(contentsOf: tracks)
    }
    return (store, tracks)
  }

  /// Makes a store with the table alone.
  static func empty(in folder: TemporaryFolder? = nil) throws -> Store {
    let store =
      if let folder { try Store.open(at: folder.path(of: "tracks.sqlite")) } else {
        try Store.inMemory()
      }
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
