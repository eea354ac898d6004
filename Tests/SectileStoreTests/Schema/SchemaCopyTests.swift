import SectileCore
import Testing

@testable import SectileStore

@Suite struct SchemaCopyTests {
  @Test func oneTableIsMadeAnewWithCollationsOfAnyName() throws {
    let copy = try SchemaCopy(
      ofTableWith: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE unheard UNIQUE CHECK (a > 'x'),
          other INTEGER REFERENCES gone (id))
        """)
    try copy.withDatabase { db in
      // Neither the check nor the reference counts here.
      try RawStatement.prepare("INSERT INTO t VALUES (1, 'a', 7)", on: db).run()
      #expect(try TableSchema(of: "t", in: db)?.columns[1].collation.name == "unheard")
    }
  }

  @Test func aTableThatNeedsWhatOnlyTheOriginalHasIsNotMade() {
    #expect(throws: StoreError.self) {
      try SchemaCopy(ofTableWith: "CREATE TABLE t (a, b AS (unheard(a)))")
    }
  }

  @Test func aWholeSchemaIsCopiedWithoutTriggersAndRows() throws {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
        CREATE INDEX t_a ON t (a);
        CREATE VIEW v AS SELECT a FROM t;
        CREATE VIRTUAL TABLE note USING fts5(body);
        CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END;
        INSERT INTO t VALUES (1, 'a');
        """)
    }
    try store.read { transaction in
      try SchemaCopy(of: transaction.db).withDatabase { copy in
        let names = try copy.schemaRows("SELECT name FROM sqlite_schema ORDER BY name", [])
        let found = Set(names.map { $0[0] })
        #expect(found.isSuperset(of: ["t", "t_a", "v", "note", "note_content"]))
        #expect(!found.contains("r"))
        #expect(try copy.schemaRows("SELECT count(*) FROM t", []) == [[0]])
      }
    }
  }
}
