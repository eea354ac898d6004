#if NATS
  import Foundation
  import SectileCore
  import SectileHub
  import SectileNATS
  import SectileStore
  import SectileTestHelpers
  import SectileTestSupport
  import Testing

  /// Machines that follow a hub behind a relay.
  @Suite(
    .enabled(if: NATSServer.isExpected, "NATS is not installed"), .timeLimit(.minutes(60)))
  struct RelayTests {
    @Test func machinesHaveTheHubsRows() async throws {
      let bench = try RelayBench()
      try bench.hub.commit((1...300).map { RelayBench.new($0, state: "new") })
      let relay = bench.relay()
      let first = try await bench.machine("first")
      let second = try await bench.machine("second", tables: ["parcel"])
      for id in Int64(301)...340 { try bench.hub.commit([RelayBench.new(id)]) }
      try bench.hub.commit([
        .update(
          table: "parcel", key: [.integer(1)], revision: nil, values: ["state": .text("sent")]),
        .delete(table: "parcel", key: [.integer(2)], revision: nil),
      ])
      try await bench.equals(first)
      let isEqual = try await comesTrue {
        try bench.rows(second) == bench.hub.rows(of: "parcel")
      }
      #expect(isEqual)
      #expect(bench.reasons(of: "first") == [.firstTime])
      #expect(bench.reasons(of: "relay") == [.firstTime])
      bench.hub.truncate("parcel")
      try await bench.equals(first)
      try await first.close()
      try await second.close()
      try await bench.end(relay)
    }

    @Test func machineGoesOnWhereItStands() async throws {
      let bench = try RelayBench()
      let relay = bench.relay()
      let machine = try await bench.machine()
      try bench.hub.commit([RelayBench.new(1)])
      try await bench.equals(machine)
      try await machine.close()
      for id in Int64(2)...40 { try bench.hub.commit([RelayBench.new(id)]) }
      let later = try await bench.machine()
      try await bench.equals(later)
      #expect(bench.reasons(of: "machine") == [.firstTime])
      try await later.catchUp()
      try await later.close()
      try await bench.end(relay)
    }

    @Test func longTransactionsAreCut() async throws {
      let bench = try RelayBench()
      let relay = bench.relay()
      let machine = try await bench.machine()
      let bytes = (0..<3_000_000).map { UInt8($0 & 0xFF) }
      let id = StoredValue.text("6f1c3d8e-0000-4000-8000-000000000001")
      try bench.hub.commit([
        RelayBench.new(1), .insert(table: "note", values: ["id": id, "body": .blob(bytes)]),
      ])
      try await bench.equals(machine)
      try await machine.close()
      // A snapshot with such a row is cut as well.
      try await bench.end(relay)
      let count = bench.snapshotCount
      let other = bench.relay("other")
      let isMade = try await comesTrue { bench.snapshotCount > count }
      #expect(isMade)
      let second = try await bench.machine("second")
      try await bench.equals(second)
      try await second.close()
      try await bench.end(other)
    }

    @Test func writesOfAMachineComeBack() async throws {
      let bench = try RelayBench()
      let relay = bench.relay()
      let machine = try await bench.machine(writing: true) { $0.offlineTables = ["parcel"] }
      try await machine.write { changes in
        try changes.insert(into: "parcel", values: ["id": 1, "depot": 2])
      }
      let rows = try bench.rows(machine)
      #expect(rows == bench.hub.rows(of: "parcel") && rows.count == 1)
      try await machine.close()
      let reader = try await bench.machine("reader")
      let error = await #expect(throws: HubError.self) {
        try await reader.write { try $0.insert(into: "parcel", values: ["id": 2, "depot": 2]) }
      }
      #expect(error?.code == .notPermitted)
      try await reader.close()
      try await bench.end(relay)
    }

    @Test func snapshotTellsRefusals() async throws {
      let bench = try RelayBench()
      let refused = Mutation(
        id: MutationID(client: "somebody", number: 1),
        changes: [.update(table: "parcel", key: [.integer(9)], revision: 3, values: [:])])
      let applied = Mutation(
        id: MutationID(client: "another", number: 1), changes: [RelayBench.new(1)])
      try bench.hub.perform(refused)
      try bench.hub.perform(applied)
      let relay = bench.relay()
      let feed = NATSFeed(bench.location, name: "probe")
      let isThere = try await comesTrue { (try? await feed.describe(["parcel"])) != nil }
      #expect(isThere)
      let snapshot = try await feed.snapshot(of: try await feed.describe(["parcel"]))
      let outcomes = Set(snapshot.controlRecords.outcomes)
      #expect(
        outcomes == [
          MutationReceipt(refused.id, isApplied: false),
          MutationReceipt(applied.id, isApplied: true),
        ])
      await snapshot.close()
      await feed.close()
      try await bench.end(relay)
    }

    @Test func nothingIsThereBeforeARelay() async throws {
      let bench = try RelayBench()
      let feed = NATSFeed(bench.location, name: "machine")
      let error = await #expect(throws: HubError.self) { try await feed.describe(["parcel"]) }
      #expect(error?.code == .unavailable && error?.hint != nil)
      await feed.close()
    }

    @Test func namesAndAddressesAreChecked() {
      for (servers, stream) in [
        (["nats://a:1"], ""), (["nats://a:1"], "a.b"), ([], "a"), (["nats://a:1,nats://b"], "a"),
      ] as [([String], String)] {
        #expect(throws: HubError.self) { try NATSLocation(servers: servers, stream: stream) }
      }
    }
  }
#endif
