#if Postgres
  import SectileCore
  import SectileHub
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct StreamTests {
    private static let parcels = """
      CREATE TABLE parcel (id bigint PRIMARY KEY, depot int, title text, note text);
      INSERT INTO parcel SELECT n, n % 9, 'parcel ' || n, NULL FROM generate_series(1, 50) n;
      """

    /// Follows statements from a snapshot, and compares with another snapshot.
    private func expectFollowing(
      _ sql: String, _ subscriptions: [TableSubscription], then statements: [String],
      options: PostgresHubOptions = .impatient
    ) async throws -> ReplicaModel {
      let database = try await TestDatabase(sql)
      let hub = try await database.hub(options: options, installing: subscriptions.map(\.name))
      let tables = try await hub.describe(subscriptions)
      let snapshot = try await hub.snapshot(of: tables)
      let token = snapshot.token
      var model = ReplicaModel(tables)
      // What is committed while the snapshot is read comes by the stream, and only there.
      if let first = statements.first { try await database.run(first) }
      try await model.read(snapshot)
      #expect(try await hub.validate(token) == .resume)
      let stream = try await hub.stream(after: token, of: tables)
      try await database.run(each: Array(statements.dropFirst()))
      try await hub.heartbeat()
      try await model.follow(stream, to: try await hub.position())
      #expect(model.heartbeat)
      #expect(try await hub.contents(of: tables, as: "\(database.name)_x") == model.rows)
      try await stream.confirm(model.position)
      await stream.close()
      try await hub.detach()
      await hub.close()
      return model
    }

    @Test func snapshotAndStreamAreTheContents() async throws {
      let model = try await expectFollowing(
        Self.parcels, ["parcel"],
        then: [
          "INSERT INTO parcel VALUES (100, 1, 'new', 'x'), (101, NULL, '', NULL)",
          "UPDATE parcel SET title = NULL, note = 'é\u{1F680}' WHERE id = 7",
          "UPDATE parcel SET id = 1000 WHERE id = 8", "DELETE FROM parcel WHERE id < 5",
          "BEGIN; INSERT INTO parcel VALUES (200, 2, 'never', NULL); ROLLBACK",
          "BEGIN; SAVEPOINT a; INSERT INTO parcel VALUES (201); ROLLBACK TO a; "
            + "INSERT INTO parcel VALUES (202); COMMIT",
        ])
      let rows = try #require(model.rows["parcel"])
      #expect(rows.count == 50 + 2 - 4 + 1)
      #expect(rows[[.integer(1000)]]?[2] == "parcel 8")
      #expect(rows[[.integer(7)]]?[3] == "é\u{1F680}")
    }

    @Test func largeValueThatWasNotChangedIsKept() async throws {
      // Random digits, which do not get smaller: 19,200 bytes outside of the row.
      let model = try await expectFollowing(
        Self.parcels, ["parcel"],
        then: [
          """
          INSERT INTO parcel SELECT 300, 1, string_agg(md5(n::text), ''), 'a'
          FROM generate_series(1, 600) n
          """,
          "UPDATE parcel SET note = 'b' WHERE id = 300",
          "UPDATE parcel SET id = 301 WHERE id = 300",
        ])
      let row = try #require(model.rows["parcel"]?[[.integer(301)]])
      guard case .text(let title) = row[2] else {
        Issue.record("the title is \(row[2])")
        return
      }
      #expect(title.utf8.count == 19_200)
      #expect(row[3] == "b")
    }

    @Test func largeValueIsNotToldAgain() async throws {
      let database = try await TestDatabase(Self.parcels)
      let hub = try await database.hub(installing: ["parcel"])
      let tables = try await hub.describe(["parcel"])
      var model = ReplicaModel(tables)
      let snapshot = try await hub.snapshot(of: tables)
      try await model.read(snapshot)
      let stream = try await hub.stream(after: snapshot.token, of: tables)
      try await database.run(each: [
        "UPDATE parcel SET title = (SELECT string_agg(md5(n::text), '') FROM generate_series(1, 600) n) "
          + "WHERE id = 1", "UPDATE parcel SET note = 'b' WHERE id = 1",
      ])
      var changes: [HubChange] = []
      while changes.count < 2 {
        for case .transaction(let transaction) in try await stream.next(limit: 1) {
          changes += transaction.changes
        }
      }
      guard case .update(_, nil, let row) = changes[1] else {
        Issue.record("not an update: \(changes[1])")
        return
      }
      #expect(row[2] == nil)
      #expect(row[3] == "b")
      await stream.close()
      try await hub.detach()
    }

    @Test func truncateEmptiesTheTable() async throws {
      let model = try await expectFollowing(
        Self.parcels, ["parcel"],
        then: ["SELECT", "TRUNCATE parcel", "INSERT INTO parcel VALUES (1, 2, 'again', NULL)"])
      #expect(model.rows["parcel"]?.count == 1)
    }

    @Test func rowsEnterAndLeaveTheCondition() async throws {
      let sql = """
        CREATE TABLE parcel (id bigint, depot int, title text, PRIMARY KEY (id, depot));
        INSERT INTO parcel SELECT n, n % 2, 'parcel ' || n FROM generate_series(1, 20) n;
        """
      let model = try await expectFollowing(
        sql, [TableSubscription("parcel", where: "depot = 1")],
        then: [
          "INSERT INTO parcel VALUES (30, 1, 'in'), (31, 0, 'out')",
          "UPDATE parcel SET depot = 0 WHERE id = 3", "UPDATE parcel SET depot = 1 WHERE id = 4",
          "UPDATE parcel SET title = 'outside' WHERE depot = 0",
          "UPDATE parcel SET title = 'inside' WHERE depot = 1",
          "DELETE FROM parcel WHERE id IN (5, 6)",
        ])
      let rows = try #require(model.rows["parcel"])
      #expect(rows.count == 10)
      #expect(rows.values.allSatisfy { $0[2] == "inside" })
      #expect(rows[[.integer(4), .integer(1)]] != nil)
    }

    @Test func someColumnsOnly() async throws {
      let model = try await expectFollowing(
        Self.parcels, [TableSubscription("parcel", columns: ["id", "title"])],
        then: ["UPDATE parcel SET note = 'secret', title = 'known' WHERE id = 1"])
      let row = try #require(model.rows["parcel"]?[[.integer(1)]])
      #expect(row.count == 3)
      #expect(row[1] == "known")
      #expect(model.tables["parcel"]?.columns.map(\.name) == ["id", "title", "sectile_rev"])
    }

    @Test func wholeRowsAsIdentity() async throws {
      _ = try await expectFollowing(
        Self.parcels + "ALTER TABLE parcel REPLICA IDENTITY FULL;", ["parcel"],
        then: [
          "UPDATE parcel SET title = 'x' WHERE id = 1", "UPDATE parcel SET id = 90 WHERE id = 2",
          "DELETE FROM parcel WHERE id = 3",
        ])
    }

    @Test func partitionsAreOneTable() async throws {
      let sql = """
        CREATE TABLE event (id int PRIMARY KEY, text text) PARTITION BY RANGE (id);
        CREATE TABLE event_a PARTITION OF event FOR VALUES FROM (0) TO (10);
        CREATE TABLE event_b PARTITION OF event FOR VALUES FROM (10) TO (20);
        INSERT INTO event SELECT n, 'event' FROM generate_series(5, 15) n;
        """
      _ = try await expectFollowing(
        sql, ["event"],
        then: [
          "INSERT INTO event VALUES (1, 'a'), (19, 'b')", "UPDATE event SET id = 18 WHERE id = 5",
        ])
    }

    @Test(arguments: [false, true])
    func largeTransactionComesWhole(_ isInPieces: Bool) async throws {
      var options = PostgresHubOptions.impatient
      options.streamsLargeTransactions = isInPieces
      let model = try await expectFollowing(
        Self.parcels, ["parcel"],
        then: [
          "SELECT",
          """
          BEGIN; SET LOCAL logical_decoding_work_mem = '64kB';
          INSERT INTO parcel SELECT n, 1, 'many', NULL FROM generate_series(1001, 101000) n;
          SAVEPOINT a; UPDATE parcel SET note = 'never'; ROLLBACK TO a;
          UPDATE parcel SET note = 'all' WHERE id > 100900; COMMIT
          """, "UPDATE parcel SET note = 'small' WHERE id = 1",
        ], options: options)
      #expect(model.rows["parcel"]?.count == 100_050)
    }

    @Test func oneTransactionIsOneMessage() async throws {
      let database = try await TestDatabase(Self.parcels)
      let hub = try await database.hub(installing: ["parcel"])
      let tables = try await hub.describe(["parcel"])
      let snapshot = try await hub.snapshot(of: tables)
      var model = ReplicaModel(tables)
      try await model.read(snapshot)
      let stream = try await hub.stream(after: snapshot.token, of: tables)
      try await database.run(
        "BEGIN; INSERT INTO parcel VALUES (60), (61); DELETE FROM parcel WHERE id = 1; "
          + PostgresHub.schemaVersionsSQL(3...5) + " COMMIT")
      var transactions: [HubTransaction] = []
      while transactions.isEmpty {
        for case .transaction(let transaction) in try await stream.next(limit: 5) {
          transactions.append(transaction)
        }
      }
      #expect(transactions[0].changes.count == 3)
      #expect(transactions[0].controlRecords.schemaVersions == 3...5)
      #expect(transactions[0].committedAt != nil)
      await stream.close()
      // What was never confirmed comes again.
      let again = try await hub.stream(after: snapshot.token, of: tables)
      while true {
        let messages = try await again.next(limit: 5)
        guard
          case .transaction(let transaction)? = messages.first(where: { message in
            if case .transaction = message { true } else { false }
          })
        else { continue }
        #expect(transaction.changes == transactions[0].changes)
        #expect(transaction.position == transactions[0].position)
        break
      }
      await again.close()
      try await hub.detach()
    }

    @Test func cancelledTaskStopsWaiting() async throws {
      let database = try await TestDatabase(Self.parcels)
      let hub = try await database.hub(installing: ["parcel"])
      let tables = try await hub.describe(["parcel"])
      let snapshot = try await hub.snapshot(of: tables)
      var model = ReplicaModel(tables)
      try await model.read(snapshot)
      let stream = try await hub.stream(after: snapshot.token, of: tables)
      let task = Task {
        while true { _ = try await stream.next(limit: 1) }
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await stream.close()
      await stream.close()
      #expect(await code { _ = try await stream.next(limit: 1) } == .unavailable)
      try await hub.detach()
    }

    @Test func confirmingTellsWhileAnotherTaskWaits() async throws {
      let database = try await TestDatabase(Self.parcels)
      let hub = try await database.hub(installing: ["parcel"])
      let tables = try await hub.describe(["parcel"])
      let snapshot = try await hub.snapshot(of: tables)
      var model = ReplicaModel(tables)
      try await model.read(snapshot)
      let stream = try await hub.stream(after: snapshot.token, of: tables)
      try await database.run("DELETE FROM parcel")
      try await model.follow(stream, to: try await hub.position())
      let before = try #require(try await hub.status().confirmedPosition)
      #expect(before < model.position)
      let waiting = Task { _ = try? await stream.next(limit: 1) }
      try await stream.confirm(model.position)
      while try await hub.status().confirmedPosition != model.position {}
      await stream.close()
      await waiting.value
      try await hub.detach()
    }
  }
#endif
