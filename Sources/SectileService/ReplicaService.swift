#if Service
  public import Logging
  public import Metrics
  public import SectileHub
  internal import SectileStore
  public import ServiceLifecycle

  /// Measures how far a replica is, and closes it when a service ends.
  ///
  /// As a ``StoreService`` it comes first in the list of a group, so that it ends last. The replica
  /// closes its store by itself.
  ///
  /// | Metric | Kind | What |
  /// |---|---|---|
  /// | `sectile.replica.lag` | gauge | seconds since the hub's last sign of life that has come |
  /// | `sectile.replica.health` | gauge | 0: current, 1: behind, 2: stopped, as `ReplicaStatus.health` says |
  /// | `sectile.replica.transactions` | gauge | transactions of the hub that this process has applied |
  /// | `sectile.replica.rows` | gauge | rows that they changed |
  /// | `sectile.replica.rejected` | gauge | mutations of this process that the hub has refused |
  /// | `sectile.replica.waiting` | gauge | changes of the outbox that have not reached the hub |
  ///
  /// Where the health becomes another one, that is logged.
  public struct ReplicaService: Service, CustomStringConvertible {
    private let replica: Replica
    private let logger: Logger
    private let interval: Duration
    private let lagLimit: Duration
    private let factory: any MetricsFactory
    private let dimensions: [(String, String)]

    /// Creates a service of an open replica.
    ///
    /// - Parameters:
    ///   - replica: The replica, which nobody else closes.
    ///   - logger: Where to log.
    ///   - factory: Where the metrics go; by default to the one that the process has set up.
    ///   - dimensions: What tells this replica's metrics from others'.
    ///   - interval: How often to look.
    ///   - limit: How old the hub's last sign of life may be.
    public init(
      _ replica: Replica, logger: Logger,
      metrics factory: any MetricsFactory = MetricsSystem.factory,
      dimensions: [(String, String)] = [], every interval: Duration = .seconds(10),
      lagLimit limit: Duration = .seconds(30)
    ) {
      (self.replica, self.logger) = (replica, logger)
      (self.factory, self.dimensions) = (factory, dimensions)
      (self.interval, lagLimit) = (interval, limit)
    }

    /// The service's name, for logs.
    public var description: String { "ReplicaService(\(replica.store.path ?? "in memory"))" }

    /// Measures until the service ends, and closes the replica.
    ///
    /// - Throws: A `StoreError` where the file cannot be closed.
    public func run() async throws {
      // A group that is cancelled instead of shut down ends here, too.
      await cancelWhenGracefulShutdown {
        var last = ReplicaHealth.current
        while !Task.isCancelled {
          last = await look(since: last)
          try? await Task.sleep(for: interval)
        }
      }
      try await replica.close()
      logger.info("the replica is closed")
    }

    /// Measures once, and logs where the health is another one than it was.
    private func look(since last: ReplicaHealth) async -> ReplicaHealth {
      let status = replica.status
      let health = status.health(lagLimit: lagLimit)
      if let lag = status.lag() { record("lag", lag / .seconds(1)) }
      record("health", Double(health.number))
      record("transactions", Double(status.appliedTransactionCount))
      record("rows", Double(status.appliedRowCount))
      record("rejected", Double(status.rejectedMutationCount))
      if let waiting = try? await replica.store.read({ try ReplicaFileState(in: $0)?.waitingCount })
      {
        record("waiting", Double(waiting))
      }
      guard health.kind != last.kind else { return health }
      let metadata: Logger.Metadata = health.reason.map { ["reason": "\($0)"] } ?? [:]
      switch health.kind {
      case .current: logger.info("the replica is current")
      case .stopped: logger.error("the replica has stopped", metadata: metadata)
      default: logger.warning("the replica is behind", metadata: metadata)
      }
      return health
    }

    private func record(_ label: String, _ value: Double) {
      Gauge(label: "sectile.replica.\(label)", dimensions: dimensions, factory: factory)
        .record(value)
    }
  }

  extension ReplicaHealth {
    /// The health as a gauge shows it.
    fileprivate var number: Int {
      switch kind {
      case .current: 0
      case .stopped: 2
      default: 1
      }
    }
  }
#endif
