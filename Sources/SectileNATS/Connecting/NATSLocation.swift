#if NATS
  internal import SectileHub

  /// Where the transactions of a hub are kept for machines: a stream of NATS JetStream.
  ///
  /// ```swift
  /// let location = try NATSLocation(servers: ["nats://relay.example:4222"], stream: "depots")
  /// ```
  ///
  /// NATS has three subjects for it, which its permissions may speak of: `depots.log`,
  /// `depots.snapshot.rows` and `depots.snapshot.newest`, in the streams `depots` and
  /// `depots_snapshots`. Machines need no right to publish there.
  public struct NATSLocation: Hashable, Sendable {
    /// The servers, each as an address that begins with `nats://` or `tls://`.
    public let servers: [String]
    /// The name of the stream, and the beginning of its subjects' names.
    public let stream: String
    /// A file with the credentials of a user, as NATS's own tools make it; nil for none.
    public let credentialsFile: String?
    /// How long a server may take to answer.
    public var answerLimit = Duration.seconds(5)
    /// How long the stream may bring nothing until its server is asked whether it is there.
    public var silenceLimit = Duration.seconds(5)

    /// Creates a location; nothing is connected to.
    ///
    /// - Parameters:
    ///   - servers: The servers, of which whichever answers is used: at most 16.
    ///   - stream: The name of the stream: 1 to 40 letters, digits, underscores and hyphens.
    ///   - credentialsFile: A file with the credentials of a user; nil for none.
    /// - Throws: `HubError` with the code `invalidSubscription` for a name that is none, and where
    ///   there is no server, or an address of one has a blank or a comma.
    public init(servers: [String], stream: String, credentialsFile: String? = nil) throws {
      let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
      guard (1...40).contains(stream.count), stream.allSatisfy(letters.contains) else {
        throw HubError(
          .invalidSubscription, message: "'\(stream)' is no name for a stream",
          hint: "It is 1 to 40 letters, digits, underscores and hyphens.")
      }
      let areAddresses = servers.allSatisfy { server in
        !server.isEmpty && !server.utf8.contains { $0 == 0x2C || $0 <= 0x20 }
      }
      guard (1...16).contains(servers.count), areAddresses else {
        throw HubError(
          .invalidSubscription, message: "the servers of NATS are not 1 to 16 addresses",
          hint: "An address is nats://HOST:PORT, without blanks.")
      }
      (self.servers, self.stream, self.credentialsFile) = (servers, stream, credentialsFile)
    }

    /// The subject, and the only one, of the stream that has the transactions.
    var logSubject: String { "\(stream).log" }
    /// The stream that has the snapshots, and its subjects.
    var snapshotStream: String { "\(stream)_snapshots" }
    var snapshotSubjects: String { "\(stream).snapshot.>" }
    var rowsSubject: String { "\(stream).snapshot.rows" }
    var newestSubject: String { "\(stream).snapshot.newest" }
  }
#endif
