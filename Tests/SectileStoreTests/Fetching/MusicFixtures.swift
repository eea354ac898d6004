import Foundation
import SectileCore
import Testing

import class GRDB.DatabaseQueue

@testable import SectileStore

/// The entities of the fetching tests: labels have artists, artists have tracks, tracks have plays.
struct Label: Entity, Equatable {
  var id: Int64
  var name: String

  static let schema = EntitySchema<Label>(
    "label", primaryKey: "id", attributes: .init("id", \.id), .init("name", \.name))
  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
  }
  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(name)
  }
}

struct Artist: Entity, Equatable {
  var id: Int64
  var name: String
  var labelID: Int64?

  struct Relationships: EntityRelationships {
    let label = ToOne<Label>("label_id")
    let tracks = ToMany<Track>("artist_id")
    init() {}
  }

  static let schema = EntitySchema<Artist>(
    "artist", primaryKey: "id", attributes: .init("id", \.id), .init("name", \.name),
    .init("label_id", \.labelID))
  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    labelID = try row.next()
  }
  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(name)
    try row.append(labelID)
  }
}

struct Track: Entity, Equatable {
  enum Genre: String, StorableValue { case rock, soul }

  var id: Int64
  var name: String
  var artistID: Int64?
  var rating: Double?
  var plays: Int
  var isBonus: Bool
  var addedAt: Date?
  var genre: Genre?
  /// Not an attribute.
  var note = ""

  struct Relationships: EntityRelationships {
    let artist = ToOne<Artist>("artist_id")
    let original = ToOne<Track>("original_id")
    let covers = ToMany<Track>("original_id")
    let listens = ToMany<Listen>("track_id")
    init() {}
  }

  static let schema = EntitySchema<Track>(
    "track", primaryKey: "id", attributes: .init("id", \.id), .init("name", \.name),
    .init("artist_id", \.artistID), .init("rating", \.rating), .init("plays", \.plays),
    .init("is_bonus", \.isBonus), .init("added_at", \.addedAt), .init("genre", \.genre))
  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    artistID = try row.next()
    rating = try row.next()
    plays = try row.next()
    isBonus = try row.next()
    addedAt = try row.next()
    genre = try row.next()
  }
  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(name)
    try row.append(artistID)
    try row.append(rating)
    try row.append(plays)
    try row.append(isBonus)
    try row.append(addedAt)
    try row.append(genre)
  }
}

struct Listen: Entity, Equatable {
  var id: Int64
  var trackID: Int64
  var minutes: Int

  struct Relationships: EntityRelationships {
    let track = ToOne<Track>("track_id")
    init() {}
  }

  static let schema = EntitySchema<Listen>(
    "listen", primaryKey: "id", attributes: .init("id", \.id), .init("track_id", \.trackID),
    .init("minutes", \.minutes))
  init(row: inout RowReader) throws {
    id = try row.next()
    trackID = try row.next()
    minutes = try row.next()
  }
  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(trackID)
    try row.append(minutes)
  }
}

/// Six tracks: 6 has neither artist nor rating nor date nor genre.
enum Music {
  static let script = """
    CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL, label_id INTEGER);
    CREATE TABLE track (id INTEGER PRIMARY KEY, name TEXT NOT NULL, artist_id INTEGER, rating REAL,
      plays INTEGER NOT NULL, is_bonus INTEGER NOT NULL, added_at TEXT, genre TEXT,
      original_id INTEGER);
    CREATE TABLE listen (id INTEGER PRIMARY KEY, track_id INTEGER NOT NULL, minutes INTEGER);
    CREATE VIRTUAL TABLE track_text USING fts5(name, content='track', content_rowid='id');
    INSERT INTO label VALUES (1, 'Verve'), (2, 'Stax');
    INSERT INTO artist VALUES (1, 'Nina', 1), (2, 'Otis', 2), (3, 'Abbey', NULL);
    INSERT INTO track VALUES
      (1, 'Sinnerman', 1, 4.5, 10, 0, '2026-01-31 23:59:59.500', 'soul', NULL),
      (2, 'sugar', 1, 3.0, -5, 1, '2026-02-01 00:00:00.000', 'soul', 1),
      (3, 'Respect', 2, 4.5, 7, 0, '2025-12-31 12:30:00.000', 'rock', NULL),
      (4, '100% cotton', 2, NULL, 0, 0, '2026-01-31 01:00:00.000', NULL, 3),
      (5, ' Tramp_ ', 3, 2.25, 1023, 1, '2024-02-29 05:06:07.000', 'rock', NULL),
      (6, 'Ähnlich', NULL, NULL, 1024, 0, NULL, NULL, NULL);
    INSERT INTO listen VALUES (1, 1, 5), (2, 1, 20), (3, 3, 1), (4, 6, 90);
    INSERT INTO track_text(track_text) VALUES('rebuild');
    """

  /// Runs a test on a connection to a fresh database in memory.
  static func read<Result>(
    _ body: (StoreReadTransaction) throws -> Result
  ) throws -> Result {
    let queue = try DatabaseQueue()
    return try queue.write { db in
      try db.execute(sql: script)
      try FirstLetter.register(on: db)
      return try body(StoreReadTransaction(db: db, file: nil))
    }
  }

  /// Checks a filter's SQL, its values and the keys of the rows it leaves.
  static func expect(
    _ sql: String, _ values: [StoredValue], leaves keys: [Int64],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: (EntityFields<Track>) -> FieldExpression<Bool>
  ) throws {
    let request = FetchRequest<Track>().filter(condition)
    let filter = try request.makePlan().filter
    #expect(filter?.sql == sql, sourceLocation: sourceLocation)
    #expect(filter?.values == values, sourceLocation: sourceLocation)
    let found = try read { try $0.fetchAll(request).map(\.id) }
    #expect(found == keys, sourceLocation: sourceLocation)
  }
}

/// Returns the error an expression throws, for its code and message.
func requestError<Result>(_ body: () throws -> Result) -> StoreError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? StoreError
  }
}
