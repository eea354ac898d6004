/// What follows the commits of one store: the center, and its live results, which read them first.
struct StoreCommits {
  let center: CommitCenter
  let results: FollowedResults

  /// - Parameter readers: Who else reads each transaction.
  init(readBy readers: [any CommitReader]) {
    let recorder = CommitRecorder()
    results = FollowedResults(recorder)
    center = CommitCenter(recorder, readers: [results] + readers)
  }
}
