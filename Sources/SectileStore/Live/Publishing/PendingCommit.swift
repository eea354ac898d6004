/// What a transaction comes to for one results object, until it has ended.
struct PendingCommit {
  let results: ResultsTracker
  /// The epoch of the results; what belongs to an earlier one is dropped.
  let epoch: Int
  /// Nil once it was handed on: to copy it is to retain all that it refers to.
  var outcome: CommitOutcome?
}
