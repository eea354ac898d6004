import Foundation
import SectileHub
import Testing

/// What who watches over a replica is told.
@Suite(.timeLimit(.minutes(60))) struct ReplicaHealthTests {
  @Test func rowsThatAreRecentAreCurrentAlsoWithoutTheHub() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open()
    try await eventually("its rows are current") { replica.status.health() == .current }
    bench.hub.isReachable = false
    try await eventually("the hub is lost") {
      if case .waiting = replica.status.phase { true } else { false }
    }
    // The hub has told no sign of life yet.
    guard replica.status.health().kind == .behind else {
      Issue.record("it is \(replica.status.health())")
      return
    }
    bench.hub.isReachable = true
    bench.hub.beat()
    try await bench.catchUp(replica)
    bench.hub.isReachable = false
    try await eventually("the hub is lost again") {
      if case .waiting = replica.status.phase { true } else { false }
    }
    #expect(replica.status.health(lagLimit: .seconds(3600)) == .current)
    let later = replica.status.health(at: Date() + 60)
    guard later.kind == .behind, let reason = later.reason else {
      Issue.record("rows of a minute ago are current")
      return
    }
    #expect(reason.hasPrefix("the hub's last sign of life is "))
    try await replica.close()
    #expect(replica.status.health() == .stopped("the replica is closed"))
  }

  @Test func unknownSchemaIsNoMatterOfTime() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open { $0.schemaVersion = 1 }
    bench.hub.support(versions: 2...2)
    try await eventually("it has stopped") {
      replica.status.health().kind == .stopped
    }
    try await replica.close()
  }
}
