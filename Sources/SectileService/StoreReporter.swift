#if Service
  public import Metrics
  public import Logging
  public import SectileStore

  extension StoreConfiguration {
    /// Has what the store does logged and measured.
    ///
    /// ```swift
    /// var configuration = StoreConfiguration()
    /// configuration.report(to: Logger(label: "store"))
    /// let store = try await Store.open(at: "packages.sqlite", configuration: configuration)
    /// ```
    ///
    /// What wants attention is logged as a warning: statements that are slow, looks for changes of
    /// others that fail, a log of SQLite that grows because somebody reads for long, or that the
    /// system cannot watch, events that were lost. Waiting for locks and reading everything again
    /// are `info`, rollbacks and checkpoints `debug`, commits and reads of items `trace`. Log
    /// entries hold no stored values.
    ///
    /// | Metric | Kind | What |
    /// |---|---|---|
    /// | `sectile.commit.duration` | timer | transactions that were committed |
    /// | `sectile.commit.rows` | recorder | rows that each of them has written |
    /// | `sectile.rollback.duration` | timer | transactions that were rolled back |
    /// | `sectile.resyncs` | counter, by `reason` | live results read everything again |
    /// | `sectile.lock.wait` | timer | waiting for locks of other connections |
    /// | `sectile.statement.slow` | timer | statements that are slow |
    /// | `sectile.items.read` | counter, by `table` | items that nobody remembered |
    /// | `sectile.items.read.duration` | timer, by `table` | reading a batch of them |
    /// | `sectile.checkpoint.duration` | timer | checkpoints that were asked for |
    /// | `sectile.checkpoint.blocked` | counter | the log got long because somebody reads an older state |
    /// | `sectile.polls.failed` | counter | looks for changes of others that failed |
    /// | `sectile.events.dropped` | counter | events that nobody knows any more |
    ///
    /// ``StoreService`` tells how large the log is. Who listened before is called, too.
    ///
    /// - Parameters:
    ///   - logger: Where to log.
    ///   - factory: Where the metrics go; by default to the one that the process has set up.
    ///   - dimensions: What tells this store's metrics from others', such as
    ///     `[("store", "packages")]`.
    public mutating func report(
      to logger: Logger, metrics factory: any MetricsFactory = MetricsSystem.factory,
      dimensions: [(String, String)] = []
    ) {
      let (former, metrics) = (onEvent, StoreMetrics(factory, dimensions))
      onEvent = { event in
        former?(event)
        metrics.record(event)
        logger.log(event)
      }
    }
  }

  extension Logger {
    fileprivate func log(_ event: StoreEvent) {
      let level: Logger.Level =
        switch event.content {
        case .committed, .readItems: .trace
        case .rolledBack, .checkpointed: .debug
        case .resynced, .waited: .info
        case .slowStatement, .pollFailed, .checkpointBlocked, .logNotWatched, .dropped: .warning
        }
      log(level: level, "\(event)", metadata: event.metadata)
    }
  }

  extension StoreEvent {
    /// What log handlers can search and count.
    fileprivate var metadata: Logger.Metadata {
      switch content {
      case .committed(let rows, let duration):
        ["rows": "\(rows)", "milliseconds": duration.milliseconds]
      case .rolledBack(let duration), .waited(let duration):
        ["milliseconds": duration.milliseconds]
      case .resynced(let reason): ["reason": "\(reason)"]
      case .slowStatement(let sql, let duration):
        ["sql": "\(sql)", "milliseconds": duration.milliseconds]
      case .readItems(let table, let count, let duration):
        ["table": "\(table)", "items": "\(count)", "milliseconds": duration.milliseconds]
      case .checkpointed(let pages, let copied, let duration):
        [
          "log-pages": "\(pages)", "copied-pages": "\(copied)",
          "milliseconds": duration.milliseconds,
        ]
      case .checkpointBlocked(let holder, let logByteCount):
        ["by": "\(holder)", "log-bytes": "\(logByteCount)"]
      case .logNotWatched: [:]
      case .pollFailed(let error): ["code": "\(error.code)"]
      case .dropped(let count): ["events": "\(count)"]
      }
    }
  }

  extension Duration {
    fileprivate var milliseconds: Logger.MetadataValue { "\(self / .milliseconds(1))" }
  }
#endif
