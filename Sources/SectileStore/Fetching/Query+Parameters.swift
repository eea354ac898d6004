internal import SectileCore

extension Query {
  /// Returns the SELECT with a plain `?` for each value.
  ///
  /// - Throws: `invalidRequest` where a parameter has no value, or a value no parameter.
  func select() throws(StoreError) -> SQLFragment {
    switch text {
    case .positional(let sql, let values): try Self.select(sql, values)
    case .named(let sql, let values): try Self.select(sql, values)
    }
  }

  private static func select(
    _ sql: String, _ values: [StoredValue]
  ) throws(StoreError) -> SQLFragment {
    var select = SQLFragment("")
    // As SQLite counts: a mark without a number has the one after the largest so far.
    var largest = 0
    for piece in QueryPiece.pieces(of: sql) {
      let number: Int
      switch piece {
      case .text(let text):
        select.sql += text
        continue
      case .name(let name):
        throw .invalidRequest(
          "The parameter \(name) of a query has no value.",
          hint: "Give values by name: Query(_:key:named:).")
      case .mark: number = largest + 1
      case .number(let written): number = written
      }
      guard number >= 1, number <= values.count else {
        throw .invalidRequest(
          "Parameter \(number) of a query has no value, of \(values.count).",
          hint: "Give a value for each ? mark. The first is ?1.")
      }
      largest = max(largest, number)
      select.sql += "?"
      select.values.append(values[number - 1])
    }
    guard largest == values.count else {
      throw .invalidRequest(
        "A query has \(values.count) values, and parameters for \(largest).",
        hint: "Give as many values as the query has ? marks.")
    }
    return select
  }

  private static func select(
    _ sql: String, _ values: [String: StoredValue]
  ) throws(StoreError) -> SQLFragment {
    var select = SQLFragment("")
    var unused = Set(values.keys)
    for piece in QueryPiece.pieces(of: sql) {
      switch piece {
      case .text(let text): select.sql += text
      case .mark, .number:
        throw .invalidRequest(
          "A ? mark of a query has no name, and its values have.",
          hint: "Write :name, or give the values by their position.")
      case .name(let name):
        // The sign is one byte.
        let key = String(name.dropFirst())
        guard let value = values[key] else {
          throw .invalidRequest(
            "The parameter \(name) of a query has no value.",
            hint: "Name it in Query(_:key:named:), without its sign.")
        }
        unused.remove(key)
        select.sql += "?"
        select.values.append(value)
      }
    }
    guard unused.isEmpty else {
      throw .invalidRequest(
        "A query has no parameter \(unused.sorted().joined(separator: ", ")).",
        hint: "Write names of values without their sign: [\"name\": …] for :name.")
    }
    return select
  }
}

/// A part of a query's text: a parameter, or what stands between two of them.
private enum QueryPiece {
  case text(String)
  /// A mark without a number.
  case mark
  /// A mark with a number.
  case number(Int)
  /// A name with its sign.
  case name(String)

  /// Returns the parts of a text; what stands in texts, quoted names and comments is no parameter.
  static func pieces(of sql: String) -> [QueryPiece] {
    let pieces = SQLPiece.pieces(of: sql)
    var parts: [QueryPiece] = []
    var position = 0
    while position < pieces.count {
      let piece = pieces[position]
      let next = position + 1 < pieces.count ? pieces[position + 1] : nil
      position += 1
      switch (piece.kind, piece.text) {
      case (.sign, "?"):
        let digits = next?.kind == .word ? next?.text.prefix { ("0"..."9").contains($0) } : nil
        guard let digits, !digits.isEmpty, let word = next?.text else {
          parts.append(.mark)
          continue
        }
        // A number that no integer holds has no value, either.
        parts.append(.number(Int(digits) ?? .max))
        if digits.count < word.count { parts.append(.text(" \(word.dropFirst(digits.count))")) }
        position += 1
      case (.sign, ":"), (.sign, "@"):
        guard let next, next.kind == .word else {
          parts.append(.text(piece.text))
          continue
        }
        parts.append(.name(piece.text + next.text))
        position += 1
      case (.word, let text) where text.utf8.first == UInt8(ascii: "$") && text.utf8.count > 1:
        parts.append(.name(text))
      default: parts.append(.text(piece.text))
      }
    }
    return parts
  }
}
