#if Macros
  import Foundation
  import Sectile
  import SectileTestHelpers
  import Testing

  // example: coredata-entities
  @Entity("ZCOMPANY")
  struct Company: Identifiable {
    @Attribute("Z_PK") var id: Int64
    @Attribute("ZNAME") var name: String?
  }

  @Entity("ZPERSON")
  struct Person: Identifiable {
    @Attribute("Z_PK") var id: Int64
    @Attribute("ZNAME") var name: String?
    @Attribute("ZBORN", .referenceSecondsReal) var born: Date?
    @Attribute("ZEMPLOYER") var employerID: Int64?

    struct Relationships: EntityRelationships {
      let employer = ToOne<Company>("ZEMPLOYER")
    }
  }
  // example: end

  @Suite struct CoreDataExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func aFileOfCoreDataIsRead() throws {
      let folder = try TemporaryFolder()
      let path = folder.file("people.sqlite")
      let other = try Store.open(at: path)
      try other.write { tx in
        try tx.execute(
          """
          CREATE TABLE ZCOMPANY (
            Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
          CREATE TABLE ZPERSON (
            Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZEMPLOYER INTEGER,
            ZBORN TIMESTAMP, ZNAME VARCHAR);
          INSERT INTO ZCOMPANY VALUES (1, 1, 1, 'Analytical Engines'), (2, 1, 1, 'Bombes');
          INSERT INTO ZPERSON VALUES
            (1, 2, 1, 1, 86400.5, 'Ada'), (2, 2, 1, 2, 0, 'Joan'), (3, 2, 1, 2, NULL, 'Alan');
          """)
      }
      try other.close()
      // example: coredata-open
      var configuration = StoreConfiguration()
      configuration.isReadOnly = true  // Core Data alone writes to its files
      let store = try Store.open(at: path, configuration: configuration)
      let people = try store.results(
        of: FetchRequest<Person>().sectioned(by: \.employer.name).sort(by: \.name))
      try people.load()
      print(people.sections.map(\.title))  // ["Analytical Engines", "Bombes"]
      // example: end
      #expect(transcript.lines == [#"["Analytical Engines", "Bombes"]"#])
      #expect(try people[0, 0].born == Date(timeIntervalSinceReferenceDate: 86400.5))
      #expect(try people[1, 0].name == "Alan")
      #expect(try people[1, 1].born == Date(timeIntervalSinceReferenceDate: 0))
    }

    @Test func textIsComparedAsPeopleDo() throws {
      // example: coredata-order
      var configuration = StoreConfiguration()
      configuration.collations = [.people]
      let store = try Store.inMemory(
        configuration: configuration, migrations: Package.migrations)
      // example: end
      // example: coredata-search
      try store.write { tx in
        try tx.execute(
          """
          CREATE VIRTUAL TABLE package_text USING fts5(
            name, content='package', content_rowid='id',
            tokenize='unicode61 remove_diacritics 2');
          CREATE TRIGGER package_new AFTER INSERT ON package BEGIN
            INSERT INTO package_text(rowid, name) VALUES (new.id, new.name);
          END;
          """)
        try tx.insert(Package(id: 1, name: "Zoë", section: "people"))
        try tx.insert(Package(id: 2, name: "eva", section: "people"))
        try tx.insert(Package(id: 3, name: "Émile", section: "people"))
      }
      let list = FetchRequest<Package>().sort(by: \.name, collation: .people)
      let all = try store.read { try $0.fetchAll(list) }
      print(all.map(\.name))  // ["Émile", "eva", "Zoë"]
      let found = try store.read { try $0.fetchAll(list.searching("EMI", in: "package_text")) }
      print(found.map(\.name))  // ["Émile"]
      // example: end
      #expect(transcript.lines == [#"["Émile", "eva", "Zoë"]"#, #"["Émile"]"#])
    }
  }
#endif
