internal import Sectile

/// One-row commits that change numbers, with one live view.
struct CommitNumbersCase: GuardCase {
  static let name = "commit-numbers"
  static let summary = "commit one updated row with other numbers, which moves in one view"
  static let counts = CommitViewCase.counts

  private var commits: Commits

  init() throws { commits = try Commits.ofNumbers(.indexed) }

  mutating func perform() throws { try commits.perform() }

  func verify(performed count: Int) throws { try commits.verify(delivered: count) }
}

/// The same commits, with five aggregates of the numbers, of which four change in the section and
/// in all.
struct CommitAggregatesCase: GuardCase {
  static let name = "commit-aggregates"
  static let summary = "commit one updated row, which changes four of five aggregates of one view"
  static let counts = CommitViewCase.counts
  // The goal is 1.5; it is 1.7, and must not become more.
  static let most: MostTimes? = MostTimes(1.85, CommitNumbersCase.name)

  private var commits: Commits

  init() throws {
    commits = try Commits.ofNumbers(
      FetchRequest.indexed.aggregating(
        Aggregate<Track, Int>.count(), Aggregate.sum(\Track.rating),
        Aggregate.average(\Track.rating), Aggregate.sum(\Track.addedAt),
        Aggregate.average(\Track.addedAt)))
  }

  mutating func perform() throws { try commits.perform() }

  func verify(performed count: Int) throws { try commits.verify(delivered: count) }
}

extension Commits {
  fileprivate static func ofNumbers(_ view: FetchRequest<Track>) throws -> Commits {
    try Commits(views: [view]) { track in
      track.rating += 7
      track.addedAt += 1_000
    }
  }
}
