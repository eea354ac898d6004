import Foundation
import GRDB
import SectileCore
import SectileStore
import SectileTestHelpers
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct StoreWritingTests {
  static let schema = "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)"
  struct Problem: Error {}

  private func count(_ store: Store) throws -> StoredValue? {
    try store.read { try $0.query("SELECT count(*) AS n FROM item").first?["n"] }
  }

  /// Writes on the calling thread, also from asynchronous code.
  private func insert(into store: Store) throws {
    try store.write { try $0.execute("INSERT INTO item (name) VALUES ('b')") }
  }

  @Test(arguments: StorageKind.allCases)
  func writeCommitsAndReturnsTheValue(_ kind: StorageKind) throws {
    try withStore(kind) { store in
      try store.write { try $0.execute(Self.schema) }
      let id = try store.write { transaction in
        try transaction.execute("INSERT INTO item (name) VALUES (?)", "sed")
        return try transaction.lastInsertedRowID
      }
      #expect(id == 1)
      #expect(try count(store) == 1)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func throwingClosureUndoesEverything(_ kind: StorageKind) throws {
    try withStore(kind) { store in
      try store.write { try $0.execute(Self.schema) }
      #expect(throws: Problem.self) {
        try store.write { transaction in
          try transaction.execute("INSERT INTO item (name) VALUES ('a'), ('b')")
          throw Problem()
        }
      }
      #expect(try count(store) == 0)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func observerHearsEachTransactionInOrder(_ kind: StorageKind) throws {
    let log = CommitLog()
    try withStore(kind, readBy: [log]) { store in
      #expect(log.lines.first == "attach")
      log.clear()
      try store.write { try $0.execute(Self.schema) }
      #expect(log.lines == ["read inside", "committed", "deliver"])
      log.clear()
      _ = try? store.write { _ in throw Problem() }
      #expect(log.lines == ["rolledBack", "deliver"])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func refusingObserverRollsBack(_ kind: StorageKind) throws {
    let log = CommitLog()
    try withStore(kind, readBy: [log]) { store in
      try store.write { try $0.execute(Self.schema) }
      log.refuse()
      log.clear()
      #expect(throws: CommitLog.Refusal.self) {
        try store.write { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
      }
      #expect(log.lines == ["read inside", "rolledBack", "deliver"])
      #expect(try count(store) == 0)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func deferredForeignKeyFailsAtCommitAndRollsBack(_ kind: StorageKind) throws {
    let log = CommitLog()
    try withStore(kind, readBy: [log]) { store in
      try store.write { transaction in
        try transaction.execute(
          """
          CREATE TABLE parent (id INTEGER PRIMARY KEY);
          CREATE TABLE child (
            parent_id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
          """)
      }
      log.clear()
      try expectStoreError(.foreignKeyConstraint) {
        try store.write { try $0.execute("INSERT INTO child VALUES (7)") }
      }
      #expect(log.lines == ["read inside", "rolledBack", "deliver"])
      #expect(try store.read { try $0.query("SELECT * FROM child") } == [])
    }
  }

  @Test func commitThatEndsTheTransactionWithAnErrorIsUnknown() throws {
    let log = CommitLog()
    try withStore(.file, readBy: [log]) { store in
      try store.write { try $0.execute(Self.schema) }
      store.databaseWriter.add(transactionObserver: RefusingObserver(), extent: .databaseLifetime)
      log.clear()
      #expect(throws: RefusingObserver.Problem.self) {
        try store.write { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
      }
      #expect(
        log.lines == ["read inside", "unknown", "read inside", "rolledBack", "deliver"])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func accessInsideAnAccessIsRefused(_ kind: StorageKind) throws {
    try withStore(kind) { store in
      try store.write { try $0.execute(Self.schema) }
      try store.write { transaction in
        try transaction.execute("INSERT INTO item (name) VALUES ('kept')")
        let error = try expectStoreError(.reentrantAccess) { try store.write { _ in } }
        #expect(error.hint == "Use the transaction handed to the closure.")
        try expectStoreError(.reentrantAccess) { try store.read { _ in } }
        try expectStoreError(.reentrantAccess) { try store.close() }
        try expectStoreError(.reentrantAccess) {
          try Migrator(.inline(["V0001_create_a.sql": "CREATE TABLE a (b)"])).apply(to: store)
        }
      }
      try store.read { _ in
        try expectStoreError(.reentrantAccess) { try store.write { _ in } }
        try expectStoreError(.reentrantAccess) { try store.read { _ in } }
      }
      #expect(try count(store) == 1)
    }
  }

  @Test func accessToAnotherStoreInsideAnAccessIsFine() throws {
    try withStore(.memory) { one in
      try withStore(.file) { other in
        try one.write { _ in
          try other.write { try $0.execute(Self.schema) }
          #expect(try count(other) == 0)
          _ = try other.write { _ in
            try expectStoreError(.reentrantAccess) { try one.read { _ in } }
          }
        }
      }
    }
  }

  @Test func writeInsideGRDBsWriteIsRefused() throws {
    try withStore(.adoptedPool) { store in
      try store.databaseWriter.write { _ in
        _ = try expectStoreError(.reentrantAccess) { try store.write { _ in } }
      }
      try store.write { try $0.execute(Self.schema) }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func concurrentWritesAndReadsAllSucceed(_ kind: StorageKind) async throws {
    try await withStore(kind) { store in
      try await store.write { try $0.execute(Self.schema) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask {
            try await store.write { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
          }
          group.addTask { _ = try await store.read { try $0.query("SELECT * FROM item") } }
          group.addTask { try insert(into: store) }
        }
        try await group.waitForAll()
      }
      #expect(try count(store) == 40)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func asyncWriteTellsTheObserverAndReturns(_ kind: StorageKind) async throws {
    let log = CommitLog()
    try await withStore(kind, readBy: [log]) { store in
      try await store.write { try $0.execute(Self.schema) }
      log.clear()
      let changes = try await store.write { transaction in
        try transaction.execute("INSERT INTO item (name) VALUES ('a'), ('b')")
        return try transaction.changesCount
      }
      #expect(changes == 2)
      #expect(log.lines == ["read inside", "committed", "deliver"])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func cancelledWriteRollsBackAndThrowsCancellation(_ kind: StorageKind) async throws {
    let log = CommitLog()
    try await withStore(kind, readBy: [log]) { store in
      try await store.write { try $0.execute(Self.schema) }
      let (started, continuation) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        try await store.write { transaction in
          try transaction.execute("INSERT INTO item (name) VALUES ('a')")
          continuation.yield()
          // Runs for ever, until it is interrupted.
          try transaction.execute(
            """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number)
            INSERT INTO item (name) SELECT n FROM number WHERE n < 0
            """)
        }
      }
      for await _ in started { break }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try count(store) == 0)
      #expect(log.lines.last == "deliver")
      try await store.write { try $0.execute("INSERT INTO item (name) VALUES ('b')") }
      #expect(try count(store) == 1)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func closedStoreRefusesEverything(_ kind: StorageKind) async throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder)
    try await store.close()
    try await store.close()
    try expectStoreError(.storeClosed) { try store.write { _ in } }
    let error = try expectStoreError(.storeClosed) { try store.read { _ in } }
    #expect(error.message.hasSuffix("is closed"))
    try await expectStoreError(.storeClosed) { try await store.write { _ in } }
    try await expectStoreError(.storeClosed) { try await store.read { _ in } }
  }

  @Test func closingDetachesFromAdoptedConnectionsOnly() throws {
    let log = CommitLog()
    let folder = try TemporaryFolder()
    let queue = try DatabaseQueue()
    let store = try Store(
      adopting: queue, path: nil, configuration: StoreConfiguration(), migrations: .none,
      readBy: [log])
    try store.close()
    try queue.write { try $0.execute(sql: Self.schema) }
    #expect(log.lines == ["attach", "detach"])
    let owned = CommitLog()
    try StorageKind.file.open(in: folder, readBy: [owned]).close()
    #expect(!owned.lines.contains("detach"))
  }

  @Test func secondWriterWaitsForTheFirstAndThenIsBusy() throws {
    let folder = try TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .milliseconds(50)
    let store = try StorageKind.file.open(in: folder, configuration: configuration)
    try store.write { try $0.execute(Self.schema) }
    let other = try DatabaseQueue(path: folder.file("store.sqlite"))
    try other.inDatabase { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      let error = try expectStoreError(.busy) { try store.write { _ in } }
      #expect(error.message.contains("store.sqlite"))
      #expect(error.hint?.contains("busyTimeout") == true)
      #expect(try count(store) == 0)
      try db.execute(sql: "COMMIT")
    }
    try store.write { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
  }
}
