/// A word or sign of SQL, as far as simple conditions need them.
enum SQLToken: Hashable, Sendable {
  /// A word that is not quoted, in upper case: a keyword, or a name.
  case word(String)
  /// A name in double quotes.
  case quoted(String)
  /// A text or a number.
  case literal
  /// A `?` without a number.
  case mark
  /// Any other sign.
  case symbol(String)

  /// What a column or table may be called by this token, without regard to case.
  var name: String? {
    switch self {
    case .word(let word): word
    case .quoted(let name): name
    case .literal, .mark, .symbol: nil
    }
  }

  /// Whether it is a value that is the same for all rows.
  var isValue: Bool { self == .mark || self == .literal }

  /// Returns the tokens of a text, each with its own text; nil where the text has what only SQLite
  /// understands: comments, parameters with names, other quotes.
  static func tokens(of sql: String) -> [(token: SQLToken, text: String)]? {
    var tokens: [(SQLToken, String)] = []
    var rest = sql.utf8[...]
    while let first = rest.first {
      if first == UInt8(ascii: " ") || first == UInt8(ascii: "\n") {
        rest.removeFirst()
        continue
      }
      guard let (token, length) = token(at: rest) else { return nil }
      tokens.append((token, String(decoding: rest.prefix(length), as: UTF8.self)))
      rest = rest.dropFirst(length)
    }
    return tokens
  }

  private static func token(at text: Substring.UTF8View) -> (SQLToken, length: Int)? {
    guard let first = text.first else { return nil }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      guard let (name, length) = quoted(at: text, by: first) else { return nil }
      return (first == UInt8(ascii: "'") ? .literal : .quoted(name), length)
    case UInt8(ascii: "?"):
      return text.dropFirst().first.map(isWordByte) == true ? nil : (.mark, 1)
    case _ where isWordByte(first):
      let word = text.prefix(while: isWordByte)
      let name = String(decoding: word, as: UTF8.self).uppercased()
      let isNumber = word.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      return (isNumber ? .literal : .word(name), word.count)
    case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"),
      UInt8(ascii: "$"), UInt8(ascii: "["), UInt8(ascii: "`"), 0..<0x20:
      return nil
    default:
      // Of operators of several signs each sign is a token, which is not "=" alone.
      return (.symbol(String(decoding: [first], as: UTF8.self)), 1)
    }
  }

  private static func quoted(
    at text: Substring.UTF8View, by quote: UInt8
  ) -> (name: String, length: Int)? {
    var name: [UInt8] = []
    var length = 1
    var rest = text.dropFirst()
    while let byte = rest.popFirst() {
      length += 1
      if byte == quote {
        guard rest.first == quote else { return (String(decoding: name, as: UTF8.self), length) }
        rest.removeFirst()
        length += 1
      }
      name.append(byte)
    }
    return nil
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
