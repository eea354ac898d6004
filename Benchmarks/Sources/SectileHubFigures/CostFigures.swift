#if Postgres
  internal import Sectile
  internal import SectileHub
  internal import SectilePostgres

  /// What a commit costs the hub with some replicas that follow it.
  struct CostFigures {
    let world: HubWorld
    let count: Int

    func measure() async throws {
      for replicaCount in [0, 1, 2, 4] {
        var followers: [(Replica, PostgresHub)] = []
        for number in 0..<replicaCount {
          let hub = try world.hub("cost\(number)")
          followers.append((try await world.open("cost\(number)", of: "parcel", hub), hub))
        }
        let writer = try world.hub("costs")
        let begin = try world.serverTime()
        for number in 1...count {
          try await world.change(number, to: "n\(replicaCount)", by: "costs\(replicaCount)", writer)
        }
        let end = try await writer.status().currentPosition
        for (replica, _) in followers { try await world.wait(for: replica, toReach: end) }
        let spent = try world.serverTime() - begin
        Figure.line(
          "the hub's processor, \(replicaCount) replicas", spent * 1_000_000 / Double(count),
          "us a commit")
        for (replica, hub) in followers { try await world.end(replica, hub) }
        await writer.close()
      }
    }
  }
#endif
