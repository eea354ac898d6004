extension StoreEvent {
  /// What kind of event it is.
  ///
  /// Kinds may be added in any release, so compare with `==`, or `switch` with a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    private enum Name: String, Sendable {
      case committed, rolledBack, resynced, waited, slowStatement, readItems, checkpointed
      case checkpointBlocked, pollFailed, logNotWatched, dropped
    }

    private let name: Name

    /// The kind's name.
    public var description: String { name.rawValue }

    /// A transaction was committed: ``StoreEvent/count`` rows, ``StoreEvent/duration``.
    public static let committed = Kind(name: .committed)
    /// A transaction was rolled back: ``StoreEvent/duration``.
    public static let rolledBack = Kind(name: .rolledBack)
    /// Live results read everything again: ``StoreEvent/reason``.
    public static let resynced = Kind(name: .resynced)
    /// A call waited for a lock: ``StoreEvent/duration``.
    public static let waited = Kind(name: .waited)
    /// A statement was slow: ``StoreEvent/sql``, ``StoreEvent/duration``.
    public static let slowStatement = Kind(name: .slowStatement)
    /// Items were read: ``StoreEvent/table``, ``StoreEvent/count``, ``StoreEvent/duration``.
    public static let readItems = Kind(name: .readItems)
    /// A checkpoint has ended: ``StoreEvent/logPageCount``, ``StoreEvent/copiedPageCount``,
    /// ``StoreEvent/duration``.
    public static let checkpointed = Kind(name: .checkpointed)
    /// The log cannot begin anew: ``StoreEvent/holder``, ``StoreEvent/logByteCount``.
    public static let checkpointBlocked = Kind(name: .checkpointBlocked)
    /// Looking for changes of others failed: ``StoreEvent/error``.
    public static let pollFailed = Kind(name: .pollFailed)
    /// The system does not tell of writes to the log.
    public static let logNotWatched = Kind(name: .logNotWatched)
    /// Events were lost: ``StoreEvent/count``.
    public static let dropped = Kind(name: .dropped)
  }
}
