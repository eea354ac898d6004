import GRDB

extension Database {
  /// Has SQLite take the time of each statement, where somebody wants to hear of those that are
  /// slow.
  func tellOfSlowStatements(to monitor: StoreMonitor) {
    guard let threshold = monitor.slowStatementThreshold else { return }
    trace(options: .profile) { event in
      guard case .profile(let statement, let seconds) = event else { return }
      let duration = Duration.seconds(seconds)
      guard duration >= threshold else { return }
      monitor.tell(.slowStatement(sql: statement.sql, duration: duration))
    }
  }
}
