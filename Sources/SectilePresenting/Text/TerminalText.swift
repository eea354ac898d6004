/// Text from outside, made safe and measurable for a terminal.
///
/// Data may hold escape sequences that move the cursor, retitle the window or reverse the reading
/// direction. Whatever is shown to a person passes through here first.
package enum TerminalText {
  /// Returns the text with everything a terminal could act upon written out.
  ///
  /// ```swift
  /// TerminalText.escaped("a\u{1B}[31mb\n")  // a\u{1B}[31mb\n, all of it visible
  /// ```
  ///
  /// Written out are control characters (C0, DEL and C1), line and paragraph separators, and
  /// format characters, the bidirectional overrides among them. The two joiners that scripts and
  /// emoji need stay. A backslash stays itself: the result is for reading, not for parsing.
  package static func escaped(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy({ !isUnsafe($0) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar) {
        result += escape(of: scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns how many columns the text takes on a terminal; safe text is assumed.
  package static func width(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  /// Returns the text, filled up with spaces to a width.
  package static func padded(_ text: String, to width: Int, right: Bool = false) -> String {
    let fill = String(repeating: " ", count: max(0, width - self.width(of: text)))
    return right ? fill + text : text + fill
  }

  /// Returns as much of the text as fits into a width, with an ellipsis where something is left
  /// out.
  package static func truncated(_ text: String, to width: Int) -> String {
    if self.width(of: text) <= width { return text }
    var result = ""
    var used = 0
    for character in text {
      let next = self.width(of: character)
      if used + next > width - 1 { break }
      result.append(character)
      used += next
    }
    return result + "…"
  }

  /// Returns whether a terminal could act upon a character instead of showing it.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value >= 0x20 && scalar.value < 0x7F { return false }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate:
      return true
    case .format:
      let joiners: ClosedRange<UInt32> = 0x200C...0x200D
      return !joiners.contains(scalar.value)
    default:
      return false
    }
  }

  private static func escape(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
  }

  // MARK: - Widths

  private static func width(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    let showsAsEmoji =
      first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
    if showsAsEmoji { return 2 }
    // Combining marks have width 0 and share the column of what they combine with.
    return character.unicodeScalars.reduce(0) { max($0, columns(of: $1)) }
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: 0
    default: wideBlocks.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  /// The blocks whose characters take two columns: Unicode's East Asian classes W and F.
  ///
  /// Neither the standard library nor Glibc's Swift module offers them.
  private static let wideBlocks: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul initial consonants
    0x2E80...0x303E,  // CJK radicals, punctuation
    0x3041...0x4DBF,  // Kana, Bopomofo, Hangul letters, CJK extension A
    0x4E00...0xA4CF,  // CJK ideographs, Yi
    0xA960...0xA97F,  // Hangul extended A
    0xAC00...0xD7A3,  // Hangul syllables
    0xF900...0xFAFF,  // CJK compatibility ideographs
    0xFE10...0xFE19,  // vertical forms
    0xFE30...0xFE6F,  // CJK compatibility forms
    0xFF00...0xFF60,  // full-width forms
    0xFFE0...0xFFE6,  // full-width signs
    0x16FE0...0x18DFF,  // Tangut, Khitan
    0x1AFF0...0x1B2FF,  // Kana extensions, Nushu
    0x20000...0x3FFFD,  // CJK extensions B and later
  ]
}
