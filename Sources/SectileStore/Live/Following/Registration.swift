/// Results that follow commits, and their plan.
final class Registration {
  /// Nil where the results are gone.
  private(set) weak var results: ResultsTracker?
  let plan: FollowedPlan

  init(_ results: ResultsTracker, following plan: FollowedPlan) {
    self.results = results
    self.plan = plan
  }
}
