#if NATS
  import Foundation
  import SectileCore
  import SectileHub
  import SectileNATS
  import SectileStore
  import SectileTestHelpers
  import SectileTestSupport
  import Testing

  /// Machines behind a relay where something goes wrong.
  @Suite(
    .enabled(if: NATSServer.isExpected, "NATS is not installed"), .timeLimit(.minutes(60)))
  struct RelayFaultTests {
    @Test func serverAndRelayAreKilledWhileTheHubCommits() async throws {
      let bench = try RelayBench()
      var relay = bench.relay()
      let machine = try await bench.machine()
      var random = SeededRandom(seed: 1)
      var id: Int64 = 0
      for round in 0..<8 {
        for _ in 0..<60 {
          id += 1
          try bench.hub.commit([RelayBench.new(id)])
        }
        let pause = Int.random(in: 0...30, using: &random)
        try await Task.sleep(for: .milliseconds(pause))
        if round.isMultiple(of: 2) {
          bench.server.kill9()
          try bench.server.start()
        } else {
          try await bench.end(relay)
          relay = bench.relay()
        }
      }
      try await bench.equals(machine)
      // Nothing was missing, and nothing came twice: rows that did would not have fitted.
      #expect(bench.reasons(of: "machine") == [.firstTime])
      #expect(bench.reasons(of: "relay") == [.firstTime])
      try await machine.close()
      try await bench.end(relay)
    }

    @Test func connectionsOfTheHubBreak() async throws {
      let bench = try RelayBench(seed: 5)
      let relay = bench.relay()
      let machine = try await bench.machine()
      bench.hub.faults.brokenStream = 0.2
      bench.hub.faults.lostConfirmation = 0.5
      for id in Int64(1)...200 { try bench.hub.commit([RelayBench.new(id)]) }
      try await bench.equals(machine)
      #expect(bench.reasons(of: "machine") == [.firstTime])
      try await machine.close()
      try await bench.end(relay)
    }

    @Test func hubGivesUpTheRelaysLog() async throws {
      let bench = try RelayBench()
      let relay = bench.relay()
      let machine = try await bench.machine()
      try bench.hub.commit((1...20).map { RelayBench.new($0) })
      try await bench.equals(machine)
      bench.hub.loseLog(of: "relay")
      try bench.hub.commit([RelayBench.new(21)])
      try await bench.equals(machine)
      let isCompared = try await comesTrue { bench.reasons(of: "machine").count == 2 }
      #expect(isCompared)
      #expect(bench.reasons(of: "machine").last == .slotMissing)
      try bench.hub.commit([RelayBench.new(22)])
      try await bench.equals(machine)
      try await machine.close()
      try await bench.end(relay)
    }

    @Test func copyTakesTheHubsPlace() async throws {
      let bench = try RelayBench()
      let relay = bench.relay()
      let machine = try await bench.machine()
      for id in Int64(1)...20 { try bench.hub.commit([RelayBench.new(id)]) }
      try await bench.equals(machine)
      bench.hub.promoteCopy(lacking: 5)
      try bench.hub.commit([RelayBench.new(30)])
      try await bench.equals(machine)
      // Rows are there a moment before it is told why.
      let isCompared = try await comesTrue {
        bench.reasons(of: "machine") == [.firstTime, .otherTimeline]
      }
      #expect(isCompared)
      try await machine.close()
      try await bench.end(relay)
    }

    @Test func streamLosesItsMessages() async throws {
      let bench = try RelayBench()
      let relay = bench.relay()
      let machine = try await bench.machine()
      try bench.hub.commit((1...20).map { RelayBench.new($0) })
      try await bench.equals(machine)
      bench.server.kill9()
      try bench.server.loseData()
      try bench.server.start()
      try bench.hub.commit([RelayBench.new(21)])
      try await bench.equals(machine)
      let isCompared = try await comesTrue { bench.reasons(of: "machine").count >= 2 }
      #expect(isCompared)
      // The hub was not asked for its rows again.
      #expect(bench.reasons(of: "relay") == [.firstTime])
      try await machine.close()
      try await bench.end(relay)
    }

    @Test func streamLetsGoOfWhatAMachineLacks() async throws {
      let bench = try RelayBench()
      let relay = bench.relay { $0.byteLimit = 40_000 }
      let machine = try await bench.machine()
      try bench.hub.commit([RelayBench.new(1)])
      try await bench.equals(machine)
      try await machine.close()
      let text = String(repeating: "x", count: 1000)
      for id in Int64(2)...100 { try bench.hub.commit([RelayBench.new(id, state: text)]) }
      // The newest snapshot leads on to what is kept, so that another one is made.
      let isMade = try await comesTrue { bench.snapshotCount >= 2 }
      #expect(isMade)
      let later = try await bench.machine()
      try await bench.equals(later)
      let isTold = try await comesTrue { bench.reasons(of: "machine").count == 2 }
      #expect(isTold)
      let reasons = bench.reasons(of: "machine")
      if case .behindSlot? = reasons.last {} else { Issue.record("\(reasons)") }
      try await later.close()
      try await bench.end(relay)
    }

    @Test func secondRelayTakesTheStream() async throws {
      let bench = try RelayBench()
      let first = bench.relay("first")
      let machine = try await bench.machine()
      try bench.hub.commit([RelayBench.new(1)])
      try await bench.equals(machine)
      let second = bench.relay("second")
      let isTaken = try await comesTrue { bench.reasons(of: "machine").count == 2 }
      #expect(isTaken)
      try bench.hub.commit([RelayBench.new(2)])
      try await bench.equals(machine)
      let standsStill = try await comesTrue {
        bench.events(of: "first").contains { ($0.error as? HubError)?.code == .nameInUse }
      }
      #expect(standsStill)
      try bench.hub.commit([RelayBench.new(3)])
      try await bench.equals(machine)
      #expect(bench.reasons(of: "machine").count == 2)
      try await machine.close()
      try await bench.end(first)
      try await bench.end(second)
    }
  }
#endif
