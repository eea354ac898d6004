#if Macros
  import Dispatch
  import Sectile
  import SectileTestSupport
  import Synchronization
  import Testing

  @Entity("thing")
  struct Thing: Identifiable, Equatable, Sendable {
    var id: Int64
    var rank: Int
  }

  /// Many changes that wait are delivered in time that grows with their number.
  ///
  /// What these sizes took when it grew with the cube: minutes, each.
  @Suite(.timeLimit(.minutes(60))) struct ComposedDeliveryTests {
    private static func makeStore() throws -> Store {
      let table = "CREATE TABLE thing (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL)"
      let store = try Store.inMemory(migrations: .inline(["V0001_create_thing.sql": table]))
      _ = try store.write { tx in
        try tx.insert(contentsOf: (1...100).map { Thing(id: $0, rank: Int($0)) })
      }
      return store
    }

    private static func write(_ number: Int, to store: Store) throws {
      let id = Int64(number % 100 + 1)
      try store.write { try $0.update(Thing(id: id, rank: number * 37 % 1_009)) }
    }

    @Test(arguments: [false, true])
    func callbackThatWritesOftenUnderAComposition(_ isComposed: Bool) throws {
      let store = try Self.makeStore()
      let results = try store.results(of: FetchRequest<Thing>().sort(by: \.id))
      let composed = results.filter { $0.rank % 3 != 0 }.sorted(by: \.rank)
      let recorder = ChangeRecorder<Int64, Thing>()
      composed.delegate = recorder
      if isComposed { composed.load() } else { try results.load() }
      let isFirst = Atomic<Bool>(true)
      let count = 1_500
      let observation = results.observe { event in
        guard case .didFinishLoading = event, isFirst.exchange(false, ordering: .relaxed)
        else { return }
        for number in 0..<count {
          #expect(throws: Never.self) { try Self.write(number, to: store) }
        }
      }
      try Self.write(count, to: store)
      let isUnwritten = isFirst.load(ordering: .relaxed)
      #expect(!isUnwritten)
      #expect(results.version == count + 2)
      if isComposed { try recorder.check(against: composed) }
      let now = try store.read { try $0.fetchAll(FetchRequest<Thing>().sort(by: \.id)) }
      #expect(try (0..<100).map { try results.item(at: ItemPath(section: 0, item: $0)) } == now)
      withExtendedLifetime(observation) {}
    }

    @Test func twoThreadsThatWriteUnderAComposition() async throws {
      let store = try Self.makeStore()
      let results = try store.results(of: FetchRequest<Thing>().sort(by: \.id))
      let composed = results.filter { $0.rank % 3 != 0 }.sorted(by: \.rank)
      let recorder = ChangeRecorder<Int64, Thing>()
      composed.delegate = recorder
      composed.load()
      let failures = Atomic<Int>(0)
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        for number in 0..<1_000 {
          do { try Self.write(number * 2 + thread, to: store) } catch {
            failures.wrappingAdd(1, ordering: .relaxed)
          }
        }
      }
      let failureCount = failures.load(ordering: .relaxed)
      #expect(failureCount == 0)
      // The last changes may be another thread's to deliver: the one of this commit comes after
      // them.
      let isSeen = DispatchSemaphore(value: 0)
      let observation = composed.observe { event in
        guard case .didPartiallyLoad(let changes) = event else { return }
        if changes.inserts.contains(where: { $0.id == 1_000 }) { isSeen.signal() }
      }
      _ = try await store.write { try $0.insert(Thing(id: 1_000, rank: 1)) }
      await waitOnOwnThread { isSeen.wait() }
      observation.cancel()
      try recorder.check(against: composed)
      let now = try await store.read { try $0.fetchAll(FetchRequest<Thing>()) }
      let expected = now.filter { $0.rank % 3 != 0 }.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
      let seen = try (0..<composed.numberOfItems(in: 0)).map {
        try composed.item(at: ItemPath(section: 0, item: $0))
      }
      #expect(seen.map(\.rank) == expected.map(\.rank))
    }
  }
#endif
