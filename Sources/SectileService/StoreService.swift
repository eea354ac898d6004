#if Service
  public import Logging
  public import Metrics
  public import SectileStore
  public import ServiceLifecycle

  /// Closes a store when a service ends: last, when nobody uses it any more.
  ///
  /// A service group ends its services in the reverse order of their list. So the store comes
  /// first, and what ends the streams of clients comes last, because a server waits for its open
  /// connections:
  ///
  /// ```swift
  /// let group = ServiceGroup(
  ///   services: [
  ///     StoreService(store, logger: logger),
  ///     server,
  ///     StreamService { feed.finish() },
  ///   ],
  ///   gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
  /// try await group.run()
  /// ```
  ///
  /// Then the folder holds one file. Where the log had to stay beside it, it is logged why: as a
  /// warning where the file has everything all the same, and as an error where it does not.
  ///
  /// Until then it measures from time to time:
  ///
  /// | Metric | Kind | What |
  /// |---|---|---|
  /// | `sectile.log.bytes` | gauge | how many bytes SQLite's log takes on disk |
  /// | `sectile.calls.pending` | gauge | calls that wait for a connection |
  /// | `sectile.reads`, `sectile.commits`, `sectile.rollbacks` | gauge | transactions since the store was opened |
  /// | `sectile.checkpoints`, `sectile.audits` | gauge | how many there were since then |
  /// | `sectile.audits.mismatches` | gauge | results that differed from the file, though nobody had told of a change |
  /// | `sectile.views` | gauge | states of the file that loads and clients hold, which keep the log |
  /// | `sectile.views.age` | gauge | for how many seconds the oldest of them is held; zero where there is none |
  public struct StoreService: Service, CustomStringConvertible {
    private let store: Store
    private let logger: Logger
    private let interval: Duration
    private let factory: any MetricsFactory
    private let dimensions: [(String, String)]

    /// Creates a service of an open store.
    ///
    /// - Parameters:
    ///   - store: The store, which nobody else closes.
    ///   - logger: Where to log what closing came to.
    ///   - factory: Where the metrics go; by default to the one that the process has set up.
    ///   - dimensions: What tells this store's metrics from others', such as
    ///     `[("store", "packages")]`.
    ///   - interval: How often to measure.
    public init(
      _ store: Store, logger: Logger,
      metrics factory: any MetricsFactory = MetricsSystem.factory,
      dimensions: [(String, String)] = [], every interval: Duration = .seconds(10)
    ) {
      self.store = store
      self.logger = logger
      (self.factory, self.dimensions, self.interval) = (factory, dimensions, interval)
    }

    /// The service's name, for logs.
    public var description: String { "StoreService(\(store.path ?? "in memory"))" }

    /// Measures until the service ends, and closes the store.
    ///
    /// - Throws: A `StoreError` where the store cannot be closed.
    public func run() async throws {
      // A group that is cancelled instead of shut down ends here, too.
      await cancelWhenGracefulShutdown {
        while !Task.isCancelled {
          measure()
          try? await Task.sleep(for: interval)
        }
      }
      try await store.close()
      guard let outcome = store.closeOutcome else { return }
      logger.log(level: outcome.level, "\(outcome)")
    }

    private func measure() {
      let statistics = store.statistics
      record("log.bytes", Double(statistics.logByteCount))
      record("calls.pending", Double(statistics.pendingCallCount))
      record("reads", Double(statistics.readCount))
      record("commits", Double(statistics.commitCount))
      record("rollbacks", Double(statistics.rollbackCount))
      record("checkpoints", Double(statistics.checkpointCount))
      record("audits", Double(statistics.auditCount))
      record("audits.mismatches", Double(statistics.auditMismatchCount))
      record("views", Double(statistics.heldViewCount))
      record("views.age", (statistics.oldestViewAge ?? .zero) / .seconds(1))
    }

    private func record(_ label: String, _ value: Double) {
      Gauge(label: "sectile.\(label)", dimensions: dimensions, factory: factory).record(value)
    }
  }

  extension Store.CloseOutcome {
    fileprivate var level: Logger.Level {
      switch remainingLog {
      case nil, .adopted: .info
      // What others have written is theirs to copy.
      case .readOnly: .warning
      default: isComplete ? .warning : .error
      }
    }
  }
#endif
