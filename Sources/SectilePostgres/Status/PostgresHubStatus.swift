#if Postgres
  public import SectileHub

  /// What the server keeps for a replica, and how much of it.
  public struct PostgresHubStatus: Hashable, Sendable {
    /// What keeps the server's log for the replica; nil where nothing does.
    public var slot: String?
    /// Whether a stream is connected.
    public var isActive: Bool
    /// How the slot stands, in the server's words: `reserved`, `extended`, `unreserved`, `lost`.
    public var walStatus: String?
    /// Why the server has given up keeping its log, where it has and says.
    public var invalidationReason: String?
    /// How many bytes of its log the server keeps for the replica.
    public var retainedByteCount: Int64?
    /// How many bytes more until the server gives up; nil where it has no limit, or has given up.
    public var safeByteCount: Int64?
    /// Up to where the replica has confirmed.
    public var confirmedPosition: HubPosition?
    /// Where the server's log ends.
    public var currentPosition: HubPosition
  }
#endif
