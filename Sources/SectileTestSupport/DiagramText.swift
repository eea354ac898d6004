/// The words of a diagram: what stands in double quotes is one word, whatever is in it.
enum DiagramText {
  /// Splits a text at characters outside of quotes.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isSeparator: Returns whether a character separates.
  ///   - most: How often to split at most.
  /// - Returns: The parts, empty ones too.
  static func split(
    _ text: Substring, at isSeparator: (Character) -> Bool, most: Int = .max
  ) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var isQuoted = false
    var isEscaped = false
    for (index, character) in zip(text.indices, text) {
      if isEscaped {
        isEscaped = false
      } else if character == "\"" {
        isQuoted.toggle()
      } else if isQuoted {
        isEscaped = character == "\\"
      } else if parts.count < most, isSeparator(character) {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    return parts + [text[start...]]
  }

  /// Returns what a word means.
  static func unquoted(_ text: Substring) -> String {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        result.append(character)
        isEscaped = false
      }
    }
    return result
  }

  /// Returns a word that means a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isName: Whether it is the name of a section, in which spaces are no separators.
  ///   - isContents: Whether it stands behind an equals sign, where further ones are none.
  /// - Returns: The text, in quotes where it needs them.
  static func quoted(_ text: String, isName: Bool = false, isContents: Bool = false) -> String {
    let isPlain =
      (isName || !text.isEmpty) && trimmed(text[...]) == text[...]
      && text.allSatisfy { character in
        switch character {
        case "\"", "|", "\\": false
        case ":", "(", ")": !isName
        case "=": isName || isContents
        default: isName || !character.isWhitespace
        }
      }
    if isPlain { return text }
    var result = "\""
    for character in text {
      if character == "\"" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result + "\""
  }

  /// Returns a text without the space around it.
  static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
