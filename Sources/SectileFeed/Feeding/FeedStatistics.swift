/// Who reads a feed, and what it keeps for them.
///
/// ```swift
/// let statistics = feed.statistics
/// if statistics.behindCount > 100 { logger.notice("many clients are slow") }
/// ```
///
/// The counts are not of one moment, but each is right at one.
public struct FeedStatistics: Hashable, Sendable, Codable {
  /// How many clients there are: those whose sequences somebody reads, or could.
  public let clientCount: Int
  /// How many of them have not asked for more since the last change: they read, or are slow, or
  /// have not got all contents yet.
  public let behindCount: Int
  /// How many clients were dropped because they were too slow: see
  /// ``FeedBuffering/dropping(beyond:)``.
  public let droppedCount: Int
  /// How many bytes are kept, by the measure of ``FeedConfiguration/keptBytes``.
  public let keptByteCount: Int
}
