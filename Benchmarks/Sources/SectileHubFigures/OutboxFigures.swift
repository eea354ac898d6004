#if Postgres
  internal import Sectile
  internal import SectileHub

  /// How long it takes until entries of the outbox have come back.
  struct OutboxFigures {
    let world: HubWorld

    func measure() async throws {
      let hub = try world.hub("outbox")
      let replica = try await world.open("outbox", of: "parcel", hub)
      for count in [100, 400, 1600] {
        let making = try await Figure.time {
          for number in 1...count {
            try await replica.enqueue { changes in
              try changes.update(
                "parcel", key: number, set: ["state": "kept \(count)"], ifRevision: .any)
            }
          }
        }
        let rest = try await Figure.time {
          while try await !replica.outbox().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        }
        Figure.line(
          "\(count) entries of the outbox, made and back", (making + rest) / .milliseconds(count),
          "ms each")
      }
      try await world.end(replica, hub)
    }
  }
#endif
