import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Others commit while a load reads beside the writer, and the log names what they touched.
@Suite(.timeLimit(.minutes(60))) struct FollowingBesideLoadsTests {
  private static let schema = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, title TEXT, plays INTEGER);
    CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      SELECT i, char(65 + i % 5), printf('%03d', i), i FROM n;
    """

  private static func plan(_ meddler: Meddler) -> FetchPlan {
    var plan = FetchPlan(
      table: "song", keyColumns: ["id"], itemColumns: ["id", "genre", "title", "plays"])
    plan.section = FetchPlan.Section(identity: plan.term("genre"))
    plan.sort = [plan.term("title", collation: meddler.collation)]
    plan.batchSize = 7
    return plan
  }

  private static let statements = [
    "UPDATE song SET plays = plays + 100 WHERE id = 7", "DELETE FROM song WHERE id IN (3, 59)",
    "INSERT INTO song VALUES (70, 'C', '0055', 9)", "UPDATE song SET title = '0' WHERE id = 30",
    "UPDATE song SET id = 80 WHERE id = 8", "REPLACE INTO song VALUES (9, 'Z', 'z', 1)",
    "UPDATE song SET title = title, plays = plays WHERE id < 9", "UPDATE song SET plays = -plays",
    "INSERT INTO label (name) VALUES ('l')", "DELETE FROM song",
  ]

  /// Who notices what others have committed, while the load reads.
  private enum Noticing: CaseIterable { case nobody, look, ownCommit, otherLoad }

  @Test(arguments: statements, [false, true])
  func theLoadCatchesUp(_ sql: String, isNewRequest: Bool) throws {
    for noticing in Noticing.allCases {
      let meddler = Meddler()
      let file = try LoggedFile(Self.schema) { $0.collations = [meddler.collation] }
      var plan = Self.plan(meddler)
      let results = try file.follow(plan)
      let other = try file.follow(
        FetchPlan(table: "song", keyColumns: ["id"], itemColumns: ["id", "plays"]), "other")
      let (store, path, next) = (file.store, file.path, plan)
      meddler.arm {
        let program = try ForeignConnection(path)
        try program.commit(sql)
        switch noticing {
        case .nobody: break
        case .look: try store.look()
        case .ownCommit: try store.commit("UPDATE song SET plays = plays + 1 WHERE id IN (7, 20)")
        case .otherLoad: try store.results(of: next).loadHere()
        }
        try program.commit("UPDATE song SET plays = plays + 2 WHERE id IN (7, 21)")
        if noticing == .look { try store.look() }
        program.close()
      }
      plan.sort.append(plan.term("plays"))
      if isNewRequest {
        try results.results.update(to: plan)
      } else {
        try results.results.load()
      }
      #expect(meddler.hasEnded.withLock { $0 }, "the writer was not free")
      try store.look()
      let label = "\(noticing), \(sql)"
      #expect(results.recorder.violations == [], "\(label)")
      #expect(results.recorder.verify(against: results.results) == [], "\(label)")
      let fetched = try FreshFetch(isNewRequest ? plan : next)
        .contents(of: store, version: results.results.version)
      #expect(results.recorder.contents == fetched, "\(label)")
      // What was written as it was is in no changeset.
      var contents = results.shown
      for changes in results.recorder.changesets {
        for update in changes.updates {
          let row = contents.sections[update.source.section].rows[update.source.item]
          let item = try update.item
          #expect(row.item != item, "\(label)")
        }
        try contents.apply(changes)
      }
      #expect(other.recorder.verify(against: other.results) == [], "\(label)")
      let otherContents = try other.fetched()
      #expect(other.recorder.contents == otherContents, "\(label)")
      // And on from there, by the log.
      let before = results.results.statistics
      try file.other.commit("INSERT INTO song VALUES (95, 'A', '095', 5)")
      try store.look()
      #expect(results.recorder.verify(against: results.results) == [], "\(label)")
      #expect(results.results.statistics.way(since: before) == .byLog, "\(label)")
      try file.close()
    }
  }
}
