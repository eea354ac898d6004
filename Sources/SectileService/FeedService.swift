#if Service
  public import Logging
  public import Metrics
  public import SectileCore
  public import SectileFeed
  public import ServiceLifecycle

  /// Measures the clients of a feed, and ends it when a service is asked to end.
  ///
  /// It stands behind the server in the list of a service group, as a ``StreamService`` does: so
  /// the server need not wait for its clients.
  ///
  /// ```swift
  /// let group = ServiceGroup(
  ///   services: [
  ///     StoreService(store, logger: logger), server,
  ///     FeedService(feed, logger: logger, dimensions: [("feed", "parcels")]),
  ///   ],
  ///   gracefulShutdownSignals: [.sigterm], logger: logger)
  /// ```
  ///
  /// | Metric | Kind | What |
  /// |---|---|---|
  /// | `sectile.feed.clients` | gauge | clients that follow the feed |
  /// | `sectile.feed.behind` | gauge | clients that have not asked for more since the last change |
  /// | `sectile.feed.dropped` | gauge | clients that were dropped, because they were too slow |
  /// | `sectile.feed.bytes` | gauge | bytes that are kept for clients |
  ///
  /// Where clients were dropped since the last look, that is logged as a notice.
  public struct FeedService: Service, CustomStringConvertible {
    /// The service's name, for logs.
    public let description: String
    private let statistics: @Sendable () -> FeedStatistics
    private let finish: @Sendable () -> Void
    private let logger: Logger
    private let interval: Duration
    private let factory: any MetricsFactory
    private let dimensions: [(String, String)]

    /// Creates a service of a feed.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - name: A name for logs.
    ///   - logger: Where to log clients that were too slow.
    ///   - factory: Where the metrics go; by default to the one that the process has set up.
    ///   - dimensions: What tells this feed's metrics from others', such as
    ///     `[("feed", "parcels")]`.
    ///   - interval: How often to measure.
    public init<Source: DataSource, Subscriber: Sendable>(
      _ feed: Feed<Source, Subscriber>, named name: String = "FeedService", logger: Logger,
      metrics factory: any MetricsFactory = MetricsSystem.factory,
      dimensions: [(String, String)] = [], every interval: Duration = .seconds(10)
    ) {
      description = name
      statistics = { feed.statistics }
      finish = { feed.finish() }
      (self.logger, self.interval) = (logger, max(interval.waitable, .milliseconds(1)))
      (self.factory, self.dimensions) = (factory, dimensions)
    }

    /// Measures until the service ends, and ends the feed: its clients are told what was kept for
    /// them, and then their streams end.
    public func run() async {
      await cancelWhenGracefulShutdown {
        var droppedCount = 0
        while !Task.isCancelled {
          droppedCount = measure(since: droppedCount)
          try? await Task.sleep(for: interval)
        }
      }
      finish()
    }

    /// Measures once; returns how many clients were dropped so far.
    private func measure(since droppedCount: Int) -> Int {
      let statistics = self.statistics()
      record("clients", statistics.clientCount)
      record("behind", statistics.behindCount)
      record("dropped", statistics.droppedCount)
      record("bytes", statistics.keptByteCount)
      let newCount = statistics.droppedCount - droppedCount
      if newCount > 0 {
        logger.notice(
          "clients were too slow, and were dropped", metadata: ["clients": "\(newCount)"])
      }
      return statistics.droppedCount
    }

    private func record(_ label: String, _ value: Int) {
      Gauge(label: "sectile.feed.\(label)", dimensions: dimensions, factory: factory).record(value)
    }
  }
#endif
