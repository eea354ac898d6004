/// Splits the line of a dot command into words.
enum DotCommandWords {
  /// Returns the words; quotes of either kind hold one together, and are doubled inside of it.
  ///
  /// - Parameter line: The line; its first word is the command.
  /// - Returns: One word at least.
  /// - Throws: ``CommandFailure`` for a quote without its end.
  static func split(_ line: String) throws -> [String] {
    var words: [String] = []
    var rest = Substring(line)
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard let first = rest.first else { break }
      if first == "'" || first == "\"" {
        words.append(try takeQuoted(first, &rest))
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        rest = rest[word.endIndex...]
        words.append(String(word))
      }
    }
    return words.isEmpty ? [""] : words
  }

  private static func takeQuoted(_ quote: Character, _ rest: inout Substring) throws -> String {
    rest.removeFirst()
    var word = ""
    while let character = rest.popFirst() {
      if character != quote {
        word.append(character)
      } else if rest.first == quote {
        rest.removeFirst()
        word.append(character)
      } else {
        return word
      }
    }
    throw CommandFailure(.usage, "a quote has no end: \(quote)\(word)")
  }

  /// Returns a word as it must be written to be read back as one.
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.first != "'" && word.first != "\""
      && !word.contains(where: \.isWhitespace)
    if isPlain { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "''") + "'"
  }
}
