/// The contents that a change is worked out from, but for the rows themselves.
struct Baseline: ~Copyable {
  let version: Int
  let node: VersionNode
  let batchSize: Int
  let epoch: Int
  let needsRefetch: Bool
  let queries: PlanQueries?
  /// The number of the contents.
  let number: Int
  /// The number of the contents after the change.
  let nextNumber: Int
}
