#if NATS
  import Foundation
  import SectileCore
  import SectileHub
  import SectileTestSupport
  import Testing

  @testable import SectileNATS

  /// What a relay writes comes back as it was.
  @Suite(.timeLimit(.minutes(60))) struct RelayEncodingTests {
    private static let source = HubToken(
      system: "memory", timeline: 3, slot: "slot_1", tables: "0123456789abcdef",
      position: HubPosition(byteCount: 77), heartbeat: "mark", definition: "a=1")

    private static let generation = RelayRecord.Generation(number: 7, name: "slot_1_ab")

    @Test(arguments: SeededRandom.batches())
    func transactionsComeBackAsTheyWere(_ seeds: Range<UInt64>) throws {
      for seed in seeds {
        var random = SeededRandom(seed: seed)
        let transaction = HubTransaction.random(&random)
        let bytes = transaction.relayed
        let read = try HubTransaction(relayed: bytes)
        #expect(read.position == transaction.position, "\(random)")
        #expect(read.committedAt == transaction.committedAt, "\(random)")
        #expect(read.changes == transaction.changes, "\(random)")
        #expect(read.controlRecords == transaction.controlRecords, "\(random)")
        // Values that are equal and not the same, such as -0 and 0, have other bytes.
        #expect(read.relayed == bytes, "\(random)")
      }
    }

    @Test(arguments: SeededRandom.batches())
    func damagedMessagesAreRefused(_ seeds: Range<UInt64>) throws {
      for seed in seeds {
        var random = SeededRandom(seed: seed)
        let bytes = HubTransaction.random(&random).relayed
        let end = Int.random(in: 0..<bytes.count, using: &random)
        let error = #expect(throws: HubError.self, "\(random)") {
          try HubTransaction(relayed: Array(bytes[..<end]))
        }
        #expect(error?.code == .malformedMessage, "\(random)")
        #expect(throws: HubError.self, "\(random)") { try HubTransaction(relayed: bytes + [0]) }
        // Whatever comes is read or refused.
        var other = bytes
        for _ in 0..<3 {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          other[place] = UInt8(random.next() & 0xFF)
        }
        _ = try? HubTransaction(relayed: other)
        _ = try? RelayRecord(other)
        _ = try? SnapshotHead(other)
        _ = try? SnapshotRecord(other)
        _ = try? HubRowBatch(relayed: other)
      }
    }

    @Test func recordsOfTheLogComeBack() throws {
      for versions in [nil, 2...5] as [ClosedRange<Int>?] {
        let record = RelayRecord(
          .transaction, of: Self.generation, after: HubPosition(byteCount: 70),
          source: Self.source, schemaVersions: versions,
          part: RelayRecord.Part(index: 1, count: 3), payload: [1, 2, 3])
        #expect(try RelayRecord(record.bytes) == record)
      }
      #expect(throws: HubError.self) { try RelayRecord([]) }
      #expect(throws: HubError.self) { try RelayRecord([9, 0]) }
    }

    @Test func snapshotsComeBack() throws {
      let head = SnapshotHead(
        identity: .max, madeAt: Date(timeIntervalSinceReferenceDate: 1.5),
        generation: Self.generation, source: Self.source,
        controlRecords: HubControlRecords(schemaVersions: 1...2),
        tables: [RelayBench.parcel, RelayBench.note], rowCount: 5, firstMessage: 11,
        messageCount: 2)
      let read = try SnapshotHead(try head.encoded())
      #expect(read.identity == head.identity && read.madeAt == head.madeAt)
      #expect(read.generation == head.generation && read.source == head.source)
      #expect(read.controlRecords == head.controlRecords && read.tables == head.tables)
      #expect(read.rowCount == 5 && read.firstMessage == 11 && read.messageCount == 2)
      #expect(read.token.slot == "slot_1_ab")
      let rows: [[StoredValue]] = [[.integer(1), .null], [.text("a"), .blob([])]]
      let batch = HubRowBatch(table: "parcel", rows: rows)
      #expect(try HubRowBatch(relayed: batch.relayed) == batch)
    }

    @Test func longMessagesAreCutAndPutTogether() throws {
      for (count, length) in [(0, 4), (4, 4), (5, 4), (1000, 7)] {
        let bytes = (0..<count).map { UInt8($0 & 0xFF) }
        let cut = parts(of: bytes, length: length)
        let areCut = cut.allSatisfy { $0.bytes.count <= length && $0.part.count == cut.count }
        #expect(areCut)
        var assembler = PartAssembler()
        // Who published the first ones was killed.
        if cut.count > 1 { _ = try assembler.take(cut[0].part, cut[0].bytes) }
        var whole: [UInt8]?
        for (part, bytes) in cut { whole = try assembler.take(part, bytes) }
        #expect(whole == bytes)
      }
      var assembler = PartAssembler()
      #expect(throws: HubError.self) {
        try assembler.take(RelayRecord.Part(index: 1, count: 2), [])
      }
    }
  }
#endif
