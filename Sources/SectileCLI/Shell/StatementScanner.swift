/// Follows SQL line by line, and knows whether it could end here.
///
/// SQLite says whether a text is complete, but reads all of it to do so; this asks it only where a
/// semicolon ends a line.
struct StatementScanner {
  private enum Place: Equatable {
    case code
    /// Inside quotes that end with this sign.
    case quoted(UInt8)
    case comment
  }

  private var place = Place.code
  private var last: UInt8 = 0
  /// Whether there was anything but space and comments.
  private(set) var hasContent = false

  /// Whether the last sign that is no space and no comment is a semicolon.
  var endsWithSemicolon: Bool { place == .code && last == UInt8(ascii: ";") }

  /// Whether a line that follows is a line of its own: not one of a text in quotes, or of a
  /// comment.
  var isOutside: Bool { place == .code }

  /// Reads a line.
  mutating func scan(_ line: some Collection<UInt8>) {
    var rest = line[...]
    while let sign = rest.popFirst() {
      switch place {
      case .quoted(let end):
        if sign == end { place = .code }
      case .comment:
        if sign == UInt8(ascii: "*"), rest.first == UInt8(ascii: "/") {
          rest.removeFirst()
          place = .code
        }
      case .code:
        if sign == UInt8(ascii: "-"), rest.first == UInt8(ascii: "-") { return }
        if sign == UInt8(ascii: "/"), rest.first == UInt8(ascii: "*") {
          // Taken off, so that it is not the star of an end.
          rest.removeFirst()
          place = .comment
        } else {
          scanCode(sign)
        }
      }
    }
  }

  private mutating func scanCode(_ sign: UInt8) {
    switch sign {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0x0C:
      return
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      place = .quoted(sign)
    case UInt8(ascii: "["):
      place = .quoted(UInt8(ascii: "]"))
    default:
      break
    }
    last = sign
    hasContent = true
  }
}
