#if Postgres
  import SectileCore
  import SectileHub
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct ValidationTests {
    /// A replica that has read a snapshot.
    private struct Replica {
      let database: TestDatabase
      let hub: PostgresHub
      let tables: [SyncedTable]
      let token: HubToken
      var model: ReplicaModel

      init(on server: PostgresServer? = nil, options: PostgresHubOptions = .impatient) async throws
      {
        database = try await TestDatabase(
          "CREATE TABLE parcel (id bigint PRIMARY KEY, title text); "
            + "INSERT INTO parcel SELECT n, 'parcel' FROM generate_series(1, 20) n", on: server)
        hub = try await database.hub(options: options, installing: ["parcel"])
        tables = try await hub.describe(["parcel"])
        let snapshot = try await hub.snapshot(of: tables)
        token = snapshot.token
        model = ReplicaModel(tables)
        try await model.read(snapshot)
      }
    }

    @Test func tokenOfASnapshotResumes() async throws {
      let replica = try await Replica()
      #expect(try await replica.hub.validate(replica.token) == .resume)
      #expect(HubToken(replica.token.description) == replica.token)
      try await replica.hub.detach()
    }

    @Test func positionBeforeTheSlotsIsNotSkippedSilently() async throws {
      var replica = try await Replica()
      let stream = try await replica.hub.stream(after: replica.token, of: replica.tables)
      try await replica.database.run("UPDATE parcel SET title = 'lost otherwise'")
      try await replica.model.follow(stream, to: try await replica.hub.position())
      try await stream.confirm(replica.model.position)
      while try await replica.hub.status().confirmedPosition != replica.model.position {}
      await stream.close()
      // The replica's file was put back to the snapshot.
      #expect(
        try await replica.hub.validate(replica.token)
          == .resync(.behindSlot(confirmed: replica.model.position)))
      let (hub, token, tables) = (replica.hub, replica.token, replica.tables)
      #expect(await code { _ = try await hub.stream(after: token, of: tables) } == .unavailable)
      var later = token
      later.position = replica.model.position
      #expect(try await hub.validate(later) == .resume)
      try await hub.detach()
    }

    @Test func otherTokensAreTold() async throws {
      let replica = try await Replica()
      let hub = replica.hub
      var token = replica.token
      token.system = "1"
      #expect(try await hub.validate(token) == .resync(.otherSystem))
      token = replica.token
      token.timeline += 1
      #expect(try await hub.validate(token) == .resync(.otherTimeline))
      token = replica.token
      token.slot += "0"
      #expect(try await hub.validate(token) == .resync(.slotMissing))
      token = replica.token
      token.tables = "0"
      #expect(try await hub.validate(token) == .resync(.tablesChanged))
      token = replica.token
      token.position = HubPosition(byteCount: 1 << 60)
      guard case .resync(.aheadOfHub(let position)) = try await hub.validate(token) else {
        Issue.record("a position of the future is none")
        return
      }
      #expect(position >= replica.token.position)
      // A new snapshot ends what was kept for the old one.
      let snapshot = try await hub.snapshot(of: replica.tables)
      #expect(try await hub.validate(replica.token) == .resync(.slotMissing))
      // And one that is not read to its end leaves nothing behind.
      await snapshot.close()
      #expect(try await hub.status().slot == nil)
      try await hub.detach()
      try await hub.detach()
    }

    @Test func publicationThatIsGoneIsTold() async throws {
      let replica = try await Replica()
      let name = Publication.sharedName(replica.token.tables)
      try await replica.database.run("DROP PUBLICATION \"\(name)\"")
      #expect(try await replica.hub.validate(replica.token) == .resync(.tablesChanged))
      try await replica.hub.detach()
    }

    @Test func slotIsLostWhereTheLogGrowsTooLarge() async throws {
      let server = try PostgresServer(settings: [
        "fsync": "off", "max_slot_wal_keep_size": "1MB", "max_wal_size": "32MB",
        "min_wal_size": "32MB",
      ])
      let replica = try await Replica(on: server)
      let status = try await replica.hub.status()
      #expect(status.walStatus == "reserved")
      #expect(try #require(status.safeByteCount) > 0)
      for _ in 0..<6 {
        try await replica.database.run("SELECT pg_switch_wal()")
        try await replica.database.run("UPDATE parcel SET title = 'much'")
      }
      try await replica.database.run("CHECKPOINT")
      guard case .resync(.slotLost) = try await replica.hub.validate(replica.token) else {
        Issue.record("\(try await replica.hub.validate(replica.token))")
        return
      }
      #expect(try await replica.hub.status().walStatus == "lost")
      let snapshot = try await replica.hub.snapshot(of: replica.tables)
      var model = ReplicaModel(replica.tables)
      try await model.read(snapshot)
      #expect(try await replica.hub.validate(snapshot.token) == .resume)
      #expect(model.rows["parcel"]?.count == 20)
    }

    @Test func streamGoesOnAfterTheServerIsKilled() async throws {
      let server = try PostgresServer()
      var replica = try await Replica(on: server)
      let stream = try await replica.hub.stream(after: replica.token, of: replica.tables)
      try await replica.database.run("UPDATE parcel SET title = 'before' WHERE id < 10")
      try await replica.model.follow(stream, to: try await replica.hub.position())
      try await stream.confirm(replica.model.position)
      try await replica.database.run("INSERT INTO parcel VALUES (100, 'committed')")
      try server.kill9()
      #expect(await code { while true { _ = try await stream.next(limit: 1) } } == .unavailable)
      await stream.close()
      let (hub, token) = (replica.hub, replica.token)
      #expect(await code { _ = try await hub.validate(token) } == .unavailable)
      #expect(await code { _ = try await hub.status() } == .unavailable)
      try server.start()
      // The hub's slot may stand where it was at its last checkpoint, and the replica where it was.
      var current = token
      current.position = replica.model.position
      #expect(try await hub.validate(current) == .resume)
      let again = try await hub.stream(after: current, of: replica.tables)
      try await replica.database.run("DELETE FROM parcel WHERE id = 1")
      try await replica.model.follow(again, to: try await hub.position())
      await again.close()
      let contents = try await hub.contents(of: replica.tables, as: "other")
      #expect(contents == replica.model.rows)
      #expect(replica.model.rows["parcel"]?[[100]]?[1] == "committed")
    }

    @Test func serverThatEndsTheStreamIsUnavailable() async throws {
      let replica = try await Replica()
      let stream = try await replica.hub.stream(after: replica.token, of: replica.tables)
      // One stream at a time.
      let (hub, token, tables) = (replica.hub, replica.token, replica.tables)
      #expect(await code { _ = try await hub.stream(after: token, of: tables) } == .unavailable)
      try await replica.database.run(
        "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots "
          + "WHERE slot_name = '\(token.slot)'")
      #expect(await code { while true { _ = try await stream.next(limit: 1) } } == .unavailable)
      await stream.close()
      try await hub.detach()
    }

    /// The server cuts off whom it has not heard of for its `wal_sender_timeout`.
    @Test func replicaThatIsBusyIsHeardOf() async throws {
      var options = PostgresHubOptions()
      options.silenceLimit = .milliseconds(50)
      var replica = try await Replica(options: options)
      let stream = try await replica.hub.stream(after: replica.token, of: replica.tables)
      try await replica.database.run("UPDATE parcel SET title = 'x'")
      // Nobody reads the stream meanwhile.
      let database = replica.database
      let sql = """
        SELECT reply_time FROM pg_stat_replication JOIN pg_replication_slots ON active_pid = pid
        WHERE slot_name = '\(replica.token.slot)'
        """
      var times: Set<String> = []
      try await soon("the server has heard of it again and again") {
        if let row = try await database.run(sql).first, let time = row[0] { times.insert(time) }
        return times.count >= 5
      }
      try await replica.model.follow(stream, to: try await replica.hub.position())
      #expect(replica.model.rows["parcel"]?[[1]]?[1] == "x")
      await stream.close()
    }

    @Test func serverWithoutLogicalLogIsRefused() async throws {
      let server = try PostgresServer(settings: ["fsync": "off", "wal_level": "replica"])
      let database = try await TestDatabase(
        "CREATE TABLE parcel (id int PRIMARY KEY)", on: server)
      let hub = try await database.hub(installing: ["parcel"])
      let tables = try await hub.describe(["parcel"])
      #expect(await code { _ = try await hub.snapshot(of: tables) } == .unsupportedServer)
    }

    @Test func columnsThatChangeWhileAStreamRuns() async throws {
      var replica = try await Replica()
      let (hub, tables) = (replica.hub, replica.tables)
      let stream = try await hub.stream(after: replica.token, of: tables)
      try await replica.database.run(each: [
        "ALTER TABLE parcel ADD COLUMN extra int", "INSERT INTO parcel VALUES (50, 'x', 1, 2)",
        "UPDATE parcel SET extra = 5 WHERE id = 1",
      ])
      try await replica.model.follow(stream, to: try await hub.position())
      #expect(replica.model.rows["parcel"]?.count == 21)
      #expect(try await hub.describe(["parcel"])[0].columns.count == 4)
      try await replica.database.run(each: [
        "ALTER TABLE parcel RENAME COLUMN title TO name", "DELETE FROM parcel WHERE id = 1",
      ])
      #expect(await code { while true { _ = try await stream.next(limit: 1) } } == .schemaAhead)
      await stream.close()
      var token = replica.token
      token.position = replica.model.position
      let last = token
      #expect(await code { _ = try await hub.stream(after: last, of: tables) } == .schemaAhead)
      try await hub.detach()
    }
  }
#endif
