#if Macros
  import Dispatch
  import Sectile
  import SectilePresenting
  import SectileTestHelpers
  import SectileTestSupport
  import Synchronization
  import Testing

  @Entity("chore")
  struct Chore: Identifiable, Equatable, Sendable {
    var id: Int64
    var isDone: Int
  }

  /// Results that stand in several places of a composition: one transaction is one changeset.
  @Suite(.timeLimit(.minutes(60))) struct CommonSourceResultsTests {
    private static let migrations = Migrations.inline([
      "V0001_create_chore.sql":
        "CREATE TABLE chore (id INTEGER PRIMARY KEY, is_done INTEGER NOT NULL)"
    ])

    private static func fill(_ store: Store) throws {
      _ = try store.write { tx in
        try tx.insert(contentsOf: (1...6).map { Chore(id: $0, isDone: Int($0 % 2)) })
      }
    }

    private static func check(_ store: Store) throws {
      try fill(store)
      let results = try store.results(of: FetchRequest<Chore>().sort(by: \.id))
      let open = results.filter { $0.isDone == 0 }
      let list = open.concatenated(with: results.filter { $0.isDone != 0 })
      let recorder = ChangeRecorder<AnyItemID, Chore>()
      list.delegate = recorder
      list.load()
      try recorder.check(against: list)
      let selection = Selection(of: list)
      selection.select(AnyItemID(Int64(2), ofSource: 0))
      let seen = Mutex<[Int]>([])
      let read: @Sendable () -> Void = { [weak list] in
        guard let list else { return }
        seen.withLock { $0.append(list.numberOfItems) }
      }
      let tokens = [
        results.observe { _ in read() }, open.observe { _ in read() }, list.observe { _ in read() },
      ]
      recorder.reset()
      _ = try store.write { try $0.update(Chore(id: 2, isDone: 1)) }
      _ = try store.write { tx in
        try tx.update(Chore(id: 4, isDone: 1))
        try tx.update(Chore(id: 5, isDone: 0))
        _ = try tx.delete(Chore.self, key: 6)
        try tx.insert(Chore(id: 9, isDone: 1))
      }
      #expect(seen.withLock { Set($0) } == [6])
      #expect(recorder.changesets.count == 2)
      #expect(recorder.events.count == 6)
      try recorder.check(against: list)
      #expect(selection.ids == [AnyItemID(Int64(2), ofSource: 1)])
      withExtendedLifetime(tokens) {}
    }

    @Test func oneTransactionIsOneChangesetInMemory() throws {
      try Self.check(Store.inMemory(migrations: Self.migrations))
    }

    @Test func oneTransactionIsOneChangesetOnAFile() throws {
      let folder = try TemporaryFolder()
      try Self.check(
        Store.open(at: folder.file("chores.sqlite"), migrations: Self.migrations))
    }
  }
#endif
