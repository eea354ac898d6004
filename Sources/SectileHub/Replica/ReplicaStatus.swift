public import FoundationEssentials

/// Where a replica stands, as this process sees it.
public struct ReplicaStatus: Sendable {
  /// What it is doing.
  public enum Phase: Sendable {
    /// Another process follows the hub for this file.
    case following(elsewhere: Bool)
    /// It is on its way to the hub.
    case connecting
    /// It reads all rows of the hub: how many have come, and about how many there are.
    case copying(rowCount: Int, estimate: Int?)
    /// It compares rows, and writes those that differ.
    case comparing
    /// The hub cannot be reached; when it is tried again.
    case waiting(any Error, until: Date)
    /// It does not apply anything any more; why.
    case stopped(HubError)
    /// It is closed.
    case closed
  }

  /// What it is doing.
  public internal(set) var phase = Phase.connecting
  /// Where the file stands; nil while it is new.
  public internal(set) var token: HubToken?
  /// When the hub last said anything to this process; nil for never.
  public internal(set) var lastContact: Date?
  /// When the hub wrote the last sign of life that has arrived, by the hub's clock.
  public internal(set) var heartbeat: Date?
  /// How late the last sign of life was when it arrived; the clocks of both machines are in it.
  public internal(set) var measuredLag: Duration?
  /// When the last sign of life arrived here, by a clock that nobody sets; nil where none has since
  /// this process runs.
  var heartbeatArrival: ContinuousClock.Instant?
  /// Why the hub's commits could not be applied the last time; nil where they were since.
  var trouble: String?
  /// How many transactions of the hub this process has applied.
  public internal(set) var appliedTransactionCount = 0
  /// How many rows they changed.
  public internal(set) var appliedRowCount = 0
  /// How many transactions of the file they were put in.
  public internal(set) var commitCount = 0
  /// How many mutations of this process the hub has refused.
  public internal(set) var rejectedMutationCount = 0
  /// How often this process has compared all rows.
  public internal(set) var resyncCount = 0
  /// The last time that it did.
  public internal(set) var lastResync: ReplicaResync?

  /// How long ago the hub wrote the last sign of life that has arrived; nil where none has.
  ///
  /// It grows while nothing arrives, whatever the connection looks like: a stream may look alive
  /// and bring nothing. The clocks of both machines are in it; where this one is behind, it is at
  /// least how long ago the sign arrived.
  public func lag(at now: Date = Date()) -> Duration? {
    heartbeat.map { max(.seconds(now.timeIntervalSince($0)), heartbeatAge ?? .zero) }
  }

  /// How long ago the last sign of life arrived in this process; nil where none has.
  var heartbeatAge: Duration? { heartbeatArrival.map { $0.duration(to: .now) } }
}
