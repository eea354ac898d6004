internal import Sectile

/// One-row commits with ten equal live views.
struct CommitTenViewsCase: GuardCase {
  static let name = "commit-10-views"
  static let summary = "commit one updated row, which moves in ten equal views"
  // So many that it is known by then what the rows are sorted by.
  static let counts = Counts(few: 500, many: 700)

  private var commits: Commits

  init() throws { commits = try Commits(views: Array(repeating: .indexed, count: 10)) }

  mutating func perform() throws { try commits.perform() }

  func verify(performed count: Int) throws { try commits.verify(delivered: count) }
}
