#if NATS
  internal import FoundationEssentials
  internal import SectileCore
  internal import SectileHub
  internal import SectileStore

  /// Publishes a relay's rows, for machines that are new or have been away for too long.
  struct SnapshotMaker: Sendable {
    /// About how many bytes of rows are in memory at once.
    private static let batchLength = 256 * 1024

    let store: Store
    let tap: RelayTap
    let location: NATSLocation
    let options: NATSRelay.Options

    /// Publishes a snapshot where there is need for one, from time to time, until the task is
    /// cancelled.
    func run() async {
      let connection = NATSConnection(location, name: "sectile snapshots \(location.stream)")
      while !Task.isCancelled {
        do {
          let rowCount = try await makeIfDue(connection)
          if let rowCount { options.onSnapshot?(.success(rowCount)) }
        } catch {
          if !(error is CancellationError) { options.onSnapshot?(.failure(error)) }
        }
        try? await Task.sleep(for: options.checkInterval)
      }
      await connection.close()
    }

    /// Publishes a snapshot where there is need for one.
    ///
    /// - Returns: How many rows it has; nil where none was made.
    private func makeIfDue(_ connection: NATSConnection) async throws -> Int? {
      guard let own = tap.generation else { return nil }
      return try await connection.run { session -> Int? in
        let head = try SnapshotHead.newest(at: location, in: session)
        guard try isDue(head, own, session) else { return nil }
        return try make(own, after: head, session)
      }
    }

    private func isDue(
      _ head: SnapshotHead?, _ own: OwnedGeneration, _ session: NATSSession
    ) throws -> Bool {
      // Of what another relay publishes, that one makes snapshots.
      guard try LogTail(of: location.stream, in: session).last?.generation == own.generation else {
        return false
      }
      guard let head, head.generation == own.generation else { return true }
      let isOld =
        Date().timeIntervalSince(head.madeAt) >= options.snapshotInterval / .seconds(1)
      guard let kept = try session.numbers(of: location.stream), isOld || kept.lowerBound > 1 else {
        return false
      }
      let search = LogSearch(location, session)
      guard case .next(let next) = try search.place(after: head.token) else { return true }
      // Whoever reads it must still find what comes after it.
      let isInOlderHalf = next < kept.lowerBound + UInt64(kept.count / 2)
      return next < kept.upperBound && (isOld || isInOlderHalf)
    }

    private func make(
      _ own: OwnedGeneration, after former: SnapshotHead?, _ session: NATSSession
    ) throws -> Int? {
      let identity = UInt64.random(in: .min ... .max)
      guard let there = try session.numbers(of: location.snapshotStream) else { return nil }
      let first = there.upperBound
      var number = first - 1
      let made = try store.read { transaction -> SnapshotHead? in
        guard let state = try ReplicaFileState(in: transaction),
          state.token.isOfSameSource(as: own.source)
        else { return nil }
        var rowCount = 0
        for table in state.tables {
          rowCount += try publish(table, of: identity, after: &number, session, transaction)
        }
        return SnapshotHead(
          identity: identity, madeAt: Date(), generation: own.generation, source: state.token,
          controlRecords: try ReplicaRows.controlRecords(in: transaction), tables: state.tables,
          rowCount: rowCount, firstMessage: first, messageCount: number + 1 - first)
      }
      guard let head = made else { return nil }
      _ = try session.publish(
        try head.encoded(), to: location.newestSubject, in: location.snapshotStream, after: number)
      // Whoever reads the one before may finish it.
      if let former {
        let kept = former.generation == head.generation ? former.firstMessage : first
        try session.removeMessages(of: location.snapshotStream, before: min(kept, first))
      }
      return head.rowCount
    }

    /// Publishes the rows of a table; returns how many there are.
    private func publish(
      _ table: SyncedTable, of identity: UInt64, after number: inout UInt64,
      _ session: NATSSession, _ transaction: StoreReadTransaction
    ) throws -> Int {
      var (rows, length, rowCount): ([[StoredValue]], Int, Int) = ([], 0, 0)
      try ReplicaRows.forEach(of: table, in: transaction) { row in
        rows.append(row)
        rowCount += 1
        length += row.reduce(0) { $0 + $1.relayedLength }
        guard length >= Self.batchLength else { return }
        try publish(HubRowBatch(table: table.name, rows: rows), identity, &number, session)
        (rows, length) = ([], 0)
      }
      if !rows.isEmpty {
        try publish(HubRowBatch(table: table.name, rows: rows), identity, &number, session)
      }
      return rowCount
    }

    private func publish(
      _ batch: HubRowBatch, _ identity: UInt64, _ number: inout UInt64, _ session: NATSSession
    ) throws {
      let length = max(1024, session.payloadLimit - 1024)
      for (part, payload) in parts(of: batch.relayed, length: length) {
        try session.checkEnded()
        let record = SnapshotRecord(identity: identity, part: part, payload: payload)
        number = try session.publish(
          record.bytes, to: location.rowsSubject, in: location.snapshotStream, after: number)
      }
    }
  }

  extension SnapshotHead {
    /// Where the rows are from, as machines know it.
    var token: HubToken {
      var token = source
      token.slot = generation.name
      return token
    }

    /// Reads the head of the newest snapshot; nil where there is none.
    ///
    /// - Throws: `HubError`.
    static func newest(at location: NATSLocation, in session: NATSSession) throws -> SnapshotHead? {
      try session.lastMessage(of: location.newestSubject, in: location.snapshotStream)
        .map { try SnapshotHead($0.bytes) }
    }
  }

  extension StoredValue {
    /// About how many bytes it takes.
    fileprivate var relayedLength: Int {
      switch self {
      case .null: 1
      case .integer, .real: 9
      case .text(let text): text.utf8.count + 3
      case .blob(let bytes): bytes.count + 3
      }
    }
  }
#endif
