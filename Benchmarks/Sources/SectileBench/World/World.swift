internal import GRDBBaseline
internal import Sectile

/// The rows of one size, and databases filled with them, one for each contestant.
final class World {
  let tracks: [Track]
  let storage: Storage
  private let folder: WorkFolder

  static let table = """
    CREATE TABLE track (id INTEGER PRIMARY KEY, title TEXT, artist TEXT, genre TEXT,
      rating INTEGER, duration REAL, added_at INTEGER)
    """
  static let index = "CREATE INDEX track_on_genre_title ON track (genre, title)"
  /// A table that no view follows.
  static let otherTable = "CREATE TABLE other (id INTEGER PRIMARY KEY, note TEXT)"

  var size: Int { tracks.count }

  init(size: Int, storage: Storage, folder: WorkFolder) {
    var generator = TrackGenerator()
    tracks = generator.tracks(size)
    self.storage = storage
    self.folder = folder
  }

  /// Returns a store, with its rows unless it shall be empty.
  func store(isFilled: Bool = true, isIndexed: Bool = true) throws -> Store {
    let schema = ([Self.table, Self.otherTable] + (isIndexed ? [Self.index] : []))
      .joined(separator: ";\n")
    let migrations = Migrations.inline(["V0001_create_track.sql": schema])
    let store: Store
    if let path = folder.path(for: storage) {
      store = try Store.open(at: path, migrations: migrations)
    } else {
      store = try Store.inMemory(migrations: migrations)
    }
    if isFilled { try store.write { _ = try $0.insert(contentsOf: tracks) } }
    return store
  }

  /// Returns a database of the C baseline.
  func baseline(isFilled: Bool = true, isIndexed: Bool = true) throws -> CDatabase {
    let database = try CDatabase(path: folder.path(for: storage))
    try database.execute(Self.table)
    try database.execute(Self.otherTable)
    if isIndexed { try database.execute(Self.index) }
    if isFilled { try database.insert(CTracks(tracks)) }
    return database
  }

  /// Returns a database of GRDB.
  func grdb(isFilled: Bool = true, isIndexed: Bool = true) throws -> GRDBDatabase {
    let database = try GRDBDatabase(path: folder.path(for: storage))
    try database.execute(Self.table)
    if isIndexed { try database.execute(Self.index) }
    if isFilled { try database.insert(tracks.map(HandTrack.init)) }
    return database
  }
}
