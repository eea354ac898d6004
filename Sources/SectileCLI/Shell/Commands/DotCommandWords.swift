/// Splits the line of a dot command into words.
///
/// It looks at scalars, not at characters: a quote and a mark that is combined with it are one
/// character of Swift, and so are a prefix sign and the quote behind it.
enum DotCommandWords {
  /// Returns the words; quotes of either kind hold one together, and are doubled inside of it.
  ///
  /// - Parameter line: The line; its first word is the command.
  /// - Returns: One word at least.
  /// - Throws: ``CommandFailure`` for a quote without its end.
  static func split(_ line: String) throws -> [String] {
    var words: [String] = []
    var rest = Substring(line).unicodeScalars
    while true {
      rest = rest.drop(while: \.properties.isWhitespace)
      guard let first = rest.first else { break }
      if first == "'" || first == "\"" {
        words.append(try takeQuoted(first, &rest))
      } else {
        let word = rest.prefix { !$0.properties.isWhitespace }
        rest = rest[word.endIndex...]
        words.append(String(word))
      }
    }
    return words.isEmpty ? [""] : words
  }

  private static func takeQuoted(
    _ quote: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
  ) throws -> String {
    rest.removeFirst()
    var word = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar != quote {
        word.append(scalar)
      } else if rest.first == quote {
        rest.removeFirst()
        word.append(scalar)
      } else {
        return String(word)
      }
    }
    throw CommandFailure(.usage, "a quote has no end: \(quote)\(String(word))")
  }

  /// Returns a word as it must be written to be read back as one.
  static func quoted(_ word: String) -> String {
    let scalars = word.unicodeScalars
    let isPlain =
      !scalars.isEmpty && scalars.first != "'" && scalars.first != "\""
      && !scalars.contains(where: \.properties.isWhitespace)
    if isPlain { return word }
    var result = String.UnicodeScalarView("'".unicodeScalars)
    for scalar in scalars {
      if scalar == "'" { result.append(scalar) }
      result.append(scalar)
    }
    result.append("'")
    return String(result)
  }
}
