import CSQLite
import GRDB
import SectileCore
import SectileStore
import SectileTestHelpers
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct StoreGRDBTests {
  @Test func statementsPreparedBeforeAdoptionCallTheHook() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE item (id INTEGER PRIMARY KEY); INSERT INTO item VALUES (1), (2), (3)")
    }
    let kept = try queue.inDatabase { try KeptStatement($0.makeStatement(sql: "DELETE FROM item")) }
    let store = try Store(adopting: queue)
    let results = try store.results(
      of: FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id"]))
    try results.load()
    // DELETE without WHERE, compiled without a hook, would drop all rows at once.
    try store.write { transaction in
      _ = try transaction.database
      try kept.statement.execute()
    }
    #expect(results.numberOfItems == 0)
    #expect(results.statistics.resyncCount == 0, "the rows were seen to go")
    try store.close()
    let hook = try queue.write { sqlite3_preupdate_hook($0.sqliteConnection, nil, nil) }
    #expect(hook == nil, "a store that is closed leaves no hook")
  }

  /// Carries a statement from one access to the connection to the next, as a cache would.
  private struct KeptStatement: @unchecked Sendable {
    // Guarded by the queue, in whose accesses alone it is used.
    let statement: Statement
    init(_ statement: Statement) { self.statement = statement }
  }

  @Test func releasedStoreDetachesFromAdoptedConnection() throws {
    let log = CommitLog()
    let queue = try DatabaseQueue()
    do {
      let store = try Store(
        adopting: queue, path: nil, configuration: StoreConfiguration(), migrations: .none,
        readBy: [log])
      try store.write { try $0.execute("CREATE TABLE item (id)") }
    }
    try queue.write { try $0.execute(sql: "INSERT INTO item VALUES (1)") }
    #expect(log.lines == ["attach", "read inside", "committed", "deliver", "detach"])
  }

  @Test(arguments: StorageKind.allCases)
  func connectionIsHandedOutInsideTransactions(_ kind: StorageKind) throws {
    try withStore(kind) { store in
      try store.write { transaction in
        try transaction.database.create(table: "item") { $0.autoIncrementedPrimaryKey("id") }
        try transaction.database.execute(sql: "INSERT INTO item DEFAULT VALUES")
      }
      let count = try store.read { transaction in
        try Int.fetchOne(transaction.database, sql: "SELECT count(*) FROM item")
      }
      #expect(count == 1)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func rollbackAfterHandingOutTheConnectionIsUnknown(_ kind: StorageKind) throws {
    struct Problem: Error {}
    let log = CommitLog()
    try withStore(kind, readBy: [log]) { store in
      try store.write { try $0.execute("CREATE TABLE item (id)") }
      log.clear()
      #expect(throws: Problem.self) {
        try store.write { transaction in
          let db = try transaction.database
          try db.execute(sql: "INSERT INTO item VALUES (1); COMMIT; BEGIN")
          throw Problem()
        }
      }
      #expect(
        log.lines == [
          "read inside", "committed", "unknown", "read inside", "committed", "deliver",
        ])
      #expect(try store.read { try $0.query("SELECT id FROM item").map { $0["id"] } } == [1])
    }
  }

  @Test func adoptedReadOnlyPoolMakesAReadOnlyStore() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    try Store.open(at: path).write { try $0.execute("CREATE TABLE item (id)") }
    var configuration = Configuration()
    configuration.readonly = true
    let store = try Store(adopting: DatabasePool(path: path, configuration: configuration))
    try expectStoreError(.readOnly) { try store.write { _ in } }
    #expect(try store.read { try $0.query("SELECT * FROM item") } == [])
  }

  /// Loads after the first one read on connections of their own.
  @Test func adoptedPoolLearnsCollationsOnAllConnections() throws {
    let folder = try TemporaryFolder()
    var configuration = SmallWorld.configuration
    configuration.collations = [RandomWorld.backwards]
    let pool = try DatabasePool(path: folder.file("store.sqlite"))
    let store = try Store(adopting: pool, configuration: configuration)
    try store.write { try $0.execute(SmallWorld.schema) }
    var plan = SmallWorld.plan
    plan.sort = [plan.term("u", collation: RandomWorld.backwards)]
    let live = try LiveResults(plan, in: store)
    _ = try live.changes { try live.results.load() }
    #expect(live.recorder.errors.isEmpty)
    try live.expect(["R> [0,0]→[0,2] #1*"]) {
      try store.write { try $0.execute("UPDATE item SET u = 'u9' WHERE id = 1") }
    }
    plan.limit = 2
    let shorter = plan
    live.expectFresh { try store.results(of: shorter) }
    try live.expect(["S- 1 (B)", "R- [0,2] #1", "R- [1,0] #4"]) {
      try live.results.update(to: shorter)
    }
    #expect(live.recorder.errors.isEmpty)
    try store.close()
    try pool.close()
  }

  @Test func databaseWriterIsGRDBs() throws {
    try withStore(.file) { store in
      try store.databaseWriter.write { try $0.execute(sql: "CREATE TABLE item (id)") }
      #expect(try store.read { try $0.query("SELECT * FROM item") } == [])
    }
  }
}
