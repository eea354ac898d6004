import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Commits of others reach those of many results that they concern, though their rows have no old
/// values by which filters could rule them out.
@Suite(.timeLimit(.minutes(60))) struct FollowingConstantsTests {
  private static let schema = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, title TEXT);
    INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
      SELECT i, char(65 + i % 20), printf('%03d', i) FROM n;
    """

  private static func plan(_ filter: SQLFragment) -> FetchPlan {
    var plan = FetchPlan(table: "song", keyColumns: ["id"], itemColumns: ["id", "genre", "title"])
    plan.filter = filter
    plan.sort = [plan.term("title")]
    return plan
  }

  @Test func manyResultsOfOneValueEachAreTold() throws {
    let file = try LoggedFile(Self.schema)
    let genres = (0..<20).map { StoredValue.text(String(UnicodeScalar(UInt8(65 + $0)))) }
    let filters =
      genres.map { SQLFragment("\"song\".\"genre\" = ?", [$0]) }
      + (1...60).map { SQLFragment("\"song\".\"id\" = ?", [.integer($0)]) }
    let followed = try filters.map {
      try ReplayedResults(Self.plan($0), in: file.store, name: "\($0)")
    }
    try file.store.look()
    for (isOwn, sql) in [
      (true, "UPDATE song SET title = 'own' WHERE id = 5"),
      (true, "UPDATE song SET genre = 'B' WHERE id = 6"),
      (false, "UPDATE song SET genre = 'C' WHERE id = 6"),
      (false, "UPDATE song SET id = 200 WHERE id = 7"), (true, "DELETE FROM song WHERE id = 8"),
      (false, "REPLACE INTO song VALUES (9, 'A', 'replaced'), (8, 'T', 'again')"),
      (true, "UPDATE song SET id = 7 WHERE id = 200"),
      (false, "DELETE FROM song WHERE genre = 'D'"),
      (false, "UPDATE song SET genre = CASE genre WHEN 'E' THEN 'F' ELSE 'E' END WHERE id % 5 = 0"),
    ] {
      if isOwn { try file.store.commit(sql) } else { try file.other.commit(sql) }
      try file.store.look()
      for results in followed {
        let problem = try results.problem()
        #expect(problem == nil, "\(sql)")
      }
    }
    // A row of others that goes from one to another, and an own one beside it.
    try file.other.commit("UPDATE song SET genre = 'K' WHERE id = 11")
    let states = try followed.map { try $0.fetched() }
    try file.store.commit("UPDATE song SET genre = 'L' WHERE id = 11")
    for (results, state) in zip(followed, states) {
      let problem = try results.problem(after: [state, results.fetched()])
      #expect(problem == nil)
    }
    #expect(followed.allSatisfy { $0.results.statistics.resyncCount == 0 })
    try file.close()
  }
}
