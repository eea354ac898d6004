#if NATS
  internal import SectileCore
  internal import SectileHub

  /// Puts transactions at the end of a log: each once, in order, by one relay.
  ///
  /// Every message says which one it expects before it, so a log that somebody else has written to
  /// takes no more of this one, and what was published without an answer is not published twice.
  struct LogPublisher: Sendable {
    private let location: NATSLocation
    /// What it publishes into.
    let generation: RelayRecord.Generation

    // MARK: - Mutable state
    //
    // - `number`: that of the log's last message.
    // - `source`: where the relay stands at the hub with the log's last transaction.
    // - `versions`: which versions of the schema the hub supports by then.
    private var number: UInt64
    private(set) var source: HubToken
    private var versions: ClosedRange<Int>?

    /// Goes on where the log ends, or prepares another generation where what is there does not lead
    /// to where the relay stands.
    ///
    /// - Parameters:
    ///   - token: Where the relay's file stands: not beyond the log, unless that has lost messages.
    ///   - versions: Which versions of the schema the hub supports.
    ///   - owned: The generation that this relay has published into before; nil for none.
    ///   - session: The session.
    ///   - location: Where the log is.
    ///   - limits: How much a new log keeps.
    /// - Throws: `HubError`: `unavailable`; `nameInUse` where another relay has begun a generation
    ///   since.
    init(
      at token: HubToken, versions: ClosedRange<Int>?, owning owned: RelayRecord.Generation?,
      in session: NATSSession, _ location: NATSLocation, _ limits: NATSRelay.Options
    ) throws {
      try session.makeStream(
        location.stream, subject: location.logSubject, byteLimit: limits.byteLimit,
        ageLimit: limits.ageLimit)
      try session.makeStream(location.snapshotStream, subject: location.snapshotSubjects)
      let tail = try LogTail(of: location.stream, in: session)
      if let owned, let last = tail.last, last.generation.number >= owned.number,
        last.generation != owned
      {
        throw HubError(
          .nameInUse, message: "another relay publishes into the stream \(location.stream)",
          hint: "End one of them, or give it a stream of its own.")
      }
      self.location = location
      self.versions = versions
      number = tail.number
      if let complete = tail.complete, complete.generation == tail.last?.generation,
        complete.source.isOfSameSource(as: token), complete.position >= token.position
      {
        (generation, source) = (complete.generation, complete.source)
        return
      }
      let mark = String(UInt64.random(in: .min ... .max), radix: 16)
      generation = RelayRecord.Generation(
        number: (tail.last?.generation.number ?? 0) + 1, name: "\(token.slot)_\(mark)")
      source = token
    }

    /// Publishes that the generation begins, where the log's end is not of it yet.
    ///
    /// - Parameter session: The session.
    /// - Throws: `HubError`.
    mutating func begin(in session: NATSSession) throws {
      let tail = try LogTail(of: location.stream, in: session)
      guard tail.last?.generation != generation else { return }
      let record = RelayRecord(
        .beginning, of: generation, after: source.position, source: source,
        schemaVersions: versions)
      number = try session.publish(
        record.bytes, to: location.logSubject, in: location.stream, after: number,
        identity: generation.name)
    }

    /// Publishes a transaction, unless the log has it.
    ///
    /// - Throws: `HubError` with the code `unavailable`, after which this publisher is of no use.
    mutating func publish(_ transaction: HubTransaction, in session: NATSSession) throws {
      guard transaction.position > source.position else { return }
      let previous = source.position
      source.position = transaction.position
      source.heartbeat = transaction.controlRecords.heartbeat?.mark ?? source.heartbeat
      versions = transaction.controlRecords.schemaVersions ?? versions
      // What stands before a part is its names and its token.
      let length = max(1024, session.payloadLimit - 4096)
      for (part, payload) in parts(of: transaction.relayed, length: length) {
        try session.checkEnded()
        let record = RelayRecord(
          .transaction, of: generation, after: previous, source: source,
          schemaVersions: versions, part: part, payload: payload)
        // First parts without a last one may be there already.
        number = try session.publish(
          record.bytes, to: location.logSubject, in: location.stream, after: number,
          identity: part.isLast ? "\(generation.name)/\(transaction.position)" : nil)
      }
    }
  }
#endif
