public import SectileStore

/// How a replica follows its hub.
public struct ReplicaConfiguration: Sendable {
  /// How its file is opened.
  ///
  /// Commits wait for the disk unless it says otherwise: only what is there is confirmed to the
  /// hub.
  public var store = StoreConfiguration()
  /// Whether the file has a change log, by which other processes follow it row by row.
  public var keepsChangeLog = true
  /// Which version of the hub's schema this program is made for; nil for whichever.
  public var schemaVersion: Int?
  /// The tables that may be written to without waiting for the hub, with ``Replica/enqueue(_:)``.
  public var offlineTables: Set<String> = []
  /// How many transactions of the hub are applied in one of the file's at most.
  public var groupLimit = 500
  /// How often the replica says how far it is where nothing happens.
  public var idleInterval = Duration.seconds(5)
  /// How old the hub's last sign of life may be until the replica has the hub commit another; nil
  /// for never.
  ///
  /// By these a replica tells how late it is, and knows the hub again. Whichever replica is first
  /// does it for all.
  public var heartbeatInterval: Duration? = .seconds(5)
  /// How long the replica waits before it tries again to reach the hub: the first time, and at
  /// most.
  ///
  /// Each time it is twice as long.
  public var retryDelays = Duration.milliseconds(100)...Duration.seconds(5)
  /// How long a write may try to reach the hub, and to see its rows come back.
  public var writeTimeout = Duration.seconds(30)
  /// Hears what happens, on the task that follows the hub: it must return soon.
  public var onEvent: (@Sendable (ReplicaEvent) -> Void)?

  /// Creates a configuration.
  public init() {}
}

extension ReplicaConfiguration {
  /// Refuses versions of the hub's schema among which this program's is not.
  func refuse(_ versions: ClosedRange<Int>?) throws(HubError) {
    guard let versions, let schemaVersion, !admits(versions) else { return }
    throw HubError(
      .schemaAhead,
      message:
        "The hub's tables are for versions \(versions.lowerBound) to \(versions.upperBound), "
        + "and this program is made for version \(schemaVersion)",
      hint:
        "Deploy a program for one of these versions. Until then the rows that are here are served on."
    )
  }

  /// Whether this program's version is among versions of the hub's schema.
  func admits(_ versions: ClosedRange<Int>?) -> Bool {
    guard let versions, let schemaVersion else { return true }
    return versions.contains(schemaVersion)
  }
}
