internal import Sectile

/// One-row commits of which a live view must hear nothing.
struct CommitFilteredCase: GuardCase {
  static let name = "commit-filtered"
  static let summary = "commit one updated row, which the filter of one view keeps out"
  static let counts = Counts.short

  private var commits: Commits

  init() throws { commits = try Commits(views: [FetchRequest.indexed.filter { $0.rating >= 5 }]) }

  mutating func perform() throws { try commits.perform() }

  func verify(performed count: Int) throws { try commits.verify(delivered: 0) }
}
