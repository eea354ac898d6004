/// The line `sep=;` that spreadsheets write before the header, to say what separates fields.
struct SeparatorLine {
  /// What separates fields.
  let delimiter: UInt8
  /// How many bytes the line has, its end included.
  let byteCount: Int

  /// Looks whether a text begins with such a line; nil where it does not.
  ///
  /// - Parameter bytes: The first bytes, without a byte order mark.
  init?(beginning bytes: some Collection<UInt8>) {
    let start = Array(bytes.prefix(10))
    let quote = UInt8(ascii: "\"")
    let isQuoted = start.first == quote
    var rest = start.dropFirst(isQuoted ? 1 : 0)
    guard rest.prefix(4).elementsEqual("sep=".utf8) || rest.prefix(4).elementsEqual("SEP=".utf8)
    else { return nil }
    rest = rest.dropFirst(4)
    guard let sign = rest.popFirst(), sign < 0x80, ![quote, 0x0A, 0x0D, 0].contains(sign) else {
      return nil
    }
    if isQuoted, rest.popFirst() != quote { return nil }
    let end = rest.first
    switch end {
    case 0x0D: rest = rest.dropFirst(rest.dropFirst().first == 0x0A ? 2 : 1)
    case 0x0A: rest = rest.dropFirst()
    case nil where start.count == bytes.count: break
    default: return nil
    }
    delimiter = sign
    byteCount = start.count - rest.count
  }
}
