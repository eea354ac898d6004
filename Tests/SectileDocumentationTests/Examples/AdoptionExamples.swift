#if Macros
  import GRDB
  import Sectile
  import SectileTestHelpers
  import Synchronization
  import Testing

  // Both modules have a FetchRequest, so it is named with its module here.
  @Suite(.timeLimit(.minutes(60))) struct AdoptionExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func adoptAPool() throws {
      let folder = try TemporaryFolder()
      let path = folder.file("packages.sqlite")
      try Store.open(at: path, migrations: Package.migrations).close()
      // example: recipe-adopt
      let pool = try DatabasePool(path: path)
      let store = try Store(adopting: pool)
      try store.write { tx in
        try tx.insert(Package(id: 1, name: "sed", section: "editors"))
        try tx.database.execute(sql: "UPDATE package SET name = upper(name)")  // GRDB's Database
      }
      // example: end
      #expect(try store.read { try $0.fetchOne(Package.self, key: 1) }?.name == "SED")
    }

    @Test func anAdoptedConnectionIsFollowed() async throws {
      let queue = try DatabaseQueue()
      try await queue.write { try $0.execute(sql: Package.table) }
      // example: processes-adopt
      let store = try Store(adopting: queue)
      let results = try store.results(of: Sectile.FetchRequest<Package>().sort(by: \.name))
      try await results.load()
      let changesets = results.changesets
      try await queue.write { db in
        try db.execute(sql: "INSERT INTO package VALUES (1, 'sed', 'editors')")
      }
      for await changes in changesets {
        print(changes)
        break
      }
      // S+ 0 (NULL)
      // R+ [0,0] #1
      // example: end
      #expect(transcript.lines == ["S+ 0 (NULL)", "R+ [0,0] #1"])
    }

    @Test func anObservedRequestIsALoadedResult() async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("packages.sqlite")
      try await Store.open(at: path, migrations: Package.migrations).close()
      // example: coming-adopt
      let pool = try DatabasePool(path: path)  // the one your program has
      let store = try Store(adopting: pool)
      let results = try store.results(of: Sectile.FetchRequest<Package>().sort(by: \.name))
      try await results.load()
      let (snapshot, changesets) = results.follow()
      print(snapshot.numberOfItems)  // 0
      try await pool.write { db in
        try db.execute(sql: "INSERT INTO package VALUES (1, 'sed', 'editors')")
      }
      for await changes in changesets {
        print(changes)
        break
      }
      // S+ 0 (NULL)
      // R+ [0,0] #1
      // example: end
      #expect(transcript.lines.last == "R+ [0,0] #1")
    }

    /// Typed operations run statements that GRDB does not see; SQL text runs through it.
    @Test func observersOfGRDBAreToldOfCommits() throws {
      let queue = try DatabaseQueue()
      try queue.write { try $0.execute(sql: Package.table) }
      let observer = CountingObserver()
      queue.add(transactionObserver: observer, extent: .databaseLifetime)
      let store = try Store(adopting: queue)
      try store.write { try $0.insert(Package(id: 1, name: "sed", section: "editors")) }
      #expect(observer.counts.withLock { $0 } == [0, 1])
      try store.write { try $0.execute("DELETE FROM package") }
      #expect(observer.counts.withLock { $0 } == [1, 2])
      // example: coming-notify
      try store.write { tx in
        try tx.insert(Package(id: 2, name: "awk", section: "utils"))
        try tx.database.notifyChanges(in: Table("package"))  // for observations of GRDB's
      }
      // example: end
      #expect(observer.counts.withLock { $0 } == [2, 3])
    }

    private final class CountingObserver: TransactionObserver, Sendable {
      /// Changes and commits.
      let counts = Mutex([0, 0])

      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange() { counts.withLock { $0[0] += 1 } }
      func databaseDidChange(with event: DatabaseEvent) { counts.withLock { $0[0] += 1 } }
      func databaseDidCommit(_ db: Database) { counts.withLock { $0[1] += 1 } }
      func databaseDidRollback(_ db: Database) {}
    }
  }
#endif
