#if Postgres
  /// How a hub speaks to its server.
  public struct PostgresHubOptions: Sendable {
    /// How long connecting may take.
    public var connectTimeout: Duration = .seconds(10)
    /// How long the server may take to answer one of the short calls, such as a mutation, before it
    /// counts as lost.
    ///
    /// A server that hangs looks alive to the network. Making a snapshot's slot and setting up the
    /// hub have no limit: they wait for other transactions.
    public var answerLimit: Duration = .seconds(15)
    /// How many connections short calls share, beside the one of a stream; at least one.
    public var connectionCount: Int = 2
    /// How long a stream may be silent before its `next` returns with nothing, and the server is
    /// asked whether it is there.
    ///
    /// It must be well below the server's `wal_sender_timeout`, since the server hears of the
    /// replica as often.
    public var silenceLimit: Duration = .seconds(10)
    /// How long a stream may be silent, asked, before it counts as lost.
    public var contactLimit: Duration = .seconds(30)
    /// How long a snapshot waits while another session uses the replica's name, and how long nobody
    /// may have used it then before the snapshot takes it.
    ///
    /// It must be longer than a replica that lost its connection takes to come back
    /// (`ReplicaConfiguration.retryDelays`): a second machine with its name would take its slot
    /// away.
    public var takeoverDelay: Duration = .seconds(10)
    /// About how many rows a snapshot's batch has at most.
    public var batchRowCount: Int = 1000
    /// Whether the server sends large transactions before they are committed, so that it does not
    /// put them on its disk.
    ///
    /// They wait in the replica's memory then; a replica sees no difference.
    public var streamsLargeTransactions: Bool = false

    /// Creates options with their usual values.
    public init() {}
  }
#endif
