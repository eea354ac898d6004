import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Requests that look through link tables, and at relationships inside of relationships.
///
/// Touched rows lead to theirs by a question.
@Suite(.timeLimit(.minutes(60))) struct NestedRelationshipTests {
  private static let all = FetchRequest<Artist>()

  /// A link table: the tracks of an artist link it to those whose originals they cover.
  private static let linked = all.filter { $0.tracks.exists { $0.original.artist.name > "N" } }
    .sort(by: \.name, .descending)

  private static let counted = all.sort(
    by: { $0.tracks.count { $0.listens.count > 0 } }, .descending)

  private static let sectioned = all.sectioned { $0.tracks.count { $0.covers.isPresent } }
    .sort(by: \.label.name)

  private static let summed = all.filter { $0.tracks.sum { $0.artist.id * $0.artist.id } > 5 }
    .sort(by: { $0.tracks.maximum(\.artist.label.name) })

  private static let windowed = all.filter { artist in
    artist.tracks.exists { track in
      track.listens.exists { $0.minutes > 2 && $0.track.plays > 3 } || track.artist.label.id == 2
    }
  }.limit(2)

  static let requests = [
    all.filter { $0.tracks.exists { $0.listens.exists { $0.minutes > 4 } } },
    all.filter { $0.tracks.none { $0.listens.isPresent } },
    linked, counted, sectioned, summed, windowed,
  ]

  static let transactions =
    ProjectedRequestTests.transactions.dropLast(2) + [
      "INSERT INTO artist VALUES (4, 'Air', 2), (5, 'Low', NULL); UPDATE track SET artist_id = 5 WHERE id = 1",
      "UPDATE track SET original_id = 1 WHERE id > 3; INSERT INTO listen VALUES (20, 5, 6), (21, 4, 8)",
      "DELETE FROM listen; UPDATE artist SET label_id = 2",
    ]

  @Test(arguments: StorageKind.allCases, requests.indices)
  func ownCommitsAreFollowed(_ kind: StorageKind, _ number: Int) throws {
    try SmallWorld.run(kind, schema: Music.script) { store in
      let live = try LiveResults(Self.requests[number], in: store)
      for sql in Self.transactions {
        _ = try live.changes { try store.write { try $0.execute(sql) } }
      }
      #expect(live.results.statistics.rebuildCount == 0)
    }
  }

  @Test(arguments: [StorageKind.file, .adoptedQueue, .adoptedPool], requests.indices)
  func commitsOfAnotherConnectionAreFollowed(_ kind: StorageKind, _ number: Int) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    try store.write { try $0.execute(Music.script) }
    let live = try LiveResults(Self.requests[number], in: store)
    let other = try ForeignConnection(folder.file("store.sqlite"))
    for (position, sql) in Self.transactions.enumerated() {
      if position % 2 == 0 {
        try other.commit(sql)
        _ = try live.changes { try store.checkForExternalChanges() }
      } else {
        _ = try live.changes { try store.write { try $0.execute(sql) } }
      }
    }
    other.close()
    try store.close()
  }

  @Test func aCommitReadsTheRowsItConcerns() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let live = try LiveResults(Self.requests[0], in: store)
      try live.expect(["R+ [0,1] #2"]) {
        try store.write { try $0.execute("UPDATE listen SET minutes = 5 WHERE id = 3") }
      }
      #expect(live.results.statistics.rereadRowCount == 1)
      // A column that the request does not look at.
      try live.expect([]) {
        try store.write { try $0.execute("UPDATE track SET rating = 1") }
      }
      #expect(live.results.statistics.rereadRowCount == 1)
    }
  }

  /// A key that is answered by what is equal to it, of a row before the window that goes.
  @Test(arguments: ["BLOB", "TEXT COLLATE NOCASE", ""])
  func rowsBeforeAWindowGo(_ type: String) throws {
    let schema = """
      CREATE TABLE album (id \(type) NOT NULL PRIMARY KEY, name TEXT);
      CREATE TABLE track (id INTEGER PRIMARY KEY, album, name TEXT);
      CREATE TABLE listen (id INTEGER PRIMARY KEY, track INTEGER);
      INSERT INTO album VALUES (x'61', 'a'), (x'62', 'b'), (x'63', 'c'), (x'64', 'd');
      INSERT INTO track SELECT rowid, id, name FROM album;
      INSERT INTO listen SELECT id, id FROM track;
      """
    let text = type.hasPrefix("TEXT") ? schema.replacing("x'", with: "'k") : schema
    try SmallWorld.run(.memory, schema: text) { store in
      var plan = FetchPlan(
        table: "album", keyColumns: ["id"], itemColumns: ["id", "name"],
        where: SQLFragment(
          """
          EXISTS (SELECT 1 FROM track JOIN listen ON listen.track = track.id
            WHERE track.album = "album"."id")
          """), dependsOn: ["track", "listen"])
      (plan.limit, plan.offset) = (2, 1)
      let live = try LiveResults(plan, in: store)
      for sql in [
        "DELETE FROM listen WHERE track = 1",
        "DELETE FROM album WHERE name = 'b'; DELETE FROM track WHERE id = 2",
        "INSERT INTO listen VALUES (9, 1)",
      ] {
        _ = try live.changes { try store.write { try $0.execute(sql) } }
      }
    }
  }

  @Test func anExplanationSaysThatRowsAreFollowed() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let tables = try store.explain(Self.requests[0]).followedTables
      #expect(tables.map(\.table) == ["artist", "track", "listen"])
      #expect(tables.map(\.isFollowedByRow) == [true, true, true], "\(tables)")
    }
  }

  /// Loads beside own and foreign writes, and changed requests, keep exact.
  @Test(arguments: StorageKind.allCases)
  func requestsChange(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Music.script) { store in
      let live = try LiveResults(Self.requests[0], in: store)
      for (request, sql) in zip(Self.requests + Self.requests, Self.transactions) {
        _ = try live.changes { try live.setRequest(request, in: store) }
        _ = try live.changes { try store.write { try $0.execute(sql) } }
        _ = try live.changes { try live.results.load() }
      }
    }
  }
}
