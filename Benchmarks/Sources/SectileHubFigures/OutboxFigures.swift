#if Postgres
  internal import Sectile
  internal import SectileHub
  internal import SectilePostgres

  /// How long it takes until entries that were made without the hub have come back.
  struct OutboxFigures {
    static let counts = [100, 400, 1600]

    let world: HubWorld

    func measure() async throws {
      let hub = try world.hub("outbox")
      try await world.open("outbox", of: "parcel", hub).close()
      for count in Self.counts {
        try await keep(count)
        let replica = try await world.open("outbox", of: "parcel", hub)
        let draining = try await Figure.time {
          while try await !replica.outbox().isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        }
        Figure.line(
          "\(count) entries of the outbox, until they are back", draining / .milliseconds(count),
          "ms each")
        try await replica.close()
      }
      try await hub.detach()
      await hub.close()
    }

    /// Makes entries that wait.
    private func keep(_ count: Int) async throws {
      let replica = try await world.openWithoutHub("outbox", of: "parcel")
      let keeping = try await Figure.time {
        for number in 1...count {
          try await replica.enqueue { changes in
            try changes.update(
              "parcel", key: number, set: ["state": "kept \(count)"], ifRevision: .any)
          }
        }
      }
      Figure.line(
        "\(count) entries of the outbox, made without the hub", keeping / .milliseconds(count),
        "ms each")
      try await replica.close()
    }
  }
#endif
