import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Random transactions under requests of selected columns, of groups, and through relationships of
/// relationships; `SECTILE_RANDOM_SEEDS=1000` runs as many seeds, each of forty transactions.
@Suite(.timeLimit(.minutes(60))) struct MusicRandomTests {
  @Test(arguments: SeededRandom.batches(debug: 12, release: 120, of: 3))
  func everyChangesetIsExact(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      let kind = StorageKind.allCases[Int(seed) % StorageKind.allCases.count]
      try SmallWorld.run(kind, schema: Music.script) { store in
        var random = SeededRandom(seed: seed)
        let columns = ProjectedRequestTests.requests[Self.number(6, &random)]
        let groups = ProjectedRequestTests.groupings[Self.number(4, &random)]
        let nested = NestedRelationshipTests.requests[Self.number(7, &random)]
        let lines = try LiveResults(try store.results(of: columns)) {
          try store.results(of: columns)
        }
        let artistry = try LiveResults(try store.results(of: groups)) {
          try store.results(of: groups)
        }
        let artists = try LiveResults(nested, in: store)
        for _ in 0..<40 {
          let statements = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            Self.statement(&random)
          }
          try store.write { tx in for sql in statements { try tx.execute(sql) } }
          guard try lines.agrees(), try artistry.agrees(), try artists.agrees() else {
            Issue.record("\(random): \(statements)")
            return
          }
        }
        // A commit that updates more than four of the tables' namings is not asked about.
        #expect(artists.results.statistics.rebuildCount < 4, "seed \(seed)")
      }
    }
  }

  private static func number(_ count: Int, _ random: inout SeededRandom) -> Int {
    Int.random(in: 0..<count, using: &random)
  }

  private static func statement(_ random: inout SeededRandom) -> String {
    func id(_ most: Int) -> Int { Int.random(in: 1...most, using: &random) }
    func maybe(_ value: Int) -> String { Bool.random(using: &random) ? "NULL" : "\(value)" }
    let genre = ["'rock'", "'soul'", "NULL"][id(3) - 1]
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return "UPDATE label SET name = 'label \(id(3))' WHERE id = \(id(3))"
    case 1: return "INSERT OR REPLACE INTO label VALUES (\(id(3)), 'label \(id(9))')"
    case 2:
      return
        "INSERT OR REPLACE INTO artist VALUES (\(id(6)), 'artist \(id(9))', \(maybe(id(3))))"
    case 3: return "UPDATE artist SET label_id = \(maybe(id(3))) WHERE id >= \(id(6))"
    case 4: return "DELETE FROM artist WHERE id = \(id(6))"
    case 5:
      return """
        INSERT OR REPLACE INTO track VALUES (\(id(12)), 'track \(id(9))', \(maybe(id(6))),
          \(maybe(id(5))) + 0.5, \(id(20)), \(id(2) - 1), NULL, \(genre), \(maybe(id(12))))
        """
    case 6: return "UPDATE track SET artist_id = \(maybe(id(6))) WHERE id % \(id(4)) = 0"
    case 7: return "UPDATE track SET plays = plays + 1, genre = \(genre) WHERE id = \(id(12))"
    case 8: return "DELETE FROM track WHERE id = \(id(12))"
    case 9: return "INSERT OR REPLACE INTO listen VALUES (\(id(20)), \(id(12)), \(id(60)))"
    case 10: return "UPDATE listen SET track_id = \(id(12)) WHERE id % \(id(5)) = 0"
    default: return "DELETE FROM listen WHERE id = \(id(20))"
    }
  }
}
