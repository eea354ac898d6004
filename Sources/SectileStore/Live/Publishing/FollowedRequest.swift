import SectileCore

/// The request that live results follow, and what is known of it.
struct FollowedRequest {
  private(set) var plan: FetchPlan
  /// The plan's; by itself, because to ask the plan for it copies the plan.
  private(set) var batchSize: Int
  /// Its statements, which change on the writer only; nil before the first load.
  var queries: PlanQueries?
  /// See ``FetchPlan/requestNumber``; nil where nobody asked for it.
  private(set) var number: UInt64?
  /// The first version that shows the request; zero where it never was another.
  private(set) var shownSince = 0
  /// A place in the change log up to which everything is in what readers see; nil where none was
  /// asked for.
  private(set) var place: LogPlace?

  init(_ plan: FetchPlan) { (self.plan, batchSize) = (plan, plan.batchSize) }

  /// Follows a plan, which may be the same.
  ///
  /// - Parameters:
  ///   - new: The plan.
  ///   - queries: Its statements.
  ///   - version: The first version that shows it.
  mutating func follow(_ new: FetchPlan, by queries: PlanQueries?, from version: Int) {
    var former = plan
    plan = new
    batchSize = new.batchSize
    self.queries = queries
    // What it reads, and nobody named, is found out with each load.
    former.dependencies = new.dependencies
    guard new != former else { return }
    number = nil
    place = nil
    shownSince = version
  }

  /// Whether it is known to be one whose rows keep no digests by themselves.
  var keepsNoDigests: Bool { queries?.memory.keepsContent == false }

  /// Takes note of the number of a plan, if it is still the one that is followed.
  mutating func note(number: UInt64, of plan: FetchPlan) {
    if self.plan == plan { self.number = number }
  }

  mutating func note(_ place: LogPlace?) { self.place = place }
}
