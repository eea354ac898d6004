#if Postgres
  internal import Sectile
  internal import SectileHub
  internal import SectilePostgres

  /// How long it takes to have all rows, and to catch up, next to what psql and sqlite3 take for
  /// the same rows.
  struct CopyFigures {
    /// How many rows each transaction changes that is caught up with.
    private static let batch = 100

    let world: HubWorld
    let rowCount: Int

    func measure() async throws {
      // Each twice, one after the other; the lesser counts.
      let firstImport = try await importing("SELECT * FROM large", into: "first")
      let other = try world.hub("other")
      let first = try await copying("other", other)
      let pipeline = min(firstImport, try await importing("SELECT * FROM large", into: "imported"))
      Figure.line("COPY into sqlite3, \(rowCount) rows", pipeline.seconds, "s")
      let hub = try world.hub("copy")
      let copying = min(first, try await copying("copy", hub))
      Figure.line("a new replica, \(rowCount) rows", copying.seconds, "s")
      Figure.line("  as a multiple of COPY into sqlite3", copying / pipeline, "times")
      try await other.detach()
      await other.close()
      try await catchUp(hub)
    }

    /// Makes a replica from nothing.
    private func copying(_ name: String, _ hub: PostgresHub) async throws -> Duration {
      var replica: Replica?
      let duration = try await Figure.time {
        replica = try await world.open(name, of: "large", hub)
      }
      try await replica?.close()
      return duration
    }

    /// Changes a fifth of the rows while nobody follows, in transactions of a hundred, and in one.
    private func catchUp(_ hub: PostgresHub) async throws {
      let changed = rowCount / 5
      try world.psql(
        """
        CREATE PROCEDURE change(amount bigint) LANGUAGE plpgsql AS $$ BEGIN
          FOR place IN 0 .. amount - 1 BY \(Self.batch) LOOP
            UPDATE large SET state = 'sent' WHERE id > place AND id <= place + \(Self.batch);
            COMMIT;
          END LOOP;
        END $$;
        """)
      try world.psql("CALL change(\(changed))")
      try await follow(hub, "\(changed / Self.batch) transactions of \(Self.batch) rows", changed)
        .close()
      try world.psql("UPDATE large SET state = 'delivered' WHERE id <= \(changed)")
      let replica = try await follow(hub, "one transaction of \(changed) rows", changed)
      let pipeline = try await importing(
        "SELECT * FROM large WHERE id <= \(changed)", into: "changed")
      Figure.line(
        "COPY of as many into an empty file of sqlite3", Double(changed) / pipeline.seconds,
        "rows/s")
      try await world.end(replica, hub)
    }

    /// Opens the replica again, and times until it has what the hub has.
    private func follow(_ hub: PostgresHub, _ what: String, _ count: Int) async throws -> Replica {
      let end = try await hub.status().currentPosition
      var opened: Replica?
      let duration = try await Figure.time {
        let replica = try await world.open("copy", of: "large", hub)
        try await world.wait(for: replica, toReach: end)
        opened = replica
      }
      Figure.line("catching up with \(what)", Double(count) / duration.seconds, "rows/s")
      guard let opened else { throw HubWorld.Failure(description: "there is no replica") }
      return opened
    }

    /// Copies what a query returns into a file of sqlite3, as a pipeline does.
    private func importing(_ query: String, into name: String) async throws -> Duration {
      try await Figure.time {
        try world.shell(
          #"""
          psql -Xq -v ON_ERROR_STOP=1 "$1" -c "COPY ($2) TO STDOUT (FORMAT csv)" |
            sqlite3 "$3" 'PRAGMA journal_mode=WAL' \
              'CREATE TABLE large (id INTEGER PRIMARY KEY, depot INTEGER, state TEXT, sectile_rev INTEGER)' \
              '.import --csv /dev/stdin large'
          """#, world.connection, query, world.path(name))
      }
    }
  }
#endif
