/// How far a ``PersistentRemoteList`` has come with its list, as the database tells.
///
/// ```swift
/// if let state = try remoteList.state, !state.isComplete { try await remoteList.loadMore() }
/// ```
public struct RemoteListState: Hashable, Sendable {
  /// The number of the crawl under way, or of the last one.
  public let crawl: Int
  /// How many pages of it were stored.
  public let pageCount: Int
  /// Whether its last page was stored.
  public let isComplete: Bool
  /// How many items it has seen so far.
  public let itemCount: Int
  /// When a crawl was last completed, in UTC, ISO 8601; nil where none was.
  public let completedAt: String?
}
