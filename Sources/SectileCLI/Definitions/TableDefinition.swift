internal import Sectile

/// The statement that makes a table, taken apart as far as needed to change it: its columns, its
/// constraints, and what comes after the parentheses.
struct TableDefinition {
  /// The columns, in order.
  var columns: [ColumnDefinition]
  /// The constraints of the table, each with its own text.
  var constraints: [[SQLPiece]]
  /// What comes after the parentheses: STRICT, WITHOUT ROWID.
  let end: String

  /// Takes a statement apart; nil for one that is not understood.
  init?(_ sql: String) {
    let pieces = SQLPiece.pieces(of: sql)
    guard let start = pieces.firstIndex(where: { $0 == SQLPiece(kind: .sign, text: "(") }) else {
      return nil
    }
    var items: [[SQLPiece]] = [[]]
    var depth = 1
    var place = start + 1
    while place < pieces.count, depth > 0 {
      let piece = pieces[place]
      place += 1
      if piece.kind == .sign {
        if piece.text == "(" { depth += 1 }
        if piece.text == ")" { depth -= 1 }
        if depth == 0 { break }
        if piece.text == ",", depth == 1 {
          items.append([])
          continue
        }
      }
      items[items.count - 1].append(piece)
    }
    guard depth == 0 else { return nil }
    end = pieces[place...].map(\.text).joined()
    columns = []
    constraints = []
    for item in items {
      // SQLite lets constraints follow each other without commas; together they are one here.
      if Self.isConstraint(item) {
        constraints.append(item)
      } else if let column = ColumnDefinition(item) {
        columns.append(column)
      } else {
        return nil
      }
    }
  }

  /// Returns the statement under a name.
  func sql(name: String) -> String {
    let items = columns.map(\.pieces) + constraints
    let texts = items.map { pieces in
      var text = pieces.map(\.text).joined()
      while let first = text.unicodeScalars.first, first.properties.isWhitespace {
        text.unicodeScalars.removeFirst()
      }
      while let last = text.unicodeScalars.last, last.properties.isWhitespace {
        text.unicodeScalars.removeLast()
      }
      // A comment to the end of the line would take the comma with it.
      let ended = SQLPiece.pieces(of: text).last?.text.hasPrefix("--") == true
      return "  " + text + (ended ? "\n" : "")
    }
    return "CREATE TABLE \(SQLName.quote(name)) (\n\(texts.joined(separator: ",\n"))\n)\(end)"
  }

  private static let constraintWords = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

  private static func isConstraint(_ item: [SQLPiece]) -> Bool {
    guard let first = item.first(where: { $0.kind != .space }) else { return false }
    return constraintWords.contains { first.isWord($0) }
  }
}
