import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// The log knows keys and no old values: a parent is looked up by its key, and of children that
/// others touch nobody knows whose they were.
@Suite(.timeLimit(.minutes(60))) struct FollowingRelationshipsTests {
  typealias Case = (name: String, plan: FetchPlan, base: String, byRow: [String], anew: [String])

  /// What is requested, and how commits of others to each table are followed; all others do not
  /// concern it.
  private static func cases() throws -> [Case] {
    func artists(_ condition: (EntityFields<Artist>) -> FieldExpression<Bool>) throws -> FetchPlan {
      try FetchRequest<Artist>().filter(condition).sort(by: \.name).makePlan()
    }
    func tracks(_ condition: (EntityFields<Track>) -> FieldExpression<Bool>) throws -> FetchPlan {
      try FetchRequest<Track>().filter(condition).sort(by: \.plays).makePlan()
    }
    let all = FetchRequest<Track>().sort(by: \.name)
    return [
      (
        "has long tracks", try artists { $0.tracks.exists { $0.plays > 5 } }, "artist", [],
        ["track"]
      ),
      ("has tracks", try artists { $0.tracks.isPresent }, "artist", [], ["track"]),
      ("has none", try artists { $0.tracks.isEmpty }, "artist", [], ["track"]),
      ("has two", try artists { $0.tracks.count >= 2 }, "artist", [], ["track"]),
      (
        "has no bonus, on Verve",
        try artists { $0.tracks.none { $0.isBonus } && $0.label.name == "Verve" }, "artist",
        ["label"], ["track"]
      ),
      (
        "by artist", try tracks { $0.artist.name < "P" }, "track", ["artist"], []
      ),
      (
        "by label", try tracks { $0.artist.label.name == "Verve" }, "track", ["artist", "label"], []
      ),
      ("is covered", try tracks { !$0.covers.isEmpty }, "track", [], ["track"]),
      ("covers", try tracks { $0.original.plays > 5 }, "track", [], []),
      ("listened", try tracks { $0.listens.count { $0.minutes > 4 } > 1 }, "track", [], ["listen"]),
      (
        "sections by label",
        try all.sectioned(by: \.artist.label.name, nulls: .last).makePlan(), "track",
        ["artist", "label"], []
      ),
      (
        "the artist's listens",
        try tracks { $0.artist.tracks.exists { $0.listens.isPresent } }, "track",
        ["artist"], ["track", "listen"]
      ),
      (
        "found", try tracks { $0.matching("sinnerman OR tramp", in: "track_text") }, "track", [], []
      ),
    ]
  }

  private static let statements: [(table: String, sql: String)] = [
    ("track", "DELETE FROM track WHERE id = 3"),
    ("track", "UPDATE track SET artist_id = 3 WHERE artist_id = 1"),
    ("track", "UPDATE track SET artist_id = 2, plays = 9 WHERE id = 5"),
    ("track", "INSERT INTO track VALUES (7, 'Feeling', 2, 1.0, 8, 0, NULL, 'soul', 1)"),
    ("track", "UPDATE track SET id = 70, original_id = NULL WHERE id = 7"),
    ("track", "UPDATE track SET original_id = 70 WHERE id IN (1, 2)"),
    ("track", "REPLACE INTO track VALUES (70, 'Dock', 1, 1.0, 6, 1, NULL, NULL, 4)"),
    ("track", "UPDATE track SET artist_id = NULL WHERE id = 1"),
    ("artist", "UPDATE artist SET name = 'Zina' WHERE id = 1"),
    ("artist", "UPDATE artist SET label_id = 1 WHERE id IN (2, 3)"),
    ("artist", "DELETE FROM artist WHERE id = 2"),
    ("artist", "INSERT INTO artist VALUES (2, 'Aretha', 2), (4, 'Sam', 1)"),
    ("artist", "UPDATE artist SET id = 40 WHERE id = 4; UPDATE artist SET id = 4 WHERE id = 1"),
    ("artist", "UPDATE artist SET id = 1 WHERE id = 4"),
    ("label", "UPDATE label SET name = CASE name WHEN 'Verve' THEN 'Stax' ELSE 'Verve' END"),
    ("label", "DELETE FROM label WHERE id = 1"),
    ("label", "INSERT INTO label VALUES (1, 'Verve'), (3, 'Atlantic')"),
    ("label", "UPDATE label SET id = id + 10; UPDATE label SET id = 2 WHERE id = 11"),
    ("listen", "UPDATE listen SET track_id = 5"),
    ("listen", "INSERT INTO listen VALUES (9, 4, 30), (10, 4, 30), (11, 2, 2)"),
    ("listen", "UPDATE listen SET track_id = 4, minutes = 50 WHERE id = 2"),
    ("listen", "DELETE FROM listen WHERE id = 9; UPDATE listen SET track_id = 1 WHERE id = 10"),
    ("listen", "DELETE FROM listen"),
  ]

  @Test(arguments: [StorageKind.file, .adoptedQueue])
  func childrenAreReadAnewAndParentsByRow(_ kind: StorageKind) throws {
    let cases = try Self.cases()
    let file = try LoggedFile(Music.script, kind)
    let followed = try cases.map { try file.follow($0.plan, $0.name) }
    for (table, sql) in Self.statements {
      let before = followed.map(\.results.statistics)
      try file.other.commit(sql)
      try file.store.look()
      for (position, results) in followed.enumerated() {
        let test = cases[position]
        let problem = try results.problem()
        #expect(problem == nil, "\(sql)")
        // The virtual table's rows are nowhere in the log.
        let way: FollowedWay =
          test.anew.contains(table) || test.name == "found"
          ? .resync : test.base == table || test.byRow.contains(table) ? .byLog : .untouched
        let found = results.results.statistics.way(since: before[position])
        #expect(found == way, "\(test.name): \(sql)")
      }
    }
    try file.close()
  }

  /// In one look there are all statements, and nobody knows what was in between.
  @Test func manyCommitsAreFollowedAtOnce() throws {
    for seed in UInt64(0)..<12 {
      var random = SeededRandom(seed: seed)
      let file = try LoggedFile(Music.script)
      let followed = try Self.cases().map { try file.follow($0.plan, $0.name) }
      for round in 0..<4 {
        let chosen = Self.statements.shuffled(using: &random).prefix(5)
        for (_, sql) in chosen {
          do { try file.other.commit(sql) } catch let failure as ForeignConnection.Failure
            where failure.isConstraint
          {}
        }
        try file.store.look()
        for results in followed {
          let problem = try results.problem()
          #expect(problem == nil, "seed \(seed), round \(round), \(chosen.map(\.sql))")
        }
      }
      try file.close()
    }
  }

  /// A child whose primary key begins with its parent's is told by the log, before and after.
  @Test func childrenWhoseKeyNamesTheParentAreFollowedByRow() throws {
    let file = try LoggedFile(
      """
      CREATE TABLE album (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE disc (album INTEGER, position INTEGER, length INTEGER, PRIMARY KEY (position, album));
      INSERT INTO album VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
      INSERT INTO disc VALUES (1, 1, 50), (1, 2, 20), (2, 1, 40), (3, 1, 10);
      """)
    var plan = FetchPlan(table: "album", keyColumns: ["id"], itemColumns: ["id", "name"])
    plan.filter = SQLFragment(
      "EXISTS (SELECT 1 FROM disc WHERE disc.album = album.id AND length > 30)")
    plan.dependencies = [
      FetchPlan.Dependency(
        table: "disc", keyColumns: ["album"], observedColumns: ["album", "length"],
        affected: .sameKey)
    ]
    let results = try file.follow(plan)
    for sql in [
      "UPDATE disc SET album = 4 WHERE album = 1 AND position = 1",
      "DELETE FROM disc WHERE album = 2",
      "UPDATE disc SET length = 99", "UPDATE disc SET album = 5 - album WHERE position = 1",
      "DELETE FROM album WHERE id = 3", "INSERT INTO album VALUES (3, 'again')",
      "REPLACE INTO disc VALUES (3, 1, 5)",
    ] {
      try results.expect(.byLog, in: file, sql) { try file.other.commit(sql) }
    }
    try file.close()
  }

  /// A row of a table that is not followed leaves the log without a word; its parents' results read
  /// all.
  @Test func aParentThatIsNotFollowedIsReadAnew() throws {
    let file = try LoggedFile(Music.script, tables: ["track", "artist"])
    let byArtist = try file.follow(
      FetchRequest<Track>().filter { $0.artist.name < "P" }.makePlan(), "artist")
    let byLabel = try file.follow(
      FetchRequest<Track>().filter { $0.artist.label.name == "Verve" }.makePlan(), "label")
    for (sql, first, second) in [
      ("UPDATE artist SET name = 'Zina' WHERE id = 1", FollowedWay.byLog, FollowedWay.resync),
      (
        "UPDATE label SET name = 'Verve'; UPDATE track SET plays = 1 WHERE id = 1", .byLog, .resync
      ),
      // Nothing in the log: nobody can tell what it was.
      ("UPDATE label SET name = 'x' WHERE id = 1", .resync, .resync),
    ] {
      let before = byLabel.results.statistics
      try byArtist.expect(first, in: file, sql) { try file.other.commit(sql) }
      #expect(try byLabel.problem() == nil)
      #expect(byLabel.results.statistics.way(since: before) == second, "\(sql)")
    }
    try file.close()
  }
}
