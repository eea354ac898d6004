import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct TransactionKeywordTests {
  @Test(
    arguments: [
      ("BEGIN", .begin), ("begin immediate", .begin), ("COMMIT", .commit), ("End", .commit),
      ("ROLLBACK", .rollback), ("ROLLBACK TRANSACTION", .rollback), ("--x\nCOMMIT", .commit),
      ("/* BEGIN */ /**/ END", .commit), ("ROLLBACK TO a", nil), (" ; rollback", .rollback),
      ("ROLLBACK TRANSACTION TO SAVEPOINT a", nil), ("SAVEPOINT a", nil), ("RELEASE a", nil),
      ("SELECT 'COMMIT'", nil), ("", nil), ("/* open", nil), ("-- open", nil), ("BEGINNING", nil),
      ("CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END", nil), ("- COMMIT", nil),
      ("\u{FEFF}COMMIT", .commit), ("/**/\u{FEFF} \u{FEFF}END", .commit),
      ("\t\u{B}rollback", .rollback),
    ] as [(String, TransactionKeyword?)])
  func firstWordDecides(_ sql: String, _ keyword: TransactionKeyword?) {
    #expect(TransactionKeyword(of: sql) == keyword)
  }

  @Test func blankTextHoldsNoStatement() {
    #expect(SQLWords.isBlank(" \n;-- nothing\n/* at all */"))
    #expect(SQLWords.isBlank(""))
    #expect(SQLWords.isBlank("\u{FEFF}-- marked twice\n\u{FEFF}"))
    #expect(!SQLWords.isBlank("-- something\nSELECT 1"))
  }
}
