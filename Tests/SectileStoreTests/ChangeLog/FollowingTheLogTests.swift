import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Live results follow what other connections commit by the rows that the change log names.
@Suite(.timeLimit(.minutes(60))) struct FollowingTheLogTests {
  private static let schema = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT NOT NULL, title TEXT NOT NULL UNIQUE);
    CREATE TABLE bare (title TEXT);
    INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      SELECT i, char(65 + i % 5), printf('%03d', i) FROM n
    """

  private static var plan: FetchPlan {
    var plan = FetchPlan(table: "song", keyColumns: ["id"], itemColumns: ["id", "genre", "title"])
    plan.section = FetchPlan.Section(
      identity: FetchPlan.SortTerm(expression: SQLFragment("\"song\".\"genre\"")))
    plan.sort = [
      FetchPlan.SortTerm(expression: SQLFragment("\"song\".\"title\""), isDescending: true)
    ]
    return plan
  }

  /// A store on a file with a log, live results of it, and a connection of somebody else.
  private struct World {
    let folder: TemporaryFolder
    let store: Store
    let other: DatabaseQueue
    let results: SectionedResults<UntypedRow>
    let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()

    init(_ configure: (inout StoreConfiguration) -> Void = { _ in }) throws {
      folder = try TemporaryFolder()
      var configuration = StoreConfiguration()
      configuration.externalChangePolling = nil
      configure(&configuration)
      store = try Store.open(at: folder.file("store.sqlite"), configuration: configuration)
      try store.write { try $0.execute(schema) }
      try store.changeLog.enable()
      other = try DatabaseQueue(path: folder.file("store.sqlite"))
      results = try store.results(of: plan)
      results.delegate = recorder
      try results.load()
      // Digests are taken behind the load.
      try store.checkForExternalChanges()
    }

    /// Compares what was told with what there is.
    func check(_ location: SourceLocation = #_sourceLocation) throws {
      try recorder.check(against: results)
      let fresh = try store.results(of: plan)
      try fresh.load()
      #expect(
        try results.snapshot.materialized().sections == fresh.snapshot.materialized().sections,
        sourceLocation: location)
    }

    func close() throws {
      try other.close()
      try store.close()
    }
  }

  private static let statements = [
    "UPDATE song SET title = 'x' || id WHERE id = 7", "DELETE FROM song WHERE id IN (3, 4)",
    "INSERT INTO song VALUES (900, 'Q', 'new')",
    "INSERT OR REPLACE INTO song VALUES (901, 'A', '012')",
    "UPDATE OR REPLACE song SET title = '020' WHERE id = 21",
    "UPDATE song SET id = 950 WHERE id = 5",
    "UPDATE song SET genre = 'Z' WHERE id % 50 = 0",
  ]

  @Test(arguments: statements)
  func aForeignCommitIsFollowedRowByRow(sql: String) throws {
    let world = try World()
    let before = world.results.statistics
    let version = world.results.version
    try world.other.write { try $0.execute(sql: sql) }
    try world.store.checkForExternalChanges()
    #expect(world.results.version == version + 1)
    #expect(world.results.statistics.loggedCount == before.loggedCount + 1)
    #expect(world.results.statistics.resyncCount == before.resyncCount)
    #expect(world.results.statistics.rebuildCount == before.rebuildCount)
    try world.check()
    try world.close()
  }

  @Test func whatIsWrittenAsItWasIsNoChange() throws {
    let world = try World()
    let version = world.results.version
    try world.other.write { try $0.execute(sql: "UPDATE song SET title = title WHERE id < 9") }
    try world.store.checkForExternalChanges()
    #expect(world.results.version == version)
    #expect(world.results.statistics.loggedCount == 1)
    try world.close()
  }

  @Test(arguments: [false, true])
  func aForeignCommitComesByItselfBeforeAnOwnOne(fails: Bool) throws {
    struct Failure: Error {}
    let world = try World()
    let version = world.results.version
    try world.other.write { try $0.execute(sql: "DELETE FROM song WHERE id = 9") }
    do {
      try world.store.write { transaction in
        try transaction.execute("UPDATE song SET title = 'own' WHERE id = 10")
        if fails { throw Failure() }
      }
    } catch is Failure {}
    #expect(world.results.version == version + (fails ? 1 : 2))
    #expect(world.results.statistics.resyncCount == 0)
    try world.check()
    try world.close()
  }

  @Test(arguments: SeededRandom.batches())
  func ownAndForeignCommitsAreToldExactly(seeds: Range<UInt64>) throws {
    for seed in seeds.prefix(3) {
      var random = SeededRandom(seed: seed)
      let world = try World()
      for _ in 0..<40 {
        let id = Int.random(in: 1...320, using: &random)
        let sql =
          [
            "DELETE FROM song WHERE id = \(id)",
            "INSERT OR REPLACE INTO song VALUES (\(id), 'C', '\(Int.random(in: 1...400, using: &random))')",
            "UPDATE OR IGNORE song SET title = '\(id)' || title WHERE id = \(id)",
            "UPDATE OR REPLACE song SET title = '\(id)' WHERE id = \(id + 1)",
            "UPDATE song SET genre = char(65 + id % 7) WHERE id BETWEEN \(id) AND \(id + 5)",
            "UPDATE OR REPLACE song SET id = \(id) WHERE id = \(id + 2)",
          ].randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try world.store.write { try $0.execute(sql) }
        case 1:
          // The last rows of the log are rolled back.
          try world.store.write { transaction in
            try transaction.execute("UPDATE song SET genre = 'S' WHERE id = \(id)")
            try? transaction.savepoint {
              try transaction.execute(sql)
              throw CancellationError()
            }
          }
        default: try world.other.write { try $0.execute(sql: sql) }
        }
        if Bool.random(using: &random) { try world.store.checkForExternalChanges() }
      }
      try world.store.checkForExternalChanges()
      #expect(world.results.statistics.resyncCount == 0, "seed \(seed)")
      try world.check()
      try world.close()
    }
  }

  @Test func eachResultDecidesByItself() throws {
    let world = try World()
    let bare = try world.store.results(
      of: FetchPlan(table: "bare", keyColumns: ["rowid"], itemColumns: ["title"]))
    try bare.load()
    try world.other.write { try $0.execute(sql: "INSERT INTO bare VALUES ('a')") }
    try world.store.checkForExternalChanges()
    #expect(bare.numberOfItems == 1)
    try world.other.write {
      try $0.execute(sql: "INSERT INTO bare VALUES ('b'); DELETE FROM song WHERE id = 1")
    }
    let resyncs = world.results.statistics.resyncCount
    try world.store.checkForExternalChanges()
    #expect(bare.numberOfItems == 2)
    #expect(world.results.statistics.resyncCount == resyncs)
    try world.check()
    try world.close()
  }

  @Test func aCommitThatTheLogDoesNotNameIsFoundByReadingEverything() throws {
    let world = try World()
    try world.other.writeWithoutTransaction { db in
      try db.inTransaction {
        let head = try Int64.fetchOne(db, sql: "SELECT max(seq) FROM sectile_log") ?? 0
        try db.execute(sql: "UPDATE song SET title = 'unseen' WHERE id = 2")
        try db.execute(sql: "DELETE FROM sectile_log WHERE seq > ?", arguments: [head])
        return .commit
      }
    }
    try world.store.checkForExternalChanges()
    #expect(world.results.statistics.resyncCount == 1)
    try world.check()
    try world.close()
  }

  @Test(arguments: [
    "CREATE UNIQUE INDEX song_genre ON song (genre, title)",
    "ALTER TABLE song ADD COLUMN year INTEGER", "ALTER TABLE song RENAME COLUMN genre TO kind",
    """
    CREATE TABLE next (id INTEGER PRIMARY KEY, genre TEXT NOT NULL, title TEXT NOT NULL UNIQUE);
    INSERT INTO next SELECT id, genre, title FROM song; DROP TABLE song;
    ALTER TABLE next RENAME TO song
    """, "CREATE TABLE more (id INTEGER PRIMARY KEY, name TEXT)",
  ])
  func aSchemaThatOthersChangeIsFollowed(sql: String) throws {
    let world = try World()
    if sql.contains("RENAME COLUMN") { world.recorder.allowFailures() }
    try world.other.write { try $0.execute(sql: sql) }
    try world.store.checkForExternalChanges()
    try world.store.write { try $0.execute("UPDATE song SET title = 'own' WHERE id = 11") }
    let status = try #require(try world.store.changeLog.status())
    let broken = status.tables.filter { !$0.isIntact }
    #expect(broken.isEmpty)
    let isMoreFollowed = status.tables.contains { $0.name == "more" }
    #expect(isMoreFollowed == sql.contains("more"))
    if !sql.contains("RENAME COLUMN") {
      let resyncs = world.results.statistics.resyncCount
      try world.other.write {
        try $0.execute(
          sql: "INSERT OR REPLACE INTO song (id, genre, title) VALUES (990, 'A', '033')")
      }
      try world.store.checkForExternalChanges()
      #expect(world.results.statistics.resyncCount == resyncs)
      try world.check()
    }
    try world.close()
  }

  @Test func switchedOnAndOffItLeavesNoTrace() throws {
    let world = try World()
    let resyncs = world.results.statistics.resyncCount
    let schema =
      "SELECT group_concat(name || coalesce(sql, '')) FROM (SELECT * FROM sqlite_schema ORDER BY name)"
    #expect(try !world.store.changeLog.enable())
    #expect(try world.store.changeLog.disable())
    let without = try world.other.read { try String.fetchOne($0, sql: schema) }
    #expect(without?.contains("sectile_log") == false)
    #expect(try world.store.changeLog.enable())
    #expect(try world.store.changeLog.disable())
    let again = try world.other.read { try String.fetchOne($0, sql: schema) }
    #expect(again == without)
    #expect(try !world.store.changeLog.disable())
    #expect(try world.store.changeLog.status() == nil)
    // What installs it concerns no result.
    #expect(world.results.statistics.resyncCount == resyncs)
    try world.close()
  }

  @Test func whatCannotBeFollowedIsRefusedByName() throws {
    let world = try World()
    let error = try expectStoreError(.invalidRequest) {
      try world.store.changeLog.enable(tables: ["bare"])
    }
    #expect(error.message.contains("bare"))
    try expectStoreError(.invalidRequest) { try world.store.changeLog.enable(tables: ["nothing"]) }
    try world.other.write { try $0.execute(sql: "UPDATE sectile_log_state SET format = 99") }
    try expectStoreError(.changeLogNewer) { try world.store.changeLog.enable() }
    try expectStoreError(.changeLogNewer) { _ = try world.store.changeLog.status() }
    try expectStoreError(.changeLogNewer) { _ = try world.store.history() }
    // It is treated as if there were none.
    try world.other.write { try $0.execute(sql: "DELETE FROM song WHERE id = 1") }
    try world.store.write { try $0.execute("DELETE FROM song WHERE id = 2") }
    try world.check()
    #expect(try world.store.changeLog.disable())
    try expectStoreError(.noChangeLog) { _ = try world.store.history() }
    try expectStoreError(.noChangeLog) { try world.store.changeLog.prune() }
    try world.close()
  }

  @Test func whatWasRolledBackLastIsNotTakenForTheEndOfTheLog() throws {
    let world = try World { $0.changeLogRetention.rowCount = 100 }
    try world.store.write { transaction in
      try transaction.execute("UPDATE song SET title = 'kept' WHERE id = 1")
      try? transaction.savepoint {
        try transaction.execute(
          """
          INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            SELECT i, 'A', 'n' || i FROM n
          """)
        throw CancellationError()
      }
    }
    let ends = try world.other.read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT (SELECT max(seq) FROM sectile_log) AS head, (SELECT count(*) FROM sectile_log) AS count,
            pruned_to AS pruned FROM sectile_log_state
          """)
    }
    let row = try #require(ends)
    #expect(row["pruned"] as Int64 == 0)
    #expect(row["head"] as Int64 == row["count"])
    try world.other.write { try $0.execute(sql: "DELETE FROM song WHERE id = 2") }
    try world.store.checkForExternalChanges()
    try world.check()
    try world.close()
  }

  @Test func oldRowsGoHoweverLongTheirTransactionIs() throws {
    let world = try World()
    try world.store.write {
      try $0.execute(
        """
        INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 13000)
          SELECT i, 'A', 'n' || i FROM n
        """)
    }
    try world.other.write {
      try $0.execute(sql: "UPDATE sectile_log SET k2 = 1 WHERE op = 5")
    }
    try world.store.write { try $0.execute("DELETE FROM song WHERE id = 1") }
    #expect(try world.store.changeLog.prune() > 12_000)
    try world.close()
  }

  @Test func theLogStaysBounded() throws {
    let world = try World { $0.changeLogRetention.rowCount = 100 }
    for turn in 0..<1_500 {
      try world.store.write { try $0.execute("UPDATE song SET title = 't\(turn)' WHERE id = 12") }
    }
    let count = try world.other.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM sectile_log")
    }
    #expect(try #require(count) <= 1_200)
    try world.check()
    try world.close()
  }

  @Test func readersHoldRowsBackAndThenTheyGo() throws {
    let world = try World { $0.changeLogRetention.rowCount = 100 }
    func commit() throws {
      for turn in 0..<1_500 {
        try world.store.write {
          try $0.execute("UPDATE song SET title = 't\(turn)' WHERE id = 12")
        }
      }
    }
    func count() throws -> Int {
      let count = try world.other.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM sectile_log")
      }
      return try #require(count)
    }
    let token = try world.store.history().token
    #expect(try world.store.changeLog.register("replica", at: token) == nil)
    try commit()
    #expect(try count() > 3_000)
    #expect(try world.store.history(since: token).reset == nil)
    #expect(try world.store.changeLog.unregister("replica"))
    try commit()
    #expect(try count() <= 2_200)
    try world.close()
  }

  /// The commit that removes old rows holds the write lock: it looks at a part of a long log.
  @Test func theAgeOfRowsIsLookedAtStepByStep() throws {
    let world = try World()
    for id in 1...20 {
      try world.store.write { try $0.execute("UPDATE song SET genre = 'O' WHERE id = \(id)") }
    }
    try world.other.write {
      try $0.execute(sql: "UPDATE sectile_log SET k2 = 1 WHERE op = 5")
    }
    func prune(lookingAt limit: Int64?) throws -> Int64 {
      try world.other.write { db in
        let head = try Int64.fetchOne(db, sql: "SELECT max(seq) FROM sectile_log") ?? 0
        return try LogPruning(of: db).prune(
          StoreConfiguration.ChangeLogRetention(), now: LogBookkeeping.milliseconds(),
          limit: 1_000, head: head, lookingAt: limit)
      }
    }
    let first = try prune(lookingAt: 10)
    #expect((1...10).contains(first))
    let second = try prune(lookingAt: 10)
    #expect((first + 1...first + 10).contains(second))
    #expect(try prune(lookingAt: nil) > 30)
    try world.close()
  }

  /// Two commits of one look: one past the triggers, and one that the log names.
  private func writeUnseen(_ sql: String, in world: World) throws {
    let connection = try InspectionConnection(
      path: world.folder.file("store.sqlite"), access: .readWrite)
    connection.setTriggers(false)
    try connection.run(sql) { _ in }
    connection.setTriggers(true)
    try connection.run("UPDATE song SET genre = 'logged' WHERE id = 200") { _ in }
  }

  private func audit(_ world: World) throws {
    var hasNews = false
    try world.store.useWriter { db in
      _ = try world.store.commits.catchUp(in: db, auditingEvery: .zero, hasNews: &hasNews)
    }
    world.store.commits.deliver()
  }

  @Test(.withoutInternalChecks) func anAuditFindsWhatWasWrittenPastTheLog() throws {
    let world = try World()
    try world.store.write { try $0.execute("UPDATE song SET genre = 'own' WHERE id = 3") }
    try audit(world)
    #expect(world.store.statistics.auditCount == 1)
    #expect(world.store.statistics.auditMismatchCount == 0)

    try writeUnseen("UPDATE song SET title = 'unseen' WHERE id = 5", in: world)
    try world.store.checkForExternalChanges()
    #expect(world.results.statistics.loggedCount == 1)
    let version = world.results.version
    try audit(world)
    #expect(world.results.version == version + 1)
    #expect(world.store.statistics.auditMismatchCount == 1)
    try world.check()

    // What comes with the audit, and is told, is no find.
    try world.other.write { try $0.execute(sql: "DELETE FROM song WHERE id = 9") }
    try audit(world)
    #expect(world.store.statistics.auditCount == 3)
    #expect(world.store.statistics.auditMismatchCount == 1)
    try world.check()
    try world.close()
  }

  @Test(.withoutInternalChecks) func auditsAreMadeFromTimeToTime() async throws {
    let world = try World {
      $0.externalChangePolling = .milliseconds(2)
      $0.changeLogAudit = .milliseconds(5)
    }
    try writeUnseen("DELETE FROM song WHERE id = 5", in: world)
    let id = UntypedRow.ID(keyValues: [.integer(5)])
    while world.results.path(of: id) != nil {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(world.store.statistics.auditCount > 0)
    try world.close()
  }

  @Test func aStoreThatFollowsNothingMakesTheTriggersThatOthersTookAway() throws {
    let folder = try TemporaryFolder()
    let store = try Store.open(at: folder.file("store.sqlite"))
    try store.write { try $0.execute(Self.schema) }
    try store.changeLog.enable()
    try store.write { try $0.execute("DELETE FROM song WHERE id = 1") }
    let token = try store.history(since: nil).token
    let other = try DatabaseQueue(path: folder.file("store.sqlite"))
    for sql in [
      "CREATE UNIQUE INDEX pair ON song (genre, title)", "DROP TRIGGER sectile_log_1_delete",
    ] {
      try other.write { try $0.execute(sql: sql) }
      #expect(try store.changeLog.status()?.tables.map(\.isIntact) == [false])
      try store.write { try $0.execute("DELETE FROM song WHERE id = (SELECT max(id) FROM song)") }
      #expect(try store.changeLog.status()?.tables.map(\.isIntact) == [true])
    }
    let operations = try store.history(since: token).transactions.flatMap(\.changes).map(
      \.operation)
    #expect(operations == [.reset, .delete, .reset, .delete])
    try other.close()
    try store.close()
  }

  @Test func commitsOfOthersAreNoticedWithoutThePoll() async throws {
    let world = try World { $0.externalChangePolling = .seconds(5_000) }
    world.recorder.reset()
    let version = world.results.version
    var number = 0
    // One that comes while the store's own commits are told may be taken for one of them.
    let isNoticed = try await comesTrue {
      number += 1
      let sql = "UPDATE song SET title = 'x\(number)' WHERE id = 1"
      try await world.other.write { try $0.execute(sql: sql) }
      try await Task.sleep(for: .milliseconds(50))
      return world.results.version > version
    }
    #expect(isNoticed)
    // Not each of them need have been noticed by now.
    try await world.store.checkForExternalChanges()
    try world.check()
    try world.close()
  }
}
