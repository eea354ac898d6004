#if Service
  internal import Foundation
  public import Logging
  public import Metrics
  internal import SectileCore
  public import SectileStore
  public import ServiceLifecycle

  /// Copies a database into a folder by a schedule, and removes copies that are too many.
  ///
  /// ```swift
  /// var configuration = BackupService.Configuration()
  /// configuration.schedule = .daily(hour: 3, minute: 30)
  /// let group = ServiceGroup(
  ///   services: [
  ///     StoreService(store, logger: logger),
  ///     BackupService(of: store, to: "/var/backups/parcels", configuration, logger: logger),
  ///     server,
  ///   ],
  ///   gracefulShutdownSignals: [.sigterm], logger: logger)
  /// ```
  ///
  /// It stands behind the store's service in the list of a group, so that it ends before the store
  /// is closed.
  ///
  /// Reads and writes go on while a copy is made: see `Store.backup(to:)`. A copy is written under
  /// another name, checked with `PRAGMA quick_check`, and gets its name when it is whole and on the
  /// disk; what a process that was killed has left is removed before the next one. Copies are
  /// removed only after a new one is there, so the last good one stays whatever happens: where the
  /// disk is full, where the database is damaged, where the clock is wrong.
  ///
  /// A copy that fails is logged as an error, and tried again after a wait that grows; the schedule
  /// goes on when it has succeeded.
  ///
  /// | Metric | Kind | What |
  /// |---|---|---|
  /// | `sectile.backup.age` | gauge | seconds since the latest good copy was made, whichever process made it |
  /// | `sectile.backup.duration` | timer | making and checking a copy |
  /// | `sectile.backup.bytes` | gauge | the size of the latest copy |
  /// | `sectile.backup.copies` | gauge | the copies in the folder |
  /// | `sectile.backup.failures` | counter | copies that have failed |
  public struct BackupService: Service, CustomStringConvertible {
    private let store: Store
    private let folder: BackupFolder
    private let configuration: Configuration
    private let logger: Logger
    private let metrics: BackupMetrics

    /// Creates a service of an open store.
    ///
    /// - Parameters:
    ///   - store: What is copied.
    ///   - folder: The path of the folder; it is created where there is none.
    ///   - configuration: When copies are made, and which are kept.
    ///   - logger: Where to log copies, and what goes wrong.
    ///   - factory: Where the metrics go; by default to the one that the process has set up.
    ///   - dimensions: What tells this store's metrics from others', such as
    ///     `[("store", "packages")]`.
    /// - Precondition: The configuration's name can be the beginning of the name of a file.
    public init(
      of store: Store, to folder: String, _ configuration: Configuration = Configuration(),
      logger: Logger, metrics factory: any MetricsFactory = MetricsSystem.factory,
      dimensions: [(String, String)] = []
    ) {
      let name = configuration.name
      precondition(
        !name.isEmpty && !name.contains("/") && !name.contains("\0"),
        "'\(name)' cannot be the beginning of the name of a file")
      self.store = store
      self.folder = BackupFolder(
        path: URL(fileURLWithPath: folder, isDirectory: true).path, name: name)
      (self.configuration, self.logger) = (configuration, logger)
      metrics = BackupMetrics(factory, dimensions)
    }

    /// The service's name, for logs.
    public var description: String { "BackupService(\(folder.path))" }

    /// Makes copies until the service ends.
    public func run() async {
      let random = Jitter(seed: configuration.jitterSeed)
      var last = latestDate
      var failureCount = 0
      var due = dueDate(after: last, random)
      while await isTime(due, since: last) {
        do {
          let date = try await copyUntilShutdown()
          (last, failureCount) = (date, 0)
          due = dueDate(after: date, random)
        } catch is CancellationError {
          return
        } catch {
          failureCount += 1
          let delay = configuration.delay(after: failureCount, jitter: random.next())
          due = configuration.now().addingTimeInterval(delay / .seconds(1))
          metrics.failed()
          logger.error(
            "the backup failed, and is tried again",
            metadata: [
              "error": "\(error)", "failures": "\(failureCount)",
              "seconds": "\(delay / .seconds(1))",
            ])
        }
      }
    }

    /// Makes a copy now, besides those of the schedule, and removes those that are too many.
    ///
    /// ```swift
    /// let path = try await backups.backUp()  // before a migration, say
    /// ```
    ///
    /// - Returns: The path of the copy.
    /// - Throws: A `StoreError`: what `Store.backup(to:)` throws, such as `diskFull` or `corrupt`;
    ///   `cannotOpen` where the folder cannot be used. `CancellationError` where the task is
    ///   cancelled: then nothing is left of the copy.
    @discardableResult
    public func backUp() async throws -> String { folder.path(of: try await makeCopy()) }

    // MARK: - When

    private var latestDate: Date? {
      let limit = configuration.now().addingTimeInterval(BackupFolder.lead)
      return (try? folder.dates())?.filter { $0 <= limit }.max()
    }

    private func dueDate(after last: Date?, _ random: Jitter) -> Date {
      let (schedule, now) = (configuration.schedule, configuration.now())
      let jitter = schedule.jitter * random.next()
      return schedule.date(after: last, asOf: now, in: configuration.calendar)
        .addingTimeInterval(jitter / .seconds(1))
    }

    /// Waits until it is time for a copy; returns whether the service goes on.
    private func isTime(_ due: Date, since last: Date?) async -> Bool {
      do {
        try await cancelWhenGracefulShutdown {
          while true {
            let now = configuration.now()
            if let last { metrics.note(age: max(0, now.timeIntervalSince(last))) }
            let rest = due.timeIntervalSince(now)
            guard rest > 0 else { return }
            // A clock that is put right, and a machine that has slept, are noticed.
            try await configuration.clock.sleep(for: min(Duration.seconds(rest), Self.longestSleep))
          }
        }
      } catch {
        return false
      }
      return !Task.isCancelled && !Task.isShuttingDownGracefully
    }

    /// How long nobody looks which time it is.
    private static var longestSleep: Duration { .seconds(60) }

    // MARK: - Copies

    private func copyUntilShutdown() async throws -> Date {
      if configuration.finishesOnShutdown { return try await makeCopy() }
      return try await cancelWhenGracefulShutdown { try await makeCopy() }
    }

    /// Makes a copy, and removes those that are too many.
    private func makeCopy() async throws -> Date {
      try folder.prepare()
      let start = ContinuousClock.now
      let date = try folder.freeDate(from: configuration.now())
      let path = folder.path(of: date)
      let report = try await store.backup(to: path)
      let time = start.duration(to: .now)
      metrics.made(report.size, in: time)
      metrics.note(age: 0)
      logger.info(
        "backed up",
        metadata: [
          "path": "\(path)", "bytes": "\(report.size)",
          "milliseconds": "\(time / .milliseconds(1))",
        ])
      if let reason = report.uncheckedReason {
        logger.warning(
          "SQLite cannot check the backup", metadata: ["path": "\(path)", "reason": "\(reason)"])
      }
      removeOld(asOf: date)
      return date
    }

    private func removeOld(asOf date: Date) {
      do {
        let dates = try folder.dates()
        let kept = configuration.retention.kept(of: dates, asOf: date, in: configuration.calendar)
        var count = dates.count
        for old in dates where !kept.contains(old) {
          try folder.remove(old)
          count -= 1
        }
        metrics.note(copies: count)
      } catch {
        // The new copy is there. What is too many is removed after the next one.
        logger.warning("old backups cannot be removed", metadata: ["error": "\(error)"])
      }
    }
  }
#endif
