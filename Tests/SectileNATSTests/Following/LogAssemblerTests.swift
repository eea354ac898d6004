#if NATS
  import SectileCore
  import SectileHub
  import Testing

  @testable import SectileNATS

  /// Transactions, as a machine has them, of messages.
  @Suite struct LogAssemblerTests {
    private static let generation = RelayRecord.Generation(number: 2, name: "slot_ab")

    private static func token(at position: UInt64) -> HubToken {
      HubToken(
        system: "memory", timeline: 1, slot: "slot", tables: "t",
        position: HubPosition(byteCount: position))
    }

    private static func record(
      _ changes: [HubChange], after previous: UInt64, at position: UInt64,
      of generation: RelayRecord.Generation = Self.generation
    ) -> RelayRecord {
      let transaction = HubTransaction(
        position: HubPosition(byteCount: position), changes: changes)
      return RelayRecord(
        .transaction, of: generation, after: HubPosition(byteCount: previous),
        source: token(at: position), schemaVersions: nil, payload: transaction.relayed)
    }

    private static let change = HubChange.insert(
      table: "parcel", row: [.integer(1), .integer(2), .text("new"), .integer(1)])

    private func assembler(
      _ table: SyncedTable = RelayBench.parcel, at position: UInt64 = 10
    ) throws -> LogAssembler {
      var token = Self.token(at: position)
      token.slot = Self.generation.name
      let tables = try RelayedTable(table, of: [RelayBench.parcel, RelayBench.note])
      return LogAssembler(after: token, from: 5, [tables])
    }

    @Test func machineHasItsColumns() throws {
      var table = RelayBench.parcel
      table.columns = [table.columns[2], table.columns[0]]
      var assembler = try assembler(table)
      let note = HubChange.delete(table: "note", key: [.text("n")])
      let record = Self.record([Self.change, note], after: 10, at: 20)
      guard case .transaction(let told)? = try assembler.take(5, record.bytes) else {
        Issue.record("there is no transaction")
        return
      }
      #expect(told.changes == [.insert(table: "parcel", row: [.text("new"), .integer(1)])])
      let other = Self.record([note], after: 20, at: 30)
      guard case .keepAlive(let position)? = try assembler.take(6, other.bytes) else {
        Issue.record("there is a transaction of another table")
        return
      }
      #expect(position == HubPosition(byteCount: 30))
    }

    @Test func whatTheMachineHasIsSkipped() throws {
      var assembler = try assembler(at: 20)
      let old = Self.record([Self.change], after: 10, at: 20).bytes
      let isToldAgain = try assembler.take(5, old) != nil
      #expect(!isToldAgain)
      let new = Self.record([Self.change], after: 20, at: 30).bytes
      let isTold = try assembler.take(6, new) != nil
      #expect(isTold)
    }

    @Test func gapsAreRefused() throws {
      let record = Self.record([Self.change], after: 15, at: 20).bytes
      var first = try assembler()
      #expect(throws: HubError.self) { try first.take(5, record) }
      var second = try assembler()
      #expect(throws: HubError.self) {
        try second.take(6, Self.record([Self.change], after: 10, at: 20).bytes)
      }
      let other = RelayRecord.Generation(number: 3, name: "slot_cd")
      var third = try assembler()
      #expect(throws: HubError.self) {
        try third.take(5, Self.record([Self.change], after: 10, at: 20, of: other).bytes)
      }
    }

    @Test func tokensOfAnotherLogHaveNoPlace() {
      let last = Self.record([], after: 10, at: 20)
      var token = Self.token(at: 20)
      token.slot = Self.generation.name
      #expect(LogSearch.mismatch(of: token, with: last) == nil)
      var other = token
      other.slot = "slot_cd"
      #expect(LogSearch.mismatch(of: other, with: last) == .slotMissing)
      other = token
      other.timeline = 2
      #expect(LogSearch.mismatch(of: other, with: last) == .otherTimeline)
      other = token
      other.system = "another"
      #expect(LogSearch.mismatch(of: other, with: last) == .otherSystem)
      other = token
      other.position = HubPosition(byteCount: 21)
      #expect(LogSearch.mismatch(of: other, with: last) == .aheadOfHub(last.position))
    }

    @Test func machineGetsWhatTheRelayHas() throws {
      let tables = [RelayBench.parcel, RelayBench.note]
      #expect(try RelayedTable.describe("note", of: tables) == RelayBench.note)
      let refused: [(TableSubscription, HubError.Code)] = [
        ("depot", .noSuchTable),
        (TableSubscription("parcel", where: "depot = 7"), .invalidSubscription),
        (TableSubscription("parcel", columns: ["id", "due"]), .invalidSubscription),
        (TableSubscription("parcel", columns: ["depot"]), .invalidSubscription),
      ]
      for (subscription, code) in refused {
        let error = #expect(throws: HubError.self) {
          try RelayedTable.describe(subscription, of: tables)
        }
        #expect(error?.code == code)
      }
    }
  }
#endif
