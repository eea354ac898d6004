internal import Sectile

/// Ten requests that differ in filter, order and sections, as the screens of one application do.
enum MixedRequests {
  static let all: [(request: FetchRequest<Track>, isWanted: @Sendable (Track) -> Bool)] = [
    (.indexed, { _ in true }),
    (.unindexed, { _ in true }),
    (FetchRequest().sort(by: \.title), { _ in true }),
    (FetchRequest().sort(by: \.addedAt, .descending), { _ in true }),
    (
      FetchRequest.indexed.filter { $0.duration > 500 },
      { $0.duration > 500 }
    ),
    (
      FetchRequest().filter { $0.genre == "Genre 0" }.sort(by: \.title),
      { $0.genre == "Genre 0" }
    ),
    (
      FetchRequest().filter { $0.duration < 90 }.sort(by: \.duration),
      { $0.duration < 90 }
    ),
    (FetchRequest().sectioned(by: \.artist).sort(by: \.title), { _ in true }),
    (
      FetchRequest().filter { $0.artist == "Artist 7" }.sort(by: \.addedAt),
      { $0.artist == "Artist 7" }
    ),
    (FetchRequest().sectioned(by: \.genre).sort(by: \.artist).sort(by: \.title), { _ in true }),
  ]
}
