internal import Sectile

/// Names as a person writes them in SQL: in quotes where they need them.
package enum SQLNameText {
  private static let keywords = Set(InspectionConnection.keywords)

  /// Returns a name, in double quotes unless it is a plain word.
  package static func text(of name: String) -> String {
    let isWord = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    let startsWithDigit = name.utf8.first.map { $0 < UInt8(ascii: "A") } ?? true
    let isPlain = isWord && !startsWithDigit && !keywords.contains(name.uppercased())
    return isPlain ? name : SQLName.quote(name)
  }
}
