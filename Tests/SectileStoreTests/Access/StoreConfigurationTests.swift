import Foundation
import GRDB
import GRDBSQLite
import SectileCore
import SectileTestHelpers
import Synchronization
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct StoreConfigurationTests {
  /// The value of a pragma on the writer, and on a reader.
  private func values(_ pragma: String, of store: Store) throws -> [StoredValue] {
    let sql = "PRAGMA \(pragma)"
    let writing = try store.write { try $0.query(sql).first?.values.first }
    let reading = try store.read { try $0.query(sql).first?.values.first }
    return [writing ?? .null, reading ?? .null]
  }

  private func open(_ configuration: StoreConfiguration, in folder: TemporaryFolder) throws -> Store
  {
    try Store.open(at: folder.file("store.sqlite"), configuration: configuration)
  }

  @Test func defaultsAreWhatTheDocumentationSays() throws {
    let folder = try TemporaryFolder()
    let store = try open(StoreConfiguration(), in: folder)
    #expect(try values("journal_mode", of: store) == ["wal", "wal"])
    #expect(try values("synchronous", of: store)[0] == 2)
    #expect(try values("busy_timeout", of: store) == [5_000, 5_000])
    #expect(try values("foreign_keys", of: store) == [1, 1])
    #expect(try values("recursive_triggers", of: store) == [0, 0])
    #expect(try values("trusted_schema", of: store) == [1, 1])
    #expect(try values("cache_size", of: store) == [-16_384, -16_384])
    #expect(try values("mmap_size", of: store) == [0, 0])
    #expect(try values("temp_store", of: store) == [0, 0])
    #expect(try values("wal_autocheckpoint", of: store)[0] == 1_000)
    #expect(try values("journal_size_limit", of: store)[0] == 67_108_864)
    #expect(StoreConfiguration().externalChangePolling == .milliseconds(250))
  }

  @Test func everySettingReachesItsConnections() throws {
    var configuration = StoreConfiguration()
    configuration.synchronous = .normal
    configuration.busyTimeout = .milliseconds(1_234)
    configuration.enforcesForeignKeys = false
    configuration.trustsSchema = false
    configuration.cacheByteCount = 1024 * 1024
    configuration.automaticCheckpointPageCount = 50
    configuration.pragmas = [
      "recursive_triggers": "ON", "mmap_size": "1048576", "temp_store": "MEMORY",
      "journal_size_limit": "4096", "secure_delete": "OFF",
    ]
    let folder = try TemporaryFolder()
    let store = try open(configuration, in: folder)
    #expect(try values("synchronous", of: store)[0] == 1)
    #expect(try values("busy_timeout", of: store) == [1_234, 1_234])
    #expect(try values("foreign_keys", of: store) == [0, 0])
    #expect(try values("recursive_triggers", of: store) == [1, 1])
    #expect(try values("trusted_schema", of: store) == [0, 0])
    #expect(try values("cache_size", of: store) == [-1_024, -1_024])
    #expect(try values("mmap_size", of: store) == [1_048_576, 1_048_576])
    #expect(try values("temp_store", of: store) == [2, 2])
    #expect(try values("wal_autocheckpoint", of: store)[0] == 50)
    #expect(try values("journal_size_limit", of: store)[0] == 4_096)
    #expect(try values("secure_delete", of: store)[0] == 0)
    configuration.pragmas["secure_delete"] = "ON"
    configuration.synchronous = .off
    let other = try TemporaryFolder()
    let overwriting = try open(configuration, in: other)
    #expect(try values("secure_delete", of: overwriting)[0] == 1)
    #expect(try values("synchronous", of: overwriting)[0] == 0)
  }

  @Test(arguments: [
    ("temp_store", "1; DROP TABLE x"), ("temp_store", "--"), ("temp_store", ""), ("a.b", "1"),
    ("JOURNAL_MODE", "DELETE"), ("cache_size", "7"), ("foreign_keys", "OFF"),
  ])
  func pragmasThatTheStoreReliesOnAreRefused(_ name: String, _ value: String) throws {
    var configuration = StoreConfiguration()
    configuration.pragmas = [name: value]
    let folder = try TemporaryFolder()
    try expectStoreError(.cannotOpen) { try open(configuration, in: folder) }
    #expect(!FileManager.default.fileExists(atPath: folder.file("store.sqlite")))
    try expectStoreError(.cannotOpen) { try Store.inMemory(configuration: configuration) }
  }

  @Test func timeoutsOutOfRangeAreClamped() throws {
    for (timeout, milliseconds) in [(Duration.seconds(-1), 0), (.seconds(1e12), Int64(Int32.max))] {
      var configuration = StoreConfiguration()
      configuration.busyTimeout = timeout
      let store = try Store.inMemory(configuration: configuration)
      #expect(try values("busy_timeout", of: store)[0] == .integer(milliseconds))
    }
  }

  @Test func storesInMemoryGetWhatConcernsThem() throws {
    let store = try Store.inMemory()
    #expect(try values("foreign_keys", of: store) == [1, 1])
    #expect(try values("cache_size", of: store) == [-16_384, -16_384])
  }

  @Test(arguments: StorageKind.allCases)
  func everyConnectionKnowsTheCollations(_ kind: StorageKind) throws {
    var configuration = StoreConfiguration()
    configuration.collations = [
      TextCollation("reversed") { left, right in
        left < right ? 1 : (left == right ? 0 : -1)
      }
    ]
    let sql = "SELECT column1 AS x FROM (VALUES ('a'), ('c'), ('b')) ORDER BY 1 COLLATE reversed"
    try withStore(kind, configuration: configuration) { store in
      let written = try store.write { try $0.query(sql) }
      let read = try store.read { try $0.query(sql) }
      #expect(written.map(\.values) == [["c"], ["b"], ["a"]])
      #expect(read == written)
    }
  }

  @Test func doubleQuotedTextIsNotAString() throws {
    let store = try Store.inMemory()
    try expectStoreError(.statementFailed) { try store.read { try $0.query("SELECT \"text\"") } }
  }

  @Test func triggersOfFullTextTablesWork() throws {
    let store = try Store.inMemory()
    try store.write { transaction in
      try transaction.execute(
        """
        CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT);
        CREATE VIRTUAL TABLE note_words USING fts5(text, content='note', content_rowid='id');
        CREATE TRIGGER note_inserted AFTER INSERT ON note BEGIN
          INSERT INTO note_words (rowid, text) VALUES (new.id, new.text);
        END;
        INSERT INTO note (text) VALUES ('the quick fox');
        """)
      let rows = try transaction.query(
        "SELECT rowid AS id FROM note_words WHERE text MATCH 'quick'")
      #expect(rows.map { $0["id"] } == [1])
    }
  }

  @Test func onlyTheWriterIsPreparedForCommits() throws {
    let folder = try TemporaryFolder()
    let log = CommitLog()
    let store = try StorageKind.file.open(in: folder, readBy: [log])
    for _ in 0..<3 {
      _ = try store.read { try $0.query("SELECT 1") }
    }
    #expect(log.lines.filter { $0 == "attach" }.count == 1)
    let isReadOnly = try store.writer.unsafeRead { db in
      sqlite3_db_readonly(db.sqliteConnection, "main")
    }
    #expect(isReadOnly == 1)
  }

  /// "As long as you like", "as often as you can": numbers of a user, none of which ends the
  /// process.
  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(1)])
  func extremeDurations(_ duration: Duration) async throws {
    let folder = try TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.busyTimeout = duration
    configuration.externalChangePolling = duration
    let store = try await Store.open(at: folder.file("store.sqlite"), configuration: configuration)
    try await store.write { try $0.execute(SmallWorld.schema) }
    let results = try store.results(of: SmallWorld.plan)
    try await results.load()
    // The timer that the store looks by goes on.
    let calls = Mutex(0)
    let alarm = ProcessTimer.shared.makeAlarm { calls.withLock { $0 += 1 } }
    alarm.repeat(every: .milliseconds(1))
    let goesOn = try await comesTrue { calls.withLock { $0 } >= 10 }
    #expect(goesOn)
    alarm.cancel()
    try await store.write { try $0.execute("DELETE FROM item WHERE id = 1") }
    #expect(results.numberOfItems == 3)
    _ = try InspectionConnection(
      path: folder.file("store.sqlite"), access: .readOnly, busyTimeout: duration)
    try await store.close()
  }
}
