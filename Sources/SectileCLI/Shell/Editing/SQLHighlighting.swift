internal import Sectile

/// Tells the words of what is typed apart, for colours.
///
/// It knows no more of SQL than where texts, comments and words begin and end: what is typed is
/// seldom whole, and must be shown all the same.
struct SQLHighlighting: Sequence, IteratorProtocol {
  /// A part of the text, and how it is shown; nil for as it is.
  struct Part {
    let text: Substring
    let style: TextStyle?
  }

  private static let keywords = Set(InspectionConnection.keywords)

  private var rest: Substring
  private var isAtStart = true

  /// Reads a text.
  init(_ text: String) {
    rest = text[...]
  }

  mutating func next() -> Part? {
    guard let first = rest.unicodeScalars.first else { return nil }
    if isAtStart {
      isAtStart = first.properties.isWhitespace
      if first == "." { return take(.bold) { $0.prefix { !$0.properties.isWhitespace }.endIndex } }
    }
    switch first {
    case "'": return take(.green) { Self.end(of: $0, quotedBy: "'") }
    case "\"", "`": return take(nil) { Self.end(of: $0, quotedBy: first) }
    case "[": return take(nil) { Self.end(of: $0, quotedBy: "]") }
    case "-" where rest.utf8.starts(with: "--".utf8):
      return take(.dim) { $0.firstIndex(of: "\n") ?? $0.endIndex }
    case "/" where rest.utf8.starts(with: "/*".utf8):
      return take(.dim, Self.endOfComment)
    case "?", ":", "@", "$":
      return take(.yellow) { $0.dropFirst().prefix(while: Self.isWordPart).endIndex }
    case "0"..."9":
      return take(.yellow) { $0.prefix { Self.isWordPart($0) || $0 == "." }.endIndex }
    case _ where Self.isWordPart(first): return takeWord()
    default:
      return take(nil) { signs in
        signs.dropFirst().firstIndex { Self.isSpecial($0) } ?? signs.endIndex
      }
    }
  }

  private mutating func takeWord() -> Part {
    let word = take(nil) { $0.prefix(while: Self.isWordPart).endIndex }
    let isKeyword = Self.keywords.contains(word.text.uppercased())
    return Part(text: word.text, style: isKeyword ? .blue : nil)
  }

  private mutating func take(
    _ style: TextStyle?, _ end: (Substring.UnicodeScalarView) -> String.Index
  ) -> Part {
    let end = end(rest.unicodeScalars)
    defer { rest = rest[end...] }
    return Part(text: rest[..<end], style: style)
  }

  private static func end(
    of text: Substring.UnicodeScalarView, quotedBy quote: Unicode.Scalar
  ) -> String.Index {
    guard let end = text.dropFirst().firstIndex(of: quote) else { return text.endIndex }
    return text.index(after: end)
  }

  private static func endOfComment(_ text: Substring.UnicodeScalarView) -> String.Index {
    var wasStar = false
    for index in text.indices.dropFirst(2) {
      if wasStar && text[index] == "/" { return text.index(after: index) }
      wasStar = text[index] == "*"
    }
    return text.endIndex
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  /// Whether something that is shown in its own way may begin with a sign.
  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    isWordPart(scalar) || "'\"`[-/?:@$.".unicodeScalars.contains(scalar)
  }
}
