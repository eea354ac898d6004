internal import GRDB
internal import Sectile

/// A store on a connection of GRDB's, and writing past the store.
struct AdoptedFile {
  let store: Store
  private let writer: any DatabaseWriter

  /// Adopts a queue, or a pool, on a file.
  init(
    _ path: String, isPool: Bool, configuration: StoreConfiguration
  ) throws {
    var grdb = Configuration()
    grdb.busyMode = .timeout(60)
    grdb.prepareDatabase { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF")
    }
    if isPool {
      let pool = try DatabasePool(path: path, configuration: grdb)
      store = try Store(adopting: pool, configuration: configuration)
      writer = pool
    } else {
      let queue = try DatabaseQueue(path: path, configuration: grdb)
      store = try Store(adopting: queue, configuration: configuration)
      writer = queue
    }
  }

  /// Commits through GRDB's connection.
  func writePast(_ statements: [String]) throws {
    try writer.write { db in
      for sql in statements { try db.execute(sql: sql) }
    }
  }

  /// Closes the store, then the connections.
  func close() throws {
    try store.close()
    try writer.close()
  }
}
