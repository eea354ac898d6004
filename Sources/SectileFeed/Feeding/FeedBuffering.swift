/// What a ``Feed`` does for a client that is slower than the source.
///
/// Nothing is queued for a client, so that a slow one costs no memory: it reads from what the feed
/// keeps for all.
public struct FeedBuffering: Hashable, Sendable {
  /// How many changesets a client may be behind.
  let limit: Int
  let drops: Bool

  /// Merges what a client missed into one changeset, once it is further behind than the limit;
  /// where that is not kept any more, it gets a reset.
  ///
  /// - Parameter limit: How many changesets it gets one by one.
  /// - Returns: The choice.
  public static func coalescing(beyond limit: Int = 16) -> FeedBuffering {
    FeedBuffering(limit: max(1, limit), drops: false)
  }

  /// Ends the sequence of a client that is further behind than the limit, once it has caught up.
  ///
  /// Its last event is ``FeedEvent/Kind/dropped``. It may come back with its position: what it has
  /// missed then, and what happens while it takes in all contents, is merged into one changeset, or
  /// answered by a reset, however much that is.
  ///
  /// - Parameter limit: How many changesets it may be behind.
  /// - Returns: The choice.
  public static func dropping(beyond limit: Int = 64) -> FeedBuffering {
    FeedBuffering(limit: max(1, limit), drops: true)
  }

  /// Coalescing beyond 16 changesets.
  public static let coalescing = FeedBuffering.coalescing()
}
