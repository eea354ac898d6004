import Foundation
import SectileCore
import SectileStore
import Testing

@Suite(.timeLimit(.minutes(60))) struct EntityTests {
  @Test func insertAssignsTheKeyOfAnOptionalInteger() throws {
    try withTransaction(Performer.table) { transaction throws in
      var artist = Performer("Nina", tags: ["soul", "jazz"], links: ["a/b": 1])
      artist.id = try transaction.insert(artist)
      #expect(artist.id == 1)
      #expect(try transaction.fetchOne(Performer.self, key: 1) == artist)
      #expect(try transaction.insert(Performer("Miles")) == 2)
      let stored = try transaction.query("SELECT tags, links FROM artist ORDER BY id")
      #expect(
        stored.map(\.values) == [
          [.text(#"["soul","jazz"]"#), .text(#"{"a/b":1}"#)], [.text("[]"), .null],
        ])
    }
  }

  @Test func insertRefusesAnExistingKey() throws {
    try withTransaction(Performer.table) { transaction throws in
      try transaction.insert(Performer(id: 1, "Nina"))
      let error = storeError { try transaction.insert(Performer(id: 1, "Miles")) }
      #expect(error?.code == .uniqueConstraint)
      #expect(error?.message.contains("artist.id") == true)
      try transaction.insert(Performer(id: 2, "Miles"))
      #expect(try transaction.fetchOne(Performer.self, key: 2)?.name == "Miles")
    }
  }

  @Test func updateChangesTheRowOrReportsThatThereIsNone() throws {
    try withTransaction(Performer.table) { transaction throws in
      try transaction.insert(Performer(id: 1, "Nina"))
      try transaction.update(Performer(id: 1, "Simone", tags: ["x"]))
      #expect(
        try transaction.fetchOne(Performer.self, key: 1) == Performer(id: 1, "Simone", tags: ["x"]))
      let error = storeError { try transaction.update(Performer(id: 9, "Nobody")) }
      #expect(error?.code == .rowNotFound)
      #expect(error?.message == "artist has no row with the key of the entity, to update it")
      #expect(error?.rowKey == [9])
    }
  }

  @Test func saveUpdatesInPlaceSoThatChildrenStay() throws {
    let schema = """
      \(Performer.table);
      CREATE TABLE child (artist_id INTEGER REFERENCES artist (id) ON DELETE CASCADE)
      """
    try withTransaction(schema) { transaction throws in
      try transaction.save(Performer(id: 1, "Nina"))
      try transaction.execute("INSERT INTO child VALUES (1)")
      try transaction.save(Performer(id: 1, "Simone"))
      #expect(try transaction.fetchOne(Performer.self, key: 1)?.name == "Simone")
      #expect(try transaction.query("SELECT * FROM child").count == 1)
      try transaction.insert(Performer(id: 2, "Miles"))
      let error = storeError { try transaction.save(Performer(id: 1, "Miles")) }
      #expect(error?.code == .uniqueConstraint)
    }
  }

  /// `save` inserts where it can: an entity without a column that needs a value is updated.
  @Test func anEntityThatLeavesOutANotNullColumnIsUpdatedAndNotSaved() throws {
    let schema = """
      CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT, kind TEXT NOT NULL);
      INSERT INTO label VALUES (1, 'Verve', 'jazz');
      """
    try withTransaction(schema) { transaction throws in
      var label = try #require(try transaction.fetchOne(Label.self, key: 1))
      label.name = "Stax"
      let error = storeError { try transaction.save(label) }
      #expect(error?.code == .notNullConstraint)
      #expect(error?.hint?.contains("updated, not saved") == true)
      try transaction.update(label)
      let rows = try transaction.query("SELECT name, kind FROM label").map(\.values)
      #expect(rows == [["Stax", "jazz"]])
    }
  }

  @Test func deleteTellsWhetherThereWasARow() throws {
    try withTransaction(Performer.table) { transaction throws in
      try transaction.insert(Performer(id: 1, "Nina"))
      try transaction.insert(Performer(id: 2, "Miles"))
      #expect(try transaction.delete(Performer(id: 1, "other name")))
      #expect(try !transaction.delete(Performer(id: 1, "Nina")))
      #expect(try transaction.delete(Performer.self, key: 2))
      #expect(try !transaction.exists(Performer.self, key: 2))
    }
  }

  @Test func compositeKeysFindTheirRows() throws {
    try withTransaction(AlbumTrack.table) { transaction throws in
      let track = AlbumTrack("Sinnerman", album: 3, position: 1)
      try transaction.insert(track)
      try transaction.insert(AlbumTrack("Other", album: 3, position: 2, artistID: 8))
      try transaction.update(AlbumTrack("Sinnerman (live)", album: 3, position: 1))
      try transaction.save(AlbumTrack("Third", album: 3, position: 3))
      #expect(try transaction.fetchOne(AlbumTrack.self, key: track.id)?.title == "Sinnerman (live)")
      #expect(try transaction.exists(AlbumTrack.self, key: .init(album: 3, position: 3)))
      #expect(try transaction.delete(AlbumTrack.self, key: .init(album: 3, position: 2)))
      #expect(try transaction.query("SELECT count(*) FROM album_track").first?.values == [2])
    }
  }

  @Test func errorsNameACompositeKey() throws {
    let schema =
      "CREATE TABLE album_track (album, position, title, artist_id, PRIMARY KEY (album, position))"
    try withTransaction(schema) { transaction throws in
      try transaction.execute("INSERT INTO album_track VALUES (3, 1, x'00', NULL)")
      let error = storeError {
        _ = try transaction.fetchOne(AlbumTrack.self, key: .init(album: 3, position: 1))
      }
      #expect(
        error?.message
          == "album_track.title of a row: expected text, "
          + "found a blob of 1 byte.")
    }
  }

  @Test func malformedJSONIsAnErrorThatNamesTheRow() throws {
    try withTransaction(Performer.table) { transaction throws in
      try transaction.execute("INSERT INTO artist VALUES (7, 'Nina', '{\"a\":', NULL)")
      let error = storeError { _ = try transaction.fetchOne(Performer.self, key: 7) }
      #expect(error?.code == .decodingFailed)
      #expect(error?.message.hasPrefix("artist.tags of a row: expected JSON of") == true)
    }
  }

  @Test func relationshipsNameTheirColumns() {
    let track = AlbumTrack.Relationships()
    #expect(track.artist.columns == ["artist_id"])
    #expect(track.artistByProperty.columns == ["artist_id"])
    #expect(track.artist.targetColumns == ["id"])
    let artist = Performer.Relationships()
    #expect(artist.tracks.targetColumns == ["artist_id"])
    #expect(artist.tracksByProperty.targetColumns == ["artist_id"])
  }

  @Test func schemaFindsColumnsByKeyPath() {
    #expect(AlbumTrack.schema.column(for: \.artistID) == "artist_id")
    #expect(AlbumTrack.schema.column(for: \.id) == nil)
    #expect(AlbumTrack.schema.columns == ["title", "album", "position", "artist_id"])
    #expect(AlbumTrack.schema.primaryKey == ["album", "position"])
  }

  @Test func namesAreQuoted() throws {
    let statements = EntityStatements(
      table: "or\"der", columns: ["group", "a b"], primaryKey: ["group"])
    #expect(
      statements.fetchOne == #"SELECT "group", "a b" FROM "main"."or""der" WHERE "group" = ?1"#)
    #expect(
      statements.save
        == #"INSERT INTO "main"."or""der" ("group", "a b") VALUES (?1, ?2) "#
        + #"ON CONFLICT ("group") DO UPDATE SET "a b" = excluded."a b""#)
    #expect(statements.update == #"UPDATE "main"."or""der" SET "a b" = ?2 WHERE "group" = ?1"#)
  }
}
