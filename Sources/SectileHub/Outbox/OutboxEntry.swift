public import FoundationEssentials

/// A mutation that was made without waiting for the hub, and that the hub has not answered with its
/// rows yet.
public struct OutboxEntry: Hashable, Sendable, Identifiable {
  /// How far it has come.
  public enum State: Hashable, Sendable {
    /// It is to be sent, or was sent and not answered.
    case waiting
    /// The hub has committed it, and its rows are on their way back.
    case accepted
    /// The hub has refused it. The replica's rows do not show it any more.
    ///
    /// The rejection has the hub's row in ``ReplicaEvent`` only: the file does not keep it.
    case parked(MutationRejection)
  }

  /// Its place among those of the replica: entries are sent in the order of their numbers.
  public let id: Int64
  /// When it was made, by this machine's clock.
  public let enqueuedAt: Date
  /// The changes, in order.
  public let changes: [RowMutation]
  /// How far it has come.
  public let state: State
}
