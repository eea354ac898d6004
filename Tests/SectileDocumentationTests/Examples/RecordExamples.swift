#if Macros
  import Foundation
  import GRDB
  import Sectile
  import SectileTestHelpers
  import Testing

  // example: records-entities
  @Entity
  struct Club: Codable, FetchableRecord, Identifiable, PersistableRecord {
    var id: Int64
    var name: String
  }

  @Entity
  struct Skater: Codable, FetchableRecord, Identifiable, MutablePersistableRecord {
    var id: Int64?
    var name: String
    @Attribute("clubId") var clubId: Int64
    @Attribute("joinedAt") var joinedAt: Date

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    struct Relationships: EntityRelationships {
      let club = ToOne<Club>("clubId")
    }
  }
  // example: end

  // Both modules have a FetchRequest, so it is named with its module here.
  @Suite struct RecordExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func aStructIsARecordAndAnEntity() throws {
      let folder = try TemporaryFolder()
      let pool = try DatabasePool(path: folder.file("skaters.sqlite"))
      try pool.write { db in
        try db.execute(
          sql: """
            CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE skater (
              id INTEGER PRIMARY KEY, name TEXT NOT NULL,
              clubId INTEGER NOT NULL REFERENCES club, joinedAt DATETIME NOT NULL);
            INSERT INTO club VALUES (1, 'Axel'), (2, 'Lutz');
            """)
      }
      let today = Date(timeIntervalSince1970: 1_769_990_400)
      // example: records-both
      let store = try Store(adopting: pool)
      let skaters = try store.results(
        of: Sectile.FetchRequest<Skater>().sectioned(by: \.club.name).sort(by: \.name))
      try skaters.load()
      let bob = try store.write { tx in
        var bob = Skater(id: nil, name: "Bob", clubId: 2, joinedAt: today)
        bob.id = try tx.insert(bob)  // the key that SQLite gave
        return bob
      }
      print(skaters.sections.map(\.title))  // ["Lutz"]
      let ada = try pool.write { db in
        var ada = Skater(id: nil, name: "Ada", clubId: 1, joinedAt: today)
        try ada.insert(db)  // GRDB's
        return ada
      }
      try store.checkForExternalChanges()  // now; otherwise in a moment, by itself
      print(skaters.sections.map(\.title))  // ["Axel", "Lutz"]
      // example: end
      #expect(transcript.lines == [#"["Lutz"]"#, #"["Axel", "Lutz"]"#])
      #expect(bob.id == 1)
      #expect(ada.id == 2)
      let records = try pool.read { db in try Skater.fetchAll(db) }
      #expect(records.map(\.name).sorted() == ["Ada", "Bob"])
      #expect(records.allSatisfy { $0.joinedAt == today })
      #expect(try skaters[0, 0].joinedAt == today)
    }
  }
#endif
