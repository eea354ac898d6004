#if Macros
  import Sectile
  import SectileTestSupport
  import Testing

  @Suite(.timeLimit(.minutes(60))) struct TestingExamples {
    private let migrations = Package.migrations

    // example: testing-recorder
    @Test func aPackageThatChangesItsSectionMoves() throws {
      let store = try Store.inMemory(migrations: migrations)
      let results = try store.results(
        of: FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name))
      let recorder = ChangeRecorder<Int64, Package>()
      results.delegate = recorder
      try results.load()
      try store.write { tx in
        try tx.insert(Package(id: 1, name: "grep", section: "utils"))
        try tx.insert(Package(id: 2, name: "sed", section: "utils"))
      }
      try recorder.expect(["insert section utils", "insert utils/0", "insert utils/1"])
      try store.write { tx in
        try tx.update(Package(id: 2, name: "sed", section: "editors"))
      }
      try recorder.expect(["insert section editors", "move utils/1 → editors/0 *"])
      try expect(results, shows: "editors: sed | utils: grep") { $0.name }
      try recorder.check(against: results)
    }
    // example: end

    // example: testing-source
    @Test func theStopwatchKeepsThePromisesOfASource() async {
      #expect(await checkDataSource(Stopwatch()) == [])
    }
    // example: end

    // example: testing-random
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func everyTransactionIsTold(seed: UInt64) throws {
      let store = try Store.inMemory(migrations: migrations)
      let results = try store.results(
        of: FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name))
      let recorder = ChangeRecorder<Int64, Package>()
      results.delegate = recorder
      try results.load()
      let table = RandomTransactions.Table(
        "package", key: ["id": [1, 2, 3, 4]],
        columns: ["name": ["apt", "sed"], "section": ["admin", "utils"]])
      var transactions = RandomTransactions(on: [table], random: SeededRandom(seed: seed))
      for _ in 0..<10 {
        try store.write { try RandomTransactions.run(transactions.next(), in: $0) }
        try recorder.check(against: results)
      }
    }
    // example: end

    @Test func aFailureIsAsked() throws {
      let store = try Store.inMemory()
      let results = try store.results(of: FetchRequest<Package>())
      // example: testing-failure
      let recorder = ChangeRecorder<Int64, Package>()
      results.delegate = recorder
      #expect(throws: StoreError.self) { try results.load() }  // there is no table
      #expect(recorder.errors.count == 1)
      // example: end
      #expect(recorder.violations == [])
    }
  }
#endif
