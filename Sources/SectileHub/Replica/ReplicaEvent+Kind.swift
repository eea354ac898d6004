extension ReplicaEvent {
  /// What kind of event it is.
  ///
  /// Kinds may be added in any release, so compare with `==`, or `switch` with a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    private enum Name: String, Sendable {
      case elected, resumed, resyncBegan, copied, resyncEnded, interrupted, withheld, parked
      case stopped
    }

    private let name: Name

    /// The kind's name.
    public var description: String { name.rawValue }

    /// This process follows the hub now.
    public static let elected = Kind(name: .elected)
    /// The replica goes on where it stood: ``ReplicaEvent/token``.
    public static let resumed = Kind(name: .resumed)
    /// All rows of the hub are being read: ``ReplicaEvent/reason``.
    public static let resyncBegan = Kind(name: .resyncBegan)
    /// Rows have come: ``ReplicaEvent/rowCount``, ``ReplicaEvent/rowCountEstimate``.
    public static let copied = Kind(name: .copied)
    /// The rows are the hub's: ``ReplicaEvent/resync``.
    public static let resyncEnded = Kind(name: .resyncEnded)
    /// The hub is tried again: ``ReplicaEvent/error``, ``ReplicaEvent/retryDelay``.
    public static let interrupted = Kind(name: .interrupted)
    /// Rows have NULL instead of a value of the hub: ``ReplicaEvent/withheldValue``.
    public static let withheld = Kind(name: .withheld)
    /// The hub has refused a mutation of the outbox: ``ReplicaEvent/entry``.
    public static let parked = Kind(name: .parked)
    /// Nothing is applied any more: ``ReplicaEvent/error``.
    public static let stopped = Kind(name: .stopped)
  }
}
