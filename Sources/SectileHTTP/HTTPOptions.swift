#if HTTP
  /// How long an ``HTTPTransport`` waits, and where it follows.
  public struct HTTPOptions: Hashable, Sendable {
    /// How long a connection may take to be made.
    public var connectTimeout: Duration
    /// How long nothing may arrive.
    public var idleTimeout: Duration
    /// How long an answer may take from the request to the end of its body.
    public var timeout: Duration
    /// How many redirects of one request are followed.
    public var redirectLimit: Int
    /// Whether links to other hosts, ports or schemes are followed; without the header fields of
    /// the transport, which may hold credentials.
    public var followsForeignLinks: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - connectTimeout: How long a connection may take to be made.
    ///   - idleTimeout: How long nothing may arrive.
    ///   - timeout: How long an answer may take from the request to the end of its body.
    ///   - redirectLimit: How many redirects of one request are followed.
    ///   - followsForeignLinks: Whether links to other hosts, ports or schemes are followed.
    public init(
      connectTimeout: Duration = .seconds(10), idleTimeout: Duration = .seconds(30),
      timeout: Duration = .seconds(120), redirectLimit: Int = 5, followsForeignLinks: Bool = false
    ) {
      self.connectTimeout = connectTimeout
      self.idleTimeout = idleTimeout
      self.timeout = timeout
      self.redirectLimit = redirectLimit
      self.followsForeignLinks = followsForeignLinks
    }
  }
#endif
