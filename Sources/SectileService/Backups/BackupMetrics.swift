#if Service
  internal import Metrics

  // No Foundation here: its Timer is another one.

  /// The metrics of a ``BackupService``.
  struct BackupMetrics: Sendable {
    private let duration: Timer
    private let size: Gauge
    private let age: Gauge
    private let copies: Gauge
    private let failures: Counter

    init(_ factory: any MetricsFactory, _ dimensions: [(String, String)]) {
      func gauge(_ label: String) -> Gauge {
        Gauge(label: "sectile.backup.\(label)", dimensions: dimensions, factory: factory)
      }
      duration = Timer(
        label: "sectile.backup.duration", dimensions: dimensions, factory: factory)
      (size, age, copies) = (gauge("bytes"), gauge("age"), gauge("copies"))
      failures = Counter(
        label: "sectile.backup.failures", dimensions: dimensions, factory: factory)
    }

    /// Notes a copy.
    func made(_ byteCount: Int64, in time: Duration) {
      duration.record(duration: time)
      size.record(byteCount)
    }

    /// Notes how old the latest copy is, in seconds.
    func note(age seconds: Double) { age.record(seconds) }

    /// Notes how many copies there are.
    func note(copies count: Int) { copies.record(count) }

    /// Notes a copy that has failed.
    func failed() { failures.increment() }
  }
#endif
