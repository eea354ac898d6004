internal import GRDB
internal import Synchronization

/// What one transaction of `Store.write` came to, for whoever listens.
struct WriteMeasurement {
  private let monitor: StoreMonitor
  /// When it began; nil where nobody listens.
  private let start: ContinuousClock.Instant?
  private let rowCount: Int

  init(of db: Database, _ monitor: StoreMonitor) {
    self.monitor = monitor
    start = monitor.start()
    rowCount = start == nil ? 0 : db.totalChangesCount
  }

  func didCommit(_ db: Database) {
    monitor.commitCount.add(1, ordering: .relaxed)
    guard let start else { return }
    let rows = db.totalChangesCount - rowCount
    monitor.tell(.committed(rows: rows, duration: start.duration(to: .now)))
  }

  func didRollBack() {
    monitor.rollbackCount.add(1, ordering: .relaxed)
    guard let start else { return }
    monitor.tell(.rolledBack(duration: start.duration(to: .now)))
  }
}
