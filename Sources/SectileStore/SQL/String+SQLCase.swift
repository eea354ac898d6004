extension UInt8 {
  /// The byte with ASCII upper case folded to lower case.
  var asciiFolded: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension String {
  /// The text as SQLite compares names: the 26 letters of ASCII in lower case, and no others.
  package var inSQLLowerCase: String { String(decoding: utf8.map(\.asciiFolded), as: UTF8.self) }
}

extension TextCollation {
  /// Returns the one form of all texts that are equal to a text; nil where only the collation
  /// knows.
  func folded(_ text: String) -> String? {
    var bytes = Array(text.utf8)
    switch self {
    case .binary: return text
    case .nocase:
      // What follows a NUL counts by its length only.
      let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
      for index in bytes.indices { bytes[index] = index < end ? bytes[index].asciiFolded : 0 }
    case .rtrim:
      while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    default: return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
