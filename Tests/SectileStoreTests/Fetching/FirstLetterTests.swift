import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// The first letter of a text, as people see it.
@Suite(.timeLimit(.minutes(60))) struct FirstLetterTests {
  private static let letters: [(text: String, letter: String)] = [
    ("apt", "A"), ("Zoe", "Z"), ("{", "{"), ("", ""), (" apt", " "), ("7zip", "7"),
    ("\u{E9}mile", "\u{C9}"), ("e\u{301}mile", "\u{C9}"), ("\u{DF}ig", "SS"),
    ("\u{1C6}ip", "\u{1C4}"), ("\u{1F469}\u{200D}\u{1F467} x", "\u{1F469}\u{200D}\u{1F467}"),
    ("\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}", "\u{1F1E9}\u{1F1EA}"), ("\u{301}x", "\u{301}"),
    ("\r\nx", "\r\n"), ("\rx", "\r"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
    ("e\u{301}", "\u{C9}"), ("a\u{308}", "\u{C4}"), ("\u{440}", "\u{420}"),
  ]

  private static let sql = "SELECT sectile_first_letter(?)"

  @Test(arguments: StorageKind.allCases)
  func everyConnectionOfAStoreKnowsIt(_ kind: StorageKind) throws {
    try withStore(kind) { store in
      for (text, letter) in Self.letters {
        let read = try store.read { try $0.query(Self.sql, text) }
        let written = try store.write { try $0.query(Self.sql, text) }
        for rows in [read, written] {
          guard case .text(let found)? = rows.first?.values.first else {
            Issue.record("\(text.debugDescription) has no letter")
            continue
          }
          // Texts of other bytes can be equal to Swift.
          #expect(Array(found.utf8) == Array(letter.utf8), "\(text.debugDescription)")
        }
      }
    }
  }

  @Test func whatIsNoTextHasOne() throws {
    try withStore(.memory) { store in
      let found = try store.read {
        try $0.query(
          """
          SELECT sectile_first_letter(NULL), sectile_first_letter(57), sectile_first_letter(x''),
            sectile_first_letter(CAST(x'FF41' AS TEXT))
          """)
      }
      #expect(found.map(\.values) == [[nil, "5", "", "\u{FFFD}"]])
    }
  }

  @Test(arguments: [1, 30, 31, 32, 33, 63, 64, 65, 1000])
  func aLetterIsAsLongAsItIs(_ count: Int) {
    for mark in ["\u{301}", "\u{200D}\u{1F469}"] {
      let letter = "\u{1F469}" + String(repeating: mark, count: count)
      var text = letter + "x"
      let found = text.withUTF8(FirstLetter.of)
      #expect(found.utf8.count == letter.utf8.count)
    }
  }

  /// To compose this one would take many minutes.
  @Test func aLetterOfManyAccentsIsNotComposed() {
    let accents = String(repeating: "\u{301}\u{323}", count: 400_000)
    var text = "e" + accents + "x"
    let found = text.withUTF8(FirstLetter.of)
    #expect(Array(found.utf8) == Array(("E" + accents).utf8))
  }

  @Test func schemasCannotUseIt() throws {
    try withStore(.memory) { store in
      try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)") }
      try expectStoreError(.statementFailed) {
        try store.write {
          try $0.execute("CREATE INDEX item_on_letter ON item (sectile_first_letter(name))")
        }
      }
    }
  }
}
