#if NATS
  internal import FoundationEssentials
  internal import SectileCore
  internal import SectileHub

  /// What is told of a snapshot when all its rows are there.
  struct SnapshotHead: Sendable {
    /// Which snapshot; no other has the same.
    var identity: UInt64
    var madeAt: Date
    /// Of what its rows lead on.
    var generation: RelayRecord.Generation
    /// Where they are from, as the relay stood at the hub.
    var source: HubToken
    /// What the hub said beside rows until then.
    var controlRecords: HubControlRecords
    var tables: [SyncedTable]
    var rowCount: Int
    /// The number of its first message, and how many it has.
    var firstMessage: UInt64
    var messageCount: UInt64

    private static let version: UInt8 = 1

    /// Its bytes.
    ///
    /// - Throws: What the encoder of the tables throws.
    func encoded() throws -> [UInt8] {
      var writer = RelayWriter()
      writer.byte(Self.version)
      writer.number(identity)
      writer.date(madeAt)
      writer.number(generation.number)
      writer.text(generation.name)
      writer.text(source.description)
      writer.controlRecords(controlRecords)
      writer.blob(Array(try JSONEncoder().encode(tables)))
      writer.number(UInt64(rowCount))
      writer.number(firstMessage)
      writer.number(messageCount)
      return writer.bytes
    }
  }

  extension SnapshotHead {
    /// Reads a head.
    ///
    /// - Throws: `HubError` with the code `malformedMessage`.
    init(_ bytes: [UInt8]) throws {
      var reader = RelayReader(bytes)
      guard try reader.byte() == Self.version else {
        throw RelayReader.malformed("it is of another version")
      }
      let (identity, madeAt) = (try reader.number(), try reader.date())
      let generation = RelayRecord.Generation(
        number: try reader.number(), name: try reader.text())
      guard let source = HubToken(try reader.text()) else {
        throw RelayReader.malformed("its token is none")
      }
      let records = try reader.controlRecords()
      let definitions = Data(try reader.blob())
      guard let tables = try? JSONDecoder().decode([SyncedTable].self, from: definitions) else {
        throw RelayReader.malformed("its tables are none")
      }
      guard let rowCount = Int(exactly: try reader.number()) else {
        throw RelayReader.malformed("it has too many rows")
      }
      let (first, count) = (try reader.number(), try reader.number())
      try reader.finish()
      self.init(
        identity: identity, madeAt: madeAt, generation: generation, source: source,
        controlRecords: records, tables: tables, rowCount: rowCount, firstMessage: first,
        messageCount: count)
    }
  }

  /// A message with rows of a snapshot, or with a part of them.
  struct SnapshotRecord: Hashable, Sendable {
    /// Of which snapshot.
    var identity: UInt64
    var part: RelayRecord.Part
    var payload: [UInt8]

    private static let version: UInt8 = 1

    var bytes: [UInt8] {
      var writer = RelayWriter()
      writer.byte(Self.version)
      writer.number(identity)
      writer.part(part)
      return writer.bytes + payload
    }

    init(identity: UInt64, part: RelayRecord.Part, payload: [UInt8]) {
      (self.identity, self.part, self.payload) = (identity, part, payload)
    }

    /// Reads a message.
    ///
    /// - Throws: `HubError` with the code `malformedMessage`.
    init(_ bytes: [UInt8]) throws {
      var reader = RelayReader(bytes)
      guard try reader.byte() == Self.version else {
        throw RelayReader.malformed("it is of another version")
      }
      identity = try reader.number()
      part = try reader.part()
      payload = reader.rest()
    }
  }

  extension HubRowBatch {
    /// The rows as bytes, without what they lack.
    var relayed: [UInt8] {
      var writer = RelayWriter()
      writer.text(table)
      writer.list(rows) { $0.row($1) }
      return writer.bytes
    }

    /// Reads rows.
    ///
    /// - Throws: `HubError` with the code `malformedMessage`.
    init(relayed bytes: [UInt8]) throws {
      var reader = RelayReader(bytes)
      let table = try reader.text()
      let rows = try reader.list { try $0.row() }
      try reader.finish()
      self.init(table: table, rows: rows)
    }
  }
#endif
