#if Macros
  import Sectile
  import SectileTestHelpers
  import SectileTestSupport
  import Testing

  @Entity("parcel")
  struct HeldParcel: Identifiable, Equatable, Sendable {
    var id: Int64
    var state: String
    var weight: Int
  }

  /// Rows of SQLite that stand still while they are written.
  @Suite(.timeLimit(.minutes(60))) struct HeldResultsTests {
    private static let migrations = Migrations.inline([
      "V0001_create_parcel.sql":
        "CREATE TABLE parcel (id INTEGER PRIMARY KEY, state TEXT NOT NULL, weight INTEGER NOT NULL)"
    ])

    private static let request = FetchRequest<HeldParcel>().sort(by: \.weight)
      .sectioned(by: \.state)

    @Test func itemsOfTheHeldVersionAreReadAfterTheyWereOverwritten() throws {
      let store = try Store.inMemory(migrations: Self.migrations)
      try store.write { tx in
        try tx.insert(contentsOf: (1...6).map { HeldParcel(id: $0, state: "new", weight: Int($0)) })
      }
      let list = try store.results(of: Self.request).held()
      let recorder = ChangeRecorder<Int64, HeldParcel>()
      list.delegate = recorder
      list.load()
      list.hold()
      try store.write { tx in
        try tx.update(HeldParcel(id: 2, state: "sent", weight: 9))
        _ = try tx.delete(HeldParcel.self, key: 3)
        try tx.insert(HeldParcel(id: 7, state: "new", weight: 0))
      }
      try store.write { try $0.update(HeldParcel(id: 7, state: "new", weight: 20)) }
      #expect("\(list.pending)" == "1 new, 1 changed, 1 gone")
      let held = try list.snapshot.materialized().sections.flatMap(\.rows).map(\.item)
      #expect(held == (1...6).map { HeldParcel(id: $0, state: "new", weight: Int($0)) })
      #expect(recorder.changesets.count == 1)

      list.release()
      #expect(recorder.changesets.count == 2)
      try recorder.check(against: list)
      #expect(recorder.contents.sections.map(\.header.title) == ["new", "sent"])
    }

    @Test func anotherProcessWritesMeanwhile() throws {
      let folder = try TemporaryFolder()
      var configuration = StoreConfiguration()
      // Who looks in between delivers on a thread of its own, maybe after the test has compared.
      configuration.externalChangePolling = nil
      let store = try Store.open(
        at: folder.file("held.db"), configuration: configuration, migrations: Self.migrations)
      try store.changeLog.enable()
      try store.write { tx in
        try tx.insert(contentsOf: (1...4).map { HeldParcel(id: $0, state: "new", weight: Int($0)) })
      }
      let other = try Store.open(at: folder.file("held.db"), migrations: Self.migrations)
      let list = try store.results(of: Self.request).held()
      let recorder = ChangeRecorder<Int64, HeldParcel>()
      list.delegate = recorder
      list.load()
      let read = try list.item(at: ItemPath(section: 0, item: 0))
      list.hold()
      try other.write { tx in
        try tx.update(HeldParcel(id: 4, state: "lost", weight: 1))
        try tx.insert(HeldParcel(id: 5, state: "new", weight: 3))
      }
      try store.checkForExternalChanges()
      #expect(list.pending.insertedCount == 1)
      #expect(list.pending.changedCount == 1)
      #expect(list.numberOfItems == 4)
      #expect(try list.item(at: ItemPath(section: 0, item: 0)) == read)
      list.release()
      try recorder.check(against: list)
      #expect(list.numberOfItems == 5)
      #expect(recorder.changesets.count == 2)
    }
  }
#endif
