#if Macros
  import Sectile
  import SectileTestSupport
  import Testing

  @Entity("parcel")
  struct TalliedParcel: Identifiable, Equatable, Sendable {
    var id: Int64
    var state: String
    var weight: Int
    var price: Double
  }

  /// What a composition works out from rows of SQLite, beside what the request does.
  @Suite(.timeLimit(.minutes(60))) struct AggregatingResultsTests {
    private static let migrations = Migrations.inline([
      "V0001_create_parcel.sql": """
      CREATE TABLE parcel (
        id INTEGER PRIMARY KEY, state TEXT NOT NULL, weight INTEGER NOT NULL, price REAL NOT NULL)
      """
    ])

    private static let request = FetchRequest<TalliedParcel>().sort(by: \.weight)
      .sectioned(by: \.state)
      .aggregating(
        Aggregate<TalliedParcel, Int>.count(), Aggregate.sum(\TalliedParcel.weight),
        Aggregate.sum(\TalliedParcel.price))

    private static let names = [
      ("own count", "count"), ("own weight", "sum(weight)"), ("own price", "sum(price)"),
    ]

    private static func parcel(_ id: Int64, _ random: inout SeededRandom) -> TalliedParcel {
      let states = ["lost", "new", "sent"]
      let exponent = Int.random(in: -30...30, using: &random)
      return TalliedParcel(
        id: id, state: states[Int.random(in: 0..<3, using: &random)],
        weight: Int.random(in: -5...50, using: &random),
        price: Double(
          sign: .plus, exponent: exponent, significand: Double.random(in: -1..<1, using: &random)))
    }

    /// Makes a few random changes in one transaction.
    private static func change(
      _ store: Store, _ present: inout Set<Int64>, _ random: inout SeededRandom
    ) throws {
      var changed = present
      var generator = random.fork()
      try store.write { tx in
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
          let id = Int64.random(in: 0..<15, using: &generator)
          let parcel = Self.parcel(id, &generator)
          if !changed.contains(id) {
            try tx.insert(parcel)
            changed.insert(id)
          } else if generator.chance(0.3) {
            _ = try tx.delete(TalliedParcel.self, key: id)
            changed.remove(id)
          } else {
            try tx.update(parcel)
          }
        }
      }
      present = changed
    }

    @Test(arguments: SeededRandom.batches(debug: 50, release: 200))
    func ownValuesAreThoseOfTheRequest(_ seeds: Range<UInt64>) throws {
      for seed in seeds {
        var random = SeededRandom(seed: seed)
        let store = try Store.inMemory(migrations: Self.migrations)
        let list = try store.results(of: Self.request).aggregating(
          .count("own count"), .sum("own weight") { $0.weight }, .sum("own price") { $0.price })
        let recorder = ChangeRecorder<Int64, TalliedParcel>()
        list.delegate = recorder
        list.load()
        var present: Set<Int64> = []
        for step in 0..<25 {
          let before = recorder.changesets.count
          try Self.change(store, &present, &random)
          let words = "step \(step), \(random)"
          try recorder.check(against: list)
          #expect(recorder.changesets.count <= before + 1, "\(words)")
          #expect(recorder.contents.aggregates == list.aggregates, "\(words)")
          #expect(list.aggregates["own count"] == .integer(Int64(present.count)), "\(words)")
          let all = list.sections.map(\.aggregates) + [list.aggregates]
          for aggregates in all {
            for (own, name) in Self.names {
              #expect(aggregates[own] == aggregates[name], "\(own), \(words)")
            }
          }
        }
      }
    }

    @Test func filterBehindARequestIsCounted() throws {
      let store = try Store.inMemory(migrations: Self.migrations)
      let results = try store.results(of: Self.request)
      let heavy = results.filter { $0.weight > 10 }.aggregating(.count("heavy"))
      heavy.load()
      try store.write { tx in
        for id in 1...4 {
          try tx.insert(
            TalliedParcel(id: Int64(id), state: "new", weight: id * 5, price: Double(id)))
        }
      }
      let expected: AggregateValues = [
        "count": 4, "sum(weight)": 50, "sum(price)": 10.0, "heavy": 2,
      ]
      #expect(heavy.aggregates == expected)
      #expect(heavy.sections.map(\.aggregates) == [expected])
      try store.write { try $0.execute("UPDATE parcel SET weight = 11 WHERE id = 1") }
      #expect(heavy.aggregates["heavy"] == .integer(3))
      #expect(results.aggregates["count"] == .integer(4))
    }
  }
#endif
