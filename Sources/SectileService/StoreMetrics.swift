#if Service
  internal import Metrics
  internal import SectileStore

  /// The metrics of one store: see ``StoreConfiguration/report(to:metrics:dimensions:)``.
  struct StoreMetrics: Sendable {
    private let factory: any MetricsFactory
    private let dimensions: [(String, String)]
    private let commitDuration: Timer
    private let commitRows: Recorder
    private let rollbackDuration: Timer
    private let lockWait: Timer
    private let slowStatement: Timer
    private let checkpointDuration: Timer
    private let blockedCheckpoints: Counter
    private let failedPolls: Counter
    private let droppedEvents: Counter

    init(_ factory: any MetricsFactory, _ dimensions: [(String, String)]) {
      self.factory = factory
      self.dimensions = dimensions
      func timer(_ label: String) -> Timer {
        Timer(label: label, dimensions: dimensions, factory: factory)
      }
      func counter(_ label: String) -> Counter {
        Counter(label: label, dimensions: dimensions, factory: factory)
      }
      commitDuration = timer("sectile.commit.duration")
      commitRows = Recorder(
        label: "sectile.commit.rows", dimensions: dimensions, aggregate: true, factory: factory)
      rollbackDuration = timer("sectile.rollback.duration")
      lockWait = timer("sectile.lock.wait")
      slowStatement = timer("sectile.statement.slow")
      checkpointDuration = timer("sectile.checkpoint.duration")
      blockedCheckpoints = counter("sectile.checkpoint.blocked")
      failedPolls = counter("sectile.polls.failed")
      droppedEvents = counter("sectile.events.dropped")
    }

    func record(_ event: StoreEvent) {
      switch event.content {
      case .committed(let rows, let duration):
        commitDuration.record(duration: duration)
        commitRows.record(rows)
      case .rolledBack(let duration): rollbackDuration.record(duration: duration)
      case .resynced(let reason):
        counter("sectile.resyncs", by: ("reason", reason.description)).increment()
      case .waited(let duration): lockWait.record(duration: duration)
      case .slowStatement(_, let duration): slowStatement.record(duration: duration)
      case .readItems(let table, let count, let duration):
        counter("sectile.items.read", by: ("table", table)).increment(by: count)
        Timer(
          label: "sectile.items.read.duration", dimensions: dimensions + [("table", table)],
          factory: factory
        ).record(duration: duration)
      case .checkpointed(_, _, let duration): checkpointDuration.record(duration: duration)
      case .checkpointBlocked: blockedCheckpoints.increment()
      case .logNotWatched: break
      case .pollFailed: failedPolls.increment()
      case .dropped(let count): droppedEvents.increment(by: count)
      }
    }

    private func counter(_ label: String, by dimension: (String, String)) -> Counter {
      Counter(label: label, dimensions: dimensions + [dimension], factory: factory)
    }
  }
#endif
