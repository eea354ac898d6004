#if Postgres
  internal import SectileHub
  internal import Synchronization

  /// The hub's commits as they come over a connection for replication.
  ///
  /// The server ends a stream of whose replica it hears nothing for `wal_sender_timeout`. So it is
  /// told where the replica stands as often as it asks, and every few seconds beside that, also
  /// while the replica is busy with what came.
  final class PostgresStream: HubStream {
    /// After how many changes a call returns what it has, however many messages were asked for.
    private static let changeCountLimit = 10_000

    private let connection: PostgresConnection
    private let options: PostgresHubOptions

    // MARK: - Mutable state
    //
    // - `assembler`: used on the connection's queue.
    // - `confirmed`: what the server is told; grows only.
    // - `asked`: since when the server owes an answer; nil where it does not.
    private let assembler: Mutex<StreamAssembler>
    private let confirmed = Mutex(Confirmed())
    private let asked = Mutex(ContinuousClock.Instant?.none)

    private struct Confirmed {
      var position = HubPosition.zero
      var isUntold = false
    }

    init(
      connection: PostgresConnection, assembler: StreamAssembler, options: PostgresHubOptions
    ) {
      (self.connection, self.options) = (connection, options)
      self.assembler = Mutex(assembler)
      connection.repeat(every: options.silenceLimit) { [weak self] session in
        // A connection that is lost says so when it is used next.
        try? self?.tell(session)
      }
    }

    func next(limit: Int) async throws -> [HubMessage] {
      try await connection.run { session in
        try translating("the stream has ended") { try self.read(session, limit: max(1, limit)) }
      }
    }

    private func read(_ session: PostgresSession, limit: Int) throws -> [HubMessage] {
      var (messages, changeCount) = ([HubMessage](), 0)
      let silence = ContinuousClock.now + options.silenceLimit
      var nextStatus = silence
      while messages.count < limit, changeCount < Self.changeCountLimit {
        switch try session.takeCopyData() {
        case .bytes(let bytes):
          guard let message = try take(bytes, session) else {
            // A transaction that takes long to come is no reason to be silent.
            if .now >= nextStatus {
              try tell(session)
              nextStatus = .now + options.silenceLimit
            }
            continue
          }
          if case .transaction(let transaction) = message {
            changeCount += transaction.changes.count
          }
          messages.append(message)
        case .none:
          // Only what is there already, once there is something.
          let deadline = messages.isEmpty ? silence : .now
          switch try session.waitForInput(until: deadline) {
          case .ready:
            try session.consume()
            asked.withLock { $0 = nil }
          case .woken: try tellUntold(session)
          case .late:
            if messages.isEmpty { try askForContact(session) }
            return messages
          }
        case .end:
          _ = try session.finish()
          throw HubError(.unavailable, message: "PostgreSQL has ended the stream")
        }
      }
      return messages
    }

    /// Asks a silent server whether it is there; one that was asked and did not answer is lost.
    private func askForContact(_ session: PostgresSession) throws {
      let since = asked.withLock { asked in
        let since = asked ?? .now
        asked = since
        return since
      }
      guard since + options.contactLimit > .now else {
        throw HubError(.unavailable, message: "PostgreSQL has been silent for too long")
      }
      try tell(session, asking: true)
    }

    /// Takes a message of the protocol of replication.
    private func take(_ bytes: [UInt8], _ session: PostgresSession) throws -> HubMessage? {
      var reader = ByteReader(bytes)
      switch Unicode.Scalar(try reader.uint8()) {
      case "w":
        _ = try (reader.uint64(), reader.uint64(), reader.uint64())
        let rest = reader
        return try assembler.withLock { assembler throws(HubError) in try assembler.take(rest) }
      case "k":
        let end = try reader.position()
        _ = try reader.uint64()
        let isAsking = try reader.uint8() == 1
        try reader.finish()
        if isAsking { try tell(session) }
        return assembler.withLock { $0.takeKeepAlive(end) }
      default: throw ByteReader.malformed("it is of no kind that streams have")
      }
    }

    /// Tells the server where the replica stands, and may ask for an answer.
    private func tell(_ session: PostgresSession, asking: Bool = false) throws {
      let position = confirmed.withLock { confirmed in
        confirmed.isUntold = false
        return confirmed.position
      }
      let now = PostgresTime.microsecond(PostgresTime.now)
      // Received, on disk, applied: what is not on the replica's disk may come again.
      let numbers =
        [UInt64](repeating: position.byteCount, count: 3) + [UInt64(bitPattern: now)]
      let bytes = numbers.flatMap { number in
        stride(from: UInt64(56), through: 0, by: -8).map { UInt8(number >> $0 & 0xFF) }
      }
      try session.sendCopyData([0x72] + bytes + [asking ? 1 : 0])
    }

    private func tellUntold(_ session: PostgresSession) throws {
      if confirmed.withLock({ $0.isUntold }) { try tell(session) }
    }

    // A call of `next` that waits has the session: it is woken, and tells. Otherwise the queue is
    // free.
    func confirm(_ position: HubPosition) async throws {
      confirmed.withLock { confirmed in
        guard position > confirmed.position else { return }
        confirmed = Confirmed(position: position, isUntold: true)
      }
      connection.interrupt { [weak self] session in
        // A connection that is lost says so when it is used next.
        try? self?.tellUntold(session)
      }
    }

    func close() async { await connection.close() }
  }
#endif
