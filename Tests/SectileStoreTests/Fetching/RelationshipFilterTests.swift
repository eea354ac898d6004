import SectileCore
import Testing

@testable import SectileStore

/// Filters through relationships: the SQL, the joins, the rows.
@Suite(.timeLimit(.minutes(60))) struct RelationshipFilterTests {
  @Test func toOneJoinsOnce() throws {
    let request = FetchRequest<Track>().filter { $0.artist.name > "N" && $0.artist.name < "Z" }
      .sort(by: \.artist.name)
    let plan = try request.makePlan()
    #expect(plan.filter?.sql == #"("artist"."name" > ?) AND ("artist"."name" < ?)"#)
    #expect(
      plan.joins == [
        FetchPlan.Join(
          table: "artist", alias: "artist", source: "track", sourceColumns: ["artist_id"],
          targetColumns: ["id"])
      ])
    #expect(try Music.read { try $0.fetchAll(request).map(\.id) } == [1, 2, 3, 4])
  }

  @Test func toOneChainsJoinInOrder() throws {
    let request = FetchRequest<Track>().filter { $0.artist.label.name == "Stax" }
    #expect(
      PlanSQL(try request.makePlan()).selectCount.sql
        == #"SELECT count(*) FROM "main"."track""#
        + #" LEFT JOIN "main"."artist" ON "artist"."id" = "track"."artist_id""#
        + #" LEFT JOIN "main"."label" ON "label"."id" = "artist"."label_id""#
        + #" WHERE "label"."name" = ?"#)
    #expect(try Music.read { try $0.fetchAll(request).map(\.id) } == [3, 4])
  }

  @Test func missingParentsAreNull() throws {
    try Music.expect(#""label"."name" IS NULL"#, [], leaves: [5, 6]) { $0.artist.label.name.isNull }
    try Music.expect(#""artist"."id" IS NOT NULL"#, [], leaves: [1, 2, 3, 4, 5]) {
      $0.artist.id.hasValue
    }
  }

  @Test func aTableReachedTwiceGetsTwoNames() throws {
    try Music.expect(#""track_2"."name" = ?"#, ["Sinnerman"], leaves: [2]) {
      $0.original.name == "Sinnerman"
    }
    try Music.expect(
      #"("track_2"."plays" > "track"."plays") AND ("artist"."name" = ?)"#, ["Nina"], leaves: [2]
    ) {
      $0.original.plays > $0.plays && $0.original.artist.name == "Nina"
    }
  }

  @Test func existsLooksForOne() throws {
    try Music.expect(
      #"EXISTS (SELECT 1 FROM "main"."listen" WHERE "listen"."track_id" = "track"."id""#
        + #" AND ("listen"."minutes" > ?))"#, [4], leaves: [1, 6]
    ) { $0.listens.exists { $0.minutes > 4 } }
    try Music.expect(
      #"NOT EXISTS (SELECT 1 FROM "main"."listen" WHERE "listen"."track_id" = "track"."id""#
        + #" AND ("listen"."minutes" > ?))"#, [4], leaves: [2, 3, 4, 5]
    ) { $0.listens.none { $0.minutes > 4 } }
    try Music.expect(
      #"NOT EXISTS (SELECT 1 FROM "main"."listen" WHERE "listen"."track_id" = "track"."id")"#, [],
      leaves: [2, 4, 5]
    ) { $0.listens.isEmpty }
    try Music.expect(
      #"EXISTS (SELECT 1 FROM "main"."listen" WHERE "listen"."track_id" = "track"."id")"#, [],
      leaves: [1, 3, 6]
    ) { $0.listens.isPresent }
  }

  @Test func countCounts() throws {
    try Music.expect(
      #"(SELECT count(*) FROM "main"."listen" WHERE "listen"."track_id" = "track"."id") >= ?"#, [2],
      leaves: [1]
    ) { $0.listens.count >= 2 }
    try Music.expect(
      #"(SELECT count(*) FROM "main"."listen" WHERE "listen"."track_id" = "track"."id""#
        + #" AND ("listen"."minutes" < ?)) = ?"#, [10, 1], leaves: [1, 3]
    ) { $0.listens.count { $0.minutes < 10 } == 1 }
  }

  @Test func subqueriesReachOutAndJoinInside() throws {
    try Music.expect(
      #"EXISTS (SELECT 1 FROM "main"."track" AS "track_2" LEFT JOIN "main"."artist" ON "artist"."id" ="#
        + #" "track_2"."artist_id" WHERE "track_2"."original_id" = "track"."id""#
        + #" AND (("artist"."name" = ?) AND ("track_2"."plays" < "track"."plays")))"#,
      ["Nina"], leaves: [1]
    ) { track in
      track.covers.exists { $0.artist.name == "Nina" && $0.plays < track.plays }
    }
  }

  @Test func subqueriesOverOneRelationshipNest() throws {
    try Music.expect(
      #"EXISTS (SELECT 1 FROM "main"."listen" WHERE "listen"."track_id" = "track"."id""#
        + #" AND (EXISTS (SELECT 1 FROM "main"."listen" AS "listen_2" WHERE "listen_2"."track_id" ="#
        + #" "track"."id" AND ("listen_2"."minutes" > "listen"."minutes"))))"#, [], leaves: [1]
    ) { track in
      track.listens.exists { first in track.listens.exists { $0.minutes > first.minutes } }
    }
  }

  @Test func subqueryOfAParentJoinsTheParent() throws {
    try Music.expect(
      #"(SELECT count(*) FROM "main"."track" AS "track_2" WHERE "track_2"."artist_id" = "artist"."id") = ?"#,
      [1], leaves: [5]
    ) { $0.artist.tracks.count == 1 }
  }
}
