internal import Sectile
internal import SectileFeed

/// What the store has done, in the text format of Prometheus.
enum MetricsText {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  static func of(
    _ statistics: Store.Statistics, streams: FeedResponse.Statistics, keptFeedBytes: Int
  ) -> String {
    let metrics: [(name: String, kind: String, value: Int)] = [
      ("sectile_reads_total", "counter", statistics.readCount),
      ("sectile_commits_total", "counter", statistics.commitCount),
      ("sectile_rollbacks_total", "counter", statistics.rollbackCount),
      ("sectile_resyncs_total", "counter", statistics.resyncCount),
      ("sectile_lock_waits_total", "counter", statistics.waitCount),
      ("sectile_failed_polls_total", "counter", statistics.failedPollCount),
      ("sectile_pending_calls", "gauge", statistics.pendingCallCount),
      ("sectile_held_views", "gauge", statistics.heldViewCount),
      ("sectile_log_bytes", "gauge", statistics.logByteCount),
      ("sectile_feed_kept_bytes", "gauge", keptFeedBytes),
      ("parcels_open_streams", "gauge", streams.openStreams),
      ("parcels_stalled_streams_total", "counter", streams.stalledStreams),
    ]
    return metrics.map { "# TYPE \($0.name) \($0.kind)\n\($0.name) \($0.value)\n" }.joined()
  }
}
