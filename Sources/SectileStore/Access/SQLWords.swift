/// The words of a SQL statement in upper case, up to the first character that belongs to none.
struct SQLWords: IteratorProtocol {
  private var rest: Substring.UTF8View

  /// Starts at the beginning of a text.
  init(_ text: String.UTF8View) {
    rest = text[...]
  }

  /// Returns whether a text holds nothing but blanks, comments and semicolons.
  static func isBlank(_ sql: String) -> Bool {
    var words = SQLWords(sql.utf8)
    words.skipBlanks()
    return words.rest.isEmpty
  }

  mutating func next() -> String? {
    skipBlanks()
    let word = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default:
        false
      }
    }
    rest = rest.dropFirst(word.count)
    return word.isEmpty ? nil : String(decoding: word, as: UTF8.self).uppercased()
  }

  private mutating func skipBlanks() {
    while let byte = rest.first {
      switch byte {
      // SQLite reads a vertical tab behind a space, and a byte order mark anywhere, as spaces, too.
      case UInt8(ascii: " "), 0x09...0x0D, UInt8(ascii: ";"):
        rest.removeFirst()
      case 0xEF where rest.starts(with: [0xEF, 0xBB, 0xBF]):
        rest.removeFirst(3)
      case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
        skipBlockComment()
      default:
        return
      }
    }
  }

  private mutating func skipBlockComment() {
    rest.removeFirst(2)
    while !rest.isEmpty {
      if rest.starts(with: "*/".utf8) {
        rest.removeFirst(2)
        return
      }
      rest.removeFirst()
    }
  }
}
