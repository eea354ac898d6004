/// The words of a statement up to the cursor, as far as completion needs them.
struct SQLWords {
  /// What was typed of the word at the cursor; empty behind a space.
  private(set) var word = ""
  /// What stands before a dot before the word; nil where there is none.
  private(set) var qualifier: String?
  /// The word before it, in upper case; empty where something else stands there.
  private(set) var before = ""
  /// Whether the cursor is inside of a text or a comment.
  private(set) var isInText = false

  private var words: [String] = []

  /// Reads a statement up to the cursor.
  init(_ text: String) {
    var rest = Substring(text)
    while let first = rest.first {
      if first == "'" {
        isInText = !Self.skip(&rest, past: "'")
      } else if first == "-", rest.hasPrefix("--") {
        let end = rest.firstIndex(where: \.isNewline)
        isInText = end == nil
        rest = rest[(end ?? rest.endIndex)...]
      } else if first == "\"" || first == "`" {
        let start = rest
        let isClosed = Self.skip(&rest, past: first)
        let quoted = start[..<rest.startIndex]
        words.append(String(isClosed ? quoted.dropFirst().dropLast() : quoted))
        if rest.isEmpty && !isClosed { word = String(quoted) }
      } else if Self.isNamePart(first) {
        let name = rest.prefix(while: Self.isNamePart)
        rest = rest[name.endIndex...]
        words.append(String(name))
        if rest.isEmpty { word = String(name) }
      } else {
        if !first.isWhitespace { words.append(String(first)) }
        rest = rest.dropFirst()
      }
    }
    var earlier = words
    if !word.isEmpty { earlier.removeLast() }
    if earlier.last == "." && earlier.count > 1 && !text.hasSuffix(" ") {
      qualifier = earlier[earlier.count - 2]
    }
    before = earlier.last?.uppercased() ?? ""
  }

  /// Returns those of some tables that the statement speaks of.
  func mentioned(of tables: [String]) -> [String] {
    let known = Set(words.map { $0.lowercased() })
    return tables.filter { known.contains($0.lowercased()) }
  }

  /// Returns the table that a name before a dot stands for: itself, or what `FROM table name` says.
  func table(named name: String) -> String {
    for (offset, word) in words.enumerated().dropFirst(2)
    where word.lowercased() == name.lowercased() {
      let table = words[offset - 1].uppercased() == "AS" ? offset - 2 : offset - 1
      guard table > 0 else { continue }
      if ["FROM", "JOIN", ",", "UPDATE", "INTO"].contains(words[table - 1].uppercased()) {
        return words[table]
      }
    }
    return name
  }

  private static func isNamePart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }

  /// Skips a quoted text; returns whether it had its end.
  private static func skip(_ rest: inout Substring, past quote: Character) -> Bool {
    rest.removeFirst()
    while let character = rest.popFirst() {
      guard character == quote else { continue }
      if rest.first != quote { return true }
      rest.removeFirst()
    }
    return false
  }
}
