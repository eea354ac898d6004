#if Postgres
  import SectileHub
  import SectileTestSupport
  import Testing

  @testable import SectilePostgres

  @Suite struct PluginMessageTests {
    private static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(value >> (8 * UInt64($0)) & 0xFF) }
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    private static func row(_ values: String?...) -> [UInt8] {
      number(UInt64(values.count), 2)
        + values.flatMap { value -> [UInt8] in
          guard let value else { return Array("n".utf8) }
          return Array("t".utf8) + number(UInt64(value.utf8.count), 4) + Array(value.utf8)
        }
    }

    private static func message(_ kind: String, _ parts: [UInt8]...) -> [UInt8] {
      Array(kind.utf8) + parts.flatMap { $0 }
    }

    private static func columns(_ columns: (String, UInt32)...) -> [UInt8] {
      number(UInt64(columns.count), 2)
        + columns.flatMap { [1] + text($0.0) + number(UInt64($0.1), 4) + number(0xFFFF_FFFF, 4) }
    }

    private static let relation = message(
      "R", number(7, 4), text("public"), text("parcel"), Array("d".utf8),
      columns(("id", 20), ("title", 25)))

    /// A message of each kind, and what it says.
    static let examples: [(bytes: [UInt8], message: PluginMessage)] = [
      (
        message("B", number(0x99, 8), number(5, 8), number(77, 4)),
        .begin(transaction: 77, microsecond: 5)
      ),
      (
        message("C", [0], number(0x98, 8), number(0x99, 8), number(5, 8)),
        .commit(end: HubPosition(byteCount: 0x99), microsecond: 5)
      ),
      (
        relation,
        .relation(
          PluginRelation(
            id: 7, schema: "public", name: "parcel",
            columns: [.init(name: "id", type: 20), .init(name: "title", type: 25)]))
      ),
      (
        message("I", number(7, 4), Array("N".utf8), row("1", nil)),
        .insert(relation: 7, row: [.text([0x31]), .null])
      ),
      (
        message("U", number(7, 4), Array("N".utf8), row("1", "x")),
        .update(relation: 7, old: nil, row: [.text([0x31]), .text([0x78])])
      ),
      (
        message(
          "U", number(7, 4), Array("K".utf8), row("1", nil), Array("N".utf8), number(2, 2),
          Array("t".utf8), number(1, 4), [0x32], Array("u".utf8)),
        .update(
          relation: 7, old: PluginOldRow(hasKeyOnly: true, cells: [.text([0x31]), .null]),
          row: [.text([0x32]), .unchanged])
      ),
      (
        message("D", number(7, 4), Array("O".utf8), row("1", "y")),
        .delete(
          relation: 7, old: PluginOldRow(hasKeyOnly: false, cells: [.text([0x31]), .text([0x79])]))
      ),
      (
        message("T", number(2, 4), [0], number(7, 4), number(8, 4)), .truncate(relations: [7, 8])
      ),
      (message("S", number(3, 4), [1]), .streamStart(transaction: 3)),
      (message("E"), .streamStop),
      (
        message("c", number(3, 4), [0], number(1, 8), number(2, 8), number(5, 8)),
        .streamCommit(transaction: 3, end: HubPosition(byteCount: 2), microsecond: 5)
      ),
      (message("A", number(3, 4), number(4, 4)), .streamAbort(transaction: 3, part: 4)),
      (message("O", number(3, 8), text("origin")), .other),
      (message("Y", number(3, 4), text("public"), text("mood")), .other),
      (message("M", [0], number(3, 8), text("prefix"), number(2, 4), [1, 2]), .other),
    ]

    @Test(arguments: examples.indices) func messageIsRead(_ index: Int) throws {
      let (bytes, message) = Self.examples[index]
      #expect(try PluginMessage.decode(ByteReader(bytes), isInPiece: false).message == message)
    }

    @Test(arguments: examples.indices) func beginningsAndMoreAreMalformed(_ index: Int) {
      let bytes = Self.examples[index].bytes
      let wrong = (0..<bytes.count).map { Array(bytes.prefix($0)) } + [bytes + [0]]
      for bytes in wrong {
        let error = #expect(throws: HubError.self) {
          _ = try PluginMessage.decode(ByteReader(bytes), isInPiece: false)
        }
        #expect(error?.code == .malformedMessage, "\(bytes)")
      }
    }

    @Test func partsOfAPieceHaveTheirNumber() throws {
      let bytes = Self.message("I", Self.number(5, 4), Self.number(7, 4), [0x4E], Self.row("1"))
      let decoded = try PluginMessage.decode(ByteReader(bytes), isInPiece: true)
      #expect(decoded.part == 5)
      #expect(decoded.message == .insert(relation: 7, row: [.text([0x31])]))
    }

    @Test(arguments: SeededRandom.batches()) func changedBytesDoNotTrap(_ seeds: Range<UInt64>)
      throws
    {
      for seed in seeds {
        var random = SeededRandom(seed: seed)
        var assembler = try Self.assembler()
        for _ in 0..<40 {
          let example = Self.examples[Int.random(in: 0..<Self.examples.count, using: &random)]
          var bytes = example.bytes
          if random.chance(0.6) {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
              let place = Int.random(in: 0..<bytes.count, using: &random)
              switch Int.random(in: 0..<4, using: &random) {
              case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
              case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
              case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
              default: bytes.remove(at: place)
              }
              if bytes.isEmpty { bytes = [0xFF] }
            }
          }
          do {
            _ = try assembler.take(ByteReader(bytes))
          } catch {
            #expect(
              [.malformedMessage, .unsupportedValue, .schemaAhead].contains(error.code), "\(random)"
            )
          }
        }
      }
    }

    private static func assembler() throws -> StreamAssembler {
      let table = PostgresTable(
        number: 7, schema: "public", name: "parcel", isPartitioned: false,
        columns: [
          .init(
            name: "id", typeNumber: 20, typeName: "bigint", type: .int8, isNullable: false,
            isGenerated: false),
          .init(
            name: "title", typeNumber: 25, typeName: "text", type: .text, isNullable: true,
            isGenerated: false),
        ], key: ["id"], leaves: [], partitions: [], isKeyDeferrable: false,
        canBePublished: true, isReadable: true)
      let synced = try table.described(for: "parcel")
      return StreamAssembler(
        sources: try StreamSources(tables: [(synced: synced, table: table)]), after: .zero)
    }

    /// A row that belongs to a piece: the number of its part after the kind.
    private static func piece(_ part: UInt64, _ key: String) -> [UInt8] {
      message("I", number(part, 4), number(7, 4), [0x4E], row(key, nil))
    }

    @Test func piecesOfTransactionsAreKeptApart() throws {
      var assembler = try Self.assembler()
      func start(_ transaction: UInt64) -> [UInt8] {
        Self.message("S", Self.number(transaction, 4), [0])
      }
      let relation = Self.message("R", Self.number(1, 4), Array(Self.relation.dropFirst()))
      var messages: [HubMessage] = []
      for bytes in [
        start(1), relation, Self.piece(1, "10"), Self.piece(11, "11"), Self.message("E"), start(2),
        Self.piece(2, "20"), Self.message("E"), start(3), Self.piece(3, "30"), Self.message("E"),
        Self.message("A", Self.number(1, 4), Self.number(11, 4)),
        Self.message("A", Self.number(3, 4), Self.number(3, 4)),
        Self.message(
          "c", Self.number(2, 4), [0], Self.number(8, 8), Self.number(9, 8), Self.number(0, 8)),
        start(1), Self.piece(1, "12"), Self.message("E"),
        Self.message(
          "c", Self.number(1, 4), [0], Self.number(18, 8), Self.number(19, 8), Self.number(0, 8)),
      ] {
        if let message = try assembler.take(ByteReader(bytes)) { messages.append(message) }
      }
      let changes = messages.map { message -> [HubChange] in
        if case .transaction(let transaction) = message { transaction.changes } else { [] }
      }
      #expect(
        changes == [
          [.insert(table: "parcel", row: [20, .null])],
          [
            .insert(table: "parcel", row: [10, .null]), .insert(table: "parcel", row: [12, .null]),
          ],
        ])
    }

    @Test func keepAliveWithinATransactionSaysNothing() throws {
      var assembler = try Self.assembler()
      let position = HubPosition(byteCount: 5)
      guard case .keepAlive(position)? = assembler.takeKeepAlive(position) else {
        Issue.record("a keep-alive between transactions is told")
        return
      }
      #expect(assembler.takeKeepAlive(position) == nil)
      _ = try assembler.take(ByteReader(Self.examples[0].bytes))
      #expect(assembler.takeKeepAlive(HubPosition(byteCount: 6)) == nil)
    }
  }
#endif
