#if Postgres
  internal import SectileCore
  internal import SectileHub
  internal import Synchronization

  /// All rows of tables, as they were when a slot was made, by binary copies one after the other.
  ///
  /// The connection's transaction sees the hub as it was at the slot's position, since the server
  /// made both at once.
  final class PostgresSnapshot: HubSnapshot {
    /// What is known when it begins.
    struct Begin: Sendable {
      var token: HubToken
      var controlRecords: HubControlRecords
      var rowCountEstimate: Int?
    }

    private struct Reading {
      var next = 0
      /// What reads the table before `next`; nil where its copy has not begun.
      var decoder: CopyDecoder?
    }

    private struct Ending {
      var isComplete = false
      var isClosed = false
    }

    let token: HubToken
    let controlRecords: HubControlRecords
    let rowCountEstimate: Int?
    private let hub: PostgresHub
    private let connection: PostgresConnection
    private let slot: String
    private let tables: [CopiedTable]

    // MARK: - Mutable state
    //
    // - `reading`: used on the connection's queue, and so never waited for.
    // - `ending`: whether it is over, and whether it was told so.
    private let reading = Mutex(Reading())
    private let ending = Mutex(Ending())

    init(
      hub: PostgresHub, connection: PostgresConnection, slot: String, tables: [CopiedTable],
      begin: Begin
    ) {
      (self.hub, self.connection, self.slot, self.tables) = (hub, connection, slot, tables)
      (token, controlRecords) = (begin.token, begin.controlRecords)
      rowCountEstimate = begin.rowCountEstimate
    }

    func next() async throws -> HubRowBatch? {
      if ending.withLock({ $0.isComplete }) { return nil }
      return try await connection.run { session in
        try translating("the rows cannot be read") {
          try self.reading.withLock { try self.read(&$0, session) }
        }
      }
    }

    private func read(
      _ reading: inout Reading, _ session: PostgresSession
    ) throws -> HubRowBatch? {
      while reading.decoder != nil || reading.next < tables.count {
        if var decoder = reading.decoder {
          reading.decoder = nil
          var rows: [[StoredValue]] = []
          let table = tables[reading.next - 1].synced
          let isAtEnd = try fill(&rows, with: &decoder, in: table, session)
          if !isAtEnd { reading.decoder = decoder }
          if !rows.isEmpty {
            let withheld = decoder.withheld.sorted { $0.key < $1.key }.map { column, reason in
              WithheldValue(
                table: table.name, column: table.columns[column].name, reason: reason)
            }
            return HubRowBatch(table: table.name, rows: rows, withheld: withheld)
          }
        } else {
          let table = tables[reading.next]
          try session.beginCopy(table.copySQL)
          reading.decoder = CopyDecoder(types: table.types, key: table.synced.keyPositions)
          reading.next += 1
        }
      }
      if !ending.withLock({ $0.isComplete }) {
        _ = try session.execute("COMMIT")
        ending.withLock { $0.isComplete = true }
      }
      return nil
    }

    /// Reads rows until there are enough, or the copy is at its end; returns whether it is.
    private func fill(
      _ rows: inout [[StoredValue]], with decoder: inout CopyDecoder, in table: SyncedTable,
      _ session: PostgresSession
    ) throws -> Bool {
      var byteCount = 0
      while rows.count < max(1, hub.options.batchRowCount), byteCount < 4 << 20 {
        guard let bytes = try session.nextCopyData() else {
          guard decoder.isComplete else { throw ByteReader.malformed("a copy has no end") }
          return true
        }
        byteCount += bytes.count
        rows += try decoder.take(bytes, of: table.name)
      }
      return false
    }

    func close() async {
      let isUnfinished = ending.withLock { ending -> Bool? in
        if ending.isClosed { return nil }
        ending.isClosed = true
        return !ending.isComplete
      }
      guard let isUnfinished else { return }
      await connection.close()
      if isUnfinished { await hub.drop(slot: slot) }
    }
  }

  extension CopyDecoder {
    /// Takes bytes of a table, which is named where a value is refused.
    fileprivate mutating func take(
      _ bytes: [UInt8], of table: String
    ) throws(HubError) -> [[StoredValue]] {
      do {
        return try take(bytes)
      } catch {
        throw error.code == .unsupportedValue ? error.located(in: table) : error
      }
    }
  }

  extension HubError {
    /// The same, with the table's name.
    func located(in table: String) -> HubError {
      HubError(
        code, message: "\(table): \(message)", hint: hint, cause: cause, rejection: rejection)
    }
  }

  extension PostgresSession {
    /// Makes a slot, and begins the transaction that sees the hub as it was then.
    func beginSnapshot(
      slot: String, tables: [CopiedTable], publication: String
    ) throws -> PostgresSnapshot.Begin {
      let (system, timeline) = try identify()
      _ = try execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      let made = try execute(
        "CREATE_REPLICATION_SLOT \(PostgresName.quote(slot)) LOGICAL pgoutput (SNAPSHOT 'use')")
      guard let row = made.rows.first, row.count >= 2,
        let position = row[1].flatMap({ HubPosition($0) })
      else { throw ByteReader.malformed("a new slot has no position") }
      var controlRecords = HubControlRecords()
      for kind in HubTables.Kind.allCases { try read(kind, into: &controlRecords) }
      // As the transaction sees it: what was defined anew since is another definition, whatever
      // rows are copied.
      let definition = try execute(
        "SELECT (\(DefinitionSQL.text(of: tables, publication: publication)))")
      return PostgresSnapshot.Begin(
        token: HubToken(
          system: system, timeline: timeline, slot: slot,
          tables: SyncedTable.fingerprint(of: tables.map(\.synced)), position: position,
          heartbeat: controlRecords.heartbeat?.mark, definition: definition.rows.first?.first ?? nil
        ),
        controlRecords: controlRecords, rowCountEstimate: try estimate(tables))
    }

    private func read(_ kind: HubTables.Kind, into controlRecords: inout HubControlRecords) throws {
      let columns = PostgresName.list(kind.columns.map(\.name))
      for row in try execute("SELECT \(columns) FROM \(kind.lastRows)").rows {
        let values = try zip(row, kind.types).map { text, type in
          try text.map { try PostgresValue.decode(text: ArraySlice(Array($0.utf8)), as: type) }
            ?? .null
        }
        try HubTables.take(values, of: kind, into: &controlRecords)
      }
    }

    private func estimate(_ tables: [CopiedTable]) throws -> Int? {
      if tables.isEmpty { return 0 }
      let numbers = tables.map { "\($0.table.number)" }.joined(separator: ", ")
      // -1 where a table was never counted.
      let found = try execute(
        """
        SELECT CASE WHEN min(reltuples) >= 0 THEN sum(reltuples)::bigint END
        FROM pg_class WHERE oid IN (\(numbers))
        """)
      return found.rows.first?.first?.flatMap { Int($0) }
    }
  }
#endif
