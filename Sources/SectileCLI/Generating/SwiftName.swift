internal import SectilePresenting

/// Names of tables and columns as Swift writes them.
enum SwiftName {
  /// Returns the name of the type for a table: `album_track` is `AlbumTrack`.
  static func type(of table: String) -> String {
    let name = words(of: table).map(capitalized).joined()
    if name.isEmpty || beginsWithDigit(name) { return "Table" + name }
    return reservedTypes.contains(name) ? name + "Row" : name
  }

  /// Returns the name of the property for a column: `artist_id` is `artistID`.
  ///
  /// Keywords are not in backticks yet; see ``written(_:)``.
  static func property(of column: String) -> String {
    let words = words(of: column)
    let name = (words.first ?? "") + capital(words.dropFirst())
    if name.isEmpty || beginsWithDigit(name) { return "column" + name }
    return name
  }

  /// Returns the words of a name, in lower case.
  static func words(of name: String) -> [String] {
    name.split { !isPart($0) }.flatMap { piece -> [String] in
      guard piece.contains(where: \.isLowercase) else { return [piece.lowercased()] }
      return snakeCase(String(piece)).split(separator: "_").map(String.init)
    }
  }

  /// Returns words behind others in one name, each with a capital: `id` is `ID`.
  static func capital(_ words: some Sequence<String>) -> String {
    words.map { initialisms.contains($0) ? $0.uppercased() : capitalized($0) }.joined()
  }

  /// Returns the plural of the last word of a name, as far as a rule gives it.
  static func plural(_ name: String) -> String {
    let isPlural = name.hasSuffix("s") && !["ss", "us", "is"].contains { name.hasSuffix($0) }
    if isPlural { return name }
    if ["s", "x", "z", "ch", "sh"].contains(where: name.hasSuffix) { return name + "es" }
    let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
    if name.hasSuffix("y"), let before = name.dropLast().last, !vowels.contains(before) {
      return name.dropLast() + "ies"
    }
    return name + "s"
  }

  /// Returns a name with backticks if it is a keyword.
  static func written(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Returns a name that is not taken, and takes it: the one that is wanted, or with a number.
  static func take(_ wanted: String, of taken: inout Set<String>) -> String {
    var name = wanted
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(wanted)\(number)"
      number += 1
    }
    return name
  }

  /// Returns a name in snake case, exactly as `@Entity` makes a column's name of a property's.
  static func snakeCase(_ name: String) -> String {
    let letters = Array(name)
    var result = ""
    for (offset, letter) in letters.enumerated() {
      if letter.isUppercase, offset > 0, letters[offset - 1] != "_" {
        let followsWord = !letters[offset - 1].isUppercase
        let startsWord = offset + 1 < letters.count && letters[offset + 1].isLowercase
        if followsWord || startsWord { result.append("_") }
      }
      result += letter.lowercased()
    }
    return result
  }

  // MARK: - Texts

  /// Whether a name can stand in a literal without an escape, which is all that `@Entity` reads.
  static func isPlain(_ name: String) -> Bool {
    !name.unicodeScalars.contains { $0 == "\"" || $0 == "\\" || TerminalText.isUnsafe($0) }
  }

  /// Returns a text as a literal.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        result += "\\"
        result.unicodeScalars.append(scalar)
      } else if TerminalText.isUnsafe(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  // MARK: - Letters and words

  private static func isPart(_ character: Character) -> Bool {
    if character.isASCII { return character.isLetter || character.isNumber }
    let scalars = character.unicodeScalars
    return character.isLetter && scalars.count == 1 && scalars.allSatisfy { $0.value < 0x1_0000 }
  }

  private static func capitalized(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  private static func beginsWithDigit(_ name: String) -> Bool {
    name.first.map { $0.isASCII && $0.isNumber } ?? false
  }

  private static let initialisms: Set<String> = ["id", "url", "uri", "uuid"]

  /// Names that no property has: they mean something else even in backticks, or in an entity.
  static let reservedProperties: Set<String> = [
    "id", "inout", "init", "keyValues", "let", "self", "var",
  ]

  /// What the text that is written calls something else.
  private static let reservedTypes: Set<String> = [
    "Any", "Array", "Bool", "Character", "Codable", "ColumnValueError", "Data", "Date", "Decimal",
    "Dictionary", "Double", "Entity", "EntityAttribute", "EntityKey", "EntityRelationships",
    "EntitySchema", "Error", "Foundation", "Hashable", "ID", "Identifiable", "Int", "Int64",
    "KeyReader", "MixedValue", "Never", "Optional", "Protocol", "Relationships", "Result",
    "RowReader", "RowWriter", "Sectile", "SectileCore", "SectileStore", "Self", "Sendable", "Set",
    "StorableValue", "Store", "StoredColumn", "StoredValue", "String", "Swift", "Task", "ToMany",
    "ToOne", "Type", "URL", "UUID", "Void",
  ]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "internal", "is", "nil", "operator", "precedencegroup",
    "private", "protocol", "public", "repeat", "rethrows", "return", "static", "struct",
    "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "where", "while",
  ]
}
