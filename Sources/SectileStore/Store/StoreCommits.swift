/// What follows the commits of one store: the center, and its live results, which read them first.
struct StoreCommits {
  let center: CommitCenter
  let results: FollowedResults
  let monitor: StoreMonitor

  /// - Parameters:
  ///   - readers: Who else reads each transaction.
  ///   - configuration: What is kept of a change log.
  ///   - monitor: What counts the store's work.
  init(
    readBy readers: [any CommitReader], _ configuration: StoreConfiguration, _ monitor: StoreMonitor
  ) {
    self.monitor = monitor
    let recorder = CommitRecorder()
    results = FollowedResults(recorder)
    center = CommitCenter(
      recorder, readers: [results] + readers, keeping: configuration.changeLogRetention, monitor)
  }
}
