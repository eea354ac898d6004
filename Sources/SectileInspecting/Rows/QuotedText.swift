extension String {
  /// Returns the text in quotes, those inside of it twice.
  ///
  /// Bytes are looked at, not characters: a quote followed by a combining mark is one Swift
  /// character.
  func quoted(by quote: UInt8) -> String {
    let mark = String(Unicode.Scalar(quote))
    guard utf8.contains(quote) else { return mark + self + mark }
    var doubled: [UInt8] = []
    doubled.reserveCapacity(utf8.count + 16)
    for byte in utf8 {
      doubled.append(byte)
      if byte == quote { doubled.append(quote) }
    }
    return mark + String(decoding: doubled, as: UTF8.self) + mark
  }
}
