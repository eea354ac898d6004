import GRDB
import Testing

@testable import SectileStore

@Suite struct KeyCollationsTests {
  private func collations(
    _ columns: String, key: [String] = ["id"], and more: String = ""
  ) throws -> KeyCollations {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t (\(columns); \(more)")
      let schema = try #require(try TableSchema(of: "t", in: db))
      return try KeyCollations(of: key, in: schema, on: db)
    }
  }

  @Test func nothingIsWrittenOutWhereTheColumnsCompareAsTheirIndexDoes() throws {
    for columns in [
      "id INTEGER PRIMARY KEY)", "id TEXT PRIMARY KEY)", "id TEXT COLLATE NOCASE PRIMARY KEY)",
      "id TEXT COLLATE NOCASE PRIMARY KEY NOT NULL) WITHOUT ROWID",
      "id TEXT COLLATE RTRIM, v, PRIMARY KEY (id))", "id TEXT)",
      // One index is enough that compares as the columns do.
      "id TEXT COLLATE NOCASE UNIQUE, PRIMARY KEY (id COLLATE BINARY))",
    ] {
      #expect(try collations(columns) == .own, "\(columns)")
    }
  }

  @Test func theIndexOfTheKeyIsFollowed() throws {
    let bytes = try collations("id TEXT COLLATE NOCASE, PRIMARY KEY (id COLLATE BINARY))")
    #expect(bytes.compared(["k"]) == [#"k COLLATE "BINARY""#])
    #expect(!bytes.columnsTellRowsApart)
    let folded = try collations("id TEXT, PRIMARY KEY (id COLLATE NOCASE))")
    #expect(folded.compared(["k"]) == [#"k COLLATE "NOCASE""#])
    #expect(folded.columnsTellRowsApart)
    let two = try collations(
      "b TEXT COLLATE RTRIM, a TEXT, PRIMARY KEY (a, b COLLATE NOCASE))", key: ["a", "b"])
    #expect(two.compared(["a", "b"]) == ["a", #"b COLLATE "NOCASE""#])
    #expect(!two.columnsTellRowsApart)
  }

  @Test func anIndexOfSomeRowsOrOtherColumnsTellsNothing() throws {
    let columns = "id TEXT COLLATE NOCASE, v)"
    for index in ["t (id COLLATE BINARY) WHERE v", "t (id COLLATE BINARY, v)", "t (lower(id))"] {
      let found = try collations(columns, and: "CREATE UNIQUE INDEX i ON \(index)")
      #expect(found.compared(["k"]) == ["k"], "\(index)")
      #expect(!found.columnsTellRowsApart)
    }
    let unique = try collations(columns, and: "CREATE UNIQUE INDEX i ON t (id COLLATE BINARY)")
    #expect(unique.compared(["k"]) == [#"k COLLATE "BINARY""#])
  }
}
