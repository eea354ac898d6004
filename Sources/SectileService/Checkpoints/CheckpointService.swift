#if Service
  public import Logging
  public import Metrics
  internal import SectileCore
  public import SectileStore
  public import ServiceLifecycle

  /// Copies SQLite's log into the file when a store has time, so that commits need not.
  ///
  /// ```swift
  /// var configuration = StoreConfiguration()
  /// configuration.automaticCheckpointPageCount = 0  // no commit pays for it
  /// let store = try await Store.open(at: path, configuration: configuration)
  /// let group = ServiceGroup(
  ///   services: [
  ///     StoreService(store, logger: logger), CheckpointService(store, logger: logger), server,
  ///   ],
  ///   gracefulShutdownSignals: [.sigterm], logger: logger)
  /// ```
  ///
  /// It copies when the store has committed nothing for a while, and does not wait for quiet where
  /// the log is long. That waits for nobody. What somebody reads of an older state stays in the
  /// log: then the service says once, as a warning, who is in the way, and tries less and less
  /// often, up to once a minute. Where the log is long and it is not the store itself that reads,
  /// it has writers wait for these readers, for `StoreConfiguration.busyTimeout` at most.
  ///
  /// Who that is, is known as far as SQLite tells: of the store's own loads and clients by name, as
  /// `Store.Statistics.oldestViewOwner` has it; of other connections and processes, that there is
  /// one. Commits of other processes do not count as the store's.
  ///
  /// | Metric | Kind | What |
  /// |---|---|---|
  /// | `sectile.checkpoint.remaining` | gauge | pages that the last attempt has left in the log; zero where it has copied all |
  /// | `sectile.checkpoint.attempts` | gauge | attempts in a row that somebody was in the way of |
  ///
  /// `StoreConfiguration.report(to:metrics:dimensions:)` measures each checkpoint.
  public struct CheckpointService: Service, CustomStringConvertible {
    private let store: Store
    private let idle: Duration
    private let logByteLimit: Int
    private let logger: Logger
    private let factory: any MetricsFactory
    private let dimensions: [(String, String)]
    private let clock: any Clock<Duration>

    /// Creates a service of an open store.
    ///
    /// - Parameters:
    ///   - store: The store. One in memory has no log, and nothing is done.
    ///   - idle: For how long the store has to have committed nothing.
    ///   - logByteLimit: From how many bytes on the log is long; 16 MiB by default.
    ///   - logger: Where to log who is in the way.
    ///   - factory: Where the metrics go; by default to the one that the process has set up.
    ///   - dimensions: What tells this store's metrics from others', such as
    ///     `[("store", "packages")]`.
    ///   - clock: What is slept by; a clock of the tests' own, in tests.
    public init(
      _ store: Store, idle: Duration = .seconds(2), logByteLimit: Int = 16 * 1024 * 1024,
      logger: Logger, metrics factory: any MetricsFactory = MetricsSystem.factory,
      dimensions: [(String, String)] = [], clock: any Clock<Duration> = ContinuousClock()
    ) {
      (self.store, self.logger, self.clock) = (store, logger, clock)
      (self.factory, self.dimensions) = (factory, dimensions)
      self.idle = max(idle.waitable, .milliseconds(1))
      self.logByteLimit = logByteLimit
    }

    /// The service's name, for logs.
    public var description: String { "CheckpointService(\(store.path ?? "in memory"))" }

    /// Copies the log until the service ends.
    public func run() async {
      // What is begun is not given up: it is short, and the store is closed after it.
      try? await cancelWhenGracefulShutdown {
        var plan = CheckpointPlan(
          logByteLimit: logByteLimit, restLimit: Int(Self.longestRest / idle))
        let pageSize = await self.pageSize
        while true {
          await look(&plan, pageSize)
          try await clock.sleep(for: idle)
        }
      }
    }

    /// For how long nothing is tried at most.
    private static var longestRest: Duration { .seconds(60) }

    /// How many bytes a page has; SQLite's default where nobody can read.
    private var pageSize: Int {
      get async {
        let value = try? await store.read { try $0.query("PRAGMA page_size").first?.values.first }
        guard case .integer(let size)? = value else { return 4_096 }
        return Int(size)
      }
    }

    private func look(_ plan: inout CheckpointPlan, _ pageSize: Int) async {
      let statistics = store.statistics
      let step = plan.look(
        commitCount: statistics.commitCount, logByteCount: statistics.logByteCount,
        holdsViews: statistics.heldViewCount > 0)
      guard step != .nothing else { return }
      let wasBlocked = plan.isBlocked
      do {
        let result = try await store.checkpoint(step == .restart ? .restart : .passive)
        plan.note(
          commitCount: statistics.commitCount, usedByteCount: result.logPageCount * pageSize,
          isComplete: result.isComplete)
        record("remaining", result.logPageCount - result.copiedPageCount)
        if !result.isComplete, !wasBlocked { tellHolder(of: store.statistics) }
      } catch is CancellationError {
        return
      } catch let error as StoreError where error.code == .busy {
        plan.note(commitCount: statistics.commitCount, isComplete: false)
        if !wasBlocked { logger.warning("somebody keeps SQLite's log", error) }
      } catch {
        plan.note(commitCount: statistics.commitCount, isComplete: false)
        if !wasBlocked { logger.error("SQLite's log cannot be copied", error) }
      }
      record("attempts", plan.blockedCount)
      if wasBlocked, !plan.isBlocked { logger.info("SQLite's log is copied again") }
    }

    private func tellHolder(of statistics: Store.Statistics) {
      let holder = statistics.oldestViewOwner ?? "another connection or process"
      var metadata: Logger.Metadata = [
        "by": "\(holder)", "log-bytes": "\(statistics.logByteCount)",
      ]
      if let age = statistics.oldestViewAge { metadata["seconds"] = "\(age / .seconds(1))" }
      logger.warning("somebody keeps SQLite's log", metadata: metadata)
    }

    private func record(_ label: String, _ value: Int) {
      Gauge(label: "sectile.checkpoint.\(label)", dimensions: dimensions, factory: factory)
        .record(value)
    }
  }

  extension Logger {
    fileprivate func warning(_ message: Logger.Message, _ error: any Error) {
      warning(message, metadata: ["error": "\(error)"])
    }

    fileprivate func error(_ message: Logger.Message, _ error: any Error) {
      self.error(message, metadata: ["error": "\(error)"])
    }
  }
#endif
