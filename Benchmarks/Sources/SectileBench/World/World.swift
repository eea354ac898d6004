internal import Foundation
internal import GRDBBaseline
internal import Sectile

/// The rows of one size, and databases filled with them.
///
/// The rows are inserted once, into a template; every contestant gets a copy of its pages, but
/// for stores in memory, which insert the same rows in the same order. So all of them work on equal
/// databases.
final class World {
  static let table = """
    CREATE TABLE track (id INTEGER PRIMARY KEY, title TEXT, artist TEXT, genre TEXT,
      rating INTEGER, duration REAL, added_at INTEGER)
    """
  static let index = "CREATE INDEX track_on_genre_title ON track (genre, title)"
  /// A table that no view follows, and the keys of the rows that large transactions change.
  static let otherTables = """
    CREATE TABLE other (id INTEGER PRIMARY KEY, note TEXT);
    INSERT INTO other VALUES (1, '');
    CREATE TABLE picked (id INTEGER PRIMARY KEY)
    """

  let size: Int
  private let folder: WorkFolder

  init(size: Int) throws {
    self.size = size
    folder = try WorkFolder()
  }

  private(set) lazy var tracks: [Track] = {
    var generator = TrackGenerator()
    return generator.tracks(size)
  }()

  private(set) lazy var rows = CTracks(tracks)

  private var templatePath: String?

  /// Returns the path of a file with all rows that nobody may change.
  func template() throws -> String {
    if let templatePath { return templatePath }
    let path = folder.newPath()
    let database = try CDatabase(path: path)
    try database.execute("PRAGMA synchronous = OFF")
    for sql in [Self.table, Self.index, Self.otherTables] { try database.execute(sql) }
    try database.insert(rows)
    let stride = max(size / 10_000, 1)
    try database.execute("INSERT INTO picked SELECT id FROM track WHERE id % \(stride) = 0")
    // Pages of a file in WAL mode cannot be copied to memory.
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    templatePath = path
    return path
  }

  // MARK: Filled databases

  func store(_ storage: Storage, in folder: WorkFolder) throws -> Store {
    let template = try template()
    if let path = try folder.copy(of: template, for: storage) { return try Store.open(at: path) }
    // Through the store: whoever asks for GRDB's connection has results remember digests of their
    // rows, because it may be used behind their back.
    let store = try Store.inMemory()
    let stride = max(size / 10_000, 1)
    try store.write { transaction in
      for sql in [Self.table, Self.index, Self.otherTables] { try transaction.execute(sql) }
      _ = try transaction.insert(contentsOf: tracks)
      try transaction.execute("INSERT INTO picked SELECT id FROM track WHERE id % \(stride) = 0")
    }
    return store
  }

  func baseline(_ storage: Storage, in folder: WorkFolder) throws -> CDatabase {
    let template = try template()
    let path = try folder.copy(of: template, for: storage)
    let database = try CDatabase(path: path)
    if path == nil { try database.copyPages(of: template) }
    return database
  }

  func grdb(_ storage: Storage, in folder: WorkFolder) throws -> GRDBDatabase {
    let template = try template()
    let path = try folder.copy(of: template, for: storage)
    let database = try GRDBDatabase(path: path)
    if path == nil { try database.copyPages(of: template) }
    return database
  }

  // MARK: Empty databases

  static func emptyStore(
    _ storage: Storage, in folder: WorkFolder, schema: [String]
  ) throws -> Store {
    let store = storage == .file ? try Store.open(at: folder.newPath()) : try Store.inMemory()
    try store.write { for sql in schema { try $0.execute(sql) } }
    return store
  }
}
