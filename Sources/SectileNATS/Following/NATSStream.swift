#if NATS
  internal import SectileHub
  internal import Synchronization

  /// A relay's transactions as they come.
  final class NATSStream: HubStream {
    /// After how many bytes a call returns what it has, however many messages were asked for.
    private static let byteLimit = 8 << 20

    private let connection: NATSConnection
    private let location: NATSLocation

    // MARK: - Mutable state
    //
    // - `assembler`: used on the connection's queue.
    private let assembler: Mutex<LogAssembler>

    init(_ connection: NATSConnection, _ location: NATSLocation, _ assembler: LogAssembler) {
      (self.connection, self.location) = (connection, location)
      self.assembler = Mutex(assembler)
    }

    func next(limit: Int) async throws -> [HubMessage] {
      try await connection.run { session in try self.read(session, limit: max(1, limit)) }
    }

    private func read(_ session: NATSSession, limit: Int) throws -> [HubMessage] {
      var (messages, byteCount) = ([HubMessage](), 0)
      guard var next = try first(session) else { return [] }
      while true {
        byteCount += next.bytes.count
        let message = try assembler.withLock { try $0.take(next.number, next.bytes) }
        if let message { messages.append(message) }
        // Only what is there already.
        guard messages.count < limit, byteCount < Self.byteLimit,
          let later = try session.next(until: .now)
        else { return messages }
        next = later
      }
    }

    /// Waits for a message; nil where the log has none for the machine.
    private func first(_ session: NATSSession) throws -> NATSSession.Message? {
      if let message = try session.next(until: .now + location.silenceLimit) { return message }
      // A server that was restarted, or that was told to, has forgotten whom it sends to.
      let awaited = assembler.withLock { $0.number }
      guard let numbers = try session.numbers(of: location.stream) else {
        throw HubError(.unavailable, message: "the stream \(location.stream) was removed")
      }
      guard numbers.upperBound > awaited else { return nil }
      if let message = try session.next(until: .now + location.silenceLimit) { return message }
      throw HubError(.unavailable, message: "NATS does not send what the stream has")
    }

    // The stream keeps what it keeps, whoever has it.
    func confirm(_ position: HubPosition) async throws {}

    func close() async { await connection.close() }
  }

  /// A relay's rows as they were.
  final class NATSSnapshot: HubSnapshot {
    let token: HubToken
    let controlRecords: HubControlRecords
    let rowCountEstimate: Int?

    private let head: SnapshotHead
    private let tables: [String: RelayedTable]
    private let connection: NATSConnection
    private let patience: Duration

    // MARK: - Mutable state
    //
    // - `reading`: used on the connection's queue.
    private let reading: Mutex<Reading>

    /// How far the messages were read.
    private struct Reading {
      var number: UInt64
      var parts = PartAssembler()
    }

    init(
      _ head: SnapshotHead, at token: HubToken, _ tables: [RelayedTable],
      _ connection: NATSConnection, patience: Duration
    ) {
      (self.head, self.token, self.connection) = (head, token, connection)
      self.patience = patience
      controlRecords = head.controlRecords
      rowCountEstimate = tables.count == head.tables.count ? head.rowCount : nil
      self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.table.name, $0) })
      reading = Mutex(Reading(number: head.firstMessage))
    }

    func next() async throws -> HubRowBatch? {
      try await connection.run { session in try self.read(session) }
    }

    private func read(_ session: NATSSession) throws -> HubRowBatch? {
      while reading.withLock({ $0.number }) < head.firstMessage &+ head.messageCount {
        guard let message = try session.next(until: .now + patience) else {
          throw HubError(.unavailable, message: "a snapshot of the relay does not come any more")
        }
        guard let bytes = try take(message) else { continue }
        let batch = try HubRowBatch(relayed: bytes)
        guard let table = tables[batch.table] else { continue }
        return HubRowBatch(table: batch.table, rows: try batch.rows.map { try table.row($0) })
      }
      return nil
    }

    private func take(_ message: NATSSession.Message) throws -> [UInt8]? {
      let record = try SnapshotRecord(message.bytes)
      return try reading.withLock { reading in
        guard message.number == reading.number, record.identity == head.identity else {
          throw HubError(
            .unavailable, message: "a snapshot of the relay was removed while it was read",
            hint: "Another one is there; it is read from its beginning.")
        }
        reading.number += 1
        return try reading.parts.take(record.part, record.payload)
      }
    }

    func close() async { await connection.close() }
  }
#endif
