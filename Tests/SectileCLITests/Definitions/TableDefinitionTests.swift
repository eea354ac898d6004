import Sectile
import Testing

@testable import SectileCLI

@Suite struct TableDefinitionTests {
  @Test(arguments: [
    "CREATE TABLE t (a, \"b\"\"c\" TEXT /* , */ DEFAULT ')', -- one, two\n [d e] INT CHECK ([d e] > (1)))",
    "select 'it''s' , x'00' || \"a\" -- end", "'open", "/* open", "", "[a]]", "`a``b` $c ?1 :é",
  ])
  func thePiecesOfATextAreTheText(sql: String) {
    #expect(SQLPiece.pieces(of: sql).map(\.text).joined() == sql)
  }

  @Test func spaceCommentsCaseAndQuotesDoNotCount() {
    let first = SQLPiece.essence(of: "CREATE TABLE \"t\"(a  int, -- c\n b text default 'X')")
    #expect(first == SQLPiece.essence(of: "create table T (A INT, [b] TEXT DEFAULT 'X')"))
    #expect(first != SQLPiece.essence(of: "create table T (A INT, [b] TEXT DEFAULT 'x')"))
  }

  @Test func aStatementIsTakenApart() throws {
    let definition = try #require(
      TableDefinition(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, "a,b" DECIMAL(10, 2), c, -- last
          CONSTRAINT k UNIQUE (c) CHECK (c <> ','), FOREIGN KEY (c) REFERENCES u (x)) STRICT
        """))
    #expect(definition.columns.map(\.name) == ["id", "a,b", "c"])
    #expect(definition.constraints.count == 2)
    #expect(definition.end == " STRICT")
    #expect(
      definition.sql(name: "n") == """
        CREATE TABLE "n" (
          id INTEGER PRIMARY KEY,
          "a,b" DECIMAL(10, 2),
          c,
          -- last
          CONSTRAINT k UNIQUE (c) CHECK (c <> ','),
          FOREIGN KEY (c) REFERENCES u (x)
        ) STRICT
        """)
    #expect(TableDefinition("CREATE TABLE t") == nil)
    #expect(TableDefinition("CREATE TABLE t (a, b") == nil)
  }

  private func column(_ text: String, _ body: (inout ColumnDefinition) -> Void) throws -> String {
    var column = try #require(ColumnDefinition(SQLPiece.pieces(of: text)))
    body(&column)
    // How much space there is between two words is of no importance.
    return column.text.split(separator: " ").joined(separator: " ")
  }

  @Test func oneConstraintOfAColumnIsChangedAndTheOthersStay() throws {
    let text =
      "a VARCHAR(10) CONSTRAINT n NOT NULL ON CONFLICT FAIL DEFAULT (1 + 2) COLLATE NOCASE "
      + "REFERENCES u(x) ON DELETE SET NULL NOT DEFERRABLE CHECK (a IS NOT NULL)"
    #expect(
      try column(text) { $0.setNotNull(false) }
        == text.replacing(" CONSTRAINT n NOT NULL ON CONFLICT FAIL", with: ""))
    #expect(try column(text) { $0.setDefault(nil) } == text.replacing(" DEFAULT (1 + 2)", with: ""))
    #expect(
      try column(text) { $0.removeReference() }
        == text.replacing(" REFERENCES u(x) ON DELETE SET NULL NOT DEFERRABLE", with: ""))
    #expect(try column(text) { $0.setType("INT") } == text.replacing("VARCHAR(10)", with: "INT"))
    #expect(try column("a") { $0.setType("INT") } == "a INT")
    #expect(
      try column("a INT PRIMARY KEY DESC AUTOINCREMENT UNIQUE") { $0.removeKey() } == "a INT UNIQUE"
    )
    #expect(
      try column("a DEFAULT NULL NOT NULL") { $0.setDefault("5") } == "a NOT NULL DEFAULT (5)")
    #expect(try column("a -- c") { $0.setNotNull(true) } == "a -- c\nNOT NULL")
    #expect(
      try column("a INT GENERATED ALWAYS AS (b) STORED NULL") { $0.setNotNull(true) }
        == "a INT GENERATED ALWAYS AS (b) STORED NOT NULL")
  }
}
