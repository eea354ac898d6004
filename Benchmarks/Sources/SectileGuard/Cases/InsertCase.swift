internal import Sectile

/// Inserting many rows in one transaction, into a table without an index.
struct InsertCase: GuardCase {
  static let name = "insert"
  static let summary = "insert 5,000 entities in one transaction"
  static let counts = Counts.long

  private let store: Store
  private var tracks: [Track]

  init() throws {
    store = try TrackStore.empty()
    var generator = TrackGenerator()
    tracks = generator.tracks(TrackStore.size)
  }

  mutating func perform() throws {
    let tracks = tracks
    _ = try store.write { try $0.insert(contentsOf: tracks) }
    // The next ones follow; that is next to nothing beside the insertion.
    for position in tracks.indices { self.tracks[position].id += Int64(tracks.count) }
  }

  func verify(performed count: Int) throws {
    let rows = try store.read { try $0.fetchAll(FetchRequest<Track>()).count }
    try check(rows == count * TrackStore.size, "\(rows) rows were inserted")
  }
}
