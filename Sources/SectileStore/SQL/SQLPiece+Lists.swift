extension SQLPiece {
  /// Returns what stands in the first parentheses of some pieces, taken apart at its commas; nil
  /// where there are none, or they do not end.
  ///
  /// `after` is what follows them.
  static func list(in pieces: ArraySlice<SQLPiece>) -> (
    parts: [ArraySlice<SQLPiece>], after: ArraySlice<SQLPiece>
  )? {
    guard let start = pieces.firstIndex(where: { $0.isSign("(") }) else { return nil }
    var parts: [ArraySlice<SQLPiece>] = []
    var begin = start + 1
    var depth = 1
    for place in pieces.indices[begin...] {
      let piece = pieces[place]
      if piece.isSign("(") { depth += 1 }
      if piece.isSign(")") { depth -= 1 }
      guard depth == 0 || (depth == 1 && piece.isSign(",")) else { continue }
      parts.append(pieces[begin..<place])
      begin = place + 1
      if depth == 0 { return (parts, pieces[begin...]) }
    }
    return nil
  }

  /// Whether it is a sign.
  func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

  /// Whether it can stand for a column: a word, or a name in quotes.
  func isColumn(_ name: String) -> Bool { (kind == .word || kind == .quoted) && isName(name) }

  /// Returns the text of some pieces; comments become spaces.
  static func text(of pieces: some Sequence<SQLPiece>) -> String {
    pieces.map { $0.kind == .space ? " " : $0.text }.joined()
  }
}
