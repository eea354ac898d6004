import Testing

@testable import SectileCLI

@Suite struct StatementBufferTests {
  /// What lines amount to: SQL as it is, with its first line; commands as they are.
  private func pieces(_ text: String) -> [String] {
    var buffer = StatementBuffer()
    var pieces: [String] = []
    func take(_ piece: StatementBuffer.Piece?) {
      switch piece {
      case .sql(let text):
        pieces.append("\(text.firstLine ?? 0) \(String(decoding: text.bytes, as: UTF8.self))")
      case .command(let command, let line): pieces.append("\(line) \(command)")
      case nil: break
      }
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      take(buffer.add(Array(line.utf8)))
    }
    take(buffer.finish())
    return pieces
  }

  @Test func statementsEndWithASemicolonAtTheEndOfALine() {
    #expect(
      pieces("SELECT 1; SELECT 2;\nSELECT\n3;") == ["1 SELECT 1; SELECT 2;\n", "2 SELECT\n3;\n"])
    #expect(pieces("SELECT 1; SELECT\n2") == ["1 SELECT 1; SELECT\n2\n"])
    #expect(pieces("SELECT 1; -- done\nSELECT 2;") == ["1 SELECT 1; -- done\n", "2 SELECT 2;\n"])
  }

  @Test func theStarThatBeginsACommentDoesNotEndIt() {
    #expect(
      pieces("SELECT /*/ ' */ 1;\nSELECT 2;") == ["1 SELECT /*/ ' */ 1;\n", "2 SELECT 2;\n"])
  }

  @Test func quotesAndCommentsHideSemicolonsAndCommands() {
    for text in [
      "SELECT 'a;\n.tables\n';", "SELECT \"a;\n.tables\n\";", "SELECT `;\n`;", "SELECT [;\n.x\n];",
      "SELECT 1 /* ;\n.tables\n*/;", "SELECT 'it''s;\n.x';", "SELECT 1 -- ';\n;",
      "CREATE TRIGGER t AFTER INSERT ON x BEGIN\nSELECT 1;\nEND;",
    ] {
      #expect(pieces(text) == ["1 \(text)\n"])
    }
  }

  @Test func spaceAndCommentsAreNoStatement() {
    #expect(pieces("\n  \n-- nothing\n/* more\n.lines */\n").isEmpty)
    #expect(pieces("-- first\n.tables\n\n SELECT 1;") == ["2 .tables", "4  SELECT 1;\n"])
  }

  @Test func aCommandIsALineOfItsOwn() {
    #expect(pieces("  .mode csv\nSELECT 1\n.5;") == ["1 .mode csv", "2 SELECT 1\n.5;\n"])
  }

  @Test func placesAreLines() {
    let text = ScriptText(Array("a\nb\nc".utf8), name: "x.sql", firstLine: 7)
    #expect(text.place(of: 0) == "x.sql:7: ")
    #expect(text.place(of: 4) == "x.sql:9: ")
    #expect(ScriptText("a").place(of: 0).isEmpty)
  }
}
