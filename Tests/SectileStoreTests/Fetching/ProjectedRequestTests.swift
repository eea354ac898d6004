import Foundation
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Rows of selected columns, and groups: after each transaction they are what a fresh fetch is, the
/// changes lead there, and no row is read that is not concerned.
@Suite(.timeLimit(.minutes(60))) struct ProjectedRequestTests {
  /// A track with what is around it.
  struct Line: Identifiable, Equatable, Sendable {
    var id: Int64
    var name: String
    var artist: String?
    var label: String?
    var listens: Int
    var minutes: Int?
    var longest: Int?
    var addedAt: Date?
    var isHeard: Bool
  }

  /// The tracks of an artist, as one row.
  struct Artistry: Identifiable, Equatable, Sendable {
    var id: String?
    var tracks: Int
    var plays: Int?
    var best: Double?
    var average: Double?
    var bonuses: Int
    var genres: Int
  }

  struct Kind: EntityKey {
    var genre: Track.Genre?
    var isBonus: Bool

    init(_ genre: Track.Genre?, _ isBonus: Bool) { (self.genre, self.isBonus) = (genre, isBonus) }

    init(keyValues: [StoredValue]) throws {
      var key = KeyReader(keyValues)
      let name: String? = try key.next()
      let number: Int = try key.next()
      (genre, isBonus) = (name.flatMap(Track.Genre.init), number != 0)
    }

    var keyValues: [StoredValue] {
      [genre.map { .text($0.rawValue) } ?? .null, .integer(isBonus ? 1 : 0)]
    }
  }

  struct KindOfTracks: Identifiable, Equatable, Sendable {
    var id: Kind
    var tracks: Int
  }

  struct Sitting: Identifiable, Equatable, Sendable {
    var id: Int64
    var minutes: Int
  }

  static func lines(of request: FetchRequest<Track>) -> ProjectedRequest<Track, Line> {
    request.selecting(
      {
        (
          $0.id, $0.name, $0.artist.name.optional, $0.artist.label.name.optional, $0.listens.count,
          $0.listens.sum(\.minutes), $0.listens.maximum(\.minutes) { $0.minutes < 50 }, $0.addedAt,
          $0.listens.exists { $0.minutes > 4 }
        )
      }, as: Line.init)
  }

  static func artistry(
    of request: FetchRequest<Track>,
    _ groups: (FetchRequest<Track>) -> FetchRequest<Track> = { $0 }
  ) -> ProjectedRequest<Track, Artistry> {
    request.grouped(by: \.artist.name.optional, groups).selecting(
      {
        (
          $0.artist.name.optional, $0.id.count(), $0.plays.sum(), $0.rating.maximum(),
          $0.plays.average(), $0.isBonus.trueCount(), $0.genre.distinctCount()
        )
      }, as: Artistry.init)
  }

  static func kinds(of request: FetchRequest<Track>) -> ProjectedRequest<Track, KindOfTracks> {
    request.grouped(by: { ($0.genre, $0.isBonus) }).selecting({
      ($0.genre, $0.isBonus, $0.id.count())
    }) { KindOfTracks(id: Kind($0, $1), tracks: $2) }
  }

  static let requests: [ProjectedRequest<Track, Line>] = [
    lines(of: FetchRequest()),
    lines(of: FetchRequest().sectioned(by: \.artist.label.name, nulls: .last).sort(by: \.name)),
    lines(of: FetchRequest().filter { $0.listens.exists { $0.minutes > 4 } }.sort(by: \.plays)),
    lines(
      of: FetchRequest().sectioned(by: \.artist.id) { $0.titled(with: \.artist.name) }
        .sort(by: { $0.listens.sum(\.minutes) }, .descending, nulls: .last)),
    lines(
      of: FetchRequest().filter { $0.artist.label.name == "Stax" || $0.plays > 5 }
        .sort(by: { $0.listens.count }, .descending).limit(3).offset(1)),
    lines(
      of: FetchRequest().sectioned(by: \.genre, sections: [.soul, .rock])
        .aggregating(
          Aggregate<Track, Int>.count(), Aggregate.sum(\Track.plays),
          Aggregate.count(named: "heard") { (track: EntityFields<Track>) in
            track.listens.isPresent
          })),
  ]

  static let groupings: [ProjectedRequest<Track, Artistry>] = [
    artistry(of: FetchRequest()),
    artistry(of: FetchRequest().filter { $0.plays >= 0 }) {
      $0.sort(by: { $0.plays.sum() }, .descending, nulls: .last).limit(2)
    },
    artistry(of: FetchRequest().filter { $0.listens.isEmpty || $0.artist.label.id == 1 }) {
      $0.filter { $0.id.count() > 1 }
    },
    artistry(of: FetchRequest()) {
      $0.sectioned { $0.id.count() }.sort(by: \.artist.name).aggregating(.count())
    },
  ]

  static let transactions = [
    "UPDATE artist SET name = 'Nina Simone' WHERE id = 1",
    "INSERT INTO listen VALUES (5, 3, 7), (6, 2, 40)",
    "UPDATE label SET name = 'Motown' WHERE id = 2",
    "DELETE FROM listen WHERE track_id = 1",
    "UPDATE track SET artist_id = 3, genre = 'soul' WHERE artist_id = 2",
    "UPDATE track SET artist_id = NULL WHERE id = 1; DELETE FROM artist WHERE id = 3",
    "INSERT INTO artist VALUES (3, 'Zaz', 1); UPDATE listen SET track_id = 2, minutes = 3 WHERE id = 3",
    "INSERT OR REPLACE INTO track VALUES (6, 'new', 3, 1.5, 8, 1, NULL, 'rock', NULL)",
    "UPDATE listen SET track_id = track_id + 1; UPDATE track SET plays = plays + 10 WHERE id % 2 = 0",
    "DELETE FROM track WHERE id IN (2, 3); INSERT INTO track VALUES (9, 'x', 1, 5, 3, 0, NULL, NULL, NULL)",
    "DELETE FROM artist; DELETE FROM label",
    "DELETE FROM track",
  ]

  private func follow<Item: Identifiable & Equatable & Sendable>(
    _ request: ProjectedRequest<Track, Item>, _ kind: StorageKind,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws where Item.ID: EntityKey {
    try SmallWorld.run(kind, schema: Music.script) { store in
      let live = try LiveResults(try store.results(of: request)) { try store.results(of: request) }
      #expect(try live.results.strategy.kind != .refetching, sourceLocation: sourceLocation)
      for sql in Self.transactions {
        _ = try live.changes(sourceLocation: sourceLocation) {
          try store.write { try $0.execute(sql) }
        }
        let fetched = try store.read { try $0.fetchAll(request) }
        #expect(try items(of: live.results) == fetched, "\(sql)", sourceLocation: sourceLocation)
      }
    }
  }

  private func items<Item>(of results: SectionedResults<Item>) throws -> [Item] {
    try results.snapshot.materialized().sections.flatMap(\.rows).map(\.item)
  }

  // MARK: - Following

  @Test(arguments: StorageKind.allCases, requests.indices)
  func columnsAreFollowed(_ kind: StorageKind, _ number: Int) throws {
    try follow(Self.requests[number], kind)
  }

  @Test(arguments: StorageKind.allCases, groupings.indices)
  func groupsAreFollowed(_ kind: StorageKind, _ number: Int) throws {
    try follow(Self.groupings[number], kind)
  }

  @Test(arguments: StorageKind.allCases)
  func groupsOfTwoFieldsAreFollowed(_ kind: StorageKind) throws {
    try follow(Self.kinds(of: FetchRequest().filter { $0.plays != 7 }), kind)
  }

  @Test func aCommitReadsTheRowsItConcerns() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let request = Self.lines(of: FetchRequest().sort(by: \.name))
      let live = try LiveResults(try store.results(of: request)) {
        try store.results(of: request)
      }
      try live.expect(["R~ [0,3]→[0,3] #1"]) {
        try store.write { try $0.execute("UPDATE listen SET minutes = 6 WHERE id = 1") }
      }
      #expect(live.results.statistics.rereadRowCount == 1)
      try live.expect(["R~ [0,1]→[0,1] #4", "R~ [0,2]→[0,2] #3"]) {
        try store.write { try $0.execute("UPDATE label SET name = 'Motown' WHERE id = 2") }
      }
      #expect(live.results.statistics.rereadRowCount == 3)
      #expect(live.results.statistics.rebuildCount == 0)
    }
  }

  @Test func aGroupComesAndGoes() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let request = Self.artistry(of: FetchRequest()) { $0.sort(by: \.artist.name) }
      let live = try LiveResults(try store.results(of: request)) {
        try store.results(of: request)
      }
      #expect(
        try items(of: live.results).map(\.id) == [nil, "Abbey", "Nina", "Otis"])
      try live.expect(["R- [0,0] #nil"]) {
        try store.write { try $0.execute("DELETE FROM track WHERE id = 6") }
      }
      try live.expect(["R+ [0,0] #nil"]) {
        try store.write {
          try $0.execute(
            "INSERT INTO track VALUES (7, 'x', NULL, NULL, 1, 0, NULL, 'soul', NULL)")
        }
      }
      #expect(
        try items(of: live.results)[2]
          == Artistry(
            id: "Nina", tracks: 2, plays: 5, best: 4.5, average: 2.5, bonuses: 1, genres: 1))
    }
  }

  // MARK: - Changing

  @Test(arguments: StorageKind.allCases)
  func aRequestIsRefined(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Music.script) { store in
      let all = Self.lines(of: FetchRequest())
      let live = try LiveResults(try store.results(of: all)) { try store.results(of: all) }
      for request in [
        all.refined { $0.sort(by: \.name, .descending) },
        all.refined { $0.filter { $0.artist.label.name.hasValue }.sectioned(by: \.genre) },
        all.refined { $0.filter { $0.listens.isPresent }.limit(2) }, all,
      ] {
        live.expectFresh { try store.results(of: request) }
        _ = try live.changes { try live.results.update(to: request) }
        _ = try live.changes {
          try store.write {
            try $0.execute("UPDATE artist SET name = name || '!'; DELETE FROM listen WHERE id = 2")
          }
        }
      }
    }
  }

  /// Items that are not in memory are read by their keys, whichever request they came with.
  @Test(arguments: StorageKind.allCases)
  func rowsOfAWiderRequestAreRead(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Music.script) { store in
      let narrow = Self.lines(of: FetchRequest().filter { $0.plays > 1000 }.batchSize(1))
      let wide = Self.lines(of: FetchRequest().sort(by: \.plays).batchSize(1))
      let results = try store.results(of: narrow)
      try results.load()
      try results.update(to: wide)
      try store.write { try $0.execute("UPDATE track SET plays = plays + 2000") }
      let ids = try (0..<results.numberOfItems).map {
        try results.item(at: ItemPath(section: 0, item: $0)).id
      }
      #expect(ids == [2, 4, 3, 1, 5, 6])
      let (few, many) = (
        Self.artistry(of: FetchRequest()) { $0.filter { $0.id.count() > 5 }.batchSize(1) },
        Self.artistry(of: FetchRequest()) { $0.sort(by: { $0.id.count() }).batchSize(1) }
      )
      let groups = try store.results(of: few)
      try groups.load()
      try groups.update(to: many)
      #expect(try groups.item(at: ItemPath(section: 0, item: 3)).tracks == 2)
      let others = Self.artistry(of: FetchRequest().filter { $0.plays > 5 })
      #expect(requestError { try groups.update(to: others) }?.code == .invalidRequest)
    }
  }

  @Test func otherColumnsAreRefused() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let request = FetchRequest<Listen>().selecting({ ($0.id, $0.minutes) }) {
        Sitting(id: $0, minutes: $1)
      }
      let other = FetchRequest<Listen>().selecting({ ($0.id, $0.minutes + 1) }) {
        Sitting(id: $0, minutes: $1)
      }
      let results = try store.results(of: request)
      try results.load()
      let error = requestError { try results.update(to: other) }
      #expect(error?.code == .invalidRequest)
      #expect(results.numberOfItems == 4)
    }
  }

  // MARK: - Errors

  @Test func requestsWithoutSenseAreRefused() throws {
    let rows = FetchRequest<Track>().sort(by: \.name)
    let sorted = rows.grouped(by: \.genre).selecting({ ($0.genre, $0.id.count()) }) { $1 }
    #expect(requestError { try sorted.makePlan() }?.message.contains("sorts") == true)
    let moved = FetchRequest<Track>().reorderable(by: \.plays)
      .selecting({ ($0.id, $0.name) }) { $1 }
    #expect(requestError { try moved.makePlan() }?.code == .invalidRequest)
    let summed = FetchRequest<Track>().grouped(by: \.genre) {
      $0.aggregating(Aggregate.sum(\Track.plays))
    }.selecting({ ($0.genre, $0.id.count()) }) { $1 }
    #expect(requestError { try summed.makePlan() }?.message.contains("sum(plays)") == true)
    let negative = FetchRequest<Track>().limit(-1).selecting({ ($0.id, $0.name) }) { $1 }
    #expect(requestError { try negative.makePlan() }?.code == .invalidRequest)
  }

  @Test func aggregatesBelongToGroups() throws {
    let sorted = FetchRequest<Track>().sort(by: { $0.plays.sum() })
    let selected = FetchRequest<Track>().selecting({ ($0.id, $0.plays.sum()) }) { $1 }
    let filtered = FetchRequest<Track>().filter { $0.plays.sum() > 5 }.grouped(by: \.genre)
      .selecting({ ($0.genre, $0.id.count()) }) { $1 }
    for error in [
      requestError { try sorted.makePlan() }, requestError { try selected.makePlan() },
      requestError { try filtered.makePlan() },
    ] {
      #expect(error?.code == .invalidRequest)
      #expect(error?.message.contains("which only groups have") == true)
    }
    let outer = FetchRequest<Track>().sort { track in track.listens.sum { _ in track.plays } }
    #expect(requestError { try outer.makePlan() }?.message.contains("none of their fields") == true)
  }

  @Test func fieldsThatDifferWithinAGroupAreRefused() throws {
    let named = FetchRequest<Track>().grouped(by: \.genre)
      .selecting({ ($0.genre, $0.name, $0.id.count()) }) { $2 }
    #expect(requestError { try named.makePlan() }?.message.contains("The field name") == true)
    let sorted = FetchRequest<Track>().grouped(by: \.genre) { $0.sort(by: \.artist.name) }
      .selecting({ ($0.genre, $0.id.count()) }) { $1 }
    #expect(requestError { try sorted.makePlan() }?.message.contains("may differ") == true)
    // What follows from a key does not.
    let keyed = FetchRequest<Track>().grouped(by: \.artist.id)
      .selecting({ ($0.artist.id, $0.artist.name, $0.artist.label.name, $0.id.count()) }) { $3 }
    _ = try keyed.makePlan()
    let referring = FetchRequest<Track>().grouped(by: { ($0.artistID, $0.plays * 2) })
      .selecting({ ($0.artist.name, $0.plays * 2, $0.id.count()) }) { $2 }
    _ = try referring.makePlan()
  }

  @Test func aCommentEndsWithItsCondition() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let request = Self.artistry(
        of: FetchRequest().filter(SQLFragment("\"track\".\"plays\" > ? -- popular", [5])))
      let fetched = try store.read { try $0.fetchAll(request) }
      #expect(fetched.map(\.tracks) == [1, 1, 1, 1])
      let plain = FetchRequest<Track>().filter(SQLFragment("\"track\".\"plays\" > 5 -- popular"))
        .sort(by: \.plays, .descending)
      #expect(try store.read { try $0.fetchAll(plain) }.map(\.id) == [6, 5, 1, 3])
    }
  }

  @Test func anExpressionIsOneColumnHoweverOftenItIsWritten() throws {
    let plan = try FetchRequest<Track>()
      .sort(by: { $0.listens.count { $0.track.plays > 3 } })
      .selecting({ track in
        let count = track.listens.count { $0.track.plays > 3 }
        return (track.id, count, count > 1)
      }) { $2 }.makePlan()
    #expect(plan.query?.sql.contains("AS \"sort\"") == false, "\(plan.query?.sql ?? "")")
    let counted = FetchRequest<Track>().grouped(by: { $0.listens.count })
      .selecting({ ($0.listens.count, $0.id.count()) }) { Sitting(id: Int64($0), minutes: $1) }
    try SmallWorld.run(.memory, schema: Music.script) { store in
      _ = try store.explain(plan)
      let fetched = try store.read { try $0.fetchAll(counted) }
      #expect(fetched.map(\.minutes).sorted() == [1, 2, 3])
      #expect(try store.explain(counted).maintenance.kind.isIncremental)
    }
  }

  @Test func aMissingValueNamesItsColumn() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let request = FetchRequest<Track>().selecting({ ($0.id, $0.artist.name) }) { $1 }
      let error = requestError { try store.read { try $0.fetchAll(request) } }
      #expect(error?.code == .decodingFailed)
      #expect(error?.message.contains("name") == true)
    }
  }

  @Test func anIDThatIsNoKeyIsAnError() throws {
    try SmallWorld.run(.memory, schema: Music.script) { store in
      let request = FetchRequest<Listen>().selecting({ ($0.trackID, $0.minutes) }) {
        Sitting(id: $0, minutes: $1)
      }
      let results = try store.results(of: request)
      let error = requestError {
        try results.load()
        return try results.item(at: ItemPath(section: 0, item: 1))
      }
      #expect(error?.code == .decodingFailed)
      #expect(error?.message.contains("is not the key") == true)
    }
  }

  @Test func theSQLIsOneSelect() throws {
    let request = FetchRequest<Track>().filter { $0.plays > 3 }
      .grouped(by: \.artist.name) { $0.filter { $0.id.count() > 1 }.sort(by: { $0.plays.sum() }) }
      .selecting({ ($0.artist.name, $0.id.count()) }) { Sitting(id: 1, minutes: $1) }
    let plan = try request.makePlan()
    #expect(
      plan.query
        == SQLFragment(
          #"SELECT "artist"."name" AS "name", count("track"."id") AS "column","#
            + #" sum("track"."plays") AS "sort" FROM "main"."track""#
            + #" LEFT JOIN "main"."artist" ON "artist"."id" = "track"."artist_id""#
            + #" WHERE "track"."plays" > ? GROUP BY 1 HAVING count("track"."id") > ?"#, [3, 1]))
    #expect(plan.keyColumns == ["name"])
    #expect(plan.itemColumns == ["name", "column"])
  }
}
