/// A piece of an SQL text: a word, a sign, or what stands between them.
///
/// Put together, the pieces of a text are the text. This is no parser: it only knows where names,
/// texts and comments begin and end, which is enough to compare statements, and to change a name.
package struct SQLPiece: Equatable {
  /// What a piece is.
  package enum Kind {
    /// Space and comments.
    case space
    /// A word without quotes: a keyword, a name or a number.
    case word
    /// A name in double quotes, backticks or brackets.
    case quoted
    /// A text in single quotes.
    case text
    /// One sign.
    case sign
  }

  /// What it is.
  package let kind: Kind
  /// Its text.
  package let text: String

  /// Creates a piece.
  package init(kind: Kind, text: String) {
    self.kind = kind
    self.text = text
  }

  /// What a table or column may be called by this piece.
  package var name: String? {
    switch kind {
    case .word: return text
    case .quoted, .text:
      // In brackets nothing is doubled.
      guard let quote = text.utf8.first, quote != UInt8(ascii: "[") else {
        return String(decoding: text.utf8.dropFirst().dropLast(), as: UTF8.self)
      }
      var name: [UInt8] = []
      var isSecond = false
      for byte in text.utf8.dropFirst().dropLast() {
        isSecond = byte == quote && !isSecond
        if !isSecond { name.append(byte) }
      }
      return String(decoding: name, as: UTF8.self)
    case .space, .sign: return nil
    }
  }

  /// Whether it is a keyword.
  package func isWord(_ word: String) -> Bool { kind == .word && text.uppercased() == word }

  /// Whether it is a name, without regard to case and quotes.
  package func isName(_ name: String) -> Bool {
    kind != .space && self.name?.lowercased() == name.lowercased()
  }

  /// Returns the pieces of a text.
  package static func pieces(of sql: String) -> [SQLPiece] {
    var pieces: [SQLPiece] = []
    var rest = Array(sql.utf8)[...]
    while let first = rest.first {
      let kind = kind(of: first, in: rest)
      let count = max(1, length(of: kind, in: rest, first))
      pieces.append(SQLPiece(kind: kind, text: String(decoding: rest.prefix(count), as: UTF8.self)))
      rest = rest.dropFirst(count)
    }
    return pieces
  }

  /// Returns what tells statements apart: words in upper case, names without their quotes, no
  /// comments.
  package static func essence(of sql: String) -> [String] {
    pieces(of: sql).compactMap { piece in
      switch piece.kind {
      case .space: nil
      case .word: piece.text.uppercased()
      case .quoted: piece.name?.uppercased()
      case .text, .sign: piece.text
      }
    }
  }

  private static func kind(of first: UInt8, in text: ArraySlice<UInt8>) -> Kind {
    switch first {
    case 0x09, 0x0A, 0x0C, 0x0D, 0x20: .space
    case UInt8(ascii: "-") where text.dropFirst().first == UInt8(ascii: "-"): .space
    case UInt8(ascii: "/") where text.dropFirst().first == UInt8(ascii: "*"): .space
    case UInt8(ascii: "'"): .text
    case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["): .quoted
    case _ where isWordByte(first): .word
    default: .sign
    }
  }

  private static func length(
    of kind: Kind, in text: ArraySlice<UInt8>, _ first: UInt8
  ) -> Int {
    switch kind {
    case .word: return text.prefix(while: isWordByte).count
    case .sign: return 1
    case .space:
      switch first {
      case UInt8(ascii: "-"): return text.prefix { $0 != 0x0A }.count
      case UInt8(ascii: "/"):
        var before: UInt8 = 0
        for (offset, byte) in text.dropFirst(2).enumerated() {
          if before == UInt8(ascii: "*") && byte == UInt8(ascii: "/") { return offset + 3 }
          before = byte
        }
        return text.count
      default: return text.prefix { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }.count
      }
    case .quoted, .text:
      let end = first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first
      var isInside = true
      for (offset, byte) in text.dropFirst().enumerated() {
        if byte == end {
          // A doubled quote is one of the text.
          isInside.toggle()
          if first == UInt8(ascii: "[") { return offset + 2 }
        } else if !isInside {
          return offset + 1
        }
      }
      return text.count
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
