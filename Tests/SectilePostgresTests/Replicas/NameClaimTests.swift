#if Postgres
  import SectileCore
  import SectileHub
  import SectileStore
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  /// Several machines with one name, and one machine that comes again.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct NameClaimTests {
    private static func options(_ delay: Duration) -> PostgresHubOptions {
      var options = PostgresHubOptions.impatient
      options.takeoverDelay = delay
      return options
    }

    /// A machine of a database, with a file of its own.
    private func machine(
      of database: TestDatabase, delay: Duration = .milliseconds(300)
    ) async throws -> PostgresReplica {
      try await PostgresReplica(of: database, options: Self.options(delay))
    }

    /// Whether a replica waits because its name is in use.
    private func isRefused(_ replica: Replica) -> Bool {
      if case .waiting(let error, _) = replica.status.phase {
        (error as? HubError)?.code == .nameInUse
      } else {
        false
      }
    }

    /// Ends whatever follows the hub of a database at the server.
    private func endStreams(of database: TestDatabase) async throws {
      try await database.run(
        "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots "
          + "WHERE database = current_database() AND active_pid IS NOT NULL")
    }

    /// Waits until the server has no session any more that read or followed for a hub.
    private func sessionsEnd(of hub: PostgresHub, in database: TestDatabase) async throws {
      let sql =
        "SELECT pid FROM pg_stat_replication WHERE application_name = 'sectile_\(hub.name)'"
      try await soon("the sessions have ended") { try await database.run(sql).isEmpty }
    }

    @Test func newMachineWithANameInUseIsRefused() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let (first, second) = (
        try await machine(of: database), try await machine(of: database)
      )
      #expect(first.hub.name == second.hub.name)
      let replica = try await first.open()
      try await first.follows(replica)
      let error = await #expect(throws: HubError.self) { _ = try await second.open() }
      #expect(error?.code == .nameInUse)
      #expect(error?.message.contains(first.hub.name) == true)
      #expect(error?.message.contains(" since ") == true)
      #expect(error?.hint?.contains("another name") == true)
      #expect(error?.hint?.contains("pg_terminate_backend(") == true)
      #expect(FileIdentity(second.path) == nil)
      // The first one did not notice.
      try await database.run("UPDATE parcel SET title = 'later' WHERE id = 1")
      try await first.catchUp(replica)
      try await first.expectEqual(replica)
      #expect(first.resyncs.count == 1)
      #expect(first.events.allSatisfy { $0.kind != .interrupted })
      try await replica.close()
      try await first.hub.detach()
    }

    @Test func machinesWithOneNameDoNotCopyAgainAndAgain() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let (first, second) = (
        try await machine(of: database), try await machine(of: database)
      )
      try await first.open().close()
      try await sessionsEnd(of: first.hub, in: database)
      // Nobody uses the name: the other machine has it now.
      let other = try await second.open()
      try await second.follows(other)
      let replica = try await first.open()
      try await soon("the first one is refused") { isRefused(replica) }
      #expect(replica.status.health(lagLimit: .zero).kind == .behind)
      let count = second.resyncs.count
      for id in 1...3 {
        try await database.run("UPDATE parcel SET title = 'again' WHERE id = \(id)")
        try await second.catchUp(other)
      }
      #expect((count, second.resyncs.count) == (1, 1))
      #expect(first.resyncs.count == 1)
      // It comes in where the other is gone.
      try await other.close()
      try await soon("rows were compared") { first.resyncs.count == 2 }
      try await first.catchUp(replica)
      try await first.expectEqual(replica)
      try await replica.close()
      try await first.hub.detach()
    }

    @Test func machineWhoseConnectionBreaksKeepsItsName() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let first = try await machine(of: database)
      // For as long as the test may take, so that it does not depend on how fast the first is.
      let second = try await machine(of: database, delay: .seconds(600))
      try await first.open().close()
      try await sessionsEnd(of: first.hub, in: database)
      let other = try await machine(of: database)
      let replica = try await other.open()
      try await other.follows(replica)
      // The file of the first has no slot any more.
      let follower = PostgresReplica(first, following: second.hub)
      let waiting = try await follower.open()
      try await soon("the other has seen that the name is in use") {
        second.hub.claim.isContested
      }
      for id in 1...3 {
        try await endStreams(of: database)
        try await database.run("UPDATE parcel SET title = 'again' WHERE id = \(id)")
        try await other.catchUp(replica)
      }
      #expect(other.resyncs.count == 1)
      #expect(follower.resyncs.isEmpty)
      try await other.expectEqual(replica)
      try await waiting.close()
      try await replica.close()
      try await other.hub.detach()
    }

    @Test func machineThatComesAgainWaitsForItsOldSession() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let options = Self.options(.milliseconds(300))
      let old = try await database.hub(options: options, installing: ["parcel"])
      let tables = try await old.describe(["parcel"])
      let snapshot = try await old.snapshot(of: tables)
      var model = ReplicaModel(tables)
      try await model.read(snapshot)
      let stream = try await old.stream(after: snapshot.token, of: tables)
      // A process of the same name, which knows nothing of the session that is open still.
      let new = try await database.hub(options: options)
      let token = snapshot.token
      #expect(try await new.validate(token) == .resume)
      #expect(await code { _ = try await new.stream(after: token, of: tables) } == .nameInUse)
      #expect(await code { _ = try await new.snapshot(of: tables) } == .nameInUse)
      #expect(await code { _ = try await old.stream(after: token, of: tables) } == .unavailable)
      try await endStreams(of: database)
      var again: (any HubStream)?
      try await soon("it follows") {
        again = try? await new.stream(after: token, of: tables)
        return again != nil
      }
      // It goes on where it stood.
      try await database.run("UPDATE parcel SET title = 'later' WHERE id = 1")
      let later = try #require(again)
      try await model.follow(later, to: try await new.position())
      #expect(model.rows["parcel"]?[[1]]?[2] == "later")
      await later.close()
      await stream.close()
      try await new.detach()
    }

    @Test func snapshotHasTheNameUntilItIsClosed() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let options = Self.options(.milliseconds(200))
      let first = try await database.hub(options: options, installing: ["parcel"])
      let second = try await database.hub(options: options)
      let tables = try await first.describe(["parcel"])
      let early = try await first.snapshot(of: tables)
      // A comparison that begins anew ends the one before.
      let snapshot = try await first.snapshot(of: tables)
      await early.close()
      while try await snapshot.next() != nil {}
      #expect(await code { _ = try await second.snapshot(of: tables) } == .nameInUse)
      #expect(try await first.validate(snapshot.token) == .resume)
      await snapshot.close()
      // Its own stream does not wait for the session that is about to end.
      let stream = try await first.stream(after: snapshot.token, of: tables)
      await stream.close()
      var taken: (any HubSnapshot)?
      try await soon("the name is free") {
        taken = try? await second.snapshot(of: tables)
        return taken != nil
      }
      #expect(!second.claim.isContested)
      #expect(try await first.validate(snapshot.token) == .resync(.slotMissing))
      await taken?.close()
      try await second.detach()
    }

    @Test func slotThatAnEarlierVersionFollowsCounts() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let first = try await machine(of: database)
      try await first.open().close()
      try await sessionsEnd(of: first.hub, in: database)
      let status = try await first.hub.status()
      let slot = try #require(status.slot)
      let found = try await database.run("SELECT pubname FROM pg_publication")
      let publication = try #require(found.first?.first ?? nil)
      // An earlier version has no lock, as this session has none.
      let connection = try PostgresConnection(
        PostgresTarget(
          connection: database.connection(), applicationName: "earlier", isReplication: true,
          connectTimeout: .seconds(10)), reconnects: false)
      try await connection.run { session in
        try session.beginCopy(
          "START_REPLICATION SLOT \(slot) LOGICAL 0/0 "
            + "(proto_version '1', publication_names '\(PostgresName.quote(publication))')")
      }
      let second = try await machine(of: database)
      #expect(await code { _ = try await second.open() } == .nameInUse)
      let kept = try await first.hub.status().slot
      #expect(kept == slot)
      await connection.close()
      try await first.hub.detach()
    }
  }
#endif
