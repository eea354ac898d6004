import GRDBSQLite
import SectileCore
import Synchronization
import Testing

@testable import SectileStore

/// What the schema of a file from elsewhere may call.
@Suite(.timeLimit(.minutes(60))) struct SchemaTrustTests {
  /// Where a schema calls a function: statements that make it, and one that would call it.
  private static let places: [(make: [String], call: String)] = [
    (["CREATE TABLE g (a, b AS (touch(a)))", "INSERT INTO g VALUES (1)"], "SELECT b FROM g"),
    (
      [
        "CREATE TABLE v_of (a)", "INSERT INTO v_of VALUES (1)",
        "CREATE VIEW v AS SELECT touch(a) FROM v_of",
      ],
      "SELECT * FROM v"
    ),
    (["CREATE TABLE k (a CHECK (touch(a)))"], "INSERT INTO k VALUES (1)"),
    (["CREATE TABLE d (a DEFAULT (touch(1)), b)"], "INSERT INTO d (b) VALUES (1)"),
    (["CREATE TABLE p (a)", "CREATE INDEX i ON p (a) WHERE touch(a)"], "INSERT INTO p VALUES (1)"),
    (["CREATE TABLE e (a)", "CREATE INDEX j ON e (touch(a))"], "INSERT INTO e VALUES (1)"),
    (
      ["CREATE TABLE t (a)", "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT touch(new.a); END"],
      "INSERT INTO t VALUES (1)"
    ),
  ]

  /// How often the function with a side effect was called, whichever test calls it.
  private static let callCount = Atomic(0)

  /// Registers a function with a side effect, which says nothing of being harmless.
  private static func registerTouch(on connection: InspectionConnection) {
    sqlite3_create_function_v2(
      connection.connection, "touch", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, _ in
        _ = SchemaTrustTests.callCount.add(1, ordering: .relaxed)
        sqlite3_result_int(context, 1)
      }, nil, nil, nil)
  }

  private static func run(_ sql: String, on connection: InspectionConnection) throws {
    try connection.run(sql) { _ in }
  }

  @Test func whatSQLiteHasItselfIsKnown() throws {
    let connection = try InspectionConnection.inMemory()
    let strangers = try SchemaTrust.strangers(on: connection.connection)
    #expect(strangers.isEmpty)
    Self.registerTouch(on: connection)
    let others = try SchemaTrust.strangers(on: connection.connection)
    #expect(others == ["touch()"])
  }

  @Test func aFunctionOfSideEffectsIsCalledFromNoPlaceInASchema() throws {
    let connection = try InspectionConnection.inMemory()
    Self.registerTouch(on: connection)
    try Self.run("PRAGMA trusted_schema = ON", on: connection)
    for place in Self.places {
      for sql in place.make { try Self.run(sql, on: connection) }
      try Self.run(place.call, on: connection)
    }
    let before = Self.callCount.load(ordering: .relaxed)
    // The pragma is off, whatever it was.
    try SchemaTrust.settle(on: connection.connection)
    for place in Self.places {
      let error = #expect(throws: StoreError.self) { try Self.run(place.call, on: connection) }
      #expect(error?.message.contains("unsafe use of touch()") == true, "\(place.call)")
      #expect(error?.hint?.contains("side effects") == true, "\(place.call)")
    }
    #expect(Self.callCount.load(ordering: .relaxed) == before)
    // Who writes the SQL may call it.
    try Self.run("SELECT touch(1)", on: connection)
    #expect(Self.callCount.load(ordering: .relaxed) > before)
  }

  @Test(arguments: ["load_extension('x')", "fts3_tokenizer('simple')", "sectile_first_letter('x')"])
  func functionsThatSQLiteKeepsFromSchemasStayRefused(call: String) throws {
    let connection = try InspectionConnection.inMemory()
    try Self.run(
      """
      CREATE TABLE t (a);
      CREATE TABLE d (a DEFAULT (\(call)), b);
      CREATE VIEW v AS SELECT \(call) AS a;
      CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT \(call); END
      """, on: connection)
    for sql in ["SELECT * FROM v", "INSERT INTO t VALUES (1)", "INSERT INTO d (b) VALUES (1)"] {
      let error = #expect(throws: StoreError.self) { try Self.run(sql, on: connection) }
      #expect(error?.message.contains("unsafe use of") == true, "\(sql): \(error?.message ?? "")")
    }
  }

  /// What files of programs have: JSON in columns and indexes, full text and R*Trees in views and
  /// triggers.
  @Test func harmlessFunctionsAndTablesAreReached() throws {
    let connection = try InspectionConnection.inMemory()
    try Self.run(
      """
      CREATE TABLE note (body TEXT CHECK (json_valid(body)), title AS (json_extract(body, '$.title')));
      CREATE INDEX note_by_title ON note (body ->> '$.title') WHERE json_type(body) = 'object';
      CREATE VIRTUAL TABLE words USING fts5 (title);
      CREATE VIRTUAL TABLE box USING rtree (id, low, high);
      CREATE TRIGGER note_is_found AFTER INSERT ON note BEGIN
        INSERT INTO words VALUES (new.title);
        INSERT INTO box VALUES (new.rowid, 1, 2);
      END;
      CREATE VIEW found AS SELECT title, bm25(words) AS rank FROM words WHERE words MATCH 'sea';
      CREATE VIEW boxes AS SELECT id FROM box WHERE low < 2;
      INSERT INTO note VALUES ('{"title": "the sea"}')
      """, on: connection)
    #expect(try connection.firstValue("SELECT title FROM note") == .text("the sea"))
    #expect(try connection.firstValue("SELECT title FROM found") == .text("the sea"))
    #expect(try connection.firstValue("SELECT id FROM boxes") == .integer(1))
  }

  /// A store whose connections others get does not trust at all.
  @Test func storesTrustByTheirConfiguration() throws {
    func setting(_ change: (inout StoreConfiguration) -> Void) throws -> [StoredValue]? {
      var configuration = StoreConfiguration()
      change(&configuration)
      let store = try Store.inMemory(configuration: configuration)
      return try store.read { try $0.query("PRAGMA trusted_schema").first?.values }
    }
    let strict = try setting { $0.trustsSchema = false }
    #expect(strict == [.integer(0)])
    let harmless = try setting {
      $0.trustsSchema = false
      $0.trustsHarmlessSchema = true
    }
    #expect(harmless == [.integer(1)])
  }
}
