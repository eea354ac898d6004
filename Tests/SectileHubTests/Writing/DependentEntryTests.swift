import SectileCore
import SectileStore
import SectileTestSupport
import Testing

@testable import SectileHub

/// Entries of the outbox that are made upon rows which earlier ones leave.
@Suite(.timeLimit(.minutes(60))) struct DependentEntryTests {
  private static func open(_ bench: ReplicaBench, named name: String = "a") async throws -> Replica
  {
    try await bench.open(at: bench.folder.file("\(name).sqlite"), named: name) {
      $0.offlineTables = ["parcel"]
    }
  }

  private static func kinds(_ replica: Replica) async throws -> [MutationRejection.Kind] {
    try await replica.outbox().compactMap {
      if case .parked(let rejection) = $0.state { rejection.kind } else { nil }
    }
  }

  private static func isDecided(_ replica: Replica) async throws {
    try await eventually("all is decided") {
      try await replica.outbox().allSatisfy {
        if case .parked = $0.state { true } else { false }
      }
    }
  }

  @Test func whatIsMadeUponARefusedEntryIsRefusedAsWell() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1, depot: 100), Parcel.new(2)])
    let replica = try await Self.open(bench)
    bench.hub.isReachable = false
    try await replica.enqueue { try $0.update("parcel", key: 1, set: ["depot": 90]) }
    try await replica.enqueue { changes in
      try changes.update("parcel", key: 1, set: ["depot": 80])
      try changes.update("parcel", key: 2, set: ["depot": 80])
    }
    try await replica.enqueue { try $0.update("parcel", key: 2, set: ["depot": 70]) }
    try bench.hub.commit([Parcel.set(1, ["depot": 1100])])
    bench.hub.isReachable = true
    try await Self.isDecided(replica)
    #expect(try await Self.kinds(replica) == [.conflict, .dependsOn, .dependsOn])
    #expect(bench.hub.rows(of: "parcel").map { $0[1] } == [1100, 1])
    try await bench.catchUp(replica)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    let told = bench.events.compactMap { $0.entry?.id }
    #expect(told == (try await replica.outbox().map(\.id)))
    #expect(replica.status.rejectedMutationCount == 3)
    try await replica.close()
  }

  @Test func whatIsCommittedBetweenTwoEntriesIsNotOverwritten() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1, depot: 100)])
    let replica = try await Self.open(bench)
    bench.hub.isReachable = false
    let first = try #require(
      try await replica.enqueue { try $0.update("parcel", key: 1, set: ["depot": 90]) })
    try await replica.enqueue { try $0.update("parcel", key: 1, set: ["depot": 80]) }
    // The hub performs the first, as if its answer had been lost, and somebody else writes then.
    let id = try await replica.store.write { try OutboxClients.number(first, in: $0) }
    let outcome = try bench.hub.perform(
      Mutation(id: id, changes: [Parcel.set(1, revision: 1, ["depot": 90])]))
    #expect(outcome == .applied)
    try bench.hub.commit([Parcel.set(1, ["state": "theirs"])])
    bench.hub.isReachable = true
    try await Self.isDecided(replica)
    #expect(try await Self.kinds(replica) == [.conflict])
    #expect(bench.hub.rows(of: "parcel").first?[1...2] == [90, "theirs"])
    try await replica.close()
  }

  @Test func whatIsMadeUponADiscardedEntryIsParked() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let replica = try await Self.open(bench)
    bench.hub.isReachable = false
    let first = try #require(
      try await replica.enqueue { try $0.update("parcel", key: 1, set: ["depot": 2]) })
    try await replica.enqueue { try $0.update("parcel", key: 1, set: ["state": "b"]) }
    try await replica.enqueue {
      try $0.update("parcel", key: 1, set: ["state": "any"], ifRevision: .any)
    }
    #expect(try await replica.discard(first))
    #expect(try await Self.kinds(replica) == [.dependsOn])
    #expect(try bench.rows(replica, columns: ["depot", "state"]) == [[1, "any"]])
    bench.hub.isReachable = true
    try await Self.isDecided(replica)
    #expect(bench.hub.rows(of: "parcel").first?[1...2] == [1, "any"])
    try await replica.close()
  }

  @Test func severalChangesOfOneRowInOneEntryAreOne() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let replica = try await Self.open(bench)
    try await replica.enqueue { changes in
      try changes.update("parcel", key: 1, set: ["depot": 2])
      try changes.update("parcel", key: 1, set: ["state": "b"])
      try changes.insert(into: "parcel", values: ["id": 2, "depot": 1])
      try changes.update("parcel", key: 2, set: ["state": "c"])
    }
    try await Self.isDecided(replica)
    #expect(try await replica.outbox().isEmpty)
    #expect(bench.hub.rows(of: "parcel").map { $0[1...2] } == [[2, "b"], [1, "c"]])
    try await replica.close()
  }

  /// Machines that count up the same rows without the hub: what was performed adds up, whoever came
  /// first.
  @Test(arguments: SeededRandom.batches(debug: 20, release: 100))
  func nothingIsOverwrittenInSilence(_ seeds: Range<UInt64>) async throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let bench = try ReplicaBench(seed: seed)
      try bench.hub.commit((1...3).map { Parcel.new($0, depot: 0) })
      var replicas: [Replica] = []
      for name in ["a", "b"] { replicas.append(try await Self.open(bench, named: name)) }
      var made = 0
      var committed: Int64 = 0
      for _ in 0..<3 {
        for replica in replicas { try await bench.catchUp(replica) }
        bench.hub.isReachable = false
        for replica in replicas {
          try await eventually("nothing comes any more") {
            if case .waiting = replica.status.phase { true } else { false }
          }
        }
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let replica = replicas[Int.random(in: 0...1, using: &random)]
          let ids = (1...3).shuffled(using: &random)
            .prefix(Int.random(in: 1...2, using: &random)).map(Int64.init)
          var counts: [Int64: Int64] = [:]
          for row in try bench.rows(replica) {
            if case (.integer(let id), .integer(let count)) = (row[0], row[1]) {
              counts[id] = count
            }
          }
          let seen = counts
          try await replica.enqueue { changes in
            for id in ids {
              try changes.update("parcel", key: id, set: ["depot": (seen[id] ?? 0) + 1])
            }
          }
          made += ids.count
        }
        if random.chance(0.5) {
          // Somebody else counts up as well.
          let row = try #require(bench.hub.rows(of: "parcel").randomElement(using: &random))
          if case (.integer(let id), .integer(let count)) = (row[0], row[1]) {
            try bench.hub.commit([Parcel.set(id, ["depot": .integer(count + 1)])])
            committed += 1
          }
        }
        bench.hub.faults.lostAnswer = random.chance(0.5) ? 0.3 : 0
        bench.hub.faults.lostMutation = random.chance(0.5) ? 0.3 : 0
        bench.hub.faults.brokenStream = random.chance(0.5) ? 0.2 : 0
        if random.chance(0.2) { bench.hub.loseLog(of: "a") }
        bench.hub.isReachable = true
        for replica in replicas { try await Self.isDecided(replica) }
        bench.hub.faults = InMemoryHubFaults()
      }
      var parked = 0
      for replica in replicas {
        parked += try await replica.outbox().map(\.changes.count).reduce(0, +)
        try await bench.catchUp(replica)
        #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"), "seed \(seed)")
        try await replica.close()
      }
      let total = bench.hub.rows(of: "parcel").reduce(Int64(0)) { sum, row in
        if case .integer(let count) = row[1] { sum + count } else { sum }
      }
      #expect(total == Int64(made - parked) + committed, "seed \(seed)")
    }
  }
}
