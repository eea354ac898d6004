package import GRDB

/// The same work through GRDB alone.
package final class GRDBDatabase: Sendable {
  let writer: any DatabaseWriter

  /// Opens a file, or a database in memory for nil, with the pragmas of a Sectile store.
  package init(path: String?) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(
        sql: "PRAGMA cache_size = -16384; PRAGMA journal_size_limit = 67108864")
    }
    if let path {
      writer = try DatabasePool(path: path, configuration: configuration)
      // The pool chose NORMAL.
      try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    } else {
      writer = try DatabaseQueue(configuration: configuration)
    }
  }

  package func close() throws { try writer.close() }

  package func execute(_ sql: String) throws { try writer.write { try $0.execute(sql: sql) } }

  /// Inserts with GRDB's own record method, in one transaction.
  package func insert(_ tracks: [HandTrack]) throws {
    try writer.write { db in
      for track in tracks { try track.insert(db) }
    }
  }

  /// Fetches all rows as records that read columns by position.
  package func fetchTracks() throws -> [HandTrack] {
    try writer.read { try HandTrack.fetchAll($0, sql: Self.allTracks) }
  }

  package func fetchCodableTracks() throws -> [CodableTrack] {
    try writer.read { try CodableTrack.fetchAll($0, sql: Self.allTracks) }
  }

  package func fetchIDs(order: String) throws -> [Int64] {
    try writer.read { try Int64.fetchAll($0, sql: "SELECT id FROM track ORDER BY \(order)") }
  }

  /// Fetches records in order and groups neighbours as they come, as one does without a results
  /// controller.
  package func fetchSections(order: String) throws -> [(genre: String, tracks: [HandTrack])] {
    try writer.read { db in
      let cursor = try HandTrack.fetchCursor(
        db,
        sql: """
          SELECT id, title, artist, genre, rating, duration, added_at FROM track
          ORDER BY \(order)
          """)
      var sections: [(genre: String, tracks: [HandTrack])] = []
      var genre: String?
      var tracks: [HandTrack] = []
      while let track = try cursor.next() {
        if track.genre != genre {
          if let genre { sections.append((genre, tracks)) }
          genre = track.genre
          tracks = []
        }
        tracks.append(track)
      }
      if let genre { sections.append((genre, tracks)) }
      return sections
    }
  }

  /// Updates one row in a transaction of its own, with a cached statement whose arguments are not
  /// checked again.
  package func update(_ track: HandTrack) throws {
    try writer.write { db in
      let statement = try db.cachedStatement(
        sql: """
          UPDATE track SET title = ?, artist = ?, genre = ?, rating = ?, duration = ?, added_at = ?
          WHERE id = ?
          """)
      statement.setUncheckedArguments([
        track.title, track.artist, track.genre, track.rating, track.duration, track.addedAt,
        track.id,
      ])
      try statement.execute()
    }
  }

  /// Gives two rows of a list other places in one transaction, with a cached statement whose
  /// arguments are not checked again.
  package func place(_ places: [(id: Int64, position: Int64)]) throws {
    try writer.write { db in
      let statement = try db.cachedStatement(sql: "UPDATE listed SET position = ? WHERE id = ?")
      for (id, position) in places {
        statement.setUncheckedArguments([position, id])
        try statement.execute()
      }
    }
  }

  private static let allTracks =
    "SELECT id, title, artist, genre, rating, duration, added_at FROM track ORDER BY id"
}

// MARK: - Pages

extension GRDBDatabase {
  /// Replaces everything by the pages of a file.
  package func copyPages(of path: String) throws { try Self.copy(path, into: writer) }

  /// Copies the log into the file.
  package func checkpoint() throws {
    try writer.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
  }

  package static func copy(_ path: String, into writer: any DatabaseWriter) throws {
    var configuration = Configuration()
    configuration.readonly = true
    try DatabaseQueue(path: path, configuration: configuration).backup(to: writer)
  }

  /// The SQLite that GRDB runs, by its source.
  package static func sqliteSource() throws -> String {
    try DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_source_id()") ?? "" }
  }
}
