internal import Sectile

/// The definition of a column in a statement that makes a table.
struct ColumnDefinition {
  /// Its text.
  private(set) var pieces: [SQLPiece]

  /// Takes the pieces between two commas; nil where there is no name.
  init?(_ pieces: [SQLPiece]) {
    guard pieces.first(where: { $0.kind != .space })?.name != nil else { return nil }
    self.pieces = pieces
  }

  /// Its text, without the space around it.
  var text: String {
    let isSpace = { (piece: SQLPiece) in piece.kind == .space && !piece.text.hasPrefix("--") }
    return pieces.drop(while: isSpace).reversed().drop(while: isSpace).reversed().map(\.text)
      .joined()
  }

  /// The column's name.
  var name: String { pieces.first { $0.kind != .space }?.name ?? "" }

  /// The words that a constraint of a column begins with.
  private static let words = [
    "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES",
    "GENERATED", "AS",
  ]

  /// A constraint: what it begins with, without a name, and where it stands.
  private struct Part {
    let word: String
    let range: Range<Int>
  }

  /// Gives the column another type.
  mutating func setType(_ type: String) {
    let start = afterName
    let end = parts.first?.range.lowerBound ?? pieces.count
    let text = type.isEmpty ? [] : SQLPiece.pieces(of: " " + type)
    pieces.replaceSubrange(start..<end, with: text + SQLPiece.pieces(of: " "))
  }

  /// Lets the column refuse NULL, or not.
  mutating func setNotNull(_ isNotNull: Bool) {
    remove { $0 == "NOT" || $0 == "NULL" }
    if isNotNull { append("NOT NULL") }
  }

  /// Gives the column another default value, or none.
  mutating func setDefault(_ expression: String?) {
    remove { $0 == "DEFAULT" }
    guard let expression else { return }
    // A comment to the end of the line would take the parenthesis with it.
    let hasComment = SQLPiece.pieces(of: expression).contains { $0.text.hasPrefix("--") }
    append("DEFAULT (\(expression)\(hasComment ? "\n" : ""))")
  }

  /// Takes the column out of the primary key.
  mutating func removeKey() { remove { $0 == "PRIMARY" } }

  /// Removes what the column refers to.
  mutating func removeReference() { remove { $0 == "REFERENCES" } }

  /// Whether it refers to another table.
  var hasReference: Bool { parts.contains { $0.word == "REFERENCES" } }

  /// Whether it is the primary key, and never gives a row id again.
  var isAutoincrement: Bool {
    parts.contains { part in
      part.word == "PRIMARY" && pieces[part.range].contains { $0.isWord("AUTOINCREMENT") }
    }
  }

  /// Whether SQLite computes its values.
  var isGenerated: Bool { parts.contains { $0.word == "AS" || $0.word == "GENERATED" } }

  /// Whether an expression in it names a column.
  func names(_ column: String) -> Bool {
    var depth = 0
    for piece in pieces {
      if piece.kind == .sign {
        depth += piece.text == "(" ? 1 : piece.text == ")" ? -1 : 0
      } else if depth > 0 && piece.isName(column) {
        return true
      }
    }
    return false
  }

  private var afterName: Int {
    (pieces.firstIndex { $0.kind != .space } ?? -1) + 1
  }

  /// The constraints, each from its first word to the next one's.
  private var parts: [Part] {
    var starts: [(word: String, place: Int)] = []
    var depth = 0
    var last = ""
    for place in pieces.indices.dropFirst(afterName) {
      let piece = pieces[place]
      if piece.kind == .space { continue }
      defer { last = piece.text.uppercased() }
      if piece.kind == .sign {
        depth += piece.text == "(" ? 1 : piece.text == ")" ? -1 : 0
      }
      guard depth == 0, let word = Self.words.first(where: piece.isWord) else { continue }
      // Words that go on with a constraint: GENERATED ALWAYS AS, NOT NULL, SET NULL, DEFAULT NULL,
      // NOT DEFERRABLE. What follows CONSTRAINT is its name, and belongs to the next one.
      let goesOn =
        (word == "AS" && last == "ALWAYS")
        || (word == "NULL" && ["NOT", "SET", "DEFAULT"].contains(last))
        || (word == "DEFAULT" && last == "SET") || (word == "NOT" && isDeferrable(after: place))
      if goesOn { continue }
      starts.append((word, place))
    }
    var parts: [Part] = []
    var index = 0
    while index < starts.count {
      let start = starts[index].place
      if starts[index].word == "CONSTRAINT", index + 1 < starts.count { index += 1 }
      let end = index + 1 < starts.count ? starts[index + 1].place : pieces.count
      parts.append(Part(word: starts[index].word, range: start..<end))
      index += 1
    }
    return parts
  }

  private func isDeferrable(after place: Int) -> Bool {
    pieces[(place + 1)...].first { $0.kind != .space }?.isWord("DEFERRABLE") ?? false
  }

  private mutating func remove(_ isWanted: (_ word: String) -> Bool) {
    for part in parts.reversed() where isWanted(part.word) {
      // Comments stay out of it: what they say may be about the constraint.
      pieces.removeSubrange(part.range)
    }
  }

  private mutating func append(_ text: String) {
    let isCommentLast = pieces.last?.text.hasPrefix("--") == true
    pieces += SQLPiece.pieces(of: (isCommentLast ? "\n" : " ") + text)
  }
}
