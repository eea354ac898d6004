import SectileCore
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct PlanDependencyTests {
  private func dependencies(
    _ request: FetchRequest<Track>
  ) throws -> [FetchPlan.Dependency] {
    try request.makePlan().dependencies
  }

  private let tracksOfArtist =
    #"SELECT "track"."id" FROM "main"."track" WHERE "track"."artist_id" = ?"#

  @Test func theBaseTableIsNoDependency() throws {
    let request = FetchRequest<Track>().filter { $0.plays > 1 }.sort(by: \.name)
    #expect(try dependencies(request) == [])
  }

  @Test func aParentLeadsToItsChildren() throws {
    let request = FetchRequest<Track>().filter { $0.artist.name == "Nina" }
    #expect(
      try dependencies(request) == [
        FetchPlan.Dependency(
          table: "artist", keyColumns: ["id"], observedColumns: ["id", "name"],
          affected: .query(tracksOfArtist))
      ])
  }

  @Test func aGrandparentLeadsThroughTheParent() throws {
    let request = FetchRequest<Track>().sort(by: \.artist.label.name)
    let label =
      #"SELECT "track"."id" FROM "main"."track" WHERE "track"."artist_id" IN"#
      + #" (SELECT "artist"."id" FROM "main"."artist" WHERE "artist"."label_id" = ?)"#
    #expect(
      try dependencies(request) == [
        FetchPlan.Dependency(
          table: "artist", keyColumns: ["id"], observedColumns: ["id", "label_id"],
          affected: .query(tracksOfArtist)),
        FetchPlan.Dependency(
          table: "label", keyColumns: ["id"], observedColumns: ["id", "name"],
          affected: .query(label)),
      ])
    let rows = try Music.read { try $0.query(label, values: [2]).map { $0.values[0] } }
    #expect(rows == [3, 4])
  }

  @Test func aTableOfItsOwnLeadsToItself() throws {
    let request = FetchRequest<Track>().sectioned(by: \.original.artist.name)
    let artist =
      #"SELECT "track"."id" FROM "main"."track" WHERE "track"."original_id" IN"#
      + #" (SELECT "track"."id" FROM "main"."track" WHERE "track"."artist_id" = ?)"#
    let found = try dependencies(request)
    #expect(found.map(\.table) == ["track", "artist"])
    #expect(found.last?.affected == .query(artist))
    let rows = try Music.read { try $0.query(artist, values: [1]).map { $0.values[0] } }
    #expect(rows == [2])
  }

  @Test func childrenHoldTheKey() throws {
    let request = FetchRequest<Track>().filter { $0.listens.exists { $0.minutes > 5 } }
    #expect(
      try dependencies(request) == [
        FetchPlan.Dependency(
          table: "listen", keyColumns: ["track_id"], observedColumns: ["track_id", "minutes"],
          affected: .sameKey)
      ])
  }

  @Test func childrenOfAParentLeadThroughIt() throws {
    let request = FetchRequest<Track>().filter { $0.artist.tracks.count > 1 }
    let found = try dependencies(request)
    #expect(
      found.contains(
        FetchPlan.Dependency(
          table: "track", keyColumns: ["artist_id"], observedColumns: ["artist_id"],
          affected: .query(
            #"SELECT "track"."id" FROM "main"."track" WHERE "track"."artist_id" IN"#
              + #" (SELECT "artist"."id" FROM "main"."artist" WHERE "artist"."id" = ?)"#))))
  }

  @Test func deeperRelationshipsFetchEverything() throws {
    let request = FetchRequest<Track>().filter { track in
      track.covers.exists { $0.artist.name == "Nina" && $0.listens.count > 2 }
    }
    let found = try dependencies(request)
    #expect(found.map(\.table) == ["track", "artist", "listen"])
    #expect(found.map(\.affected) == [.sameKey, .everything, .everything])
    #expect(found[0].observedColumns == ["original_id", "artist_id", "id"])
    #expect(found[1].observedColumns == ["id", "name"])
  }

  @Test func oneTableUsedTwiceInOneWayIsOneDependency() throws {
    let request = FetchRequest<Track>().filter { $0.listens.count > 1 }
      .filter { $0.listens.exists { $0.minutes > 1 } }
    #expect(
      try dependencies(request) == [
        FetchPlan.Dependency(
          table: "listen", keyColumns: ["track_id"], observedColumns: ["track_id", "minutes"],
          affected: .sameKey)
      ])
  }

  @Test func fullTextDependsOnItsRows() throws {
    let request = FetchRequest<Track>().filter {
      $0.matching("x", in: "track_text") || $0.matching("y", in: "track_text")
    }
    #expect(
      try dependencies(request) == [
        FetchPlan.Dependency(table: "track_text_docsize", keyColumns: ["id"], affected: .sameKey)
      ])
  }

  @Test func fullTextOfRelatedRowsDependsOnItsShadows() throws {
    let request = FetchRequest<Track>().filter { $0.artist.matching("x", in: "artist_text") }
    #expect(
      try dependencies(request).filter { $0.table.hasPrefix("artist_text") }
        == ["content", "data", "idx", "docsize"].map {
          FetchPlan.Dependency(table: "artist_text_\($0)", keyColumns: [], affected: .everything)
        })
  }

  @Test func rawSQLSaysWhatItDependsOn() throws {
    let request = FetchRequest<Track>().filter(
      SQLFragment("EXISTS (SELECT 1 FROM listen)"), dependsOn: ["listen"])
    #expect(
      try dependencies(request) == [
        FetchPlan.Dependency(table: "listen", keyColumns: [], affected: .everything)
      ])
  }
}
