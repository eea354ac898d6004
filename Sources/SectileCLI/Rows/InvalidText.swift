internal import Sectile

/// Text that is not UTF-8, as it is shown to people.
enum InvalidText {
  /// Returns the text with each byte that makes no sense as `‹ff›`.
  ///
  /// - Parameter bytes: The bytes of the text.
  /// - Returns: The marked text; not yet safe to show.
  static func marked(_ bytes: some Sequence<UInt8>) -> String {
    var result = ""
    var iterator = bytes.makeIterator()
    var rest = Array(bytes)[...]
    var parser = Unicode.UTF8.ForwardParser()
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        result.unicodeScalars.append(Unicode.UTF8.decode(encoded))
        rest.removeFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) { result += "‹\(hexadecimal(byte))›" }
        rest.removeFirst(length)
      case .emptyInput: return result
      }
    }
  }

  /// Returns a value as people are shown it: text that is not UTF-8 is marked.
  static func marked(_ value: ExactValue) -> StoredValue {
    switch value {
    case .value(let value): value
    case .invalidText(let bytes): .text(marked(bytes))
    }
  }

  /// Returns values with texts for the blobs that stand for text which is not UTF-8, at some
  /// positions.
  static func marked(_ values: [StoredValue], at positions: [Int]) -> [StoredValue] {
    if positions.isEmpty { return values }
    var values = values
    for position in positions where values.indices.contains(position) {
      if case .blob(let bytes) = values[position] { values[position] = .text(marked(bytes)) }
    }
    return values
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
