/// What happens to a replica, for logs and alarms.
public enum ReplicaEvent: Sendable {
  /// This process follows the hub now, for all processes that have the file open.
  case elected
  /// The replica goes on where it stood.
  case resumed(HubToken)
  /// All rows of the hub are being read, and why.
  case resyncBegan(ReplicaResync.Reason)
  /// So many of them have come, of about so many; nil where the hub cannot tell. It is told again
  /// and again.
  case copied(rowCount: Int, estimate: Int?)
  /// The rows are the hub's.
  case resyncEnded(ReplicaResync)
  /// The hub cannot be reached, or said what the replica cannot do; it is tried again after a
  /// while.
  case interrupted(any Error, retryAfter: Duration)
  /// Rows have NULL where the hub has a value that replicas cannot have. It is told once for each
  /// column and reason.
  case withheld(WithheldValue)
  /// The hub has refused a mutation of the outbox, and the rows do not show it any more.
  case parked(OutboxEntry)
  /// Nothing is applied any more, because the hub's schema is of a version that this program does
  /// not know. What is there is served on.
  case stopped(HubError)
}

/// A comparison of all rows with the hub's.
public struct ReplicaResync: Hashable, Sendable {
  /// Why rows are compared.
  public typealias Reason = ResyncReason

  /// Why it was done.
  public var reason: Reason
  /// Where the replica stands after it.
  public var token: HubToken
  /// How many rows the hub has.
  public var rowCount: Int
  /// How many rows went away.
  public var deletedCount: Int
  /// How many rows came or were changed.
  public var writtenCount: Int
}
