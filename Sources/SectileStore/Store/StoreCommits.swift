/// What follows the commits of one store: the center, and its live results, which read them first.
struct StoreCommits {
  let center: CommitCenter
  let results: FollowedResults
  let monitor: StoreMonitor

  /// - Parameters:
  ///   - readers: Who else reads each transaction.
  ///   - monitor: What counts the store's work.
  init(readBy readers: [any CommitReader], _ monitor: StoreMonitor) {
    self.monitor = monitor
    let recorder = CommitRecorder()
    results = FollowedResults(recorder)
    center = CommitCenter(recorder, readers: [results] + readers, monitor)
  }
}
