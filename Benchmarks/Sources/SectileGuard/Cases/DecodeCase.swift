internal import Sectile

/// Decoding every column of every row.
struct DecodeCase: GuardCase {
  static let name = "decode"
  static let summary = "fetch 5,000 rows as entities"
  static let counts = Counts.long

  private let store: Store
  private let tracks: [Track]
  private var fetched: [Track] = []

  init() throws { (store, tracks) = try TrackStore.make() }

  mutating func perform() throws {
    fetched = try store.read { try $0.fetchAll(FetchRequest<Track>()) }
  }

  func verify(performed count: Int) throws {
    try check(fetched == tracks, "other rows were fetched than inserted")
  }
}
