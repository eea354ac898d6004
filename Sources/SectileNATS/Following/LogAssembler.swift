#if NATS
  internal import SectileHub

  /// Makes a hub's transactions, as a machine has them, of a log's messages.
  struct LogAssembler: Sendable {
    private let generation: String
    private let tables: [String: RelayedTable]

    // MARK: - Mutable state
    //
    // - `number`: that of the message which comes next.
    // - `position`: up to where the machine has what the log has.
    // - `parts`: the parts of a transaction that have come.
    private(set) var number: UInt64
    private var position: HubPosition
    private var parts = PartAssembler()

    /// Creates an assembler.
    ///
    /// - Parameters:
    ///   - token: Where the machine stands.
    ///   - number: The number of the message that comes next.
    ///   - tables: What the machine has.
    init(after token: HubToken, from number: UInt64, _ tables: [RelayedTable]) {
      (generation, position, self.number) = (token.slot, token.position, number)
      self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.table.name, $0) })
    }

    /// Takes a message; returns what it completes.
    ///
    /// - Throws: `HubError`: `unavailable` where messages are missing, or the log has another
    ///   generation, after which a machine asks again whether it may go on; `malformedMessage`.
    mutating func take(_ number: UInt64, _ bytes: [UInt8]) throws -> HubMessage? {
      guard number == self.number else {
        throw HubError(.unavailable, message: "messages of the relay are missing")
      }
      self.number += 1
      let record = try RelayRecord(bytes)
      guard record.generation.name == generation else {
        throw HubError(
          .unavailable, message: "the relay has compared its rows with the hub's, and begun anew")
      }
      guard record.position > position else { return nil }
      guard record.previous <= position else {
        throw HubError(.unavailable, message: "transactions of the relay are missing")
      }
      guard let whole = try parts.take(record.part, record.payload) else { return nil }
      position = record.position
      return try message(try HubTransaction(relayed: whole))
    }

    private func message(_ transaction: HubTransaction) throws -> HubMessage {
      var told = transaction
      told.changes = try transaction.changes.compactMap { change in
        try tables[change.table]?.change(change)
      }
      told.controlRecords.withheld = transaction.controlRecords.withheld.filter { value in
        tables[value.table]?.table.columns.contains { $0.name == value.column } ?? false
      }
      return told.changes.isEmpty && told.controlRecords.isEmpty
        ? .keepAlive(told.position) : .transaction(told)
    }
  }
#endif
