internal import Sectile

/// One-row commits that nobody follows.
struct CommitCase: GuardCase {
  static let name = "commit"
  static let summary = "commit one updated row, without a view"
  static let counts = Counts.short

  private var commits: Commits

  init() throws { commits = try Commits(views: []) }

  mutating func perform() throws { try commits.perform() }

  func verify(performed count: Int) throws { try commits.verify(delivered: 0) }
}
