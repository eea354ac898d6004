import Foundation
import GRDB
import SectileCore
import SectileStore
import Testing

/// Runs a closure in a transaction on a new database in memory, after a schema was created.
func withTransaction<Result>(
  _ schema: String, _ body: (StoreTransaction) throws -> Result
) throws -> Result {
  let queue = try DatabaseQueue()
  return try queue.write { db in
    let transaction = StoreTransaction(db: db, file: nil)
    try transaction.execute(schema)
    return try body(transaction)
  }
}

/// Returns the store error a closure throws.
func storeError(
  _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) -> StoreError? {
  do {
    try body()
  } catch let error as StoreError {
    return error
  } catch {
    Issue.record("another error was thrown: \(error)", sourceLocation: sourceLocation)
    return nil
  }
  Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  return nil
}

/// One value of a storable type, in a table whose column has no affinity.
struct Holder<Value: StorableValue & Equatable>: Entity, Equatable {
  var id: Int64
  var value: Value

  static var schema: EntitySchema<Holder<Value>> {
    EntitySchema("holder", primaryKey: "id", attributes: .init("id", \.id), .init("value", \.value))
  }

  static var table: String { "CREATE TABLE holder (id INTEGER PRIMARY KEY, value)" }

  init(id: Int64 = 1, _ value: Value) {
    self.id = id
    self.value = value
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    value = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(value)
  }
}

enum Genre: String, StorableValue, EntityKey { case rock, jazz }

enum Rating: Int, StorableValue {
  case poor = 1
  case good = 2
}

/// A track with a composite key, for tables WITHOUT ROWID.
struct AlbumTrack: Entity, Equatable {
  struct ID: EntityKey {
    var album: Int64
    var position: Int

    init(album: Int64, position: Int) {
      self.album = album
      self.position = position
    }

    var keyValues: [StoredValue] { album.keyValues + position.keyValues }

    init(keyValues: [StoredValue]) throws {
      var key = KeyReader(keyValues)
      album = try key.next()
      position = try key.next()
    }
  }

  struct Relationships: EntityRelationships {
    let artist = ToOne<Performer>("artist_id")
    let artistByProperty = ToOne<Performer>(\AlbumTrack.artistID)
  }

  var id: ID { ID(album: album, position: position) }
  var title: String
  var album: Int64
  var position: Int
  var artistID: Int64?

  static let schema = EntitySchema<AlbumTrack>(
    "album_track", primaryKey: "album", "position",
    attributes: .init("title", \.title), .init("album", \.album), .init("position", \.position),
    .init("artist_id", \.artistID))

  static let table = """
    CREATE TABLE album_track (
      album INTEGER NOT NULL, position INTEGER NOT NULL, title TEXT NOT NULL, artist_id INTEGER,
      PRIMARY KEY (album, position)) WITHOUT ROWID
    """

  init(_ title: String, album: Int64, position: Int, artistID: Int64? = nil) {
    self.title = title
    self.album = album
    self.position = position
    self.artistID = artistID
  }

  init(row: inout RowReader) throws {
    title = try row.next()
    album = try row.next()
    position = try row.next()
    artistID = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(title)
    try row.append(album)
    try row.append(position)
    try row.append(artistID)
  }
}

/// An artist whose key SQLite assigns.
struct Performer: Entity, Equatable {
  struct Relationships: EntityRelationships {
    let tracks = ToMany<AlbumTrack>("artist_id")
    let tracksByProperty = ToMany<AlbumTrack>(\.artistID)
  }

  var id: Int64?
  var name: String
  var tags: [String]
  var links: [String: Int]?

  static let schema = EntitySchema<Performer>(
    "artist", primaryKey: "id",
    attributes: .init("id", \.id), .init("name", \.name), .init("tags", json: \.tags),
    .init("links", json: \.links))

  static let table = """
    CREATE TABLE artist (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, tags TEXT NOT NULL, links TEXT)
    """

  init(id: Int64? = nil, _ name: String, tags: [String] = [], links: [String: Int]? = nil) {
    self.id = id
    self.name = name
    self.tags = tags
    self.links = links
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    tags = try row.nextJSON()
    links = try row.nextJSON()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(name)
    try row.appendJSON(tags)
    try row.appendJSON(links)
  }
}
