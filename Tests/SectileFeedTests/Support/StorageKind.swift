import GRDB
import SectileStore
import SectileTestHelpers

/// The kinds of storage that a feed has to work on.
enum StorageKind: String, CaseIterable, Sendable {
  /// In memory, one connection.
  case memory
  /// On a file: WAL, a writer and readers.
  case file
  /// A GRDB pool on a file, adopted.
  case pool

  private func open(in folder: TemporaryFolder) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.synchronous = .off
    let path = folder.file("store.sqlite")
    switch self {
    case .memory: return try Store.inMemory(configuration: configuration, migrations: .none)
    case .file: return try Store.open(at: path, configuration: configuration, migrations: .none)
    case .pool:
      return try Store(
        adopting: DatabasePool(path: path), path: path, configuration: configuration,
        migrations: .none, readBy: [])
    }
  }

  /// Runs a closure with a store that has a table of songs, and closes and removes it afterwards.
  func withSongs<Result>(
    _ count: Int = 0, _ body: (Store, SectionedResults<Song>) async throws -> Result
  ) async throws -> Result {
    let folder = try TemporaryFolder()
    let store = try open(in: folder)
    try await store.write { transaction in
      try transaction.execute(Song.table)
      try transaction.insert(
        contentsOf: (0..<count).map { Song(id: Int64($0), artist: "\($0 % 7)", title: "\($0)") })
    }
    let results = try store.results(of: Song.request)
    try await results.load()
    let result = try await body(store, results)
    try await store.close()
    return result
  }
}
