import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Results that differ in one value are what results of their own would be.
@Suite(.timeLimit(.minutes(60))) struct ResultsFamilyTests {
  /// Requests of which some share their statements, and others cannot.
  static let requests: [(name: String, request: FetchRequest<Track>)] = [
    ("all", FetchRequest<Track>()),
    ("sorted", FetchRequest<Track>().sort(by: \.plays, .descending)),
    (
      "filtered", FetchRequest<Track>().filter { $0.plays > 3 && $0.name != "x" }.sort(by: \.name)
    ),
    (
      "sectioned", FetchRequest<Track>().sectioned(by: \.genre, nulls: .last).sort(by: \.name)
    ),
    ("own equality", FetchRequest<Track>().filter { $0.isBonus == false }.sort(by: \.name)),
    ("window", FetchRequest<Track>().sort(by: \.plays).limit(3)),
    (
      "totals",
      FetchRequest<Track>().sectioned(by: \.genre).aggregating(.sum(\Track.plays)).sort(by: \.name)
    ),
    (
      "related",
      FetchRequest<Track>().filter { $0.artist.name != "Otis" }.sort(by: \.artist.name)
    ),
    ("counted", FetchRequest<Track>().filter { $0.listens.exists { $0.minutes > 2 } }),
  ]

  private func withStore(_ body: (Store) throws -> Void) throws {
    let store = try Store.inMemory()
    try store.write { try $0.execute(Music.script) }
    try body(store)
    try store.close()
  }

  // MARK: Members

  @Test func aRowThatChangesItsValueLeavesOneAndEntersAnother() throws {
    try withStore { store in
      let family = try store.family(
        of: FetchRequest<Track>().sort(by: \.name), by: \.artistID)
      let (nina, otis) = (try family.results(for: 1), try family.results(for: 2))
      let nobody = try family.results(for: nil)
      let seen = try [(nina, 1), (otis, 2), (nobody, nil)].map { (results, artist: Int64?) in
        try LiveResults(results) {
          try store.results(
            of: FetchRequest<Track>().filter { $0.artistID == artist }.sort(by: \.name))
        }
      }
      #expect([nina, otis, nobody].map(\.numberOfItems) == [2, 2, 1])
      try store.write { try $0.execute("UPDATE track SET artist_id = 2 WHERE id = 1") }
      #expect([nina, otis, nobody].map(\.numberOfItems) == [1, 3, 1])
      for results in seen { try results.check() }
      try store.write { try $0.execute("UPDATE track SET artist_id = NULL WHERE id = 1") }
      for results in seen { try results.check() }
      #expect([nina, otis, nobody].map(\.numberOfItems) == [1, 2, 2])
    }
  }

  @Test func aMemberIsTheSameForAllWhileSomebodyHoldsIt() throws {
    try withStore { store in
      let family = try store.family(of: FetchRequest<Track>(), by: \.artistID)
      var first: SectionedResults<Track>? = try family.results(for: 1)
      let second = try family.results(for: 2)
      #expect(try family.results(for: 1) === first)
      #expect(Set(family.values) == [1, 2])
      weak let released = first
      first = nil
      #expect(released == nil)
      #expect(family.values == [2])
      #expect(try family.results(for: 2) === second)
      for artist in Int64(10)..<500 { _ = try family.results(for: artist) }
      #expect(family.values == [2])
    }
  }

  /// What Swift takes for equal may be two values to SQLite.
  @Test func valuesAreToldApartByTheirBytes() throws {
    try withStore { store in
      try store.write {
        try $0.execute("UPDATE track SET name = ? WHERE id = 1", "e\u{301}")
        try $0.execute("UPDATE track SET name = ? WHERE id = 2", "\u{e9}")
      }
      let family = try store.family(of: FetchRequest<Track>(), by: \.name)
      let (two, one) = (try family.results(for: "e\u{301}"), try family.results(for: "\u{e9}"))
      for results in [one, two] { try results.load() }
      #expect(try two.item(at: ItemPath(section: 0, item: 0)).id == 1)
      #expect(try one.item(at: ItemPath(section: 0, item: 0)).id == 2)
    }
  }

  @Test func aMemberWithAnotherRequestIsHandedOutNoMore() throws {
    try withStore { store in
      let family = try store.family(of: FetchRequest<Track>(), by: \.artistID)
      for artist in [1, nil] as [Int64?] {
        let changed = try family.results(for: artist)
        try changed.load()
        try changed.update(to: FetchRequest<Track>())
        let member = try family.results(for: artist)
        #expect(member !== changed)
        try member.load()
        #expect(member.numberOfItems == (artist == nil ? 1 : 2))
        #expect(try family.results(for: artist) === member)
      }
    }
  }

  @Test func aRequestThatMakesNoSenseIsRefusedAtOnce() throws {
    try withStore { store in
      #expect(throws: StoreError.self) {
        _ = try store.family(of: FetchRequest<Track>().limit(-1), by: \.artistID)
      }
      let family = try store.family(of: FetchRequest<Track>(), by: \.rating)
      #expect(throws: StoreError.self) { try family.results(for: .nan) }
    }
  }

  // MARK: What is shared

  /// What a member shares is, with its value, what would be found out for itself.
  @Test(arguments: requests.map(\.name))
  func whatMembersShareIsWhatEachWouldFindOut(name: String) throws {
    try withStore { store in
      let request = try #require(Self.requests.first { $0.name == name }).request
      let family = try store.family(of: request, by: \.artistID)
      try store.writer.write { db in
        var cache = PlanCache()
        for artist in [Int64(1), 2, 77] {
          let plan = try family.results(for: artist).tracker.plan
          #expect(plan.familyValue == .integer(artist))
          var alone = plan
          alone.familyValue = nil
          let shared = try cache.entry(for: plan, in: db)
          var followed = try alone.followingWhatItReads(in: db)
          let own = try PlanQueries(followed, in: db)
          followed.familyValue = .integer(artist)
          #expect(shared.followed == followed)
          #expect(Self.statements(of: shared.queries) == Self.statements(of: own))
        }
      }
    }
  }

  private static func statements(of queries: PlanQueries) -> [SQLFragment] {
    let statements = [
      queries.row, queries.batch, queries.orderingOfRow, queries.clockQuestions?.row,
    ]
    var all = statements.compactMap { $0.map { SQLFragment($0.sql, $0.values) } }
    all += [queries.keys.sql, queries.rows.sql]
    all += [queries.sorting?.rows.sql, queries.titleOfEmptySection].compactMap { $0 }
    if let query = queries.predecessors {
      all += (query.steps + query.separateSteps + query.passing).map {
        SQLFragment($0.sql, $0.values)
      }
    }
    return all
  }

  // MARK: At random

  /// Members beside results of their own, after each commit of the store and of others; so many
  /// that a commit asks those alone that it concerns.
  @Test(arguments: SeededRandom.batches(debug: 16, release: 80, of: 4))
  func membersAreWhatResultsOfTheirOwnAre(_ seeds: Range<UInt64>) async throws {
    for seed in seeds {
      await Task.yield()
      var random = SeededRandom(seed: seed)
      let kind = StorageKind.allCases.randomElement(using: &random) ?? .memory
      let (name, request) = Self.requests.randomElement(using: &random) ?? Self.requests[0]
      var configuration = StoreConfiguration()
      configuration.externalChangePolling = nil
      configuration.synchronous = .off
      try SectileStoreTests.withStore(kind, configuration: configuration) { store in
        try store.write { try $0.execute(Music.script) }
        if kind == .file, random.chance(0.5) { try store.changeLog.enable() }
        let family = try store.family(of: request, by: \.artistID)
        let crowd = try (Int64(100)..<170).map { artist in
          let results = try family.results(for: artist)
          try results.load()
          return results
        }
        let members = try [1, 2, 3, 4, nil].map { (artist: Int64?) in
          try LiveResults(try family.results(for: artist)) {
            try store.results(of: request.filter { $0.artistID == artist })
          }
        }
        let other = try store.path.map { try ForeignConnection($0) }
        for commit in 0..<12 {
          let sql = (0...Int.random(in: 0..<3, using: &random)).map { _ in Self.statement(&random) }
            .joined(separator: ";")
          if let other, random.chance(0.3) {
            try other.commit(sql)
            try store.checkForExternalChanges()
          } else {
            try store.write { try $0.execute(sql) }
          }
          for (number, member) in members.enumerated() where try !member.agrees() {
            Issue.record(
              "seed \(seed), \(kind), \(name), commit \(commit): member \(number): \(sql)")
            return
          }
        }
        #expect(crowd.allSatisfy { $0.numberOfItems == 0 })
        other?.close()
      }
    }
  }

  private static func statement(_ random: inout SeededRandom) -> String {
    func artist() -> String {
      ["1", "2", "3", "4", "NULL", "7"].randomElement(using: &random) ?? "1"
    }
    let id = 1 + Int.random(in: 0..<14, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "DELETE FROM track WHERE id = \(id)"
    case 1: return "UPDATE track SET artist_id = \(artist()) WHERE id = \(id)"
    case 2:
      return "UPDATE track SET artist_id = \(artist()), plays = \(id) WHERE id % 5 = \(id % 5)"
    case 3: return "UPDATE artist SET name = 'name \(id)' WHERE id = \(artist())"
    case 4: return "INSERT OR REPLACE INTO listen VALUES (\(id), \(id % 7), \(id % 5))"
    default:
      let genre = ["'rock'", "'soul'", "NULL"].randomElement(using: &random) ?? "NULL"
      return """
        INSERT OR REPLACE INTO track VALUES
          (\(id), 'name \(id % 4)', \(artist()), NULL, \(id % 6), 0, NULL, \(genre), NULL)
        """
    }
  }
}
