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

  /// Where a word stands, which decides what separates it from others.
  enum Place {
    /// A section's name or title, in which spaces are no separators.
    case section
    /// An item's name.
    case item
    /// Behind an equals sign, where further ones are none.
    case contents
    /// The name of an aggregate.
    case aggregate

    func separates(_ character: Character) -> Bool {
      switch character {
      case "\"", "|", "\\": true
      case ":": self == .section || self == .aggregate
      case "(", ")": self == .section
      case "[", "]": self == .section || self == .aggregate
      case "=": self == .item || self == .aggregate
      default: self != .section && character.isWhitespace
      }
    }
  }

  /// Returns a word that means a text: the text, in quotes where it needs them.
  static func quoted(_ text: String, as place: Place) -> String {
    let isPlain =
      (place == .section || !text.isEmpty) && trimmed(text[...]) == text[...]
      && !text.contains(where: place.separates)
    return isPlain ? text : inQuotes(text)
  }

  /// Returns a text in quotes.
  static func inQuotes(_ text: String) -> String {
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
