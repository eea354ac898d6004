internal import Dispatch
internal import Foundation
internal import GRDB
internal import Synchronization

/// The same work through GRDB alone.
package final class GRDBDatabase: Sendable {
  private let writer: any DatabaseWriter

  /// Opens a file, or a database in memory for nil, with the pragmas of a Sectile store.
  package init(path: String?) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA cache_size = -16384")
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

  package func fetchTracks() throws -> [HandTrack] {
    try writer.read { try HandTrack.fetchAll($0, sql: Self.allTracks) }
  }

  package func fetchCodableTracks() throws -> [CodableTrack] {
    try writer.read { try CodableTrack.fetchAll($0, sql: Self.allTracks) }
  }

  /// Fetches records in order and groups neighbours, as one does without a results controller.
  package func fetchSections(order: String) throws -> [(genre: String, tracks: [HandTrack])] {
    let tracks = try writer.read {
      try HandTrack.fetchAll($0, sql: "SELECT * FROM track ORDER BY \(order)")
    }
    var sections: [(genre: String, tracks: [HandTrack])] = []
    for track in tracks {
      if sections.last?.genre != track.genre { sections.append((track.genre, [])) }
      sections[sections.count - 1].tracks.append(track)
    }
    return sections
  }

  /// Updates one row in a transaction of its own, with a cached statement.
  package func update(_ track: HandTrack) throws {
    try writer.write { db in
      let statement = try db.cachedStatement(
        sql: """
          UPDATE track SET title = ?, artist = ?, genre = ?, rating = ?, duration = ?, added_at = ?
          WHERE id = ?
          """)
      try statement.execute(arguments: [
        track.title, track.artist, track.genre, track.rating, track.duration, track.addedAt,
        track.id,
      ])
    }
  }

  private static let allTracks =
    "SELECT id, title, artist, genre, rating, duration, added_at FROM track ORDER BY id"
}

// MARK: - Observing

extension GRDBDatabase {
  /// Live ids in order, and their difference after each commit: what one does with GRDB alone.
  package final class Observation {
    private let cancellable: AnyDatabaseCancellable
    private let received: Received

    fileprivate init(order: String, in writer: any DatabaseWriter) {
      let received = Received()
      let observation = ValueObservation.tracking { db in
        try Int64.fetchAll(db, sql: "SELECT id FROM track ORDER BY \(order)")
      }
      self.received = received
      cancellable = observation.start(
        in: writer, scheduling: InlineScheduler(), onError: { _ in },
        onChange: { received.take($0) })
    }

    /// The latest ids.
    package var ids: [Int64] { received.state.withLock { $0.ids } }

    /// Waits until the next value was compared, and returns how many elements it put in and took
    /// out.
    package func nextDifference() -> Int {
      received.arrived.wait()
      return received.state.withLock { $0.changeCount }
    }
  }

  /// Starts observing; returns when the first value is there.
  package func observe(order: String) -> Observation {
    let observation = Observation(order: order, in: writer)
    _ = observation.nextDifference()
    return observation
  }
}

private final class Received: Sendable {
  struct State {
    var ids: [Int64] = []
    var changeCount = 0
  }

  let state = Mutex(State())
  let arrived = DispatchSemaphore(value: 0)

  func take(_ ids: [Int64]) {
    let before = state.withLock { $0.ids }
    // The first value is all insertions; `difference` would take quadratic time to find that out.
    let count = before.isEmpty ? ids.count : ids.difference(from: before).count
    state.withLock { $0 = State(ids: ids, changeCount: count) }
    arrived.signal()
  }
}

/// Hands values over where they were fetched: the fastest that GRDB allows.
private struct InlineScheduler: ValueObservationScheduler {
  func immediateInitialValue() -> Bool { false }

  func schedule(_ action: @escaping @Sendable () -> Void) { action() }
}
