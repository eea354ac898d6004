internal import Sectile

/// One-row commits with one live view.
struct CommitViewCase: GuardCase {
  static let name = "commit-view"
  static let summary = "commit one updated row, which moves in one view"
  // So many that it is known by then what the rows are sorted by.
  static let counts = Counts(few: 500, many: 700)

  private var commits: Commits

  init() throws { commits = try Commits(views: [.indexed]) }

  mutating func perform() throws { try commits.perform() }

  func verify(performed count: Int) throws { try commits.verify(delivered: count) }
}
