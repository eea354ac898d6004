import SectileCore
import SectileStore
import Testing

@Suite(.timeLimit(.minutes(60))) struct EntitySchemaCheckTests {
  private func check(_ schema: String) throws -> StoreError? {
    try withTransaction(schema) { transaction throws in
      storeError { try transaction.insert(Performer("Nina")) }
    }
  }

  @Test func missingTableIsNamed() throws {
    let error = try check("CREATE TABLE other (id INTEGER PRIMARY KEY)")
    #expect(error?.code == .schemaMismatch)
    #expect(error?.message == "There is no table artist, which Performer is stored in.")
  }

  @Test func missingColumnIsNamedWithThoseThatExist() throws {
    let error = try check("CREATE TABLE artist (id INTEGER PRIMARY KEY, name, label)")
    #expect(error?.code == .schemaMismatch)
    #expect(
      error?.message == "The table artist has no column tags, links, which Performer declares.")
    #expect(error?.hint?.contains("id, name, label") == true)
  }

  @Test func anotherPrimaryKeyIsRefused() throws {
    let error = try check("CREATE TABLE artist (id INTEGER, name TEXT PRIMARY KEY, tags, links)")
    #expect(error?.code == .schemaMismatch)
    #expect(error?.message == "The primary key of artist is (name), Performer declares (id).")
    let none = try check("CREATE TABLE artist (id INTEGER, name TEXT, tags, links)")
    #expect(none?.code == .schemaMismatch)
  }

  @Test func namesCompareWithoutRegardToCase() throws {
    try withTransaction(
      "CREATE TABLE Artist (ID INTEGER PRIMARY KEY, Name, Tags, Links, more DEFAULT 1)"
    ) { transaction throws in
      #expect(try transaction.insert(Performer("Nina")) == 1)
    }
  }

  @Test func aChangedSchemaIsCheckedAgain() throws {
    try withTransaction(Performer.table) { transaction throws in
      try transaction.insert(Performer("Nina"))
      try transaction.execute("DROP TABLE artist")
      try transaction.execute("CREATE TABLE artist (id INTEGER, name TEXT, tags, links)")
      _ = try? transaction.insert(Performer("Miles"))
      let error = storeError { try transaction.insert(Performer("John")) }
      #expect(error?.code == .schemaMismatch)
    }
  }

  private func loading(_ schema: String) throws -> StoreError? {
    try withStore(.memory) { store in
      try store.write { try $0.execute(schema) }
      do {
        try store.results(of: FetchRequest<Performer>()).load()
        return nil
      } catch let error as StoreError {
        return error
      }
    }
  }

  @Test func liveResultsSayWhatAFetchSays() throws {
    for schema in [
      "CREATE TABLE other (id INTEGER PRIMARY KEY)",
      "CREATE TABLE artist (id INTEGER PRIMARY KEY, name, label)",
    ] {
      let error = try #require(try loading(schema))
      let fetching = try withTransaction(schema) { transaction throws in
        storeError { _ = try transaction.fetchAll(FetchRequest<Performer>()) }
      }
      #expect(error.code == .schemaMismatch)
      #expect(error.message == fetching?.message)
      #expect(error.hint == fetching?.hint)
    }
  }

  /// Two rows would share the key some day, in the middle of a list's life.
  @Test func liveResultsNeedAKeyThatIsDeclared() throws {
    let none = try loading("CREATE TABLE artist (id INTEGER, name TEXT, tags, links)")
    #expect(none?.code == .schemaMismatch)
    #expect(
      none?.message == "The table artist declares no primary key, Performer declares (id).")
    let other = try loading("CREATE TABLE artist (id, name TEXT PRIMARY KEY, tags, links)")
    #expect(other?.message == "The primary key of artist is (name), Performer declares (id).")
    let partial = "CREATE UNIQUE INDEX i ON artist (id) WHERE name = 'x'"
    let some = try loading("CREATE TABLE artist (id, name TEXT, tags, links); \(partial)")
    #expect(some?.code == .schemaMismatch)
    #expect(
      try loading("CREATE TABLE artist (id UNIQUE, name TEXT PRIMARY KEY, tags, links)") == nil)
    #expect(
      try loading("CREATE TABLE artist (ID INTEGER PRIMARY KEY, name TEXT, tags, links)") == nil)
  }

  @Test func viewsAreReadByTheDeclaredKey() throws {
    let schema = """
      CREATE TABLE person (number INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO person VALUES (4, 'Nina');
      CREATE VIEW artist AS SELECT number AS id, name, '[]' AS tags, NULL AS links FROM person
      """
    try withTransaction(schema) { transaction throws in
      #expect(try transaction.fetchOne(Performer.self, key: 4) == Performer(id: 4, "Nina"))
    }
  }
}
