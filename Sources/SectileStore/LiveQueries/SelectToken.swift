/// A token of a SELECT, as far as a parser of the shapes that are followed needs them.
struct SelectToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A word that is not quoted: a keyword, or a name.
    case word
    /// A name in double quotes, backticks or brackets.
    case quoted
    /// A number, a text or a blob.
    case literal
    /// A `?` mark without a number.
    case mark
    /// An operator, a parenthesis, a comma, a point.
    case sign
    /// The end of the text.
    case end
  }

  let kind: Kind
  /// The token as it is written.
  let text: String
  /// What a table or column may be called by it; nil where it is no name.
  let name: String?

  static let end = SelectToken(kind: .end, text: "the end of the text", name: nil)

  /// Whether it is a keyword, given in upper case.
  func isWord(_ word: String) -> Bool { kind == .word && text.uppercased() == word }

  func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }
}

// MARK: - Reading a text

extension SelectToken {
  private static let longSigns = ["->>", "||", "<=", ">=", "<>", "!=", "==", "<<", ">>", "->"]

  /// Returns the tokens of a text, without spaces and comments.
  ///
  /// - Throws: ``SelectRefusal`` for a parameter that has a name or a number, which whoever made
  ///   the text has replaced by plain marks.
  static func tokens(of sql: String) throws(SelectRefusal) -> [SelectToken] {
    let pieces = SQLPiece.pieces(of: sql)
    var tokens: [SelectToken] = []
    var position = 0
    while position < pieces.count {
      let piece = pieces[position]
      switch piece.kind {
      case .space: position += 1
      case .quoted:
        tokens.append(SelectToken(kind: .quoted, text: piece.text, name: piece.name))
        position += 1
      case .text:
        tokens.append(SelectToken(kind: .literal, text: piece.text, name: nil))
        position += 1
      case .word where startsNumber(piece.text): number(pieces, &position, &tokens)
      case .word:
        let next = position + 1 < pieces.count ? pieces[position + 1] : nil
        if piece.text.inSQLLowerCase == "x", let next, next.kind == .text {
          tokens.append(SelectToken(kind: .literal, text: piece.text + next.text, name: nil))
          position += 2
        } else {
          tokens.append(SelectToken(kind: .word, text: piece.text, name: piece.text))
          position += 1
        }
      case .sign: try sign(pieces, &position, &tokens)
      }
    }
    return tokens
  }

  private static func startsNumber(_ word: String) -> Bool {
    word.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }

  /// Puts the pieces of a number together: `1`, `.`, `5e`, `-`, `3`.
  private static func number(
    _ pieces: [SQLPiece], _ position: inout Int, _ tokens: inout [SelectToken]
  ) {
    var text = ""
    func take() {
      text += pieces[position].text
      position += 1
    }
    func isWord(_ place: Int) -> Bool { place < pieces.count && pieces[place].kind == .word }
    if pieces[position].kind == .word { take() }
    if position < pieces.count, pieces[position].isSign("."), !text.hasPrefix("0x") {
      take()
      if isWord(position) { take() }
    }
    let isHexadecimal = text.inSQLLowerCase.hasPrefix("0x")
    if !isHexadecimal, text.inSQLLowerCase.hasSuffix("e"), position < pieces.count,
      pieces[position].isSign("+") || pieces[position].isSign("-"), isWord(position + 1)
    {
      take()
      take()
    }
    tokens.append(SelectToken(kind: .literal, text: text, name: nil))
  }

  private static func sign(
    _ pieces: [SQLPiece], _ position: inout Int, _ tokens: inout [SelectToken]
  ) throws(SelectRefusal) {
    let sign = pieces[position].text
    let next = position + 1 < pieces.count ? pieces[position + 1] : nil
    if sign == ".", let next, next.kind == .word, startsNumber(next.text) {
      return number(pieces, &position, &tokens)
    }
    if sign == "?", next?.kind != .word {
      tokens.append(SelectToken(kind: .mark, text: sign, name: nil))
      position += 1
      return
    }
    if ["?", ":", "@", "#"].contains(sign) {
      throw SelectRefusal(sign + (next?.text ?? ""), .parameter)
    }
    let here = pieces[position...].prefix(3).prefix { $0.kind == .sign }.map(\.text).joined()
    let long = longSigns.first { here.hasPrefix($0) } ?? sign
    tokens.append(SelectToken(kind: .sign, text: long, name: nil))
    position += long.utf8.count
  }
}
