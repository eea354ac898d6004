#if NATS
  internal import SectileHub

  /// A message of the log: a transaction of the hub, or a part of one that is too long for a
  /// message.
  struct RelayRecord: Hashable, Sendable {
    /// An unbroken run of transactions.
    ///
    /// Another one begins where the relay compared its rows with the hub's, or where the log has
    /// lost messages: what came before does not lead on to it.
    struct Generation: Hashable, Sendable {
      /// Grows from one to the next in a log.
      var number: UInt64
      /// No other has the same, in whichever log.
      var name: String
    }

    /// Which of a transaction's messages it is.
    struct Part: Hashable, Sendable {
      var index: Int
      var count: Int

      static let whole = Part(index: 0, count: 1)

      var isLast: Bool { index == count - 1 }
    }

    enum Kind: UInt8, Sendable {
      /// A generation begins.
      case beginning
      case transaction
    }

    var kind: Kind
    var generation: Generation
    /// Where the log stood before it.
    var previous: HubPosition
    /// Where the relay stands at the hub with it.
    var source: HubToken
    /// Which versions of the schema the hub supports by then.
    var schemaVersions: ClosedRange<Int>?
    var part = Part.whole
    /// The bytes of the transaction, or of this part of it; none at a beginning.
    var payload: [UInt8] = []

    /// Where the log stands after it.
    var position: HubPosition { source.position }

    private static let version: UInt8 = 1

    var bytes: [UInt8] {
      var writer = RelayWriter()
      writer.byte(Self.version)
      writer.byte(kind.rawValue)
      writer.number(generation.number)
      writer.text(generation.name)
      writer.number(previous.byteCount)
      writer.text(source.description)
      writer.optional(schemaVersions) { $0.range($1) }
      writer.part(part)
      return writer.bytes + payload
    }

    /// Reads a message.
    ///
    /// - Throws: `HubError` with the code `malformedMessage`.
    init(_ bytes: [UInt8]) throws {
      var reader = RelayReader(bytes)
      guard try reader.byte() == Self.version else {
        throw RelayReader.malformed("it is of another version")
      }
      guard let kind = Kind(rawValue: try reader.byte()) else {
        throw RelayReader.malformed("it is of no kind")
      }
      self.kind = kind
      generation = Generation(number: try reader.number(), name: try reader.text())
      previous = HubPosition(byteCount: try reader.number())
      guard let source = HubToken(try reader.text()) else {
        throw RelayReader.malformed("its token is none")
      }
      self.source = source
      schemaVersions = try reader.optional { try $0.range() }
      part = try reader.part()
      payload = reader.rest()
    }

    init(
      _ kind: Kind, of generation: Generation, after previous: HubPosition, source: HubToken,
      schemaVersions: ClosedRange<Int>?, part: Part = .whole, payload: [UInt8] = []
    ) {
      (self.kind, self.generation, self.previous) = (kind, generation, previous)
      (self.source, self.schemaVersions) = (source, schemaVersions)
      (self.part, self.payload) = (part, payload)
    }
  }

  extension RelayWriter {
    mutating func part(_ part: RelayRecord.Part) {
      number(UInt64(part.index))
      number(UInt64(part.count))
    }
  }

  extension RelayReader {
    mutating func part() throws -> RelayRecord.Part {
      let (index, count) = (try number(), try number())
      guard index < count, count <= UInt64(Int32.max) else {
        throw Self.malformed("a part is beyond the last")
      }
      return RelayRecord.Part(index: Int(index), count: Int(count))
    }
  }

  extension HubToken {
    /// Whether it is of one hub with another, of one of its histories, of one unbroken log, and of
    /// the same tables.
    func isOfSameSource(as other: HubToken) -> Bool {
      (system, timeline, slot, tables) == (other.system, other.timeline, other.slot, other.tables)
    }
  }

  /// Cuts bytes into parts of a length, one at least.
  func parts(of bytes: [UInt8], length: Int) -> [(part: RelayRecord.Part, bytes: [UInt8])] {
    let count = max(1, (bytes.count + length - 1) / length)
    return (0..<count).map { index in
      let start = index * length
      return (
        RelayRecord.Part(index: index, count: count),
        Array(bytes[start..<min(start + length, bytes.count)])
      )
    }
  }

  /// Puts the parts of one message after the other together.
  struct PartAssembler {
    // MARK: - Mutable state
    //
    // - `bytes`, `next`: the parts that have come, and the index of the one that comes next.
    private var bytes: [UInt8] = []
    private var next = 0

    /// Takes a part; returns the whole where it was the last.
    ///
    /// A first part begins anew: who published the parts before may have been killed.
    ///
    /// - Throws: `HubError` with the code `malformedMessage` for a part out of order.
    mutating func take(_ part: RelayRecord.Part, _ payload: [UInt8]) throws -> [UInt8]? {
      if part.index == 0 { (bytes, next) = ([], 0) }
      guard part.index == next else { throw RelayReader.malformed("a part is missing") }
      bytes += payload
      next += 1
      guard part.isLast else { return nil }
      defer { (bytes, next) = ([], 0) }
      return bytes
    }
  }
#endif
